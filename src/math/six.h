/* SPDX-License-Identifier: Apache-2.0 */
/* six.h: six numbers as one value, such as a twist, a wrench or a row of a 6x6 matrix. If `real` is
   a double, two numbers share one instruction (all supported processors have such registers). The
   results have the same bits as one by one. */
#pragma once

#include "math/inertia.h"

/* Two numbers. */
#if defined(APL_REAL_SCALAR)

typedef double two __attribute__((vector_size(16)));

HOT_INLINE two two_of(real a, real b) {
  return (two){a, b};
}
HOT_INLINE real two_at(two x, int i) {
  return x[i];
}
HOT_INLINE two two_add(two x, two y) {
  return x + y;
}
HOT_INLINE two two_sub(two x, two y) {
  return x - y;
}
HOT_INLINE two two_mul(two x, two y) {
  return x * y;
}

#else

typedef struct two {
  real a, b;
} two;

HOT_INLINE two two_of(real a, real b) {
  return (two){a, b};
}
HOT_INLINE real two_at(two x, int i) {
  return i == 0 ? x.a : x.b;
}
HOT_INLINE two two_add(two x, two y) {
  return (two){x.a + y.a, x.b + y.b};
}
HOT_INLINE two two_sub(two x, two y) {
  return (two){x.a - y.a, x.b - y.b};
}
HOT_INLINE two two_mul(two x, two y) {
  return (two){x.a * y.a, x.b * y.b};
}

#endif

HOT_INLINE two two_same(real x) {
  return two_of(x, x);
}
HOT_INLINE two two_load(const real* x) {
  return two_of(x[0], x[1]);
}
HOT_INLINE real two_all(two x) {
  return two_at(x, 0) + two_at(x, 1);
}

/* ------------------------------------------------------------------------------------ six ---- */

typedef struct six {
  two part[3];
} six;

HOT_INLINE six six_of(real a, real b, real c, real d, real e, real f) {
  return (six){{two_of(a, b), two_of(c, d), two_of(e, f)}};
}
HOT_INLINE real six_at(const six* a, int i) {
  return two_at(a->part[i / 2], i % 2);
}
HOT_INLINE six six_of_wrench(wrench W) {
  return six_of(W.n.x, W.n.y, W.n.z, W.f.x, W.f.y, W.f.z);
}
HOT_INLINE vec3 six_head(const six* a) {
  return (vec3){six_at(a, 0), six_at(a, 1), six_at(a, 2)};
}
HOT_INLINE vec3 six_tail(const six* a) {
  return (vec3){six_at(a, 3), six_at(a, 4), six_at(a, 5)};
}
HOT_INLINE six six_zero(void) {
  const real o = real_of(0.0);
  return six_of(o, o, o, o, o, o);
}

/* a += s b; components before `from` may be skipped */
HOT_INLINE void six_add_from(int from, six* a, real s, const six* b) {
  for (int i = from / 2; i < 3; ++i)
    a->part[i] = two_add(a->part[i], two_mul(two_same(s), b->part[i]));
}
HOT_INLINE void six_add(six* a, real s, const six* b) {
  six_add_from(0, a, s, b);
}

/* a -= s b; components before `from` may be skipped */
HOT_INLINE void six_take_from(int from, six* a, real s, const six* b) {
  for (int i = from / 2; i < 3; ++i)
    a->part[i] = two_sub(a->part[i], two_mul(two_same(s), b->part[i]));
}
HOT_INLINE void six_join(six* a, const six* b) {
  for (int i = 0; i < 3; ++i)
    a->part[i] = two_add(a->part[i], b->part[i]);
}

/* Rows of an inertia, and back from its upper half. */
HOT_INLINE void six_of_inertia(inertia6 I, six* row) {
  row[0] = six_of(I.J.xx, I.J.xy, I.J.xz, I.H.xx, I.H.xy, I.H.xz);
  row[1] = six_of(I.J.xy, I.J.yy, I.J.yz, I.H.yx, I.H.yy, I.H.yz);
  row[2] = six_of(I.J.xz, I.J.yz, I.J.zz, I.H.zx, I.H.zy, I.H.zz);
  row[3] = six_of(I.H.xx, I.H.yx, I.H.zx, I.M.xx, I.M.xy, I.M.xz);
  row[4] = six_of(I.H.xy, I.H.yy, I.H.zy, I.M.xy, I.M.yy, I.M.yz);
  row[5] = six_of(I.H.xz, I.H.yz, I.H.zz, I.M.xz, I.M.yz, I.M.zz);
}
HOT_INLINE inertia6 inertia6_of_six(const six* row) {
  return (inertia6){{six_at(&row[0], 0), six_at(&row[1], 1), six_at(&row[2], 2), six_at(&row[0], 1),
                     six_at(&row[0], 2), six_at(&row[1], 2)},
                    {six_at(&row[0], 3), six_at(&row[0], 4), six_at(&row[0], 5), six_at(&row[1], 3),
                     six_at(&row[1], 4), six_at(&row[1], 5), six_at(&row[2], 3), six_at(&row[2], 4),
                     six_at(&row[2], 5)},
                    {six_at(&row[3], 3), six_at(&row[4], 4), six_at(&row[5], 5), six_at(&row[3], 4),
                     six_at(&row[3], 5), six_at(&row[4], 5)}};
}

/* -------------------------------------------------------- three numbers at two places ---- */

typedef struct two3 {
  two x, y, z;
} two3;

HOT_INLINE two3 two3_same(vec3 a) {
  return (two3){two_same(a.x), two_same(a.y), two_same(a.z)};
}
HOT_INLINE two3 two3_add(two3 a, two3 b) {
  return (two3){two_add(a.x, b.x), two_add(a.y, b.y), two_add(a.z, b.z)};
}
HOT_INLINE two3 two3_mul(two3 a, two3 b) {
  return (two3){two_mul(a.x, b.x), two_mul(a.y, b.y), two_mul(a.z, b.z)};
}
HOT_INLINE two3 two3_scale(two s, two3 a) {
  return (two3){two_mul(s, a.x), two_mul(s, a.y), two_mul(s, a.z)};
}
HOT_INLINE two3 two3_cross(two3 a, two3 b) {
  return (two3){two_sub(two_mul(a.y, b.z), two_mul(a.z, b.y)),
                two_sub(two_mul(a.z, b.x), two_mul(a.x, b.z)),
                two_sub(two_mul(a.x, b.y), two_mul(a.y, b.x))};
}
HOT_INLINE vec3 two3_all(two3 a) {
  return (vec3){two_all(a.x), two_all(a.y), two_all(a.z)};
}
