/* SPDX-License-Identifier: Apache-2.0 */
/* test_analyse_algebra.c: analyse/dense.h, newton.h, rigid_motion.h and eigen.h on small matrices
   whose solutions are known in closed form. */
#include "near.h"

#include "analyse/closed.h"
#include "analyse/dense.h"
#include "analyse/eigen.h"
#include "analyse/newton.h"
#include "analyse/rigid_motion.h"

#include <string.h>

/* ----------------------------------------------------------------------------------- dense ---- */

/* (2 1; 1 3) x = (3, 5) has the solution (4/5, 7/5). */
static void solve(void** state) {
  (void)state;
  double A[4] = {2, 1, 1, 3}, b[2] = {3, 5};

  assert_true(apl_dense_solve(2, A, b));
  CHECK_NEAR(b[0], 0.8, 1e-15);
  CHECK_NEAR(b[1], 1.4, 1e-15);

  /* storage by columns: x2 = 1, x1 + 2 x2 = 5 */
  double C[4] = {0, 1, 1, 2}, c[2] = {1, 5};
  assert_true(apl_dense_solve(2, C, c));
  CHECK_NEAR(c[0], 3, 1e-15);
  CHECK_NEAR(c[1], 1, 1e-15);

  double singular[4] = {1, 2, 2, 4}, d[2] = {1, 1};
  assert_false(apl_dense_solve(2, singular, d));
}

/* Of all x with x1 + x2 = 2 (twice the same equation) the shortest is (1, 1); of two contradicting
   equations 1 and 3 the mean counts. */
static void least_squares(void** state) {
  (void)state;
  double A[4] = {1, 1, 1, 1}, b[2] = {2, 2};
  assert_true(apl_dense_least_squares(2, A, b, 1e-11));
  CHECK_NEAR(b[0], 1, 1e-14);
  CHECK_NEAR(b[1], 1, 1e-14);

  double C[4] = {1, 1, 1, 1}, c[2] = {1, 3};
  assert_true(apl_dense_least_squares(2, C, c, 1e-11));
  CHECK_NEAR(c[0], 1, 1e-14);
  CHECK_NEAR(c[1], 1, 1e-14);

  /* the limit of rank: an entry of 1e-9 counts for 1e-11 and not for 1e-6 */
  double D[4] = {1, 0, 0, 1e-9}, d[2] = {1, 1e-9};
  assert_true(apl_dense_least_squares(2, D, d, 1e-11));
  CHECK_NEAR(d[1], 1, 1e-12);
  double E[4] = {1, 0, 0, 1e-9}, e[2] = {1, 1e-9};
  assert_true(apl_dense_least_squares(2, E, e, 1e-6));
  CHECK_NEAR(e[1], 0, 1e-15);
}

/* The symmetric part of (2 2; 0 2) is (2 1; 1 2), with eigenvalues 1 and 3 along (1, -1), (1, 1).
 */
static void symmetric(void** state) {
  (void)state;
  double A[4] = {2, 0, 2, 2}, value[2];

  assert_true(apl_dense_symmetric(2, A, value));
  CHECK_NEAR(value[0], 1, 1e-15);
  CHECK_NEAR(value[1], 3, 1e-15);
  CHECK_NEAR(A[0] + A[1], 0, 1e-15);
  CHECK_NEAR(A[2] - A[3], 0, 1e-15);
  CHECK_NEAR(A[0] * A[0] + A[1] * A[1], 1, 1e-15);
}

/* A = diag(3, 0.5) R has singular values 3 and 0.5 and U = +-1, whatever the rotation R. */
static void left(void** state) {
  (void)state;
  const double c = cos(0.7), s = sin(0.7);
  double A[4] = {3 * c, 0.5 * s, -3 * s, 0.5 * c}, value[2], U[4];

  assert_true(apl_dense_left(2, A, value, U));
  CHECK_NEAR(value[0], 3, 1e-14);
  CHECK_NEAR(value[1], 0.5, 1e-14);
  CHECK_NEAR(fabs(U[0]), 1, 1e-14);
  CHECK_NEAR(fabs(U[3]), 1, 1e-14);
  CHECK_NEAR(U[1], 0, 1e-14);
}

/* ---------------------------------------------------------------------------------- newton ---- */

/* x^2 + y^2 = 4, x = y */
static apl_status circle(void* user, const double* x, double* f) {
  ++*(int*)user;
  f[0] = x[0] * x[0] + x[1] * x[1] - 4;
  f[1] = x[0] - x[1];
  return APL_OK;
}
static apl_status circle_slope(void* user, const double* x, double* J) {
  (void)user;
  J[0] = 2 * x[0], J[1] = 1, J[2] = 2 * x[1], J[3] = -1;
  return APL_OK;
}

/* x^2 + 1 = 0 has no solution; |f| is least at x = 0. */
static apl_status hopeless(void* user, const double* x, double* f) {
  (void)user;
  f[0] = x[0] * x[0] + 1;
  return APL_OK;
}
static apl_status hopeless_slope(void* user, const double* x, double* J) {
  (void)user;
  J[0] = 2 * x[0];
  return APL_OK;
}
static apl_status no_memory(void* user, const double* x, double* f) {
  (void)user, (void)x, (void)f;
  return APL_ERR_MEMORY;
}

/* x + y = 2 twice: y - x keeps its start value, because the shortest step does not move along it */
static apl_status twice(void* user, const double* x, double* f) {
  (void)user;
  f[0] = f[1] = x[0] + x[1] - 2;
  return APL_OK;
}
static apl_status twice_slope(void* user, const double* x, double* J) {
  (void)user, (void)x;
  J[0] = J[1] = J[2] = J[3] = 1;
  return APL_OK;
}

static void newton(void** state) {
  (void)state;
  const double one[2] = {1, 1};
  int calls = 0, used = 0;
  newton_problem p = {.n = 2,
                      .residual = circle,
                      .jacobian = circle_slope,
                      .user = &calls,
                      .unit = one,
                      .force = one,
                      .tolerance = 1e-12,
                      .longest = 10,
                      .iterations = 50};
  double x[2] = {3, 0.5};

  CHECK_OK(apl_newton(&p, x, &used));
  CHECK_NEAR(x[0], sqrt(2), 1e-12);
  CHECK_NEAR(x[1], sqrt(2), 1e-12);
  assert_in_range(used, 3, 12); /* quadratic convergence */
  assert_true(calls >= used);

  /* iterations are added to those of earlier searches */
  const int before = used;
  x[0] = -3, x[1] = -1;
  CHECK_OK(apl_newton(&p, x, &used));
  CHECK_NEAR(x[0], -sqrt(2), 1e-12);
  assert_true(used > before);

  /* with one iteration it cannot arrive */
  p.iterations = 1;
  x[0] = 3, x[1] = 0.5;
  assert_int_equal(apl_newton(&p, x, &used), APL_ERR_EQUILIBRIUM);
  p.iterations = 50;

  p.residual = twice, p.jacobian = twice_slope;
  x[0] = 1, x[1] = 4;
  CHECK_OK(apl_newton(&p, x, &used));
  CHECK_NEAR(x[0] + x[1], 2, 1e-12);
  CHECK_NEAR(x[1] - x[0], 3, 1e-12);

  p.n = 1, p.residual = hopeless, p.jacobian = hopeless_slope;
  x[0] = 2;
  assert_int_equal(apl_newton(&p, x, &used), APL_ERR_EQUILIBRIUM);
  CHECK_TRUE(fabs(x[0]) < 2, "it ended at %g", x[0]); /* nearer to the least |f| */

  p.residual = no_memory;
  assert_int_equal(apl_newton(&p, x, &used), APL_ERR_MEMORY);
}

/* --------------------------------------------------------------------------- rigid motions ---- */

/* Two masses on a line with a spring between them move together without stiffness: (1, 1). */
static void rigid(void** state) {
  (void)state;
  const double M[4] = {2, 0, 0, 1}, K[4] = {5, -5, -5, 5}, work[2] = {5, 5};
  const double none[4] = {0}, between[4] = {1, -1, -1, 1}, floor[4] = {0.3, 0, 0, 0};
  rigid_problem p = {.n = 2, .M = M, .D = none, .K = K, .work = work};
  apl_pool pool = {0};
  rigid_motions out;

  assert_true(apl_rigid_motions(&p, &pool, &out));
  assert_int_equal(out.m, 1);
  CHECK_NEAR(out.right[0], 1, 1e-12);
  CHECK_NEAR(out.right[1], 1, 1e-12);
  CHECK_NEAR(out.left[0] - out.left[1], 0, 1e-12);
  CHECK_ALIVE(out.left, 2, 1e-3);
  assert_int_equal(out.undamped, 1);

  /* a damper between them does not resist it, one to the ground does */
  p.D = between;
  assert_true(apl_rigid_motions(&p, &pool, &out));
  assert_int_equal(out.undamped, 1);
  p.D = floor;
  assert_true(apl_rigid_motions(&p, &pool, &out));
  assert_int_equal(out.m, 1);
  assert_int_equal(out.undamped, 0);

  /* a spring to the ground leaves none; no springs leave both, each alone */
  const double held[4] = {6, -5, -5, 5};
  p.K = held;
  assert_true(apl_rigid_motions(&p, &pool, &out));
  assert_int_equal(out.m, 0);
  p.K = none, p.D = none;
  assert_true(apl_rigid_motions(&p, &pool, &out));
  assert_int_equal(out.m, 2);
  assert_int_equal(out.undamped, 2);
  CHECK_NEAR(fabs(out.right[0] * out.right[3] - out.right[1] * out.right[2]), 1, 1e-12);

  const double bad[4] = {NEAR_NAN, 0, 0, 1};
  p.K = bad;
  assert_false(apl_rigid_motions(&p, &pool, &out));
  apl_pool_free(&pool);
}

/* -------------------------------------------------------------------------------- eigenvalues ----
 */

/* One freedom, m = 2, c and k: lambda = -c/2m +- sqrt(c^2/4m^2 - k/m). */
static void one_freedom(void** state) {
  (void)state;
  static const struct { double c, k; } of[] = {{0, 8}, {0.4, 8}, {20, 8}, {0, -8}, {-0.4, 8}};
  double M = 2, D, K, unit = 1, work;
  int velocity = 0;

  for (int i = 0; i < 5; ++i) {
    near_context("damping %g, stiffness %g", of[i].c, of[i].k);
    D = of[i].c, K = of[i].k, work = fabs(K);
    const linear l = {.n = 1,
                      .velocity = &velocity,
                      .M = &M,
                      .D = &D,
                      .K = &K,
                      .unit = &unit,
                      .work = &work,
                      .m = 1};
    apl_pool pool = {0};
    eigen_mode* mode;
    int count;

    CHECK_OK(apl_eigen(&l, 4, &pool, &mode, &count));
    const double half = D / (2 * M), square = half * half - K / M;
    assert_int_equal(count, square < 0 ? 1 : 2);
    for (int k = 0; k < count; ++k) {
      assert_false(mode[k].rigid);
      /* it satisfies lambda^2 m + lambda c + k = 0 */
      const double complex z = mode[k].lambda, rest = z * z * M + z * D + K;
      CHECK_NEAR(cabs(rest), 0, 1e-13 * fabs(K));
      CHECK_TRUE(cabs(mode[k].x[0]) > 0, "no shape");
    }
    if (square < 0) {
      CHECK_NEAR(creal(mode[0].lambda), -half, 1e-13);
      CHECK_NEAR(cimag(mode[0].lambda), sqrt(-square), 1e-13);
    } else {
      CHECK_NEAR(creal(mode[0].lambda) + creal(mode[1].lambda), -2 * half, 1e-12);
      CHECK_TRUE(cabs(mode[0].lambda) <= cabs(mode[1].lambda) * (1 + 1e-12), "not by size");
    }
    apl_pool_free(&pool);
  }
  near_context("%s", "");
}

/* Three equal masses in a row, two springs, both ends free: 0, sqrt(k/m), sqrt(3 k/m), with the
   shapes (1, 1, 1), (1, 0, -1), (1, -2, 1). */
static void chain(void** state) {
  (void)state;
  const double k = 7, m = 0.5;
  double M[9] = {m, 0, 0, 0, m, 0, 0, 0, m}, D[9] = {0};
  double K[9] = {k, -k, 0, -k, 2 * k, -k, 0, -k, k}, unit[3] = {1, 1, 1}, work[3] = {k, 2 * k, k};
  int velocity[3] = {0, 1, 2};
  linear l = {
      .n = 3, .velocity = velocity, .M = M, .D = D, .K = K, .unit = unit, .work = work, .m = 3};
  apl_pool pool = {0};
  eigen_mode* mode;
  int count;

  CHECK_OK(apl_eigen(&l, 3, &pool, &mode, &count));
  assert_int_equal(count, 3);
  assert_true(mode[0].rigid);
  CHECK_NEAR(cabs(mode[0].lambda), 0, 0);
  CHECK_NEAR(cabs(mode[0].x[0] - mode[0].x[2]), 0, 1e-12);
  CHECK_NEAR(cimag(mode[1].lambda), sqrt(k / m), 1e-13);
  CHECK_NEAR(creal(mode[1].lambda), 0, 1e-14);
  CHECK_NEAR(cabs(mode[1].x[1] / mode[1].x[0]), 0, 1e-12);
  CHECK_NEAR(creal(mode[1].x[2] / mode[1].x[0]), -1, 1e-12);
  CHECK_NEAR(cimag(mode[2].lambda), sqrt(3 * k / m), 1e-13);
  CHECK_NEAR(creal(mode[2].x[1] / mode[2].x[0]), -2, 1e-12);

  M[4] = -m; /* no such mass */
  assert_int_equal(apl_eigen(&l, 3, &pool, &mode, &count), APL_ERR_SINGULAR);
  apl_pool_free(&pool);
  CHECK_NEAR(creal(complex_of(2, -3)), 2, 0);
  CHECK_NEAR(cimag(complex_of(2, -3)), -3, 0);
}

/* ---------------------------------------------------------------------------------- closed ---- */

/* Z^T A Z of the vectors (1, 1, 0) and (0, 0, 2), where A has four numbers per column of which the
   fourth does not count. */
static void project(void** state) {
  (void)state;
  const double Z[6] = {1, 1, 0, 0, 0, 2};
  const double A[12] = {1, 2, 3, 1e9, 4, 5, 6, 1e9, 7, 8, 9, 1e9}; /* A_ik = 1 + i + 3 k */
  const double want[4] = {1 + 2 + 4 + 5, 2 * (3 + 6), 2 * (7 + 8), 4 * 9};
  double out[4];

  apl_closed_project(3, 2, Z, A, 4, out);
  CHECK_ARRAY(out, want, 4, 0, 1);
}

/* One loop row a.x = 0 with a = (3, 4): the motion that keeps it is (4, -3) / 5 in units of x. */
static void motions(void** state) {
  (void)state;
  double unit[3] = {1, 1, 1};
  const balance b = {.nfree = 2, .n = 3, .unit = unit};
  const double J[9] = {11, 12, 3, 13, 14, 4, 3, 4, 0}; /* by columns; the third row is the loop's */
  double Z[4], s[2];

  assert_int_equal(apl_closed_motions(&b, J, Z, s), 1);
  CHECK_NEAR(3 * Z[0] + 4 * Z[1], 0, 1e-14);
  CHECK_NEAR(fabs(Z[0]), 0.8, 1e-14);
  CHECK_NEAR(fabs(Z[1]), 0.6, 1e-14);

  /* in other units of x the motion is still closed */
  unit[1] = 0.01;
  assert_int_equal(apl_closed_motions(&b, J, Z, s), 1);
  CHECK_NEAR(3 * Z[0] + 4 * Z[1], 0, 1e-14);
  CHECK_ALIVE(Z, 2, 1e-3);

  /* a row that is zero closes nothing */
  const double open[9] = {11, 12, 0, 13, 14, 0, 0, 0, 0};
  assert_int_equal(apl_closed_motions(&b, open, Z, s), 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(solve),       cmocka_unit_test(least_squares), cmocka_unit_test(symmetric),
      cmocka_unit_test(left),        cmocka_unit_test(newton),        cmocka_unit_test(rigid),
      cmocka_unit_test(one_freedom), cmocka_unit_test(chain),         cmocka_unit_test(project),
      cmocka_unit_test(motions),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
