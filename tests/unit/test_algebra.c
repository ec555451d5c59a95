/* SPDX-License-Identifier: Apache-2.0 */
/* test_algebra.c: math/algebra.h and math/vec2.h against dense matrices multiplied out: [p] as a
   matrix, Ad(X) as a 6x6. */
#include "dense.h"
#include "near.h"
#include "random.h"

#include "math/algebra.h"
#include "math/pose.h"
#include "math/vec2.h"

#include <string.h>

/* Sums of up to a dozen products of numbers of order one. */
#define TOLERANCE 1e-14
enum { TRIALS = 25 };

static vec3 random_vec3(rng* r) {
  double x[3];
  rng_fill(r, x, 3, 1);
  return (vec3){x[0], x[1], x[2]};
}

static twist random_twist(rng* r) {
  const vec3 w = random_vec3(r);
  return (twist){w, random_vec3(r)};
}

/* The columns of R are the rotated axes. */
static pose random_pose(rng* r) {
  const apl_pose P = rng_pose(r, 1);
  const apl_vec3 x = apl_quat_rotate(P.rotation, (apl_vec3){1, 0, 0});
  const apl_vec3 y = apl_quat_rotate(P.rotation, (apl_vec3){0, 1, 0});
  const apl_vec3 z = apl_quat_rotate(P.rotation, (apl_vec3){0, 0, 1});
  return (pose){{x.x, y.x, z.x, x.y, y.y, z.y, x.z, y.z, z.z},
                {P.position.x, P.position.y, P.position.z}};
}

/* [a], so that [a] b = a x b */
static void skew(vec3 a, double S[9]) {
  const double full[9] = {0, -a.z, a.y, a.z, 0, -a.x, -a.y, a.x, 0};
  memcpy(S, full, sizeof full);
}

/* Ad(X) = (R 0; [p] R, R) */
static void adjoint(pose X, double A[36]) {
  double R[9], S[9], SR[9];
  memcpy(R, &X.R, sizeof R);
  skew(X.p, S);
  dense_product(S, R, 3, 3, 3, SR);
  memset(A, 0, 36 * sizeof *A);
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      A[6 * i + j] = A[6 * (i + 3) + j + 3] = R[3 * i + j];
      A[6 * (i + 3) + j] = SR[3 * i + j];
    }
  }
}

static void vectors(void** state) {
  rng r = rng_seed(1);

  (void)state;
  for (int t = 0; t < TRIALS; ++t) {
    const vec3 a = random_vec3(&r), b = random_vec3(&r);
    double S[9], want[3];
    skew(a, S);
    dense_times(S, &b.x, 3, 3, want);
    const vec3 c = cross(a, b), d = sub(add(a, b), scale(2.0, neg(b)));
    CHECK_ARRAY(&c.x, want, 3, TOLERANCE, 1);
    CHECK_NEAR(dot(a, b), dense_dot(&a.x, &b.x, 3), TOLERANCE);
    const double sum[3] = {a.x + 3 * b.x, a.y + 3 * b.y, a.z + 3 * b.z};
    CHECK_ARRAY(&d.x, sum, 3, TOLERANCE, 1);
  }
  const vec3 x = {1, 0, 0}, none = cross(x, scale(-3.0, x)), o = vec3_zero();
  CHECK_ARRAY(&none.x, &o.x, 3, 0, 1); /* parallel: exactly zero */
}

static void matrices(void** state) {
  rng r = rng_seed(2);

  (void)state;
  for (int t = 0; t < TRIALS; ++t) {
    mat3 A, B;
    sym3 S;
    double want[9], A_[9], B_[9];
    const vec3 x = random_vec3(&r);
    rng_fill(&r, A_, 9, 1), rng_fill(&r, B_, 9, 1), rng_fill(&r, &S.xx, 6, 1);
    memcpy(&A, A_, sizeof A), memcpy(&B, B_, sizeof B);

    const mat3 C = mat3_mul(A, B);
    dense_product(A_, B_, 3, 3, 3, want);
    CHECK_ARRAY(&C.xx, want, 9, TOLERANCE, 1);
    const vec3 y = mul(A, x), z = mul_t(A, x);
    dense_times(A_, &x.x, 3, 3, want);
    CHECK_ARRAY(&y.x, want, 3, TOLERANCE, 1);
    dense_times_transposed(A_, &x.x, 3, 3, want);
    CHECK_ARRAY(&z.x, want, 3, TOLERANCE, 1);

    const double full[9] = {S.xx, S.xy, S.xz, S.xy, S.yy, S.yz, S.xz, S.yz, S.zz};
    const vec3 u = sym3_mul(S, x);
    dense_times(full, &x.x, 3, 3, want);
    CHECK_ARRAY(&u.x, want, 3, TOLERANCE, 1);

    const double angle = x.x, s = sin(angle), c = cos(angle);
    const double Rz[9] = {c, -s, 0, s, c, 0, 0, 0, 1};
    const mat3 turned = mat3_turn_z(A, s, c);
    dense_product(A_, Rz, 3, 3, 3, want);
    CHECK_ARRAY(&turned.xx, want, 9, TOLERANCE, 1);
  }
}

/* Twists go by Ad(X), poses compose as their adjoints multiply, and what belongs to the other side
   is the inverse. */
static void twists(void** state) {
  rng r = rng_seed(3);

  (void)state;
  for (int t = 0; t < TRIALS; ++t) {
    const pose X = random_pose(&r), Y = random_pose(&r);
    const twist V = random_twist(&r);
    double A[36], B[36], AB[36], got[36], want[6];

    adjoint(X, A), adjoint(Y, B), adjoint(pose_mul(X, Y), got);
    dense_product(A, B, 6, 6, 6, AB);
    CHECK_ARRAY(got, AB, 36, TOLERANCE, 1);

    const twist up = twist_from(X, V), back = twist_to(X, up);
    dense_times(A, &V.w.x, 6, 6, want);
    CHECK_ARRAY(&up.w.x, want, 6, TOLERANCE, 1);
    CHECK_ARRAY(&back.w.x, &V.w.x, 6, TOLERANCE, 1);
  }
  const pose one = pose_identity_real();
  const twist V = random_twist(&r), same = twist_to(one, V);
  CHECK_ARRAY(&same.w.x, &V.w.x, 6, 0, 1);
}

/* A wrench moves by Ad(X)^-T: its power along any twist is the same in both frames. */
static void wrenches(void** state) {
  rng r = rng_seed(4);

  (void)state;
  for (int t = 0; t < TRIALS; ++t) {
    const pose X = random_pose(&r);
    const twist Va = random_twist(&r), F = random_twist(&r);
    const wrench W = {F.w, F.v}, Wa = wrench_from(X, W);
    double A[36], back[6];

    CHECK_NEAR(power(Va, Wa), power(twist_to(X, Va), W), TOLERANCE);
    CHECK_NEAR(power(Va, W), dense_dot(&Va.w.x, &W.n.x, 6), TOLERANCE);
    adjoint(X, A); /* Ad(X)^T Wa = W */
    dense_times_transposed(A, &Wa.n.x, 6, 6, back);
    CHECK_ARRAY(back, &W.n.x, 6, TOLERANCE, 1);

    double put[6];
    const wrench twice = wrench_sub(wrench_add(W, Wa), wrench_scale(-1.0, wrench_sub(W, Wa)));
    put_wrench(put, twice);
    for (int i = 0; i < 6; ++i)
      CHECK_NEAR(put[i], 2 * (&W.n.x)[i], TOLERANCE);
  }
  const wrench none = wrench_zero();
  for (int i = 0; i < 6; ++i)
    assert_true((&none.n.x)[i] == 0);
}

/* ad(V) U is the rate at which a motion along V carries U: d/dt Ad(exp(V t)) U at t = 0. A small
   motion is R = 1 + t [w] + .., p = t v + ..; central differences are exact to t^2. */
static void bracket(void** state) {
  rng r = rng_seed(5);
  const double h = 1e-4;

  (void)state;
  for (int t = 0; t < TRIALS; ++t) {
    const twist V = random_twist(&r), U = random_twist(&r), got = twist_cross(V, U);
    twist at[2];
    for (int side = 0; side < 2; ++side) {
      const double k = side == 0 ? -h : h;
      const apl_quat q = apl_quat_axis((apl_vec3){V.w.x, V.w.y, V.w.z}, k * sqrt(dot(V.w, V.w)));
      const apl_vec3 x = apl_quat_rotate(q, (apl_vec3){1, 0, 0});
      const apl_vec3 y = apl_quat_rotate(q, (apl_vec3){0, 1, 0});
      const apl_vec3 z = apl_quat_rotate(q, (apl_vec3){0, 0, 1});
      const pose X = {{x.x, y.x, z.x, x.y, y.y, z.y, x.z, y.z, z.z}, scale(k, V.v)};
      at[side] = twist_from(X, U);
    }
    const twist rate = twist_scale(0.5 / h, twist_add(at[1], twist_scale(-1.0, at[0])));
    CHECK_ARRAY(&got.w.x, &rate.w.x, 6, 1e-7, 1); /* h^2 = 1e-8 and eps / h */
    const twist own = twist_cross(V, V), zero = twist_zero();
    CHECK_ARRAY(&own.w.x, &zero.w.x, 6, TOLERANCE, 1);
  }
}

static void columns(void** state) {
  rng r = rng_seed(6);
  double S[18], v[3], want[6], by_column[18];

  (void)state;
  rng_fill(&r, S, 18, 1), rng_fill(&r, v, 3, 1);
  dense_times_transposed(S, v, 3, 6, want); /* each column lies in a row of six */
  const twist V = columns_mul(S, v, 3);
  CHECK_ARRAY(&V.w.x, want, 6, TOLERANCE, 1);
  for (int k = 0; k < 3; ++k)
    set_column(by_column, k, column(S, k));
  CHECK_ARRAY(by_column, S, 18, 0, 1);
  const twist none = columns_mul(S, v, 0), zero = twist_zero();
  CHECK_ARRAY(&none.w.x, &zero.w.x, 6, 0, 1);
}

/* The plane is the x-y plane of space. */
static void plane(void** state) {
  rng r = rng_seed(7);

  (void)state;
  for (int t = 0; t < TRIALS; ++t) {
    const vec3 p = random_vec3(&r), q = random_vec3(&r);
    const vec2 a = {p.x, p.y}, b = {q.x, q.y};
    const vec3 a3 = {p.x, p.y, 0}, b3 = {q.x, q.y, 0}, n = {0, 0, p.z};
    const double s = sin(q.z), c = cos(q.z);
    const mat3 R = mat3_turn_z(mat3_identity(), s, c);

    CHECK_NEAR(cross2(a, b), cross(a3, b3).z, TOLERANCE);
    CHECK_NEAR(dot2(a, b), dot(a3, b3), TOLERANCE);
    const vec2 turned = turn2(p.z, a), out = rotate2(c, s, a), in = back2(c, s, a);
    const vec3 turned3 = cross(n, a3), out3 = mul(R, a3), in3 = mul_t(R, a3);
    CHECK_ARRAY(&turned.x, &turned3.x, 2, TOLERANCE, 1);
    CHECK_ARRAY(&out.x, &out3.x, 2, TOLERANCE, 1);
    CHECK_ARRAY(&in.x, &in3.x, 2, TOLERANCE, 1);
    const vec2 back = add2(back2(c, s, out), scale2(-1.0, a));
    CHECK_NEAR(sqrt(dot2(back, back)), 0, TOLERANCE);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(vectors),  cmocka_unit_test(matrices), cmocka_unit_test(twists),
      cmocka_unit_test(wrenches), cmocka_unit_test(bracket),  cmocka_unit_test(columns),
      cmocka_unit_test(plane),
  };
  return cmocka_run_group_tests_name("algebra", tests, NULL, NULL);
}
