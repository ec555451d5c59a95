/* touching.c: which solids the free places of contacts stand for. A place is given to two solids
   when they come near and is free again when they have gone and it is open; while they are near,
   it stays theirs, with what it remembers. */
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
  return apl_state_contact(s->state, i)->on == APL_CONTACT_OPEN && !s->note[i].closed &&
         s->note[i].last[0] == 0.0;
}

static void give(apl_system* s, int i, const near_place* p, apl_contact_mode mode) {
  contact_state* c = apl_state_contact(s->state, i);
  contact_touch* t = apl_state_touch(s->state, i);

  memset(c, 0, sizeof *c);
  c->on = mode;
  c->speed = s->model->par[s->model->pair[i].par + PAIR_REST];
  s->note[i] = (contact_note){.given = true};
  *t = p == NULL ? (contact_touch){{0, 0}, 0}
                 : (contact_touch){{p->solid[0] + 1, p->solid[1] + 1}, p->place};
}

/* A place of a pair as one number. */
static unsigned long key_of(const apl_system* s, int a, int b, int place) {
  return ((unsigned long)a * (unsigned long)s->model->nsolid + (unsigned long)b) * 8ul +
         (unsigned long)place;
}

/* Where the place stands in the table of those that are near: its slot there, or an empty one. */
static int find_key(const apl_system* s, unsigned long key) {
  unsigned long at = key * 2654435761ul % (unsigned long)s->nkey;

  while (s->key[at] != 0 && s->key[at] != key + 1)
    at = (at + 1) % (unsigned long)s->nkey;
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

apl_status apl_system_touch(apl_system* s, double horizon, bool fresh, bool* changed) {
  const apl_model* m = s->model;
  const int first = s->npair - m->nslot;

  *changed = false;
  if (m->nslot == 0) return APL_OK;
  int crowded = apl_near_find(&s->near, m, s->state, horizon);
  for (int k = 0; k < 6 && crowded >= 0; ++k) /* those that are near only for a long step */
    crowded = apl_near_find(&s->near, m, s->state, horizon *= 0.25);
  s->horizon = horizon;
  memset(s->key, 0, sizeof *s->key * (size_t)s->nkey);
  for (int k = 0; k < s->near.n; ++k) {
    const near_place* p = &s->near.list[k];
    const unsigned long key = key_of(s, p->solid[0] + 1, p->solid[1] + 1, p->place);
    const int at = find_key(s, key);
    s->key[at] = key + 1;
    s->key_place[at] = k;
  }
  for (int i = first; i < s->npair; ++i) {
    const contact_touch* t = apl_state_touch(s->state, i);
    if (t->solid[0] == 0) continue;
    const int at = find_key(s, key_of(s, t->solid[0], t->solid[1], t->place));
    if (s->key[at] != 0) {
      s->key_place[at] = -1; /* it has a place already */
    } else if (is_idle(s, i)) {
      give(s, i, NULL, APL_CONTACT_OPEN);
      *changed = true;
    }
  }
  for (int k = 0; k < s->near.n && crowded < 0; ++k) {
    const near_place* p = &s->near.list[k];
    const apl_touch_group* g = &m->group[p->group];
    const int at = find_key(s, key_of(s, p->solid[0] + 1, p->solid[1] + 1, p->place));
    int i = g->slot0;
    if (s->key_place[at] < 0) continue;
    while (i < g->slot0 + g->nslot && apl_state_touch(s->state, i)->solid[0] != 0)
      ++i;
    if (i == g->slot0 + g->nslot) {
      crowded = p->group;
      break;
    }
    give(s, i, p, fresh ? APL_CONTACT_FRESH : APL_CONTACT_OPEN);
    *changed = true;
  }
  if (*changed) s->fresh = false;
  if (crowded < 0) return APL_OK;
  return apl_fail(
      &s->complaint, APL_ERR_MODEL,
      "collide '%.60s': more than %d contact points are near at the same time: increase `most`",
      m->group[crowded].name, m->group[crowded].nslot);
}
