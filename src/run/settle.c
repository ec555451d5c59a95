/* SPDX-License-Identifier: Apache-2.0 */
/* settle.c: see progress.h. Friction and dampers of joints that are much faster than the motion:
   with the inertia M_jj of a joint, damping c and dry friction F smoothed over the speed u, its
   velocity decays with the time constant

     M_jj / (c + F / u)

   which is 1e-11 s for some fingers of imported robots, and limits the steps of explicit
   methods. */
#include "run/progress.h"

#include "system/system_impl.h"

#include <stdlib.h>
#include <string.h>

/* Larger mass matrices are not computed for this message. */
enum { MOST_VELOCITIES = 200 };
static const double SLOW = 1e-5; /* longer time constants are not reported [s] */

static double damping_at_rest(const apl_model* m, const apl_node* n, int k) {
  const double c = n->damper == 0 || n->slaved ? 0.0 : m->par[n->damper + k];
  const double F = n->friction == 0 ? 0.0 : m->par[n->friction + k];
  const double u = n->friction == 0 ? 1.0 : m->par[n->friction + n->nv];

  return c + F / u;
}

const char* apl_settling_joint(const apl_system* s, double* time) {
  const apl_model* m = s->model;
  const int nv = apl_model_nv(m);
  apl_state* state = NULL;
  double* M = nv > MOST_VELOCITIES ? NULL : malloc(sizeof *M * (size_t)(nv * nv + 1));
  bool known = false;
  int found = -1;

  *time = SLOW;
  if (M != NULL && apl_state_new(m, APL_SCALAR, &state) == APL_OK) {
    memcpy(apl_q(state), apl_q(s->state), sizeof *M * (size_t)apl_model_nq(m));
    known = apl_mass_matrix(m, state, M) == APL_OK;
  }
  for (int i = 0; known && i < m->nnode; ++i) {
    const apl_node* n = &m->node[i];
    for (int k = 0; !n->joint_prescribed && k < n->nv; ++k) {
      const int v = n->v0 + k;
      const double c = damping_at_rest(m, n, k);
      if (!(c > 0.0) || !(M[v * nv + v] < *time * c)) continue;
      *time = M[v * nv + v] / c;
      found = v;
    }
  }
  apl_state_free(state);
  free(M);
  return found < 0 ? NULL : apl_model_name(m, APL_VELOCITIES, found);
}
