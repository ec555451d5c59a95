/* SPDX-License-Identifier: Apache-2.0 */
/* real.h: the number type `real` of hot code, and the primitives that it may use.

   The hot folders are one translation unit, compiled once per number type:
     APL_REAL_SCALAR   real = double
     APL_REAL_LANES    real = four doubles in a vector: four robots at once
     APL_REAL_COMPLEX  real = double complex: derivatives by the complex step
   Code over `real` never branches on data. Comparisons give a `mask`, used by real_select(). For
   complex numbers a comparison uses the real part, and functions that are not analytic (abs, min,
   atan2) are continued from there, so that the imaginary part carries the derivative. Cold code
   includes this file too, with real = double. The geometry of solids (math/solid.h) does branch, on
   real_part(), which lanes do not have. */
#pragma once

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Structs of ten or twenty numbers are passed by value throughout the hot code. This is free if the
   call is inlined and costs a stalled copy through memory otherwise, so inlining is forced
   (measured: mass matrix 1.4x). */
#define HOT_INLINE static inline __attribute__((always_inline))

#if !defined(APL_REAL_SCALAR) && !defined(APL_REAL_LANES) && !defined(APL_REAL_COMPLEX)
#define APL_REAL_SCALAR 1
#endif

/* Four doubles. Without AVX the compiler splits them; the results have the same bits. Arrays of the
   user are read through this type: hence alignment 8 and may_alias. */
typedef double v4d __attribute__((vector_size(32), aligned(8), may_alias));
typedef int64_t v4i __attribute__((vector_size(32), aligned(8), may_alias));

#if defined(APL_REAL_SCALAR)

#define REAL_WIDTH 1
typedef double real;
typedef bool mask;

static inline real real_of(double x) {
  return x;
}
static inline mask real_less(real a, real b) {
  return a < b;
}
static inline real real_select(mask m, real a, real b) {
  return m ? a : b;
}
static inline real real_abs(real a) {
  return fabs(a);
}
static inline real real_sqrt(real a) {
  return sqrt(a);
}
static inline real real_atan2(real y, real x) {
  return atan2(y, x);
}
static inline real real_exp(real a) {
  return exp(a);
}
static inline real real_pow(real a, real n) {
  return pow(a, n);
}
static inline real real_hypot(real a, real b) {
  return hypot(a, b);
}
static inline real real_over(real a, real b) {
  return a / b;
}
static inline real real_root(real a) {
  return sqrt(a);
}
static inline double real_part(real a) {
  return a;
}
static inline mask mask_or(mask a, mask b) {
  return a || b;
}
static inline mask mask_not(mask a) {
  return !a;
}
static inline bool mask_any(mask a) {
  return a;
}

#elif defined(APL_REAL_LANES)

#define REAL_WIDTH 4
typedef v4d real;
typedef v4i mask;

static inline real real_of(double x) {
  return (real){x, x, x, x};
}
static inline mask real_less(real a, real b) {
  return a < b;
}
static inline real real_select(mask m, real a, real b) {
  return (real)(((v4i)a & m) | ((v4i)b & ~m));
}
static inline real real_abs(real a) {
  return (real)((v4i)a & INT64_MAX);
}
static inline real real_sqrt(real a) {
  return (real){sqrt(a[0]), sqrt(a[1]), sqrt(a[2]), sqrt(a[3])};
}
static inline real real_atan2(real y, real x) {
  return (real){atan2(y[0], x[0]), atan2(y[1], x[1]), atan2(y[2], x[2]), atan2(y[3], x[3])};
}
static inline real real_exp(real a) {
  return (real){exp(a[0]), exp(a[1]), exp(a[2]), exp(a[3])};
}
static inline real real_pow(real a, real n) {
  return (real){pow(a[0], n[0]), pow(a[1], n[1]), pow(a[2], n[2]), pow(a[3], n[3])};
}
static inline mask mask_or(mask a, mask b) {
  return a | b;
}
static inline mask mask_not(mask a) {
  return ~a;
}
static inline bool mask_any(mask a) {
  return (a[0] | a[1] | a[2] | a[3]) != 0;
}

#else

#include <complex.h>
#undef I /* hot code uses I for inertia */

#define REAL_WIDTH 2
typedef double complex real;
typedef bool mask;

static inline real real_of(double x) {
  return __builtin_complex(x, 0.0);
}
static inline mask real_less(real a, real b) {
  return creal(a) < creal(b);
}
static inline real real_select(mask m, real a, real b) {
  return m ? a : b;
}
static inline real real_abs(real a) {
  return creal(a) < 0.0 ? -a : a;
}
static inline real real_sqrt(real a) {
  return csqrt(a);
}
/* first order in the imaginary parts: d atan2 = (x dy - y dx) / (x^2 + y^2) */
static inline real real_atan2(real y, real x) {
  const double x0 = creal(x), y0 = creal(y), r2 = x0 * x0 + y0 * y0;
  return __builtin_complex(atan2(y0, x0), r2 > 0.0 ? (x0 * cimag(y) - y0 * cimag(x)) / r2 : 0.0);
}
/* first order: d exp(a) = exp(a) da */
static inline real real_exp(real a) {
  const double e = exp(creal(a));
  return __builtin_complex(e, e * cimag(a));
}
/* a > 0, first order in a; n carries no derivative: d a^n = n a^(n-1) da */
static inline real real_pow(real a, real n) {
  const double x = creal(a), k = creal(n);
  return __builtin_complex(pow(x, k), k * pow(x, k - 1.0) * cimag(a));
}
/* For geometry, which must decide as with doubles: quotient, root and length to first order, whose
   real parts equal those of doubles bit for bit; real_part() removes the tiny real parts that
   products of imaginary parts leave. */
static inline double real_part(real a) {
  return fabs(creal(a)) < 1e-40 ? 0.0 : creal(a);
}
static inline real real_over(real a, real b) {
  const double q = creal(a) / creal(b);
  return __builtin_complex(q, (cimag(a) - q * cimag(b)) / creal(b));
}
static inline real real_root(real a) {
  const double r = sqrt(real_part(a));
  return __builtin_complex(r, r > 0.0 ? 0.5 * cimag(a) / r : 0.0);
}
static inline real real_hypot(real a, real b) {
  const double x = creal(a), y = creal(b), r = hypot(x, y);
  return __builtin_complex(r, r > 0.0 ? (x * cimag(a) + y * cimag(b)) / r : 0.0);
}
static inline mask mask_or(mask a, mask b) {
  return a || b;
}
static inline mask mask_not(mask a) {
  return !a;
}
static inline bool mask_any(mask a) {
  return a;
}

#endif

static inline real real_max(real a, real b) {
  return real_select(real_less(a, b), b, a);
}
static inline real real_min(real a, real b) {
  return real_select(real_less(b, a), b, a);
}
