/* SPDX-License-Identifier: Apache-2.0 */
/* touching.c: gives contacts to pairs of solids. A model has a fixed number of contacts for solids,
   which follows from its shapes (model/solids.c). One is given to two solids when they come near,
   and becomes free again when they are apart and the contact is open. While they are near, they
   keep it, with its memory. */
#include "base/error.h"
#include "math/solid.h"
#include "system/system_impl.h"

#include <stdio.h>
#include <string.h>

void apl_system_shapes(const apl_system* s, int i, int shape[2]) {
  const contact_touch* t = apl_state_touch(s->state, i);
  for (int k = 0; k < 2; ++k)
    shape[k] = t == NULL ? -1 : t->solid[k] - 1;
}

bool apl_system_is_free(const apl_system* s, int i) {
  const contact_touch* t = apl_state_touch(s->state, i);
  return t != NULL && t->solid[0] == 0;
}

bool apl_system_is_inner(const apl_system* s, int i) {
  const contact_touch* t = apl_state_touch(s->state, i);
  return t != NULL && t->solid[0] > 0 && s->model->solid[t->solid[1] - 1].frame != 0;
}

static bool is_idle(apl_system* s, int i) {
  return apl_contact_is_open(apl_state_contact(s->state, i)) && !s->contacts.note[i].closed &&
         s->contacts.note[i].last[0] == 0.0;
}

static void give(apl_system* s, int i, const near_place* p, apl_contact_mode mode) {
  contact_state* c = apl_state_contact(s->state, i);
  contact_touch* t = apl_state_touch(s->state, i);

  memset(c, 0, sizeof *c);
  apl_contact_set_mode(c, mode);
  c->speed = s->model->par[s->model->pair[i].par + PAIR_REST];
  s->contacts.note[i] = (contact_note){.given = true};
  *t = p == NULL ? (contact_touch){{0, 0}, 0}
                 : (contact_touch){{p->solid[0] + 1, p->solid[1] + 1}, p->place};
}

/* One number for a pair of solids and one of its contact places. */
static unsigned long key_of(const apl_system* s, int a, int b, int place) {
  return ((unsigned long)a * (unsigned long)s->model->nsolid + (unsigned long)b) * 8ul +
         (unsigned long)place;
}

/* Index of this key in the hash table, or of the empty slot where it belongs. */
static int find_key(const apl_system* s, unsigned long key) {
  unsigned long at = key * 2654435761ul % (unsigned long)s->touch.nkey;

  while (s->touch.key[at] != 0 && s->touch.key[at] != key + 1)
    at = (at + 1) % (unsigned long)s->touch.nkey;
  return (int)at;
}

bool apl_system_has_touch(const apl_system* s, int i, const contact_touch* t) {
  const apl_model* m = s->model;
  const int a = t->solid[0], b = t->solid[1];
  if (a == 0) return true;
  if (a < 1 || a > m->nsolid || b < 1 || b > m->nsolid || t->place < 0) return false;

  const int g = m->touches[(a - 1) * m->nsolid + b - 1];
  const solid_kind ka = (solid_kind)m->solid[a - 1].kind, kb = (solid_kind)m->solid[b - 1].kind;
  return g >= 0 && i >= m->group[g].slot0 && i < m->group[g].slot0 + m->group[g].nslot &&
         t->place < apl_touch_count(ka, kb);
}

/* The search itself, then: -1, or a group that has more near points than contacts. */
static int find_near(apl_system* s, double horizon) {
  const apl_model* m = s->model;
  int crowded = apl_near_find(&s->touch.near, m, s->state, horizon);

  for (int g = 0; g < m->ngroup && crowded < 0; ++g) {
    int n = 0;
    for (int k = 0; k < s->touch.near.n; ++k)
      n += s->touch.near.list[k].group == g;
    if (n > m->group[g].nslot) crowded = g;
  }
  return crowded;
}

apl_status apl_system_touch(apl_system* s, double horizon, double least, bool fresh,
                            bool* changed) {
  const apl_model* m = s->model;
  const int first = s->npair - m->nslot;

  *changed = false;
  s->touch.horizon = horizon;
  if (m->nslot == 0) return APL_OK;
  int crowded = find_near(s, horizon);
  /* too many: look less far ahead, but not less than the next step is long. Steps with located
     events become as short, so there is an end */
  for (int k = 0;
       k < 6 && crowded >= 0 && 0.25 * horizon >= least && horizon > 1e-6 * s->scale.time; ++k)
    crowded = find_near(s, horizon *= 0.25);
  s->touch.horizon = horizon;
  memset(s->touch.key, 0, sizeof *s->touch.key * (size_t)s->touch.nkey);
  for (int k = 0; k < s->touch.near.n; ++k) {
    const near_place* p = &s->touch.near.list[k];
    const unsigned long key = key_of(s, p->solid[0] + 1, p->solid[1] + 1, p->place);
    const int at = find_key(s, key);
    s->touch.key[at] = key + 1;
    s->touch.key_place[at] = k;
  }
  for (int i = first; i < s->npair; ++i) {
    const contact_touch* t = apl_state_touch(s->state, i);
    if (t->solid[0] == 0) continue;
    const int at = find_key(s, key_of(s, t->solid[0], t->solid[1], t->place));
    if (s->touch.key[at] != 0) {
      s->touch.key_place[at] = -1; /* the place has a contact already */
    } else if (is_idle(s, i)) {
      give(s, i, NULL, APL_CONTACT_OPEN);
      *changed = true;
    }
  }
  for (int k = 0; k < s->touch.near.n && crowded < 0; ++k) {
    const near_place* p = &s->touch.near.list[k];
    const apl_touch_group* g = &m->group[p->group];
    const int at = find_key(s, key_of(s, p->solid[0] + 1, p->solid[1] + 1, p->place));
    int i = g->slot0;
    if (s->touch.key_place[at] < 0) continue;
    while (i < g->slot0 + g->nslot && apl_state_touch(s->state, i)->solid[0] != 0)
      ++i;
    if (i == g->slot0 + g->nslot) {
      crowded = p->group;
      break;
    }
    give(s, i, p, fresh ? APL_CONTACT_FRESH : APL_CONTACT_OPEN);
    *changed = true;
  }
  if (*changed) s->look.fresh = false;
  if (crowded < 0) return APL_OK;
  return apl_fail(
      &s->complaint, APL_ERR_MODEL,
      "collide '%.60s': more than %d contact points are near at the same time, which is more than "
      "a pile of these shapes has: they overlap or move too fast; use a smaller step, fewer "
      "shapes, "
      "or name the pairs that may touch",
      m->group[crowded].name, m->group[crowded].nslot);
}
