/* SPDX-License-Identifier: Apache-2.0 */
/* test_ldl.c: math/ldl.h against Cholesky's method and against the matrix itself. */
#include "dense.h"
#include "near.h"
#include "random.h"

#include "math/ldl.h"

#include <string.h>

enum { MOST = 9, LD = 11 };

/* M = A A^T + 1: definite, condition below a hundred */
static void random_matrix(rng* r, int n, double* M) {
  double A[MOST * MOST], B[MOST * MOST];
  rng_fill(r, A, n * n, 1);
  dense_transpose(A, n, n, B);
  dense_product(A, B, n, n, n, M);
  for (int i = 0; i < n; ++i)
    M[i * n + i] += 1;
}

static void spread(const double* M, int n, double upper, double* F) {
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < LD; ++j)
      F[i * LD + j] = j <= i ? M[i * n + j] : upper;
  }
}

/* L D L^T is the matrix; the solution is that of Cholesky; the upper half is never looked at. */
static void factors(void** state) {
  rng r = rng_seed(1);

  (void)state;
  for (int n = 1; n <= MOST; ++n) {
    double M[MOST * MOST], F[MOST * LD], b[MOST], x[MOST], C[MOST * MOST];
    random_matrix(&r, n, M);
    spread(M, n, NEAR_NAN, F);
    assert_false(mask_any(ldl_factor(F, n, LD)));
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j <= i; ++j) {
        double sum = 0;
        for (int k = 0; k <= j; ++k) {
          const double lik = k == i ? 1 : F[i * LD + k], ljk = k == j ? 1 : F[j * LD + k];
          sum += lik * ljk / F[k * LD + k];
        }
        CHECK_NEAR(sum, M[i * n + j], 1e-14);
      }
    }
    rng_fill(&r, b, n, 1);
    memcpy(x, b, sizeof x);
    ldl_solve(F, n, LD, x);
    memcpy(C, M, sizeof C);
    assert_true(dense_solve(C, n, b));
    CHECK_ARRAY(x, b, n, 1e-13, 1); /* condition times eps */
  }
}

/* What is not definite is reported, with its sign, its rank and its NaN. */
static void refusals(void** state) {
  double one[1] = {0}, minus[1] = {-1}, nan[1] = {NEAR_NAN}, none[1] = {1};
  double indefinite[4] = {1, 0, 2, 1}, dependent[4] = {1, 0, 3, 9},
         nearly[4] = {1, 0, 1, 1 + 1e-12};

  (void)state;
  assert_true(mask_any(ldl_factor(one, 1, 1)));
  assert_true(mask_any(ldl_factor(minus, 1, 1)));
  assert_true(mask_any(ldl_factor(nan, 1, 1)));
  assert_true(mask_any(ldl_factor(indefinite, 2, 2)));
  assert_true(mask_any(ldl_factor(dependent, 2, 2)));
  assert_false(mask_any(ldl_factor(nearly, 2, 2))); /* a hundred times LDL_TINY */
  assert_false(mask_any(ldl_factor(none, 0, 1)));   /* nothing is definite */
  CHECK_NEAR(none[0], 1, 0);
}

/* Round-off against the diagonal counts, not the size: units do not matter. */
static void scales(void** state) {
  (void)state;
  for (int e = -200; e <= 200; e += 50) {
    const double s = pow(10, e);
    double good[4] = {s, 0, 0.5 * s, s}, bad[4] = {s, 0, s, s * (1 + 1e-15)}, b[2] = {s, 0};
    assert_false(mask_any(ldl_factor(good, 2, 2)));
    ldl_solve(good, 2, 2, b); /* (1 1/2; 1/2 1)^-1 (1, 0) = (4, -2)/3 */
    CHECK_NEAR(b[0], 4.0 / 3, 1e-15);
    CHECK_NEAR(b[1], -2.0 / 3, 1e-15);
    assert_true(mask_any(ldl_factor(bad, 2, 2)));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(factors),
      cmocka_unit_test(refusals),
      cmocka_unit_test(scales),
  };
  return cmocka_run_group_tests_name("ldl", tests, NULL, NULL);
}
