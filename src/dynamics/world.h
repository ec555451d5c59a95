/* SPDX-License-Identifier: Apache-2.0 */
/* world.h: motion columns in world axes at the root of their tree, and the walk from a frame to the
   world. In these axes a twist or wrench is the same vector for every frame on the path, so a walk
   costs one dot product of six numbers per freedom. Only slaved joints change the wrench that
   passes them. */
#pragma once

#include "dynamics/motion.h"

/* Pose of frame f relative to the root of node n's tree, so that robots far from the world's origin
   lose no digits. */
HOT_INLINE pose root_pose(const state* s, const apl_node* n, int f) {
  return (pose){s->X[f].R, sub(s->X[f].p, s->X[n->root].p)};
}

HOT_INLINE twist world_column(const state* s, int k) {
  return column(s->world, k);
}

/* Columns of a joint whose frame has pose X relative to the root of its tree. */
HOT_INLINE void joint_columns(state* s, const apl_node* n, pose X) {
  const vec3 z = {X.R.xz, X.R.yz, X.R.zz};

  if (n->path == PATH_REVOLUTE) {
    set_column(s->world, n->v0, (twist){z, cross(X.p, z)});
  } else if (n->path == PATH_PRISMATIC) {
    set_column(s->world, n->v0, (twist){vec3_zero(), z});
  } else {
    for (int k = 0; k < n->nv; ++k) {
      set_column(s->world, n->v0 + k, twist_from(X, column(s->work + work_S(n), k)));
    }
  }
}

/* Columns of all joints, and of the deformations for each port, after positions(). */
static void world_columns(const apl_model* m, state* s) {
  for (int i = 0; i < m->nnode; ++i) {
    const apl_node* n = &m->node[i];

    if (has_joint(n)) joint_columns(s, n, root_pose(s, n, n->frame));
    for (int p = 0; p < n->nport; ++p) {
      const pose X = root_pose(s, n, n->port0 + p);
      for (int k = 0; k < n->nx; ++k) {
        set_column(s->world, n->world + p * n->nx + k,
                   twist_from(X, column(s->work + work_port(n, p), k)));
      }
    }
  }
}

/* Phi^T of a slaved joint, for a wrench in world axes at the root. */
static wrench slaved_wrench(const state* s, const apl_node* n, wrench F) {
  const pose X = root_pose(s, n, n->frame);
  const wrench at_body = {mul_t(X.R, sub(F.n, cross(X.p, F.f))), mul_t(X.R, F.f)};
  const wrench at_up = rows_mul_t(s->work + work_Phi(n), at_body);
  return wrench_from(root_pose(s, n, n->up), at_up);
}

/* Generalized force of wrench F, in world axes at the root, on every freedom from `first` (a
   column, usually frame_column[f]) to the world: out[k * stride] += column_k . F. */
HOT_INLINE void walk(const apl_model* m, const state* s, int first, wrench F, real* out,
                     int stride) {
  int c = first;

  for (;;) {
    for (; c >= 0; c = m->column_next[c]) {
      out[m->column_velocity[c] * stride] += power(world_column(s, c), F);
    }
    if (c == WAY_END) return;
    const apl_node* n = &m->node[way_node(c)];
    F = slaved_wrench(s, n, F);
    c = m->frame_column[n->up];
  }
}
