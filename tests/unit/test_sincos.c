/* SPDX-License-Identifier: Apache-2.0 */
/* test_sincos.c: math/sincos.h and math/stumpff.h against libm in long double and against series
   summed by themselves. */
#include "near.h"
#include "random.h"

#include "math/sincos.h"
#include "math/stumpff.h"

#include <float.h>

/* One unit in the last place of numbers below one. */
#define ULP (DBL_EPSILON / 2)

static void check_four(const double x[4]) {
  const v4d a = {x[0], x[1], x[2], x[3]};
  v4d s, c;

  v4_sincos(&a, &s, &c);
  for (int k = 0; k < 4; ++k) {
    near_context("angle %.17g", x[k]);
    CHECK_NEAR(s[k], (double)sinl((long double)x[k]), ULP);
    CHECK_NEAR(c[k], (double)cosl((long double)x[k]), ULP);
  }
}

static void angles(void** state) {
  const double q = 1.57079632679489661923;
  rng r = rng_seed(1);

  (void)state;
  for (int i = 0; i < 2000; ++i) {
    const double size = pow(10, rng_between(&r, -12, 5)); /* up to the limit of the reduction */
    double x[4];
    rng_fill(&r, x, 4, size);
    check_four(x);
  }
  for (int n = -40; n <= 40; ++n) /* about every quadrant's end */
    check_four((double[4]){n * q, nextafter(n * q, 1e9), nextafter(n * q, -1e9), (n + 0.5) * q});
  check_four((double[4]){0, -0.0, DBL_MIN, 4e-324});
  check_four((double[4]){SINCOS_LIMIT, -SINCOS_LIMIT, 1e5 * q, 1e22}); /* and beyond it */
  near_context(" ");
}

/* Where one of four is not finite the others are as they would be. */
static void not_finite(void** state) {
  const v4d x = {NEAR_INFINITY, 1, NEAR_NAN, -2};
  v4d s, c;

  (void)state;
  v4_sincos(&x, &s, &c);
  assert_true(isnan(s[0]) && isnan(c[0]) && isnan(s[2]) && isnan(c[2]));
  CHECK_NEAR(s[1], sin(1), ULP);
  CHECK_NEAR(c[3], cos(2), ULP);
}

/* A sweep through an index, filled up to a multiple of four; nothing behind its room is written. */
static void sweep(void** state) {
  const double q[5] = {0.1, 0.2, 0.3, 0.4, 0.5};
  const int index[8] = {4, 0, 2, 2, 3, 0, 0, 0};
  double sc[18];

  (void)state;
  assert_int_equal(SINCOS_ROOM(5), 8);
  assert_int_equal(SINCOS_ROOM(8), 8);
  assert_int_equal(SINCOS_ROOM(0), 0);
  for (int i = 0; i < 18; ++i)
    sc[i] = 77;
  sincos_sweep(q, index, 5, sc);
  for (int i = 0; i < 5; ++i) {
    double s, c;
    real_sincos(&q[index[i]], &s, &c);
    CHECK_NEAR(sc[2 * i], s, ULP);
    CHECK_NEAR(sc[2 * i + 1], c, ULP);
  }
  assert_true(sc[16] == 77 && sc[17] == 77);
}

/* --------------------------------------------------------------------------------- stumpff ---- */

/* c_k(x) = sum (-x)^i / (k + 2i)!, summed in long double until nothing is added. Terms grow up to
   exp(sqrt x): good to 1e-19 exp(sqrt x). */
static long double by_series(int k, long double x) {
  long double term = 1, sum = 0;

  for (int i = 2; i <= k; ++i)
    term /= i;
  for (int i = 0; i < 200; ++i) {
    sum += term;
    term *= -x / ((long double)(k + 2 * i + 1) * (k + 2 * i + 2));
  }
  return sum;
}

static void stumpff_functions(void** state) {
  static const double x[] = {0,    1e-18,   1e-3,  0.5,     2.4674, 6,
                             9.87, 10.2399, 10.24, 10.2401, 25,     100};

  (void)state;
  for (int n = STUMPFF_N; n <= STUMPFF_MOST; ++n) {
    for (int i = 0; i < 12; ++i) {
      double c[STUMPFF_MOST + 1];
      c[n] = 77;
      stumpff_to(x[i], n, c);
      for (int k = 0; k < n; ++k) {
        near_context("c_%d of %g, %d of them", k, x[i], n);
        CHECK_NEAR(c[k], (double)by_series(k, (long double)x[i]), 6e-16);
      }
      assert_true(c[n] == 77);
    }
  }
  near_context(" ");
}

/* c0 = cos, c1 = sin t / t, and c_k + x c_{k+2} = 1/k! beyond all doubt. */
static void stumpff_identities(void** state) {
  double c[STUMPFF_N], factorial = 1;

  (void)state;
  for (double t = 0.1; t < 20; t += 0.7) {
    stumpff(t * t, c);
    CHECK_NEAR(c[0], cos(t), 1e-15);
    CHECK_NEAR(c[1], sin(t) / t, 1e-15);
    CHECK_NEAR(c[2], 2 * pow(sin(t / 2) / t, 2), 1e-15); /* (1 - cos t)/t^2 */
  }
  stumpff(0.0, c);
  for (int k = 0; k < STUMPFF_N; ++k, factorial *= k)
    CHECK_NEAR(c[k], 1 / factorial, 1e-18);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(angles),
      cmocka_unit_test(not_finite),
      cmocka_unit_test(sweep),
      cmocka_unit_test(stumpff_functions),
      cmocka_unit_test(stumpff_identities),
  };
  return cmocka_run_group_tests_name("sincos", tests, NULL, NULL);
}
