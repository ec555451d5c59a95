/* SPDX-License-Identifier: Apache-2.0 */
/* test_equal.c: equalities of any rank. Least squares and least norm are checked by what defines
   them: the residual is orthogonal to the columns of W', the forces to its null space. */
#include "dense.h"
#include "near.h"
#include "random.h"

#include "couple/solve/equal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 24 };

typedef struct solver {
  apl_equal e;
  void* memory;
} solver;

static solver solver_new(int most) {
  solver s = {.memory = NULL};
  apl_arena a = {0};

  apl_equal_place(&s.e, most, &a);
  const size_t bytes = (a.used + 63u) & ~(size_t)63u;
  s.memory = aligned_alloc(64, bytes);
  assert_non_null(s.memory);
  memset(s.memory, 0xff, bytes); /* NaN everywhere: nothing may be read before it is written */
  a = (apl_arena){.base = s.memory, .size = a.used};
  apl_equal_place(&s.e, most, &a);
  assert_true(a.used <= bytes);
  return s;
}

/* W = B C^T, n by n; B and C n by rank; symmetric when C is B. */
static void product(const double* B, const double* C, int n, int rank, double* W) {
  double T[MOST * MOST];
  dense_transpose(C, n, rank, T);
  dense_product(B, T, n, rank, n, W);
}

static double size_of(const double* x, int n) {
  return sqrt(dense_dot(x, x, n));
}

static void check_random(rng* r, bool symmetric, bool consistent) {
  const int n = 2 + rng_below(r, MOST - 2), rank = 1 + rng_below(r, n);
  double B[MOST * MOST], C[MOST * MOST], W[MOST * MOST], q[MOST], x[MOST], u[MOST], g[MOST];
  solver s = solver_new(MOST);

  near_context("%d rows of rank %d", n, rank);
  rng_fill(r, B, n * rank, 1);
  rng_fill(r, C, n * rank, 1);
  if (symmetric) memcpy(C, B, sizeof C);
  product(B, C, n, rank, W);
  rng_fill(r, q, n, 1);
  if (consistent) {
    rng_fill(r, x, rank, 1);
    dense_times(B, x, n, rank, q);
  }
  apl_equal_factor(&s.e, n, W, symmetric);
  assert_int_equal(s.e.lu.rank, rank);
  assert_true(apl_equal_unique(&s.e) == (rank == n));
  const double left = apl_equal_solve(&s.e, q, x);

  /* scaled: x' = x/d, u' = d u */
  for (int i = 0; i < n; ++i)
    u[i] = s.e.d[i] * (q[i] + dense_dot(W + i * n, x, n));
  for (int i = 0; i < n; ++i)
    x[i] /= s.e.d[i];
  for (int i = 0; i < n; ++i)
    q[i] *= s.e.d[i];
  /* round-off grows with the condition of the part that has rank: 1e4 or so for these, rarely more
   */
  CHECK_NEAR(left, size_of(u, n) / size_of(q, n), 1e-12);
  if (consistent || rank == n) CHECK_NEAR(left, 0, 1e-10);
  if (!consistent && rank < n - 2) CHECK_TRUE(left > 1e-3, "an impossible demand was met");
  /* least squares: W'^T u' = 0; null vectors of W' = d B (d C)^T are those of (d C)^T */
  for (int j = 0; j < rank; ++j) {
    double along = 0;
    for (int i = 0; i < n; ++i)
      along += B[i * rank + j] * s.e.d[i] * u[i];
    g[j] = along;
  }
  CHECK_NEAR(near_max(g, rank), 0, 1e-9 * size_of(q, n));
  /* least norm: x' = d C y for some y; solve for y by normal equations, compare */
  double N[MOST * MOST], y[MOST];
  for (int i = 0; i < rank; ++i) {
    y[i] = 0;
    for (int k = 0; k < n; ++k)
      y[i] += C[k * rank + i] * s.e.d[k] * x[k];
    for (int j = 0; j < rank; ++j) {
      N[i * rank + j] = 0;
      for (int k = 0; k < n; ++k)
        N[i * rank + j] += C[k * rank + i] * s.e.d[k] * s.e.d[k] * C[k * rank + j];
    }
  }
  assert_true(dense_solve(N, rank, y));
  for (int i = 0; i < n; ++i)
    g[i] = s.e.d[i] * dense_dot(C + i * rank, y, rank);
  CHECK_ARRAY(x, g, n, 1e-8, near_max(x, n));
  free(s.memory);
}

static void test_random(void** state) {
  rng r = rng_seed(21);

  (void)state;
  for (int k = 0; k < 200; ++k)
    check_random(&r, k % 2 == 0, k % 4 < 2);
}

/* The same row twice: each takes half. A row in other units takes the share that its unit says. */
static void test_shares(void** state) {
  solver s = solver_new(3);
  double r[3];

  (void)state;
  apl_equal_factor(&s.e, 2, (double[]){4, 4, 4, 4}, true);
  CHECK_NEAR(apl_equal_solve(&s.e, (double[]){-2, -2}, r), 0, 1e-15);
  CHECK_NEAR(r[0], 0.25, 1e-15);
  CHECK_NEAR(r[1], 0.25, 1e-15);
  assert_false(apl_equal_unique(&s.e));

  /* the second row in millimetres: half the force again, r_2 1000 = r_1 */
  apl_equal_factor(&s.e, 2, (double[]){4, 4096, 4096, 4194304}, true);
  CHECK_NEAR(apl_equal_solve(&s.e, (double[]){-2, -2048}, r), 0, 1e-15);
  CHECK_NEAR(r[0], 0.25, 1e-15);
  CHECK_NEAR(r[1] * 1024, 0.25, 1e-15);

  /* contradicting demands are met half-way, and said */
  apl_equal_factor(&s.e, 2, (double[]){1, 1, 1, 1}, true);
  CHECK_NEAR(apl_equal_solve(&s.e, (double[]){-1, 1}, r), 1, 1e-15);
  CHECK_NEAR(r[0], 0, 1e-15);
  CHECK_NEAR(r[1], 0, 1e-15);
  free(s.memory);
}

static void test_idle(void** state) {
  solver s = solver_new(3);
  double r[3];

  (void)state;
  apl_equal_factor(&s.e, 3, (double[]){2, 0, 0, 0, 1e-18, 0, 0, 0, 4}, true);
  CHECK_NEAR(apl_equal_solve(&s.e, (double[]){-2, 5, -8}, r), 0, 1e-15);
  assert_true(r[0] == 1 && r[1] == 0 && r[2] == 2);
  assert_true(apl_equal_unique(&s.e));
  apl_equal_factor(&s.e, 0, NULL, true);
  assert_true(apl_equal_solve(&s.e, NULL, r) == 0);
  free(s.memory);
}

/* A compliance of 1e16 beside a stiff row must not make the stiff row idle (a contact that has just
   closed, beside a loop); an infinite one takes its row out, and only that. The exact solution of
   [2 1; 1 1 + c] r = -q by Cramer's rule. */
static void test_soft(void** state) {
  solver s = solver_new(2);
  double r[2];

  (void)state;
  const double compliance[] = {0, 1, 1e8, 1e16};
  for (int k = 0; k < 4; ++k) {
    const double c = compliance[k], q[] = {3, 5}, det = 2 * (1 + c) - 1;
    near_context("compliance %g", c);
    apl_equal_factor_soft(&s.e, 2, (double[]){2, 1, 1, 1}, (double[]){0, c}, true);
    assert_true(apl_equal_unique(&s.e));
    CHECK_NEAR(apl_equal_solve(&s.e, q, r), 0, 1e-15);
    CHECK_NEAR(r[0], -((1 + c) * q[0] - q[1]) / det, 1e-14);
    CHECK_NEAR(r[1] * det, -(2 * q[1] - q[0]), 1e-13);
  }
  apl_equal_factor_soft(&s.e, 2, (double[]){2, 1, 1, 1}, (double[]){0, HUGE_VAL}, true);
  (void)apl_equal_solve(&s.e, (double[]){3, 5}, r);
  CHECK_NEAR(r[0], -1.5, 1e-15);
  assert_true(r[1] == 0);
  free(s.memory);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_random),
      cmocka_unit_test(test_shares),
      cmocka_unit_test(test_idle),
      cmocka_unit_test(test_soft),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
