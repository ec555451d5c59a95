/* SPDX-License-Identifier: Apache-2.0 */
/* test_joint_parts.c: the hot halves that joints share, element/quaternion.h, gliding.h, heading.h
   and car.h, and the table of element/element.h: twists and biases against central differences of
   the pose, forces by their power, wheels by their speed over the ground. The hot code is included
   as dynamics/hot.c does it. */
#define APL_HOT 1

#include "near.h"
#include "random.h"

#include "element/car.h"
#include "element/element.h"
#include "element/gliding.h"
#include "element/heading.h"
#include "element/quaternion.h"

#include "element/registry.c"

enum { TRIALS = 20 };

/* A joint in the making: sizes, constants, and which coordinates are angles. */
typedef struct joint {
  const joint_ops* ops;
  const void* par;
  int nq, nt, nv, nangle, angle[3];
} joint;

static joint_in input(const joint* j, const double* q, const double* v, double sc[6]) {
  for (int k = 0; k < j->nangle; ++k)
    sc[2 * k] = sin(q[j->angle[k]]), sc[2 * k + 1] = cos(q[j->angle[k]]);
  return (joint_in){.par = j->par, .q = q, .v = v, .sc = sc};
}

/* V = S v at q, and the pose. */
static twist twist_at(const joint* j, const double* q, const double* v, pose* X, twist* c) {
  double sc[6], S[6 * APL_MAX_NV];
  joint_out out = {.S = S};
  const joint_in in = input(j, q, v, sc);
  j->ops->motion(&in, &out);
  *X = out.X, *c = out.c;
  return columns_mul(S, v, j->nv);
}

/* Along q' the pose moves with S v, and S v changes at the rate c: differences with steps of 1e-5,
   good to 1e-10 and eps / 1e-5. */
static void check_motion(const joint* j, const double* q, const double* v) {
  const double h = 1e-5;
  double qdot[APL_MAX_NQ], at[APL_MAX_NQ], sc[6];
  pose X, Y[2];
  twist c, U[2], none;
  const joint_in in = input(j, q, v, sc);

  const twist V = twist_at(j, q, v, &X, &c);
  j->ops->rate(&in, qdot);
  for (int side = 0; side < 2; ++side) {
    for (int k = 0; k < j->nq; ++k)
      at[k] = q[k] + (side == 0 ? -h : h) * qdot[k];
    U[side] = twist_at(j, at, v, &Y[side], &none);
  }
  /* R^T R' = [w], R^T p' = v */
  mat3 D;
  for (int k = 0; k < 9; ++k)
    (&D.xx)[k] = ((&Y[1].R.xx)[k] - (&Y[0].R.xx)[k]) / (2 * h);
  const mat3 Rt = {X.R.xx, X.R.yx, X.R.zx, X.R.xy, X.R.yy, X.R.zy, X.R.xz, X.R.yz, X.R.zz};
  const mat3 W = mat3_mul(Rt, D);
  const vec3 p = scale(0.5 / h, sub(Y[1].p, Y[0].p));
  const twist want = {{W.zy, W.xz, W.yx}, mul_t(X.R, p)};
  CHECK_ARRAY(&V.w.x, &want.w.x, 6, 1e-8, 1);
  const twist rate = twist_scale(0.5 / h, twist_add(U[1], twist_scale(-1, U[0])));
  CHECK_ARRAY(&c.w.x, &rate.w.x, 6, 1e-8, 1);
}

/* f along the rate of the tangent does the work that Q does along v; delta = 0. */
static void check_pull(const joint* j, const double* q, const double* v, const double* f) {
  const double delta[APL_MAX_NQ] = {0};
  double rate[APL_MAX_NQ], Q[APL_MAX_NV], sc[6], want = 0, got = 0;
  const joint_in in = input(j, q, v, sc);

  j->ops->tangent_rate(&in, rate);
  j->ops->pull(&in, delta, f, Q, NULL);
  for (int k = 0; k < j->nt; ++k)
    want += f[k] * rate[k];
  for (int k = 0; k < j->nv; ++k)
    got += Q[k] * v[k];
  CHECK_NEAR(got, want, 1e-14);
}

static void check(const joint* j, uint64_t seed) {
  rng r = rng_seed(seed);
  for (int t = 0; t < TRIALS; ++t) {
    double q[APL_MAX_NQ], v[APL_MAX_NV], f[APL_MAX_NQ];
    rng_fill(&r, q, j->nq, 1), rng_fill(&r, v, j->nv, 1), rng_fill(&r, f, j->nt, 1);
    check_motion(j, q, v);
    check_pull(j, q, v, f);
  }
}

static void gliding(void** state) {
  const joint_ops ops = {GLIDING_OPS};
  const joint j = {&ops, NULL, 3, 3, 3, 1, {2, 0, 0}};
  double qdot[3], sc[6];

  (void)state;
  check(&j, 1);
  const joint_in in = input(&j, (double[]){0, 0, asin(0.6)}, (double[]){1, 2, 3}, sc);
  gliding_rate(&in, qdot); /* (0.8 - 1.2, 0.6 + 1.6, 3) */
  CHECK_NEAR(qdot[0], -0.4, 1e-15);
  CHECK_NEAR(qdot[1], 2.2, 1e-15);
  CHECK_NEAR(qdot[2], 3, 0);
}

/* Nothing slips sideways: q' has no part across the heading. */
static void heading(void** state) {
  const joint_ops ops = {HEADING_OPS};
  const joint j = {&ops, NULL, 3, 3, 2, 1, {2, 0, 0}};
  double qdot[3], sc[6];

  (void)state;
  check(&j, 2);
  const joint_in in = input(&j, (double[]){0, 0, 0.7}, (double[]){2, -1}, sc);
  heading_rate(&in, qdot);
  CHECK_NEAR(qdot[1] * cos(0.7) - qdot[0] * sin(0.7), 0, 1e-15);
  CHECK_NEAR(qdot[0] * cos(0.7) + qdot[1] * sin(0.7), 2, 1e-15);
}

/* Both cars: wheelbase 2.5, radii 0.3 and 0.25, half track 0.8. Each wheel rolls: its spin is the
   speed of its place over the ground, divided by its radius. */
static void cars(void** state) {
  const car_par par = {1 / 2.5, 1 / 0.3, 1 / 0.25, 0.8 / 2.5, 0};
  const joint front = {&car_front_ops, &par, 4, 4, 2, 2, {2, 3, 0}};
  const joint rear = {&car_rear_ops, &par, 4, 4, 2, 2, {2, 3, 0}};
  static const double place[CAR_WHEELS][3] = {/* x, y, radius */
                                              {0, 0, 0.3},   {2.5, 0, 0.25},    {0, -0.8, 0.3},
                                              {0, 0.8, 0.3}, {2.5, -0.8, 0.25}, {2.5, 0.8, 0.25}};

  (void)state;
  check(&front, 3);
  check(&rear, 4);
  for (int kind = 0; kind < 2; ++kind) {
    const joint* j = kind == 0 ? &front : &rear;
    for (double steering = -0.6; steering < 0.7; steering += 0.3) {
      const double q[4] = {1, 2, 0.4, steering}, v[2] = {1.5, 0.3};
      double sc[6], row[2 * CAR_SATELLITES], bias[CAR_SATELLITES];
      pose X;
      twist c;
      const joint_in in = input(j, q, v, sc);
      const twist V = twist_at(j, q, v, &X, &c);
      j->ops->spin(&in, row, NULL, bias);
      CHECK_NEAR(V.w.z * 2.5, V.v.x * tan(steering), 1e-14); /* the front wheel does not slip */
      for (int k = 0; k < CAR_WHEELS; ++k) {
        const double speed = hypot(V.v.x - V.w.z * place[k][1], V.w.z * place[k][0]);
        CHECK_NEAR(row[2 * k] * v[0] + row[2 * k + 1] * v[1], speed / place[k][2], 1e-13);
      }
      CHECK_NEAR(row[2 * CAR_STEERING] * v[0] + row[2 * CAR_STEERING + 1] * v[1], V.w.z + 0.3,
                 1e-14);
      CHECK_NEAR(kind == 0 ? hypot(V.v.x, 2.5 * V.w.z) : V.v.x, 1.5, 1e-14);
    }
  }
  steered r[CAR_RATIOS];
  double sc[6];
  const joint_in in = input(&front, (double[]){0, 0, 0, 0.5}, (double[]){1, 0}, sc);
  car_front_ratios(&in, r);
  CHECK_NEAR(r[CAR_AHEAD].f, cos(0.5), 1e-15);
  CHECK_NEAR(r[CAR_AHEAD].df, -sin(0.5), 1e-15);
}

/* q + (p - q) is the rotation p, also far away and for quaternions of any length. */
static void quaternions(void** state) {
  rng r = rng_seed(5);

  (void)state;
  for (int t = 0; t < TRIALS; ++t) {
    double from[4], to[4], delta[3], sum[4];
    rng_fill(&r, from, 4, 1), rng_fill(&r, to, 4, 1);
    quaternion_subtract(to, from, delta);
    assert_true(sqrt(delta[0] * delta[0] + delta[1] * delta[1] + delta[2] * delta[2]) < 3.1416);
    quaternion_add(from, delta, sum);
    const mat3 got = mat3_of_quat(sum), want = mat3_of_quat(to);
    CHECK_ARRAY(&got.xx, &want.xx, 9, 1e-14, 1);
    quaternion_subtract(from, from, delta);
    CHECK_NEAR(near_max(delta, 3), 0, 1e-15);
  }
  double T[18];
  quaternion_tangent(NULL, T); /* column k: a unit turn about body axis k */
  for (int k = 0; k < 18; ++k)
    assert_true(T[k] == (k == 0 || k == 7 || k == 14 ? 1 : 0));
}

/* A spring force f on the rotation vector does the same work along w as quaternion_pull() says. */
static void quaternion_pulls(void** state) {
  const double h = 1e-5;
  rng r = rng_seed(6);

  (void)state;
  for (int t = 0; t < TRIALS; ++t) {
    double rest[4], d[3], w[3], f[3], Q[3], q[4], at[4], step[3], end[2][3], want = 0, got = 0;
    rng_fill(&r, rest, 4, 1), rng_fill(&r, d, 3, 1.5), rng_fill(&r, w, 3, 1), rng_fill(&r, f, 3, 1);
    quaternion_add(rest, d, q);
    for (int side = 0; side < 2; ++side) {
      for (int k = 0; k < 3; ++k)
        step[k] = (side == 0 ? -h : h) * w[k];
      quaternion_add(q, step, at);
      quaternion_subtract(at, rest, end[side]);
    }
    quaternion_pull(NULL, d, f, Q, NULL);
    for (int k = 0; k < 3; ++k) {
      want += f[k] * (end[1][k] - end[0][k]) / (2 * h);
      got += Q[k] * w[k];
    }
    CHECK_NEAR(got, want, 1e-9);
  }
  const joint j = {joint_ops_of(6), NULL, 4, 3, 3, 0, {0, 0, 0}}; /* spherical */
  check(&j, 7);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(gliding),     cmocka_unit_test(heading),          cmocka_unit_test(cars),
      cmocka_unit_test(quaternions), cmocka_unit_test(quaternion_pulls),
  };
  (void)body_ops_of;
  return cmocka_run_group_tests_name("joint_parts", tests, NULL, NULL);
}
