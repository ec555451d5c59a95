/* SPDX-License-Identifier: Apache-2.0 */
/* test_hot_algebra.c: the formulas of the recursions that need no robot: dynamics/eliminate.h,
   screw.h, plane.h, sweeps.h, passive.h (stops), against dense algebra. The hot code is included as
   CMake compiles it. */
#define APL_HOT 1
#define APL_REAL_SCALAR 1
#define APL_PASSES test_passes

#include "dense.h"
#include "near.h"
#include "random.h"

#include "dynamics/eliminate.h"
#include "dynamics/passive.h"
#include "dynamics/plane.h"
#include "dynamics/screw.h"
#include "dynamics/sweeps.h"

#include "dynamics/hot.c"

/* Some ten products of numbers of order one. */
#define TOLERANCE 1e-12
enum { TRIALS = 20 };

/* Symmetric and positive definite, n x n. */
static void definite(rng* r, int n, double* M) {
  double A[144], B[144];
  rng_fill(r, A, n * n, 1);
  dense_transpose(A, n, n, B);
  dense_product(A, B, n, n, n, M);
  for (int i = 0; i < n; ++i)
    M[i * n + i] += 0.5;
}

static void random_pose(rng* r, pose* X) {
  double q[4];
  rng_fill(r, q, 4, 1), rng_fill(r, &X->p.x, 3, 1);
  X->R = mat3_of_quat(q);
}

/* I - d U U^T, and the same where S = z, moved to the frame above. */
static void reductions(void** unused) {
  rng r = rng_seed(1);

  (void)unused;
  for (int t = 0; t < TRIALS; ++t) {
    double D[36], want[36], got[36];
    accel U;
    pose X;
    definite(&r, 6, D);
    rng_fill(&r, &U.dw.x, 6, 1);
    random_pose(&r, &X);
    const inertia6 I = inertia6_load(D, 6);
    for (int i = 0; i < 36; ++i)
      want[i] = D[i] - 0.7 * (&U.dw.x)[i / 6] * (&U.dw.x)[i % 6];
    inertia6_store(reduce(I, U, 0.7), got);
    CHECK_ARRAY(got, want, 36, TOLERANCE, 1);

    const accel u = axis_column(I, true), v = axis_column(I, false);
    for (int i = 0; i < 6; ++i) /* columns 2 and 5 of I */
      assert_true((&u.dw.x)[i] == D[6 * i + 2] && (&v.dw.x)[i] == D[6 * i + 5]);
    const inertia6 left = reduce_revolute(I, u, 1 / D[14]);
    for (int i = 0; i < 36; ++i)
      want[i] = D[i] - D[6 * (i / 6) + 2] * D[12 + i % 6] / D[14];
    inertia6_store(left, got);
    CHECK_ARRAY(got, want, 36, TOLERANCE, 1);
    for (int i = 0; i < 6; ++i)
      assert_true(got[12 + i] == 0); /* exactly */
    const inertia6 a = reduced_from(X.R, X.p, left), b = inertia6_from(X.R, X.p, left);
    CHECK_ARRAY(&a.J.xx, &b.J.xx, 21, TOLERANCE, 1);
  }
}

/* [I U; U^T D] [A; a] = [W - y; r]: eliminating a leaves W = I' A + y', and a comes back. */
static void elimination(void** unused) {
  rng r = rng_seed(2);

  (void)unused;
  for (int n = 1; n <= 6; ++n) {
    double K[144], I6[36], U[36], D[36], x[12], force[12], tau[6], a[6];
    const int size = 6 + n;
    definite(&r, size, K);
    rng_fill(&r, x, size, 1); /* A and a */
    dense_times(K, x, size, size, force);
    for (int i = 0; i < 6; ++i) {
      for (int j = 0; j < 6; ++j)
        I6[6 * i + j] = K[i * size + j];
      for (int k = 0; k < n; ++k)
        U[6 * k + i] = K[i * size + 6 + k];
    }
    for (int k = 0; k < n; ++k) {
      for (int j = 0; j < n; ++j)
        D[k * n + j] = K[(6 + k) * size + 6 + j];
      tau[k] = force[6 + k];
    }
    inertia6 I = inertia6_load(I6, 6);
    wrench y = wrench_zero();
    assert_false(mask_any(eliminate(&I, &y, U, D, tau, n)));
    accel A;
    memcpy(&A, x, sizeof A);
    const wrench W = wrench_add(inertia6_mul(I, A), y);
    CHECK_ARRAY(&W.n.x, force, 6, 1e-11, 1);
    eliminated(U, D, tau, n, A, a);
    CHECK_ARRAY(a, x + 6, n, 1e-11, 1);
  }
  double U[6] = {1, 0, 0, 0, 0, 0}, D[1] = {0}, tau[1] = {1};
  inertia6 I = inertia6_zero();
  wrench y = wrench_zero();
  assert_true(mask_any(eliminate(&I, &y, U, D, tau, 1))); /* nothing to move */
}

static void efforts_of_columns(void** unused) {
  rng r = rng_seed(3);
  double S[18], effort[3], W[6], want[3];
  wrench y;

  (void)unused;
  rng_fill(&r, S, 18, 1), rng_fill(&r, W, 6, 1), rng_fill(&r, effort, 3, 1);
  memcpy(&y, W, sizeof y);
  dense_times(S, W, 3, 6, want);
  for (int k = 0; k < 3; ++k)
    want[k] = effort[k] - want[k];
  take_wrench(S, 3, y, effort); /* r -= S^T y */
  CHECK_ARRAY(effort, want, 3, TOLERANCE, 1);
}

/* ------------------------------------------------------------------------------------ screw ----
 */

static void screws(void** unused) {
  rng r = rng_seed(4);

  (void)unused;
  for (int t = 0; t < TRIALS; ++t) {
    double K[144], tau[6], rest[6], Uw[36], Dw[36];
    screw_block B = {0};
    six I[6], y, Z[6];
    definite(&r, 12, K);
    rng_fill(&r, tau, 6, 1), rng_fill(&r, &B.X.w.x, 6, 1);
    memcpy(rest, tau, sizeof rest);
    for (int i = 0; i < 6; ++i) {
      double* row = K + 12 * i;
      I[i] = six_of(row[0], row[1], row[2], row[3], row[4], row[5]);
      row = K + 12 * (6 + i);
      B.U[i] = six_of(row[0], row[1], row[2], row[3], row[4], row[5]);
      B.D[i] = six_of(row[6], row[7], row[8], row[9], row[10], row[11]);
    }
    /* ad(X) by its rows is the bracket of twists */
    twist V;
    rng_fill(&r, &V.w.x, 6, 1);
    const twist bracket = twist_cross(B.X, V);
    screw_rows(B.X, Z);
    for (int i = 0; i < 6; ++i) {
      double sum = 0;
      for (int j = 0; j < 6; ++j)
        sum += six_at(&Z[i], j) * (&V.w.x)[j];
      CHECK_NEAR(sum, (&bracket.w.x)[i], TOLERANCE);
    }
    assert_false(mask_any(screw_eliminate(&B, I, rest, &y, Uw, Dw)));

    /* I - U D^-1 U^T and U D^-1 tau by Cholesky */
    for (int c = 0; c <= 6; ++c) {
      double D[36], b[6], want[6];
      for (int i = 0; i < 6; ++i) {
        for (int j = 0; j < 6; ++j)
          D[6 * i + j] = K[12 * (6 + i) + 6 + j];
        b[i] = c < 6 ? K[12 * (6 + i) + c] : tau[i];
      }
      assert_true(dense_solve(D, 6, b));
      for (int i = 0; i < 6; ++i) {
        want[i] = c < 6 ? K[12 * i + c] : 0;
        for (int k = 0; k < 6; ++k)
          want[i] += (c < 6 ? -1 : 1) * K[12 * (6 + k) + i] * b[k];
        if (c == 6) CHECK_NEAR(six_at(&y, i), want[i], 1e-11);
        if (c < 6 && i <= c) CHECK_NEAR(six_at(&I[i], c), want[i], 1e-11); /* upper half */
      }
    }
  }
  six row[6];
  screw_diagonal((double[]){1, 2, 3, 4, 5, 6}, row);
  for (int i = 0; i < 36; ++i)
    assert_true(six_at(&row[i / 6], i % 6) == (i / 6 == i % 6 ? i / 6 + 1 : 0));
}

/* ------------------------------------------------------------------------------------ plane ----
 */

/* An inertia of the plane as a 3x3 matrix. */
static void dense3(plane_inertia3 I, double M[9]) {
  const double full[9] = {I.J, I.H.x, I.H.y, I.H.x, I.xx, I.xy, I.H.y, I.xy, I.yy};
  memcpy(M, full, sizeof full);
}

static void plane_algebra(void** unused) {
  rng r = rng_seed(5);

  (void)unused;
  for (int t = 0; t < TRIALS; ++t) {
    plane_inertia3 I;
    plane_three A, U;
    vec2 p;
    double M[9], want[9], got[9];
    rng_fill(&r, &I.J, 6, 1), rng_fill(&r, &A.n, 3, 1), rng_fill(&r, &U.n, 3, 1),
        rng_fill(&r, &p.x, 2, 1);
    const double angle = rng_between(&r, -3, 3), c = cos(angle), s = sin(angle);
    dense3(I, M);
    dense_times(M, &A.n, 3, 3, want);
    const plane_three W = inertia3_mul(I, A);
    CHECK_ARRAY(&W.n, want, 3, TOLERANCE, 1);
    for (int i = 0; i < 9; ++i)
      want[i] = M[i] - 0.3 * (&U.n)[i / 3] * (&U.n)[i % 3];
    dense3(inertia3_reduce(I, U, 0.3), got);
    CHECK_ARRAY(got, want, 9, TOLERANCE, 1);
    dense3(inertia3_add(I, I), got);
    for (int i = 0; i < 9; ++i)
      CHECK_NEAR(got[i], 2 * M[i], 0);

    /* turned axes: the wrench turns with the motion */
    const plane_three turned = {A.n, rotate2(c, s, A.f)};
    const plane_three w = inertia3_mul(inertia3_rotate(c, s, I), turned),
                      back = {W.n, rotate2(c, s, W.f)};
    CHECK_ARRAY(&w.n, &back.n, 3, TOLERANCE, 1);

    /* another point: a at p is a + dw n x p, and the wrench there has the moment p x f more */
    const plane_three there = {A.n, add2(A.f, turn2(A.n, p))};
    const plane_three seen = inertia3_mul(inertia3_shift(p, I), A);
    const plane_three moved = wrench3_shift(p, inertia3_mul(I, there));
    CHECK_ARRAY(&seen.n, &moved.n, 3, TOLERANCE, 1);
    CHECK_NEAR(dot3(add3(A, scale3(2, U)), W),
               dense_dot(&A.n, &W.n, 3) + 2 * dense_dot(&U.n, &W.n, 3), TOLERANCE);
  }
}

/* --------------------------------------------------------------------------- small helpers ---- */

static void failures(void** unused) {
  failure f = no_failure();

  (void)unused;
  assert_true(f.link == -1 && !mask_any(f.any));
  note(&f, false, 3);
  assert_true(f.link == -1 && !mask_any(f.any));
  note(&f, true, 5);
  note(&f, true, 2); /* the first one met is the cause */
  assert_true(f.link == 5 && mask_any(f.any));
}

/* A stop pushes with k p (1 + c p'), never pulls, and keeps k p. */
static void stops(void** unused) {
  double lost = 0;

  (void)unused;
  CHECK_NEAR(stop_force(0.1, 2, 50, 0.5, &lost), 50 * 0.1 * 2, 1e-14);
  CHECK_NEAR(lost, 5 * 2, 1e-14); /* the force beyond 5 N, times the rate */
  lost = 0;
  CHECK_NEAR(stop_force(0.1, -9, 50, 0.5, &lost), 0, 0);
  CHECK_NEAR(lost, 45, 1e-14); /* the spring pushes 5 N in vain at 9 m/s */
  lost = 0;
  CHECK_NEAR(stop_force(-0.1, 3, 50, 0.5, &lost), 0, 0);
  CHECK_NEAR(lost, 0, 0);
  assert_true(clamp(3, -1, 2) == 2 && clamp(-3, -1, 2) == -1 && clamp(0.5, -1, 2) == 0.5);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(reductions),
      cmocka_unit_test(elimination),
      cmocka_unit_test(efforts_of_columns),
      cmocka_unit_test(screws),
      cmocka_unit_test(plane_algebra),
      cmocka_unit_test(failures),
      cmocka_unit_test(stops),
  };
  assert_int_equal(test_passes.width, 1);
  return cmocka_run_group_tests_name("hot_algebra", tests, NULL, NULL);
}
