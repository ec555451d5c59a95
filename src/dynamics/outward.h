/* SPDX-License-Identifier: Apache-2.0 */
/* outward.h: accelerations of all frames, from the root to the tips, for given accelerations of the
   joints. Theory: docs/theory/passes.md, 2. */
#pragma once

#include "dynamics/motion.h"

/* Outwards over a rigid body on a revolute axis z:
     w = R^T w_up + z q'
     dw = R^T dw_up + w x z q' + z q''
     a = R^T (a_up + dw_up x p + w_up x (w_up x p))                                               */
HOT_INLINE void out_revolute(state* s, const apl_node* n, real qd, real qdd) {
  const int f = n->frame;
  const pose tree = par_pose(s, n->par + PAR_TREE);
  const mat3 R = revolute_rotation(s, n, tree);
  const vec3 w_up = s->w[n->up];
  const accel A_up = s->A[n->up];
  vec3 w = mul_t(R, w_up);
  const vec3 a = add(A_up.a, add(cross(A_up.dw, tree.p), cross(w_up, cross(w_up, tree.p))));
  accel A = {mul_t(R, A_up.dw), mul_t(R, a)};

  w.z += qd;
  A.dw.x += w.y * qd;
  A.dw.y -= w.x * qd;
  A.dw.z += qdd;
  s->X_up[f] = (pose){R, tree.p};
  s->w[f] = w;
  s->A[f] = A;
}

/* The same along a prismatic axis z: w = R^T w_up, a = R^T (...) + 2 w x z q' + z q'' */
HOT_INLINE void out_prismatic(state* s, const apl_node* n, real qd, real qdd) {
  const int f = n->frame;
  const pose tree = par_pose(s, n->par + PAR_TREE);
  const vec3 p = prismatic_position(s, n, tree);
  const vec3 w_up = s->w[n->up];
  const accel A_up = s->A[n->up];
  const vec3 w = mul_t(tree.R, w_up);
  const vec3 a = add(A_up.a, add(cross(A_up.dw, p), cross(w_up, cross(w_up, p))));
  accel A = {mul_t(tree.R, A_up.dw), mul_t(tree.R, a)};

  A.a.x += 2.0 * w.y * qd;
  A.a.y -= 2.0 * w.x * qd;
  A.a.z += qdd;
  s->X_up[f] = (pose){tree.R, p};
  s->w[f] = w;
  s->A[f] = A;
}

/* Accelerations of the frames of a node on the general path. */
static void out_general(state* s, const apl_node* n, const real* a) {
  move_general(s, n);
  if (has_joint(n)) s->A[n->frame] = joint_acceleration(s, n, a + n->v0);
  for (int p = 0; p < n->nport; ++p)
    s->A[n->port0 + p] = port_acceleration(s, n, p, a + n->xv0);
}

/* Accelerations of all frames for given accelerations a[nv] of the freedoms. */
static void outward(const apl_model* m, state* s, const real* a) {
  for (int i = 0; i < m->nnode; ++i) {
    const apl_node* n = &m->node[i];

    if (n->path == PATH_REVOLUTE) {
      out_revolute(s, n, s->v[n->v0], a[n->v0]);
    } else if (n->path == PATH_PRISMATIC) {
      out_prismatic(s, n, s->v[n->v0], a[n->v0]);
    } else {
      out_general(s, n, a);
    }
  }
}

/* (dw; a) of a port from those of its frame. a receives the centripetal term, and gravity is added
   back, since A is minus gravity. */
static accel port_accel(const state* s, int f, pose X, mat3 R_world) {
  const accel A = s->A[f];
  const vec3 w = s->w[f];
  const vec3 a = add(A.a, add(cross(A.dw, X.p), cross(w, cross(w, X.p))));

  return (accel){mul_t(X.R, A.dw), add(mul_t(X.R, a), mul_t(R_world, par_gravity(s)))};
}
