/* touch.c: contacts between shapes for a state that no run looks after: statics, inverse dynamics,
   a user's own state. Nothing is remembered: each place that is near gets a contact that pushes as
   soon as the shapes are in each other, like a ground that no run has looked at. */
#include "appell/dynamics.h"

#include "couple/near.h"
#include "dynamics/passes.h"
#include "dynamics/rows.h"

void apl_near_clear(const apl_model* m, apl_state* s) {
  for (int i = m->npair - m->nslot; i < m->npair; ++i) {
    *apl_state_contact(s, i) = (contact_state){.on = APL_CONTACT_OPEN};
    *apl_state_touch(s, i) = (contact_touch){{0, 0}, 0};
  }
}

int apl_near_fill(apl_near* near, const apl_model* m, apl_state* s) {
  const int crowded = apl_near_find(near, m, s, 0.0);

  apl_near_clear(m, s);
  if (crowded >= 0) return crowded;
  for (int g = 0; g < m->ngroup; ++g) {
    const int end = m->group[g].slot0 + m->group[g].nslot;
    int i = m->group[g].slot0;
    for (int k = 0; k < near->n; ++k) {
      const near_place* p = &near->list[k];
      if (p->group != g || !(p->depth > 0.0)) continue;
      if (i == end) return g;
      *apl_state_contact(s, i) =
          (contact_state){.on = APL_CONTACT_FRESH, .speed = m->par[m->pair[i].par + PAIR_REST]};
      *apl_state_touch(s, i++) = (contact_touch){{p->solid[0] + 1, p->solid[1] + 1}, p->place};
    }
  }
  return -1;
}

apl_status apl_touch_shapes(const apl_model* m, apl_state* s) {
  apl_near near;

  if (s->model != m || s->passes->width != 1) return APL_ERR_ARGUMENT;
  if (m->nslot == 0) return APL_OK;
  const apl_status st = apl_near_new(m, &near);
  if (st != APL_OK) return st;
  const int crowded = apl_near_fill(&near, m, s);
  apl_near_free(&near);
  return crowded < 0 ? APL_OK : APL_ERR_MODEL;
}
