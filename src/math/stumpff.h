/* stumpff.h: c_k(x) = sum_i (-x)^i / (k + 2i)!, the entire functions behind arcs.
   c0 = cos t, c1 = sin t / t, c2 = (1 - cos t)/t^2 ... with x = t^2. Theory: docs/theory/arc.md.

   Series for c7 and c6, then downward c_k = 1/k! - x c_{k+2}, exact to 5e-16 for |t| <= 3.2; sine
   and cosine, then upward c_k = (1/(k-2)! - c_{k-2})/x, beyond. */
#pragma once

#include "math/sincos.h"

#define STUMPFF_N 8

/* sum_i (-x)^i / (k + 2i)!, i = 0 .. 13, for k = 6 and 7: even and odd powers apart, so that four
   short chains of products run side by side */
#define STUMPFF_TERMS 7
static const double stumpff_even6[STUMPFF_TERMS] = {
    1.0 / 720.0,
    1.0 / 3628800.0,
    1.0 / 87178291200.0,
    1.0 / 6402373705728000.0,
    1.0 / 1124000727777607680000.0,
    1.0 / 403291461126605635584000000.0,
    1.0 / 265252859812191058636308480000000.0,
};
static const double stumpff_odd6[STUMPFF_TERMS] = {
    1.0 / 40320.0,
    1.0 / 479001600.0,
    1.0 / 20922789888000.0,
    1.0 / 2432902008176640000.0,
    1.0 / 620448401733239439360000.0,
    1.0 / 304888344611713860501504000000.0,
    1.0 / 263130836933693530167218012160000000.0,
};
static const double stumpff_even7[STUMPFF_TERMS] = {
    1.0 / 5040.0,
    1.0 / 39916800.0,
    1.0 / 1307674368000.0,
    1.0 / 121645100408832000.0,
    1.0 / 25852016738884976640000.0,
    1.0 / 10888869450418352160768000000.0,
    1.0 / 8222838654177922817725562880000000.0,
};
static const double stumpff_odd7[STUMPFF_TERMS] = {
    1.0 / 362880.0,
    1.0 / 6227020800.0,
    1.0 / 355687428096000.0,
    1.0 / 51090942171709440000.0,
    1.0 / 15511210043330985984000000.0,
    1.0 / 8841761993739701954543616000000.0,
    1.0 / 8683317618811886495518194401280000000.0,
};

/* c[0..7] at x, |x| <= 10.24 */
HOT_INLINE void stumpff_series(real x, real* c) {
  const int last = STUMPFF_TERMS - 1;
  const real y = x * x;
  real e6 = real_of(stumpff_even6[last]), o6 = real_of(stumpff_odd6[last]);
  real e7 = real_of(stumpff_even7[last]), o7 = real_of(stumpff_odd7[last]);

  for (int i = last - 1; i >= 0; --i) {
    e6 = e6 * y + stumpff_even6[i];
    o6 = o6 * y + stumpff_odd6[i];
    e7 = e7 * y + stumpff_even7[i];
    o7 = o7 * y + stumpff_odd7[i];
  }
  c[7] = e7 - x * o7;
  c[6] = e6 - x * o6;
  c[5] = 1.0 / 120.0 - x * c[7];
  c[4] = 1.0 / 24.0 - x * c[6];
  c[3] = 1.0 / 6.0 - x * c[5];
  c[2] = 0.5 - x * c[4];
  c[1] = 1.0 - x * c[3];
  c[0] = 1.0 - x * c[2];
}

/* The same beyond, by sine and cosine; where `large` does not hold c stays. */
static inline void stumpff_beyond(mask large, real x, real* c) {
  const real safe = real_select(large, x, real_of(1.0)), t = real_sqrt(safe), inv = 1.0 / safe;
  real up[STUMPFF_N], sine, cosine;

  real_sincos(&t, &sine, &cosine);
  up[0] = cosine;
  up[1] = sine / t;
  up[2] = (1.0 - up[0]) * inv;
  up[3] = (1.0 - up[1]) * inv;
  up[4] = (0.5 - up[2]) * inv;
  up[5] = (1.0 / 6.0 - up[3]) * inv;
  up[6] = (1.0 / 24.0 - up[4]) * inv;
  up[7] = (1.0 / 120.0 - up[5]) * inv;
  for (int k = 0; k < STUMPFF_N; ++k)
    c[k] = real_select(large, up[k], c[k]);
}

/* c[0..7] at any x >= 0. Angles beyond 3.2 per element are rare: sine and cosine are computed only
   when a lane needs them, and the selection keeps every lane's bytes what they would be alone. */
HOT_INLINE void stumpff(real x, real* c) {
  const mask large = real_less(real_of(10.24), x);

  stumpff_series(real_select(large, real_of(0.0), x), c);
  if (mask_any(large)) stumpff_beyond(large, x, c);
}
