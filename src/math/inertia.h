/* SPDX-License-Identifier: Apache-2.0 */
/* inertia.h: rigid and articulated inertias over `real`. Theory: docs/theory/passes.md.

   An articulated inertia maps accelerations (dw; a) to wrenches (n; f):
     [ n ]   [ J    H ] [ dw ]
     [ f ] = [ H^T  M ] [ a  ]       J, M symmetric, H any 3x3 */
#pragma once

#include "math/algebra.h"

/* m, first moment h = m c and J about the origin of the frame */
typedef struct rigid_inertia {
  real m;
  vec3 h;
  sym3 J;
} rigid_inertia;

typedef struct inertia6 {
  sym3 J;
  mat3 H;
  sym3 M;
} inertia6;

/* angular acceleration and acceleration of the origin, in body axes (docs/decisions/002) */
typedef struct accel {
  vec3 dw, a;
} accel;

HOT_INLINE accel accel_add(accel x, accel y) {
  return (accel){add(x.dw, y.dw), add(x.a, y.a)};
}

/* accelerations transform between frames like twists, apart from velocity products */
HOT_INLINE accel accel_to(mat3 R, vec3 p, accel A) {
  return (accel){mul_t(R, A.dw), mul_t(R, add(A.a, cross(A.dw, p)))};
}

HOT_INLINE sym3 sym3_add(sym3 a, sym3 b) {
  return (sym3){a.xx + b.xx, a.yy + b.yy, a.zz + b.zz, a.xy + b.xy, a.xz + b.xz, a.yz + b.yz};
}
HOT_INLINE mat3 mat3_add(mat3 a, mat3 b) {
  return (mat3){a.xx + b.xx, a.xy + b.xy, a.xz + b.xz, a.yx + b.yx, a.yy + b.yy,
                a.yz + b.yz, a.zx + b.zx, a.zy + b.zy, a.zz + b.zz};
}
HOT_INLINE inertia6 inertia6_add(inertia6 a, inertia6 b) {
  return (inertia6){sym3_add(a.J, b.J), mat3_add(a.H, b.H), sym3_add(a.M, b.M)};
}

HOT_INLINE inertia6 inertia6_zero(void) {
  const real o = real_of(0.0);
  return (inertia6){{o, o, o, o, o, o}, {o, o, o, o, o, o, o, o, o}, {o, o, o, o, o, o}};
}

/* J = J, H = [h], M = m 1: n = J dw + h x a, f = m a - h x dw */
HOT_INLINE inertia6 inertia6_of_rigid(rigid_inertia I) {
  const real o = real_of(0.0);
  return (inertia6){
      I.J, {o, -I.h.z, I.h.y, I.h.z, o, -I.h.x, -I.h.y, I.h.x, o}, {I.m, I.m, I.m, o, o, o}};
}

HOT_INLINE wrench inertia6_mul(inertia6 I, accel A) {
  return (wrench){add(sym3_mul(I.J, A.dw), mul(I.H, A.a)),
                  add(mul_t(I.H, A.dw), sym3_mul(I.M, A.a))};
}

/* The wrench needed for acceleration A of a rigid body with angular velocity w:
     f = m a + dw x h + w x (w x h),   n = J dw + w x (J w) + h x a */
HOT_INLINE wrench rigid_wrench(rigid_inertia I, vec3 w, accel A) {
  const vec3 f = add(scale(I.m, A.a), add(cross(A.dw, I.h), cross(w, cross(w, I.h))));
  const vec3 n = add(add(sym3_mul(I.J, A.dw), cross(w, sym3_mul(I.J, w))), cross(I.h, A.a));
  return (wrench){n, f};
}

/* The terms of rigid_wrench() for zero acceleration. */
HOT_INLINE wrench rigid_bias(rigid_inertia I, vec3 w) {
  return (wrench){cross(w, sym3_mul(I.J, w)), cross(w, cross(w, I.h))};
}

/* R A R^T */
HOT_INLINE sym3 sym3_rotate(mat3 R, sym3 A) {
  /* T = R A */
  const mat3 T = {R.xx * A.xx + R.xy * A.xy + R.xz * A.xz, R.xx * A.xy + R.xy * A.yy + R.xz * A.yz,
                  R.xx * A.xz + R.xy * A.yz + R.xz * A.zz, R.yx * A.xx + R.yy * A.xy + R.yz * A.xz,
                  R.yx * A.xy + R.yy * A.yy + R.yz * A.yz, R.yx * A.xz + R.yy * A.yz + R.yz * A.zz,
                  R.zx * A.xx + R.zy * A.xy + R.zz * A.xz, R.zx * A.xy + R.zy * A.yy + R.zz * A.yz,
                  R.zx * A.xz + R.zy * A.yz + R.zz * A.zz};
  return (sym3){T.xx * R.xx + T.xy * R.xy + T.xz * R.xz, T.yx * R.yx + T.yy * R.yy + T.yz * R.yz,
                T.zx * R.zx + T.zy * R.zy + T.zz * R.zz, T.xx * R.yx + T.xy * R.yy + T.xz * R.yz,
                T.xx * R.zx + T.xy * R.zy + T.xz * R.zz, T.yx * R.zx + T.yy * R.zy + T.yz * R.zz};
}

/* [p] A for a symmetric A: columns are p x (column of A) */
HOT_INLINE mat3 skew_sym(vec3 p, sym3 A) {
  return (mat3){p.y * A.xz - p.z * A.xy, p.y * A.yz - p.z * A.yy, p.y * A.zz - p.z * A.yz,
                p.z * A.xx - p.x * A.xz, p.z * A.xy - p.x * A.yz, p.z * A.xz - p.x * A.zz,
                p.x * A.xy - p.y * A.xx, p.x * A.yy - p.y * A.xy, p.x * A.yz - p.y * A.xz};
}

/* J += [p] H^T + ([p] H^T)^T + [p] M [p]^T with Hn = H + [p] M already formed:
   equals J + [p] H^T + Hn [p]^T, of which only the symmetric half is computed. */
HOT_INLINE sym3 shift_J(sym3 J, vec3 p, mat3 H, mat3 Hn) {
  /* ([p] H^T)_ij = (p x row_j(H))_i ; (Hn [p]^T)_ij = (p x row_i(Hn))_j */
  return (sym3){J.xx + (p.y * H.xz - p.z * H.xy) + (p.y * Hn.xz - p.z * Hn.xy),
                J.yy + (p.z * H.yx - p.x * H.yz) + (p.z * Hn.yx - p.x * Hn.yz),
                J.zz + (p.x * H.zy - p.y * H.zx) + (p.x * Hn.zy - p.y * Hn.zx),
                J.xy + (p.y * H.yz - p.z * H.yy) + (p.z * Hn.xx - p.x * Hn.xz),
                J.xz + (p.y * H.zz - p.z * H.zy) + (p.x * Hn.xy - p.y * Hn.xx),
                J.yz + (p.z * H.zx - p.x * H.zz) + (p.x * Hn.yy - p.y * Hn.yx)};
}

/* The same inertia about another point, from which its origin is at p; axes unchanged. */
HOT_INLINE inertia6 inertia6_shift(vec3 p, inertia6 I) {
  const mat3 Hn = mat3_add(I.H, skew_sym(p, I.M));
  return (inertia6){shift_J(I.J, p, I.H, Hn), Hn, I.M};
}

/* Ad(X)^-T I Ad(X)^-1: the same inertia expressed in the outer frame */
HOT_INLINE inertia6 inertia6_from(mat3 R, vec3 p, inertia6 I) {
  /* H R^T, then R (H R^T) */
  const mat3 T = {
      I.H.xx * R.xx + I.H.xy * R.xy + I.H.xz * R.xz, I.H.xx * R.yx + I.H.xy * R.yy + I.H.xz * R.yz,
      I.H.xx * R.zx + I.H.xy * R.zy + I.H.xz * R.zz, I.H.yx * R.xx + I.H.yy * R.xy + I.H.yz * R.xz,
      I.H.yx * R.yx + I.H.yy * R.yy + I.H.yz * R.yz, I.H.yx * R.zx + I.H.yy * R.zy + I.H.yz * R.zz,
      I.H.zx * R.xx + I.H.zy * R.xy + I.H.zz * R.xz, I.H.zx * R.yx + I.H.zy * R.yy + I.H.zz * R.yz,
      I.H.zx * R.zx + I.H.zy * R.zy + I.H.zz * R.zz};
  const inertia6 turned = {sym3_rotate(R, I.J), mat3_mul(R, T), sym3_rotate(R, I.M)};
  return inertia6_shift(p, turned);
}

/* Rigid inertia expressed in the outer frame: h' = R h + m p, J' about the new origin. */
HOT_INLINE rigid_inertia rigid_from(mat3 R, vec3 p, rigid_inertia I) {
  const vec3 h = mul(R, I.h);
  const vec3 hn = add(h, scale(I.m, p));
  sym3 J = sym3_rotate(R, I.J);

  /* J' = R J R^T + terms -[p][h] - [h][p] - m [p][p] = sum of (a.b 1 - sym(a b^T)) forms */
  const real d = 2.0 * dot(p, h) + I.m * dot(p, p);
  J.xx += d - (2.0 * p.x * h.x + I.m * p.x * p.x);
  J.yy += d - (2.0 * p.y * h.y + I.m * p.y * p.y);
  J.zz += d - (2.0 * p.z * h.z + I.m * p.z * p.z);
  J.xy -= p.x * h.y + p.y * h.x + I.m * p.x * p.y;
  J.xz -= p.x * h.z + p.z * h.x + I.m * p.x * p.z;
  J.yz -= p.y * h.z + p.z * h.y + I.m * p.y * p.z;
  return (rigid_inertia){I.m, hn, J};
}

/* dense 6x6, row-major */
HOT_INLINE void inertia6_store(inertia6 I, real* D) {
  const real full[36] = {I.J.xx, I.J.xy, I.J.xz, I.H.xx, I.H.xy, I.H.xz, I.J.xy, I.J.yy, I.J.yz,
                         I.H.yx, I.H.yy, I.H.yz, I.J.xz, I.J.yz, I.J.zz, I.H.zx, I.H.zy, I.H.zz,
                         I.H.xx, I.H.yx, I.H.zx, I.M.xx, I.M.xy, I.M.xz, I.H.xy, I.H.yy, I.H.zy,
                         I.M.xy, I.M.yy, I.M.yz, I.H.xz, I.H.yz, I.H.zz, I.M.xz, I.M.yz, I.M.zz};
  memcpy(D, full, sizeof full);
}

/* from the upper left 6x6 of a dense symmetric matrix with `ld` numbers per row */
HOT_INLINE inertia6 inertia6_load(const real* D, int ld) {
  const real *a = D, *b = D + ld, *c = D + 2 * ld, *d = D + 3 * ld, *e = D + 4 * ld,
             *f = D + 5 * ld;
  return (inertia6){{a[0], b[1], c[2], a[1], a[2], b[2]},
                    {a[3], a[4], a[5], b[3], b[4], b[5], c[3], c[4], c[5]},
                    {d[3], e[4], f[5], d[4], d[5], e[5]}};
}

/* (n; f) = (J w + h x v; m v - h x w): the momentum of a rigid inertia with twist S */
HOT_INLINE wrench rigid_mul(rigid_inertia I, twist S) {
  return (wrench){add(sym3_mul(I.J, S.w), cross(I.h, S.v)), sub(scale(I.m, S.v), cross(I.h, S.w))};
}
