/* SPDX-License-Identifier: Apache-2.0 */
/* half.h: the inward sweep through one node with given factors: efforts and wrenches become
   innovations z. It is half of a solution; the outward sweep, which turns z into accelerations, is
   the other half. See rows.c. */
#pragma once

#include "dynamics/eliminate.h"

HOT_INLINE void add_numbers(const real* x, int n, real* to) {
  for (int k = 0; k < n; ++k)
    to[k] += x[k];
}

/* Eliminate the efforts r on the deformations of a body, with bias y at its frame. Returns the bias
   that remains for the joint. */
HOT_INLINE wrench half_body(const state* s, const apl_node* n, real* r, wrench y, real* z) {
  if (!n->body_prescribed) {
    eliminate_bias(&y, s->work + work_xU(n), s->work + work_xD(n), r, n->nx);
  }
  add_numbers(r, n->nx, z + n->xz0);
  return y;
}

/* The same for the efforts r on a joint. The result is in the frame above. */
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
