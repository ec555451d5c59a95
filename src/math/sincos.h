/* SPDX-License-Identifier: Apache-2.0 */
/* sincos.h: sine and cosine of many angles in one sweep.

   glibc's sincos takes half of the time of inverse dynamics for seven joints; four angles in a
   vector cost about as much as one. One kernel serves the scalar build (four joints at a time) and
   the lanes (four robots at a time), so both give the same bits. Method: Cody-Waite reduction by
   pi/2 in three parts, then the minimax polynomials of fdlibm on [-pi/4, pi/4]; error below 1 ulp
   of the result's scale. Beyond |x| = 1e5 the reduction would lose digits, so libm is used. */
#pragma once

#include "math/real.h"

#define SINCOS_LIMIT 1e5

/* n rounded up to a multiple of four. */
#define SINCOS_ROOM(n) (((n) + 3) & ~3)

static inline v4d v4_of(double x) {
  return (v4d){x, x, x, x};
}

/* |x| <= SINCOS_LIMIT */
static inline void v4_sincos_reduced(const v4d* px, v4d* ps, v4d* pc) {
  const v4d x = *px;

  /* n = round(x 2/pi), found by adding 1.5 2^52; its low bits are the quadrant */
  const v4d shifted = x * 0.63661977236758134308 + 6755399441055744.0;
  const v4d n = shifted - 6755399441055744.0;
  const v4i quadrant = (v4i)shifted;

  /* r = x - n pi/2; the first two parts have 33 bits, so their products with n are exact */
  const v4d r = ((x - n * 1.57079632673412561417e+00) - n * 6.07710050630396597660e-11) -
                n * 2.02226624879595063154e-21;
  const v4d z = r * r;

  /* sin r = r + r^3 (S1 + S2 z + ...) */
  const v4d ss =
      -1.66666666666666324348e-01 +
      z * (8.33333333332248946124e-03 +
           z * (-1.98412698298579493134e-04 +
                z * (2.75573137070700676789e-06 +
                     z * (-2.50507602534068634195e-08 + z * 1.58969099521155010221e-10))));
  const v4d s = r + r * z * ss;

  /* cos r = 1 - z/2 + z^2 (C1 + C2 z + ...), with a correction of the round-off in 1 - z/2 */
  const v4d cs =
      4.16666666666666019037e-02 +
      z * (-1.38888888888741095749e-03 +
           z * (2.48015872894767294178e-05 +
                z * (-2.75573143513906633035e-07 +
                     z * (2.08757232129817482790e-09 + z * -1.13596475577881948265e-11))));
  const v4d half = 0.5 * z;
  const v4d w = 1.0 - half;
  const v4d c = w + (((1.0 - w) - half) + z * z * cs);

  /* quadrant 0: (s, c), 1: (c, -s), 2: (-s, -c), 3: (-c, s) */
  const v4i swap = -(quadrant & 1);
  const v4i sign_s = (quadrant & 2) << 62;
  const v4i sign_c = ((quadrant + 1) & 2) << 62;
  *ps = (v4d)((((v4i)c & swap) | ((v4i)s & ~swap)) ^ sign_s);
  *pc = (v4d)((((v4i)s & swap) | ((v4i)c & ~swap)) ^ sign_c);
}

static inline void v4_sincos(const v4d* x, v4d* s, v4d* c) {
  /* NaN also takes this path */
  const v4i big = ~(((v4d)((v4i)*x & INT64_MAX)) <= v4_of(SINCOS_LIMIT));

  if (big[0] | big[1] | big[2] | big[3]) {
    for (int k = 0; k < 4; ++k) {
      (*s)[k] = sin((*x)[k]);
      (*c)[k] = cos((*x)[k]);
    }
  } else {
    v4_sincos_reduced(x, s, c);
  }
}

static inline void real_sincos(const real* x, real* s, real* c) {
#if defined(APL_REAL_SCALAR)
  *s = sin(*x);
  *c = cos(*x);
#elif defined(APL_REAL_LANES)
  v4_sincos(x, s, c);
#else
  /* sin(a + ib) = sin a cosh b + i cos a sinh b; cos(a + ib) = cos a cosh b - i sin a sinh b */
  const double a = creal(*x), b = cimag(*x);
  const v4d xa = v4_of(a);
  v4d sa, ca;

  v4_sincos(&xa, &sa, &ca);
  *s = __builtin_complex(sa[0] * cosh(b), ca[0] * sinh(b));
  *c = __builtin_complex(ca[0] * cosh(b), -sa[0] * sinh(b));
#endif
}

/* sc[2*i], sc[2*i+1] = sin, cos of q[index[i]] for i = 0..n-1. The scalar build takes four angles
   at a time, so index and sc are filled up to a multiple of four (SINCOS_ROOM). */
static inline void sincos_sweep(const real* q, const int* index, int n, real* sc) {
#if defined(APL_REAL_SCALAR)
  for (int i = 0; i < n; i += 4) {
    const v4d x = {q[index[i]], q[index[i + 1]], q[index[i + 2]], q[index[i + 3]]};
    real* out = sc + 2 * i;
    v4d s, c;

    v4_sincos(&x, &s, &c);
    out[0] = s[0], out[1] = c[0], out[2] = s[1], out[3] = c[1];
    out[4] = s[2], out[5] = c[2], out[6] = s[3], out[7] = c[3];
  }
#else
  for (int i = 0; i < n; ++i)
    real_sincos(&q[index[i]], &sc[2 * i], &sc[2 * i + 1]);
#endif
}
