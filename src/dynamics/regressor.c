/* SPDX-License-Identifier: Apache-2.0 */
/* regressor.c: inverse dynamics is linear in the inertial parameters p: tau = Y(q, v, a) p. Column
   j of a link's ten is the effort for a link with p_j = 1 and all others zero. */
#include "dynamics/outward.h"
#include "dynamics/world.h"

/* The wrench of a body whose only inertial parameter is number k (m, h, J) and equal to one. */
static wrench unit_wrench(int k, vec3 w, accel A) {
  real one[10];

  for (int i = 0; i < 10; ++i)
    one[i] = real_of(i == k ? 1.0 : 0.0);
  rigid_inertia I;
  memcpy(&I, one, sizeof I);
  return rigid_wrench(I, w, A);
}

static apl_status regressor(const apl_model* m, apl_state* head, double* out) {
  state* s = hot(head);
  real* Y = (real*)(void*)out;
  const int cols = 10 * m->nlink;

  zero(Y, m->nv * cols);
  positions(m, s);
  velocities(m, s);
  world_columns(m, s);
  set_world(s);
  outward(m, s, s->a);

  for (int l = 0; l < m->nlink; ++l) {
    if (m->link[l].nx > 0) continue;

    const apl_port* port = &m->port[m->link[l].port];
    const int f = port->frame;
    if (f == 0) continue;

    /* motion of the link's own frame */
    const pose X = par_pose(s, port->pose);
    const accel Af = s->A[f];
    const vec3 wf = s->w[f];
    const vec3 w = mul_t(X.R, wf);
    const vec3 a = add(Af.a, add(cross(Af.dw, X.p), cross(wf, cross(wf, X.p))));
    const accel A = {mul_t(X.R, Af.dw), mul_t(X.R, a)};
    const pose X_root = pose_mul(root_pose(s, &m->node[m->frame[f].node], f), X);

    for (int k = 0; k < 10; ++k) {
      const wrench W = wrench_from(X_root, unit_wrench(k, w, A));
      walk(m, s, m->frame_column[f], W, Y + 10 * l + k, cols);
    }
  }
  return finite_status(Y, m->nv * cols);
}
