/* SPDX-License-Identifier: Apache-2.0 */
/* moreau_momentum.c: external impulse of one time step, about the world's origin:

     h (c x m g; m g)  +  sum over contacts (x x p; p)

   with the centre of mass c and the contact points x at the start of the step. This is done for
   robots without a joint to the world only: the force of such a joint is known from inverse
   dynamics alone, and a balance with it would hold by construction. The difference that remains is
   the error of the method and falls with the step. */
#include "dynamics/passes.h"
#include "step/moreau.h"

#include <string.h>

bool apl_moreau_stands_free(const apl_system* s) {
  const apl_model* m = s->model;
  bool free = m->ndrag + m->npush + m->ntendon + m->nslaved == 0 && !apl_couplings_unbooked(s);

  for (int i = 0; i < m->nnode; ++i) {
    const apl_node* n = &m->node[i];
    if (n->up == 0) free = free && n->frame != 0 && n->nv == 6 && !n->joint_prescribed;
  }
  return free;
}

static bool is_booked(const apl_system* s) {
  return s->stepping.books_outside && s->state->nload == 0 && !apl_couplings_unbooked(s);
}

apl_status apl_moreau_weigh(apl_moreau* m) {
  apl_system* s = m->system;
  if (!is_booked(s)) return APL_OK;

  /* if there are contacts, they have just been evaluated and all frames are computed */
  return s->npair > 0 ? apl_center_placed(s->model, s->state, m->centre)
                      : apl_center(s->model, s->state, m->centre);
}

void apl_moreau_book_momentum(apl_moreau* m, double h) {
  apl_system* s = m->system;
  const apl_vec3 g = apl_model_gravity(s->model);
  const double weight = h * apl_model_mass(s->model);
  double* impulse = s->ledger.account + APL_NACCOUNT;

  /* the check of momentum ends for good when something unbooked acts from outside */
  s->stepping.books_outside = is_booked(s);
  if (!s->stepping.books_outside) return;
  apl_add_moment(m->centre, (double[3]){weight * g.x, weight * g.y, weight * g.z}, impulse);
  apl_couplings_outside(s, impulse);
}
