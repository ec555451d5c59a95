/* SPDX-License-Identifier: Apache-2.0 */
/* touch.c: contacts between shapes for a state outside of runs: statics, inverse dynamics, a user's
   own state. There is no memory: each near point gets a contact in mode FRESH, which acts as soon
   as the shapes overlap. */
#include "appell/dynamics.h"

#include "couple/near.h"
#include "dynamics/extra.h"
#include "dynamics/passes.h"
#include "dynamics/rows.h"

static const contact_touch no_touch = {{0, 0}, 0};

/* The contact of a group that has this point already, else its first empty slot; -1: none. */
static int find_contact(const apl_model* m, const apl_state* s, int group, const contact_touch* t) {
  const int first = m->npair - m->nslot, end = m->group[group].slot0 + m->group[group].nslot;
  int idle = -1;

  for (int i = m->group[group].slot0; i < end; ++i) {
    const contact_touch* has = &s->touch[i - first];
    const bool same = has->solid[0] == t->solid[0] && has->solid[1] == t->solid[1];
    if (same && has->place == t->place) return i;
    if (idle < 0 && has->solid[0] == 0) idle = i;
  }
  return idle;
}

int apl_near_join(apl_near* near, const apl_model* m, apl_state* s, double least, bool* given) {
  const int first = m->npair - m->nslot, crowded = apl_near_find(near, m, s, 0.0);
  if (crowded >= 0) return crowded;

  for (int k = 0; k < near->n; ++k) {
    const near_place* p = &near->list[k];
    const contact_touch t = {{p->solid[0] + 1, p->solid[1] + 1}, p->place};
    if (!(p->depth > least)) continue;
    const int i = find_contact(m, s, p->group, &t);
    if (i < 0) return p->group;
    if (apl_state_touch(s, i)->solid[0] != 0) continue;
    *apl_state_contact(s, i) =
        (contact_state){.on = APL_CONTACT_FRESH, .speed = m->par[m->pair[i].par + PAIR_REST]};
    *apl_state_touch(s, i) = t;
    if (given != NULL) given[i - first] = true;
  }
  return -1;
}

void apl_near_part(const apl_model* m, apl_state* s, const bool* given) {
  for (int k = 0; k < m->nslot; ++k) {
    if (given != NULL && !given[k]) continue;
    *apl_state_contact(s, m->npair - m->nslot + k) = (contact_state){.on = APL_CONTACT_OPEN};
    s->touch[k] = no_touch;
  }
}

int apl_near_fill(apl_near* near, const apl_model* m, apl_state* s) {
  apl_near_part(m, s, NULL);
  return apl_near_join(near, m, s, 0.0, NULL);
}

/* Add the contacts that a scalar state has found for one lane (or the real parts) to the wide
   state. All lanes share the contacts; in a lane whose shapes do not overlap they have no force. */
static apl_status add_touches(const apl_model* m, apl_state* one, apl_state* s) {
  const int first = m->npair - m->nslot, width = s->passes->width;

  for (int g = 0; g < m->ngroup; ++g) {
    for (int k = m->group[g].slot0; k < m->group[g].slot0 + m->group[g].nslot; ++k) {
      const contact_touch* t = apl_state_touch(one, k);
      if (t->solid[0] == 0) continue;
      const int i = find_contact(m, s, g, t);
      if (i < 0) return APL_ERR_MODEL;
      s->touch[i - first] = *t;
      for (int lane = 0; lane < (width == 4 ? width : 1); ++lane) {
        apl_contact c;
        apl_contact_get(one, k, 0, &c);
        apl_contact_remember(s, i, lane, &c);
      }
    }
  }
  return APL_OK;
}

/* Find the contacts with a scalar state: one lane after the other, or the real parts. */
static apl_status touch_wide(apl_near* near, const apl_model* m, apl_state* s) {
  const int width = s->passes->width, lanes = width == 4 ? width : 1;
  const apl_contact open = {.mode = APL_CONTACT_OPEN};
  apl_state* one = NULL;
  apl_status st = apl_state_new(m, APL_SCALAR, &one);

  for (int i = m->npair - m->nslot; i < m->npair; ++i) {
    for (int part = 0; part < width; ++part)
      apl_contact_remember(s, i, part, &open);
  }
  for (int k = 0; k < m->nslot; ++k)
    s->touch[k] = no_touch;
  for (int lane = 0; lane < lanes && st == APL_OK; ++lane) {
    for (int i = 0; i < m->nq; ++i)
      apl_q(one)[i] = apl_q(s)[width * i + lane];
    st = apl_near_fill(near, m, one) < 0 ? add_touches(m, one, s) : APL_ERR_MODEL;
  }
  apl_state_free(one);
  return st;
}

apl_status apl_touch_shapes(const apl_model* m, apl_state* s) {
  apl_near near;

  if (s == NULL || s->model != m) return APL_ERR_ARGUMENT;
  if (m->nslot == 0) return APL_OK;
  apl_status st = apl_near_new(m, &near);
  if (st != APL_OK) return st;
  if (s->passes->width > 1) {
    st = touch_wide(&near, m, s);
  } else if (apl_near_fill(&near, m, s) >= 0) {
    st = APL_ERR_MODEL;
  }
  apl_near_free(&near);
  return st;
}
