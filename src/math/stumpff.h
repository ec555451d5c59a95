/* SPDX-License-Identifier: Apache-2.0 */
/* stumpff.h: c_k(x) = sum_i (-x)^i / (k + 2i)!, the Stumpff functions, entire functions used by
   arcs. c0 = cos t, c1 = sin t / t, c2 = (1 - cos t)/t^2 ... with x = t^2. Theory:
   docs/theory/arc.md.

   For |t| <= 3.2: series for the last two, then downward c_k = 1/k! - x c_{k+2}, exact to 5e-16.
   Beyond: sine and cosine, then upward c_k = (1/(k-2)! - c_{k-2})/x. */
#pragma once

#include "math/sincos.h"

#define STUMPFF_N 8
#define STUMPFF_MOST 12

/* 1/n! for all terms of the series below */
static const double inverse_factorial[] = {
    1.0 / 1.0,
    1.0 / 1.0,
    1.0 / 2.0,
    1.0 / 6.0,
    1.0 / 24.0,
    1.0 / 120.0,
    1.0 / 720.0,
    1.0 / 5040.0,
    1.0 / 40320.0,
    1.0 / 362880.0,
    1.0 / 3628800.0,
    1.0 / 39916800.0,
    1.0 / 479001600.0,
    1.0 / 6227020800.0,
    1.0 / 87178291200.0,
    1.0 / 1307674368000.0,
    1.0 / 20922789888000.0,
    1.0 / 355687428096000.0,
    1.0 / 6402373705728000.0,
    1.0 / 121645100408832000.0,
    1.0 / 2432902008176640000.0,
    1.0 / 51090942171709440000.0,
    1.0 / 1124000727777607680000.0,
    1.0 / 25852016738884976640000.0,
    1.0 / 620448401733239439360000.0,
    1.0 / 15511210043330985984000000.0,
    1.0 / 403291461126605635584000000.0,
    1.0 / 10888869450418352160768000000.0,
    1.0 / 304888344611713860501504000000.0,
    1.0 / 8841761993739701954543616000000.0,
    1.0 / 265252859812191058636308480000000.0,
    1.0 / 8222838654177922817725562880000000.0,
    1.0 / 263130836933693530167218012160000000.0,
    1.0 / 8683317618811886495518194401280000000.0,
};

/* c_k at x by its series, |x| <= 10.24, with 14 terms for k = 6 and 7 and 12 terms from 8 on. Even
   and odd powers are summed separately, so that two short chains of products overlap. */
HOT_INLINE real stumpff_term(real x, int k) {
  const int last = k < 8 ? 6 : 5;
  const real y = x * x;
  real even = real_of(inverse_factorial[k + 4 * last]);
  real odd = real_of(inverse_factorial[k + 4 * last + 2]);

  for (int i = last - 1; i >= 0; --i) {
    even = even * y + inverse_factorial[k + 4 * i];
    odd = odd * y + inverse_factorial[k + 4 * i + 2];
  }
  return even - x * odd;
}

/* c[0..n-1] at x, |x| <= 10.24 */
HOT_INLINE void stumpff_series(real x, int n, real* c) {
  c[n - 1] = stumpff_term(x, n - 1);
  c[n - 2] = stumpff_term(x, n - 2);
  for (int k = n - 3; k >= 0; --k)
    c[k] = inverse_factorial[k] - x * c[k + 2];
}

/* The same for larger x, by sine and cosine; lanes without `large` keep c. */
static inline void stumpff_beyond(mask large, real x, int n, real* c) {
  const real safe = real_select(large, x, real_of(1.0)), t = real_sqrt(safe), inv = 1.0 / safe;
  real up[STUMPFF_MOST], sine, cosine;

  real_sincos(&t, &sine, &cosine);
  up[0] = cosine;
  up[1] = sine / t;
  for (int k = 2; k < n; ++k)
    up[k] = (inverse_factorial[k - 2] - up[k - 2]) * inv;
  for (int k = 0; k < n; ++k)
    c[k] = real_select(large, up[k], c[k]);
}

/* c[0..n-1] at any x >= 0. Angles beyond 3.2 per element are rare: sine and cosine are computed
   only if a lane needs them, and the selection leaves the bits of every other lane unchanged. */
HOT_INLINE void stumpff_to(real x, int n, real* c) {
  const mask large = real_less(real_of(10.24), x);

  stumpff_series(real_select(large, real_of(0.0), x), n, c);
  if (mask_any(large)) stumpff_beyond(large, x, n, c);
}

/* c[0..7], what a section needs */
HOT_INLINE void stumpff(real x, real* c) {
  stumpff_to(x, STUMPFF_N, c);
}
