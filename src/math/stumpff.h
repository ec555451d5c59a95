/* stumpff.h: c_k(x) = sum_i (-x)^i / (k + 2i)!, the entire functions behind arcs.
   c0 = cos t, c1 = sin t / t, c2 = (1 - cos t)/t^2 ... with x = t^2. Theory: docs/theory/arc.md.

   Horner series for c7 and c6, then downward c_k = 1/k! - x c_{k+2}, exact to 5e-16 for |t| <= 3.2;
   sine and cosine, then upward c_k = (1/(k-2)! - c_{k-2})/x, beyond. Both are computed and one is
   selected, so that there is no branch on data. */
#pragma once

#include "math/sincos.h"

#define STUMPFF_N 8

/* c[0..7] at x, |x| <= 10.24 */
static inline void stumpff_series(real x, real* c) {
  real s7 = real_of(0.0), s6 = real_of(0.0);

  /* 1/7! (1 - x/(8 9) (1 - x/(10 11) (...))), 16 terms */
  for (int i = 15; i >= 1; --i) {
    const double a = 2.0 * i;
    s7 = x / ((7.0 + a) * (6.0 + a)) * (1.0 - s7);
    s6 = x / ((6.0 + a) * (5.0 + a)) * (1.0 - s6);
  }
  c[7] = (1.0 - s7) / 5040.0;
  c[6] = (1.0 - s6) / 720.0;
  c[5] = 1.0 / 120.0 - x * c[7];
  c[4] = 1.0 / 24.0 - x * c[6];
  c[3] = 1.0 / 6.0 - x * c[5];
  c[2] = 0.5 - x * c[4];
  c[1] = 1.0 - x * c[3];
  c[0] = 1.0 - x * c[2];
}

/* c[0..7] at any x >= 0 */
static inline void stumpff(real x, real* c) {
  const mask large = real_less(real_of(10.24), x);
  const real o = real_of(0.0), i = real_of(1.0);
  const real safe = real_select(large, x, i), t = real_sqrt(safe), inv = 1.0 / safe;
  real up[STUMPFF_N], sine;

  stumpff_series(real_select(large, o, x), c);
  real_sincos(&t, &sine, &up[0]);
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
