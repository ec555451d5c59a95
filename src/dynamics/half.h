/* half.h: the sweep inwards through one node, for given factors: efforts and wrenches become
   innovations z. Called half because the sweep outwards, which makes motions of them, is the other.
   See rows.c. */
#pragma once

#include "dynamics/eliminate.h"

HOT_INLINE void add_numbers(const real* x, int n, real* to) {
  for (int k = 0; k < n; ++k)
    to[k] += x[k];
}

/* Efforts r on the deformations of a body, y the bias at its frame: what comes out below them. */
HOT_INLINE wrench half_body(const state* s, const apl_node* n, real* r, wrench y, real* z) {
  if (!n->body_prescribed) {
    eliminate_bias(&y, s->work + work_xU(n), s->work + work_xD(n), r, n->nx);
  }
  add_numbers(r, n->nx, z + n->xz0);
  return y;
}

/* The same for a joint; the result is in the frame above. */
HOT_INLINE wrench half_joint(const state* s, const apl_node* n, real* r, wrench y, real* z) {
  take_wrench(s->work + work_S(n), n->nv, y, r);
  if (n->slaved) y = rows_mul_t(s->work + work_Phi(n), y);
  if (!n->joint_prescribed) {
    eliminate_bias(&y, s->work + work_U(n), s->work + work_D(n), r, n->nv);
  }
  add_numbers(r, n->nv, z + n->z0);
  return n->slaved ? y : wrench_from(s->X_up[n->frame], y);
}

HOT_INLINE wrench half_axis(const state* s, const apl_node* n, int i, real tau, wrench y, real* z) {
  const real r = axis_effort(n, tau, y);

  z[n->z0] += r;
  return wrench_from(s->X_up[n->frame], axis_bias(axis_pivot(s, i), r, y));
}
