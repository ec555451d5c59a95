/* SPDX-License-Identifier: Apache-2.0 */
/* test_lu.c: couple/solve/lu.h, kernel.h and scale.h: factors against the matrix itself, ranks that
   are known, sums against plain loops. */
#include "dense.h"
#include "near.h"
#include "random.h"

#include "base/arena.h"
#include "couple/solve/kernel.h"
#include "couple/solve/lu.h"
#include "couple/solve/scale.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 23 };

static apl_lu lu;
static void* memory;

static int setup(void** state) {
  apl_arena a = {0};
  (void)state;
  apl_lu_place(&lu, MOST, &a);
  memory = apl_arena_open(&a);
  if (memory == NULL) return -1;
  memset(memory, 0xff, a.size); /* NaN: nothing may be read before it is written */
  apl_lu_place(&lu, MOST, &a);
  return 0;
}

static int teardown(void** state) {
  (void)state;
  free(memory);
  return 0;
}

static void give(const double* A, int n, int definite) {
  apl_lu_begin(&lu, n, definite);
  for (int i = 0; i < n; ++i)
    memcpy(lu.A + i * lu.ld, A + i * n, (size_t)n * sizeof *A);
}

/* L U, rows and columns put back, against A; only as far as the rank. */
static void check_product(const double* A, int n, double tolerance) {
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      double sum = 0;
      for (int k = 0; k < lu.rank && k <= i && k <= j; ++k)
        sum += (k == i ? 1 : lu.A[i * lu.ld + k]) * lu.A[k * lu.ld + j];
      CHECK_NEAR(sum, A[lu.row[i] * n + lu.column[j]], tolerance);
    }
  }
}

static void regular(void** state) {
  rng r = rng_seed(1);

  (void)state;
  for (int n = 1; n <= MOST; ++n) {
    double A[MOST * MOST], b[MOST], want[MOST], x[MOST + KERNEL_LANES];
    rng_fill(&r, A, n * n, 1), rng_fill(&r, want, n, 1);
    for (int i = 0; i < n; ++i)
      A[i * n + (i + 1) % n] += 3; /* well conditioned, and the diagonal is the wrong pivot */
    dense_times(A, want, n, n, b);
    give(A, n, 0);
    apl_lu_factor(&lu);
    assert_int_equal(lu.rank, n);
    check_product(A, n, 1e-13);
    apl_lu_solve(&lu, b, x);
    CHECK_ARRAY(x, want, n, 1e-12, 1);
  }
}

/* A leading block that is symmetric and definite, with anything around it. */
static void partly_definite(void** state) {
  rng r = rng_seed(2);

  (void)state;
  for (int n = 2; n <= MOST; n += 3) {
    for (int definite = 0; definite <= n; definite += 1 + n / 5) {
      double A[MOST * MOST], B[MOST * MOST], b[MOST], want[MOST], x[MOST + KERNEL_LANES];
      rng_fill(&r, A, n * n, 1), rng_fill(&r, B, n * n, 1), rng_fill(&r, want, n, 1);
      for (int i = 0; i < definite; ++i) {
        for (int j = 0; j < definite; ++j)
          A[i * n + j] = dense_dot(B + i * n, B + j * n, n) + (i == j ? 1 : 0);
      }
      dense_times(A, want, n, n, b);
      give(A, n, definite);
      apl_lu_factor(&lu);
      if (lu.smallest < 1e-2) continue; /* the rest is random: it may be nearly singular */
      apl_lu_solve(&lu, b, x);
      CHECK_ARRAY(x, want, n, 1e-10, 1);
    }
  }
}

/* A = B C with k columns between: the rank is k, whatever the pivots; nothing is left over. */
static void ranks(void** state) {
  rng r = rng_seed(3);

  (void)state;
  for (int n = 1; n <= MOST; n += 2) {
    for (int k = 0; k <= n; k += 1 + n / 4) {
      double B[MOST * MOST], C[MOST * MOST], A[MOST * MOST], x[MOST + KERNEL_LANES], y[MOST];
      rng_fill(&r, B, n * k, 1), rng_fill(&r, C, k * n, 1);
      dense_product(B, C, n, k, n, A);
      give(A, n, 0);
      apl_lu_reveal(&lu, APL_LU_COMPLETE, 1e-9);
      assert_int_equal(lu.rank, k);
      check_product(A, n, 1e-11);

      /* the leading blocks: L1 U1 x = b */
      rng_fill(&r, y, n, 1);
      memset(x, 0, sizeof x);
      for (int i = 0; i < k; ++i) {
        for (int j = 0; j < k; ++j)
          x[i] += A[lu.row[i] * n + lu.column[j]] * y[j];
      }
      apl_lu_solve_lead(&lu, x);
      CHECK_ARRAY(x, y, k, 1e-8, 1);

      dense_transpose(B, n, k, C); /* B B^T, semidefinite */
      dense_product(B, C, n, k, n, A);
      give(A, n, 0);
      apl_lu_reveal(&lu, APL_LU_DIAGONAL, 1e-9);
      assert_int_equal(lu.rank, k);
      check_product(A, n, 1e-11);
    }
  }
}

/* A column of zeros is the only thing that lowers the rank of a factorisation by columns. */
static void singular(void** state) {
  const double A[9] = {1, 0, 2, 3, 0, 4, 5, 0, 7};
  (void)state;
  give(A, 3, 0);
  apl_lu_factor(&lu);
  assert_true(lu.rank < 3);
  apl_lu_begin(&lu, 0, 0);
  apl_lu_factor(&lu);
  assert_int_equal(lu.rank, 0);
  CHECK_NEAR(lu.smallest, 1, 0);
}

/* ---------------------------------------------------------------------------- kernel, scale ----
 */

static void kernels(void** state) {
  rng r = rng_seed(4);
  double a[24], b[24];

  (void)state;
  assert_int_equal(kernel_padded(0), 0);
  assert_int_equal(kernel_padded(1), 4);
  assert_int_equal(kernel_padded(4), 4);
  assert_int_equal(kernel_padded(5), 8);
  for (int n = 0; n <= 20; ++n) {
    rng_fill(&r, a, 24, 1), rng_fill(&r, b, 24, 1);
    CHECK_NEAR(kernel_dot(a, b, n), dense_dot(a, b, n), 1e-14);
    for (int from = 0; from <= n; ++from) {
      double padded[24] = {0};
      memcpy(padded + from, a + from, (size_t)(n - from) * sizeof *a);
      CHECK_NEAR(kernel_dot_lanes(padded, b, from, n), dense_dot(a + from, b + from, n - from),
                 1e-14);
    }
  }
  double A[3 * 8] = {0}, x[8] = {1, 2, 3, 4, 5, 0, 0, 0}, y[3], small[15], want[3];
  rng_fill(&r, small, 15, 1);
  for (int i = 0; i < 3; ++i)
    memcpy(A + 8 * i, small + 5 * i, 5 * sizeof *A);
  kernel_times(A, 8, 3, x, y);
  dense_times(small, x, 3, 5, want);
  CHECK_ARRAY(y, want, 3, 1e-14, 10);
}

/* A power of two within a factor two of 1/sqrt(size), over the whole range of doubles. */
static void scales(void** state) {
  const double row[3] = {-8, 0.25, 2};
  int e;

  (void)state;
  for (double size = 1e-300; size < 1e300; size *= 7.3) {
    const double d = scale_of(size), one = d * d * size;
    assert_true(frexp(d, &e) == 0.5);
    assert_true(one >= 0.25 && one <= 2);
  }
  CHECK_NEAR(scale_size(row, 1, 3, true), 0.25, 0);
  CHECK_NEAR(scale_size(row, 1, 3, false), 0.25, 0); /* larger than a thousandth of the row */
  CHECK_NEAR(scale_size(row, 0, 3, false), 8, 0);
  const double idle[3] = {5, 0, 2};
  CHECK_NEAR(scale_size(idle, 1, 3, true), 0, 0);
  CHECK_NEAR(scale_size(idle, 1, 3, false), 5e-3, 1e-18); /* others move it */
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(regular),  cmocka_unit_test(partly_definite), cmocka_unit_test(ranks),
      cmocka_unit_test(singular), cmocka_unit_test(kernels),         cmocka_unit_test(scales),
  };
  return cmocka_run_group_tests_name("lu", tests, setup, teardown);
}
