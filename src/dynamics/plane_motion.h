/* SPDX-License-Identifier: Apache-2.0 */
/* plane_motion.h: poses of the frames of a planar robot in its plane, and the motion of a frame by
   its joint. See plane.c. */
#pragma once

#include "dynamics/motion.h"
#include "dynamics/plane.h"

HOT_INLINE vec3 plane_axis(const state* s, int f, int k) {
  return par_plane_frame(s->head.model, s, f)->axis[k];
}

HOT_INLINE vec2 in_plane(const state* s, int f, vec3 v) {
  return (vec2){dot(plane_axis(s, f, 0), v), dot(plane_axis(s, f, 1), v)};
}

/* A joint on the general path: it is evaluated in space, then its motion is projected on the plane,
   in the axes of the frame above. */
static void plane_joint(state* s, const apl_node* n, plane_frame* P) {
  const int f = n->frame;
  plane_frame *F = &P[f], *up = &P[n->up];
  const twist c = ask_joint(s, n, twist_zero());
  const pose X = s->X_up[f];
  const vec2 e = in_plane(s, n->up, mul(X.R, plane_axis(s, f, 0)));
  const vec3 normal = plane_axis(s, f, 2);
  real* S = s->work + work_S(n);
  plane_three V = {real_of(0.0), {real_of(0.0), real_of(0.0)}};

  F->c = e.x, F->s = e.y;
  F->p = in_plane(s, n->up, X.p);
  for (int k = 0; k < n->nv; ++k) {
    const twist Sk = column(S, k);
    const vec2 v = rotate2(F->c, F->s, in_plane(s, f, Sk.v));
    const plane_three S3 = {dot(normal, Sk.w), v};
    S[3 * k] = S3.n, S[3 * k + 1] = S3.f.x, S[3 * k + 2] = S3.f.y; /* in place: column k in space
                                                                      has been read before */
    V = add3(V, scale3(s->v[n->v0 + k], S3));
  }
  F->w = up->w + V.n;

  /* a = -w_up^2 p + 2 w_up n x p' + p'', p' = V_v = R v, p'' = R (V_w n x v + (dS/dt) v) */
  const vec2 cv = rotate2(F->c, F->s, in_plane(s, f, c.v));
  F->ca = add2(add2(scale2(-(up->w * up->w), F->p), turn2(2.0 * up->w + V.n, V.f)), cv);
}

HOT_INLINE void plane_move_joint(state* s, const apl_node* n, plane_frame* P) {
  const plane_node_par* par = par_plane_node(s, n);
  const real c0 = par->c, s0 = par->s;
  plane_frame *F = &P[n->frame], *up = &P[n->up];
  const real ww = -(up->w * up->w);

  if (n->path == PATH_REVOLUTE) {
    const real sine = par->sense * s->sc[2 * n->sc0], cosine = s->sc[2 * n->sc0 + 1];
    F->c = c0 * cosine - s0 * sine;
    F->s = s0 * cosine + c0 * sine;
    F->p = par->p;
    F->w = up->w + par->sense * s->v[n->v0];
    F->ca = scale2(ww, F->p);
  } else if (n->path == PATH_PRISMATIC) {
    const vec2 d = par->slide;
    F->c = c0, F->s = s0;
    F->p = add2(par->p, scale2(s->q[n->q0], d));
    F->w = up->w;
    F->ca = add2(scale2(ww, F->p), turn2(2.0 * up->w * s->v[n->v0], d));
  } else if (n->nv == 0) {
    F->c = c0, F->s = s0;
    F->p = par->p;
    F->w = up->w;
    F->ca = scale2(ww, F->p);
  } else {
    plane_joint(s, n, P);
  }
}
