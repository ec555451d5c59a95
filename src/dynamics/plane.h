/* SPDX-License-Identifier: Apache-2.0 */
/* plane.h: algebra for planar robots: wrenches (moment; force) and accelerations (angular; linear)
   with three components, and inertias that map the second to the first. See plane.c. */
#pragma once

#include "math/vec2.h"

/* (n; f) and (dw; a) */
typedef struct plane_three {
  real n;
  vec2 f;
} plane_three;

/* n = J dw + H . a, f = H dw + M a */
typedef struct plane_inertia3 {
  real J;
  vec2 H;
  real xx, xy, yy;
} plane_inertia3;

typedef struct plane_frame {
  real c, s; /* rotation against the frame above                                                */
  vec2 p;    /* origin in the frame above                                                       */
  vec2 ca;   /* velocity products, in the axes above                                            */
  real w;
  plane_three A;
  plane_three b;
  plane_inertia3 I;
  real mass;           /* for the ledger: mass of this frame and all frames below it, ... */
  vec2 moment;         /* ... their first moment, and ... */
  plane_three outside; /* ... the external wrench on them */
  real C, S;           /* for the tally, in the world: the frame's rotation, ... */
  vec2 x, v;           /* ... position and velocity of its origin */
} plane_frame;

HOT_INLINE real dot3(plane_three a, plane_three b) {
  return a.n * b.n + dot2(a.f, b.f);
}
HOT_INLINE plane_three add3(plane_three a, plane_three b) {
  return (plane_three){a.n + b.n, add2(a.f, b.f)};
}
HOT_INLINE plane_three scale3(real k, plane_three a) {
  return (plane_three){k * a.n, scale2(k, a.f)};
}

HOT_INLINE plane_three inertia3_mul(plane_inertia3 I, plane_three A) {
  return (plane_three){
      I.J * A.n + dot2(I.H, A.f),
      {I.H.x * A.n + I.xx * A.f.x + I.xy * A.f.y, I.H.y * A.n + I.xy * A.f.x + I.yy * A.f.y}};
}
HOT_INLINE plane_inertia3 inertia3_add(plane_inertia3 a, plane_inertia3 b) {
  return (plane_inertia3){a.J + b.J, add2(a.H, b.H), a.xx + b.xx, a.xy + b.xy, a.yy + b.yy};
}
/* I - d U U^T */
HOT_INLINE plane_inertia3 inertia3_reduce(plane_inertia3 I, plane_three U, real d) {
  const plane_three u = scale3(d, U);
  return (plane_inertia3){I.J - u.n * U.n,
                          {I.H.x - u.n * U.f.x, I.H.y - u.n * U.f.y},
                          I.xx - u.f.x * U.f.x,
                          I.xy - u.f.x * U.f.y,
                          I.yy - u.f.y * U.f.y};
}
/* in axes relative to which the frame is rotated by R */
HOT_INLINE plane_inertia3 inertia3_rotate(real c, real s, plane_inertia3 I) {
  const real cc = c * c, ss = s * s, cs = c * s, k = 2.0 * cs * I.xy;
  return (plane_inertia3){I.J, rotate2(c, s, I.H), cc * I.xx + ss * I.yy - k,
                          cs * (I.xx - I.yy) + (cc - ss) * I.xy, ss * I.xx + cc * I.yy + k};
}
/* about a point from which the origin is at p: H + M (n x p), J + 2 (n x p) . H + (n x p) M (n x
   p) */
HOT_INLINE plane_inertia3 inertia3_shift(vec2 p, plane_inertia3 I) {
  const vec2 t = {-p.y, p.x};
  const vec2 Mt = {I.xx * t.x + I.xy * t.y, I.xy * t.x + I.yy * t.y};
  const real J = I.J + 2.0 * dot2(t, I.H) + dot2(t, Mt);
  return (plane_inertia3){J, add2(I.H, Mt), I.xx, I.xy, I.yy};
}
HOT_INLINE plane_three wrench3_shift(vec2 p, plane_three W) {
  return (plane_three){W.n + cross2(p, W.f), W.f};
}
