/* SPDX-License-Identifier: Apache-2.0 */
/* algebra.h: vectors, rotations, poses, twists and wrenches over `real`, small and by value.

   Twists and wrenches are (angular; linear) and (moment; force) in the axes and at the origin of
   the frame they belong to. A pose X = (R, p) of frame b in frame a maps b to a:
     point   x_a = R x_b + p
     twist   V_b = Ad(X)^-1 V_a = (R^T w ; R^T (v + w x p))
     wrench  W_a = Ad(X)^-T W_b = (R n + p x R f ; R f)                                           */
#pragma once

#include "math/real.h"

typedef struct vec3 {
  real x, y, z;
} vec3;

/* 3x3 matrix by rows */
typedef struct mat3 {
  real xx, xy, xz, yx, yy, yz, zx, zy, zz;
} mat3;

/* symmetric */
typedef struct sym3 {
  real xx, yy, zz, xy, xz, yz;
} sym3;

typedef struct pose {
  mat3 R;
  vec3 p;
} pose;

typedef struct twist {
  vec3 w, v;
} twist;

typedef struct wrench {
  vec3 n, f;
} wrench;

HOT_INLINE vec3 vec3_zero(void) {
  const real o = real_of(0.0);
  return (vec3){o, o, o};
}
HOT_INLINE vec3 add(vec3 a, vec3 b) {
  return (vec3){a.x + b.x, a.y + b.y, a.z + b.z};
}
HOT_INLINE vec3 sub(vec3 a, vec3 b) {
  return (vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}
HOT_INLINE vec3 scale(real s, vec3 a) {
  return (vec3){s * a.x, s * a.y, s * a.z};
}
HOT_INLINE vec3 neg(vec3 a) {
  return (vec3){-a.x, -a.y, -a.z};
}
HOT_INLINE real dot(vec3 a, vec3 b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
HOT_INLINE vec3 cross(vec3 a, vec3 b) {
  return (vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

HOT_INLINE mat3 mat3_identity(void) {
  const real o = real_of(0.0), i = real_of(1.0);
  return (mat3){i, o, o, o, i, o, o, o, i};
}

/* R a */
HOT_INLINE vec3 mul(mat3 R, vec3 a) {
  return (vec3){R.xx * a.x + R.xy * a.y + R.xz * a.z, R.yx * a.x + R.yy * a.y + R.yz * a.z,
                R.zx * a.x + R.zy * a.y + R.zz * a.z};
}

/* R^T a */
HOT_INLINE vec3 mul_t(mat3 R, vec3 a) {
  return (vec3){R.xx * a.x + R.yx * a.y + R.zx * a.z, R.xy * a.x + R.yy * a.y + R.zy * a.z,
                R.xz * a.x + R.yz * a.y + R.zz * a.z};
}

/* A B */
HOT_INLINE mat3 mat3_mul(mat3 A, mat3 B) {
  return (mat3){A.xx * B.xx + A.xy * B.yx + A.xz * B.zx, A.xx * B.xy + A.xy * B.yy + A.xz * B.zy,
                A.xx * B.xz + A.xy * B.yz + A.xz * B.zz, A.yx * B.xx + A.yy * B.yx + A.yz * B.zx,
                A.yx * B.xy + A.yy * B.yy + A.yz * B.zy, A.yx * B.xz + A.yy * B.yz + A.yz * B.zz,
                A.zx * B.xx + A.zy * B.yx + A.zz * B.zx, A.zx * B.xy + A.zy * B.yy + A.zz * B.zy,
                A.zx * B.xz + A.zy * B.yz + A.zz * B.zz};
}

/* R Rz(angle) */
HOT_INLINE mat3 mat3_turn_z(mat3 R, real s, real c) {
  return (mat3){R.xx * c + R.xy * s, R.xy * c - R.xx * s, R.xz,
                R.yx * c + R.yy * s, R.yy * c - R.yx * s, R.yz,
                R.zx * c + R.zy * s, R.zy * c - R.zx * s, R.zz};
}

HOT_INLINE vec3 sym3_mul(sym3 A, vec3 a) {
  return (vec3){A.xx * a.x + A.xy * a.y + A.xz * a.z, A.xy * a.x + A.yy * a.y + A.yz * a.z,
                A.xz * a.x + A.yz * a.y + A.zz * a.z};
}

HOT_INLINE pose pose_identity_real(void) {
  return (pose){mat3_identity(), vec3_zero()};
}

/* X Y: the pose of c in a, from b in a and c in b */
HOT_INLINE pose pose_mul(pose X, pose Y) {
  return (pose){mat3_mul(X.R, Y.R), add(mul(X.R, Y.p), X.p)};
}

HOT_INLINE twist twist_zero(void) {
  return (twist){vec3_zero(), vec3_zero()};
}
HOT_INLINE twist twist_add(twist a, twist b) {
  return (twist){add(a.w, b.w), add(a.v, b.v)};
}
HOT_INLINE twist twist_scale(real s, twist a) {
  return (twist){scale(s, a.w), scale(s, a.v)};
}

/* Ad(X)^-1 V */
HOT_INLINE twist twist_to(pose X, twist V) {
  return (twist){mul_t(X.R, V.w), mul_t(X.R, add(V.v, cross(V.w, X.p)))};
}

/* Ad(X) V */
HOT_INLINE twist twist_from(pose X, twist V) {
  const vec3 w = mul(X.R, V.w);
  return (twist){w, add(mul(X.R, V.v), cross(X.p, w))};
}

/* ad(V) U = (w x u_w ; v x u_w + w x u_v) */
HOT_INLINE twist twist_cross(twist V, twist U) {
  return (twist){cross(V.w, U.w), add(cross(V.v, U.w), cross(V.w, U.v))};
}

HOT_INLINE wrench wrench_zero(void) {
  return (wrench){vec3_zero(), vec3_zero()};
}
/* Component by component: copying the struct would stall until all of it is stored. */
HOT_INLINE void put_wrench(real* out, wrench W) {
  out[0] = W.n.x, out[1] = W.n.y, out[2] = W.n.z;
  out[3] = W.f.x, out[4] = W.f.y, out[5] = W.f.z;
}
HOT_INLINE wrench wrench_add(wrench a, wrench b) {
  return (wrench){add(a.n, b.n), add(a.f, b.f)};
}
HOT_INLINE wrench wrench_sub(wrench a, wrench b) {
  return (wrench){sub(a.n, b.n), sub(a.f, b.f)};
}
HOT_INLINE wrench wrench_scale(real s, wrench a) {
  return (wrench){scale(s, a.n), scale(s, a.f)};
}

/* Ad(X)^-T W: the same wrench expressed in the outer frame */
HOT_INLINE wrench wrench_from(pose X, wrench W) {
  const vec3 f = mul(X.R, W.f);
  return (wrench){add(mul(X.R, W.n), cross(X.p, f)), f};
}

HOT_INLINE real power(twist V, wrench W) {
  return dot(V.w, W.n) + dot(V.v, W.f);
}

/* Dense columns of six numbers, in the layout that element kinds fill. */
HOT_INLINE twist column(const real* S, int k) {
  const real* s = S + 6 * k;
  return (twist){{s[0], s[1], s[2]}, {s[3], s[4], s[5]}};
}
HOT_INLINE void set_column(real* S, int k, twist V) {
  real* s = S + 6 * k;
  s[0] = V.w.x, s[1] = V.w.y, s[2] = V.w.z;
  s[3] = V.v.x, s[4] = V.v.y, s[5] = V.v.z;
}

/* S v */
HOT_INLINE twist columns_mul(const real* S, const real* v, int n) {
  twist V = twist_zero();
  for (int k = 0; k < n; ++k)
    V = twist_add(V, twist_scale(v[k], column(S, k)));
  return V;
}
