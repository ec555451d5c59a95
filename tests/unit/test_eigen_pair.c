/* SPDX-License-Identifier: Apache-2.0 */
/* Eigenvalues of pairs of symmetric matrices: against closed forms, against LAPACK, and against the
   frequencies of beams that the Ritz problem of beam modes must have. */
#include "element/beam_ritz.h"
#include "math/eigen_pair.h"
#include "near.h"
#include "random.h"

#include <float.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

/* The chain of n equal masses and n + 1 equal springs: values 4 sin^2(k pi / (2 n + 2)). */
static void chain(void** state) {
  (void)state;
  enum { N = 40 };
  double A[N * N] = {0}, B[N * N] = {0}, value[N];

  for (int i = 0; i < N; ++i) {
    A[i * N + i] = 2.0;
    if (i > 0) A[i * N + i - 1] = -1.0;
    B[i * N + i] = 1.0;
  }
  assert_true(apl_eigen_pair(N, A, B, value));
  for (int k = 1; k <= N; ++k) {
    const double s = 2.0 * sin(k * PI / (2 * N + 2));
    /* the matrix has a condition of 700, and is no better when scaled */
    assert_true(fabs(value[k - 1] / (s * s) - 1.0) < 1000 * DBL_EPSILON);
  }
}

/* Rows and columns scaled by 10^-i: A = S (1 + e e^T / 2) S, B = S S has the values 1, .. 1, 1 +
   n/2; with B = 1 instead, the values fall to 1e-22, and their product is det A = (1 + n/2)
   10^(-n(n-1)). */
static void graded(void** state) {
  (void)state;
  enum { N = 12 };
  double A[N * N], B[N * N], value[N];

  for (int unit = 0; unit < 2; ++unit) {
    for (int i = 0; i < N; ++i) {
      for (int j = 0; j < N; ++j) {
        const double scale = pow(10.0, -i - j);
        A[i * N + j] = scale * ((i == j) + 0.5);
        B[i * N + j] = i != j ? 0.0 : unit ? 1.0 : scale;
      }
    }
    assert_true(apl_eigen_pair(N, A, B, value));
    double log_product = 0.0;
    for (int i = 0; i < N; ++i) {
      if (!unit) assert_true(fabs(value[i] / (i < N - 1 ? 1.0 : 1.0 + N / 2.0) - 1.0) < 1e-13);
      log_product += log10(value[i]);
    }
    if (unit) assert_true(fabs(log_product - (log10(1.0 + N / 2.0) - N * (N - 1))) < 1e-12);
  }
}

/* Random pairs of full matrices, also indefinite A: LAPACK is right to 1e-14 of the largest value.
 */
static void lapack(void** state) {
  (void)state;
  rng r = rng_seed(7);

  for (int n = 1; n <= 33; n += 8) {
    const size_t size = sizeof(double) * (size_t)(n * n);
    double *A = malloc(size), *B = malloc(size), *A2 = malloc(size), *B2 = malloc(size);
    double value[33], other[33];

    for (int i = 0; i < n; ++i) {
      for (int j = 0; j <= i; ++j) {
        A[i * n + j] = rng_between(&r, -1, 1);
        B[i * n + j] = i == j ? 2.0 * n : rng_between(&r, -1, 1);
        A[j * n + i] = A[i * n + j], B[j * n + i] = B[i * n + j];
      }
    }
    memcpy(A2, A, size), memcpy(B2, B, size);
    for (int i = 0; i < n; ++i) {
      for (int j = i + 1; j < n; ++j)
        A[i * n + j] = B[i * n + j] = (double)NAN; /* the upper triangle is not read */
    }
    assert_int_equal(LAPACKE_dsygv(LAPACK_ROW_MAJOR, 1, 'N', 'L', n, A2, n, B2, n, other), 0);
    assert_true(apl_eigen_pair(n, A, B, value));
    for (int i = 0; i < n; ++i)
      assert_true(fabs(value[i] - other[i]) < 1e-14 * n);
    free(A), free(B), free(A2), free(B2);
  }
}

static void refusals(void** state) {
  (void)state;
  double A[4] = {1, 0, 0, 1}, B[4] = {1, 0, 2, 1}, value[2];

  assert_false(apl_eigen_pair(2, A, B, value));
  double C[4] = {1, 0, (double)NAN, 1}, D[4] = {1, 0, 0, 1};
  assert_false(apl_eigen_pair(2, C, D, value));
  double E[4] = {1, 0, 0, 1}, F[4] = {(double)INFINITY, 0, 0, 1};
  assert_false(apl_eigen_pair(2, E, F, value));
}

/* A clamped beam without a body: cos z cosh z = -1, lambda = z^4. All 35 values, from 12.4
   to 1.4e8, are right to 1e-12; 1.4e-13 was measured. */
static void cantilever(void** state) {
  (void)state;
  enum { N = 35 };
  const beam_basis b = {.root = BEAM_CLAMPED, .tip = BEAM_FREE};
  double lambda[N];

  assert_int_equal(apl_beam_ritz(&b, N, lambda, NULL), APL_OK);
  for (int k = 0; k < N; ++k) {
    double z = k == 0 ? 1.9 : (k + 0.5) * PI;
    for (int i = 0; i < 20; ++i) /* Newton on cos z + 1/cosh z */
      z += (cos(z) + 1.0 / cosh(z)) / (sin(z) + tanh(z) / cosh(z));
    assert_true(fabs(lambda[k] / pow(z, 4) - 1.0) < 1e-12);
  }
}

/* A body at the tip far heavier than the beam: lambda = 3/m (1 - 33/(140 m) + ..), with m over the
   mass of the beam. The value comes from 1/mu - 1 with mu next to 1, which leaves 1e-16/lambda. */
static void heavy_tip(void** state) {
  (void)state;
  for (double m = 1e2; m < 2e8; m *= 100.0) {
    const beam_basis b = {.root = BEAM_CLAMPED, .tip = BEAM_FREE, .mass = m};
    double lambda[3];
    assert_int_equal(apl_beam_ritz(&b, 3, lambda, NULL), APL_OK);
    const double about = 3.0 / m * (1.0 - 33.0 / (140.0 * m));
    assert_true(fabs(lambda[0] / about - 1.0) < 0.1 / (m * m) + 1e-14 * m);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(chain),      cmocka_unit_test(graded),
                                     cmocka_unit_test(lapack),     cmocka_unit_test(refusals),
                                     cmocka_unit_test(cantilever), cmocka_unit_test(heavy_tip)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
