/* SPDX-License-Identifier: Apache-2.0 */
/* test_rotation.c: math/rotation.h and math/rotvec.h: quaternions, their exponential and logarithm,
   against rotations by axis and angle (Rodrigues) and central differences. */
#include "dense.h"
#include "near.h"
#include "random.h"

#include "math/rotation.h"
#include "math/rotvec.h"

#define TOLERANCE 2e-15
#define PI 3.14159265358979323846
enum { TRIALS = 40 };

static vec3 random_vec3(rng* r, double size) {
  double x[3];
  rng_fill(r, x, 3, size);
  return (vec3){x[0], x[1], x[2]};
}

/* Rodrigues: x cos + (u x x) sin + u (u.x)(1 - cos) */
static vec3 turned(vec3 d, vec3 x) {
  const double t = sqrt(dot(d, d));
  if (t == 0) return x;
  const vec3 u = scale(1 / t, d);
  return add(add(scale(cos(t), x), scale(sin(t), cross(u, x))), scale((1 - cos(t)) * dot(u, x), u));
}

/* exp(d), as a quaternion of any length, turns as Rodrigues says. */
static void exponential(void** state) {
  rng r = rng_seed(1);

  (void)state;
  for (int t = 0; t < TRIALS; ++t) {
    const double size = t < 10 ? pow(10, -2 * t) : 4.0 * t / TRIALS;
    const vec3 d = random_vec3(&r, size), x = random_vec3(&r, 1);
    double q[4];
    quat_exp(d, q);
    CHECK_NEAR(dense_dot(q, q, 4), 1, 4 * TOLERANCE);
    for (int k = 0; k < 4; ++k)
      q[k] *= -3;
    const vec3 got = mul(mat3_of_quat(q), x), want = turned(d, x);
    CHECK_ARRAY(&got.x, &want.x, 3, 4 * TOLERANCE, 1);
  }
  double one[4];
  quat_exp(vec3_zero(), one);
  assert_true(one[0] == 1 && one[1] == 0 && one[2] == 0 && one[3] == 0);
}

/* log undoes exp up to half a turn, for either sign and any length of the quaternion. */
static void logarithm(void** state) {
  static const double angle[] = {0, 1e-300, 1e-12, 9e-6, 1.1e-5, 1e-3, 1, 2, 3, 3.14, PI};
  rng r = rng_seed(2);

  (void)state;
  for (int t = 0; t < 11 * 4; ++t) {
    const apl_vec3 u = rng_direction(&r);
    const vec3 d = scale(angle[t / 4], (vec3){u.x, u.y, u.z});
    const double length = t % 4 < 2 ? 1 : 1e-3, sign = t % 2 == 0 ? 1 : -1;
    double q[4];
    quat_exp(d, q);
    for (int k = 0; k < 4; ++k)
      q[k] *= sign * length;
    const vec3 got = quat_log(q);
    if (angle[t / 4] == PI && dot(got, d) < 0) { /* half a turn either way is the same */
      const vec3 other = neg(got);
      CHECK_ARRAY(&other.x, &d.x, 3, 1e-14, 1);
    } else
      CHECK_ARRAY(&got.x, &d.x, 3, 1e-14, fmax(angle[t / 4], 1e-300)); /* relative */
  }
}

/* More than half a turn is the rest to a whole one, the other way. */
static void the_shorter_way(void** state) {
  const vec3 u = {2.0 / 3, -1.0 / 3, 2.0 / 3};
  double q[4];

  (void)state;
  quat_exp(scale(4.0, u), q);
  const vec3 got = quat_log(q), want = scale(4.0 - 2 * PI, u);
  CHECK_ARRAY(&got.x, &want.x, 3, 1e-14, 1);
}

/* The product of quaternions is the product of matrices. */
static void products(void** state) {
  rng r = rng_seed(3);

  (void)state;
  for (int t = 0; t < TRIALS; ++t) {
    double a[4], b[4], ab[4];
    rng_fill(&r, a, 4, 1), rng_fill(&r, b, 4, 1);
    quat_mul(a, b, ab);
    const mat3 got = mat3_of_quat(ab), want = mat3_mul(mat3_of_quat(a), mat3_of_quat(b));
    CHECK_ARRAY(&got.xx, &want.xx, 9, 1e-14, 1);
    quat_mul(a, b, a); /* the result may lie upon a factor */
    CHECK_ARRAY(a, ab, 4, 0, 1);
  }
}

/* q' = q (0, w)/2: R' = R [w], found by differences along exp(w h) in body axes; |q| stays. */
static void rates(void** state) {
  rng r = rng_seed(4);
  const double h = 1e-4;

  (void)state;
  for (int t = 0; t < TRIALS; ++t) {
    const vec3 w = random_vec3(&r, 1);
    double q[4], rate[4], at[2][4], e[4], want[4];
    rng_fill(&r, q, 4, 1);
    quat_rate(q, w, rate);
    CHECK_NEAR(dense_dot(q, rate, 4), 0, TOLERANCE);
    for (int side = 0; side < 2; ++side) {
      quat_exp(scale(side == 0 ? -h : h, w), e);
      quat_mul(q, e, at[side]);
    }
    for (int k = 0; k < 4; ++k)
      want[k] = (at[1][k] - at[0][k]) / (2 * h);
    CHECK_ARRAY(rate, want, 4, 1e-8, 1); /* h^2 / 24 and eps / h */
  }
}

/* sinc_cos() joins its two ways at 1 and is sine and cosine. */
static void sinc_and_cosine(void** state) {
  static const double y[] = {0, 1e-300, 1e-9, 0.3, 0.999999, 1, 1.000001, 2, 9.8, 400};

  (void)state;
  for (int i = 0; i < 10; ++i) {
    const double t = sqrt(y[i]);
    double s, c;
    sinc_cos(y[i], &s, &c);
    CHECK_NEAR(s, t == 0 ? 1 : sin(t) / t, TOLERANCE);
    CHECK_NEAR(c, cos(t), TOLERANCE);
  }
}

/* The power of f along d' is that of log_pull() along w, where d = log R moves by R' = R [w]:
   d' by central differences of log(exp(d) exp(w h)). */
static void pull(void** state) {
  static const double angle[] = {0, 1e-8, 0.05, 0.0999, 0.1001, 0.5, 1, 2, 3};
  rng r = rng_seed(5);
  const double h = 1e-4;

  (void)state;
  for (int t = 0; t < 9 * 3; ++t) {
    const apl_vec3 u = rng_direction(&r);
    const vec3 d = scale(angle[t / 3], (vec3){u.x, u.y, u.z});
    const vec3 w = random_vec3(&r, 1), f = random_vec3(&r, 1);
    double q[4], e[4], qe[4];
    vec3 at[2];
    quat_exp(d, q);
    for (int side = 0; side < 2; ++side) {
      quat_exp(scale(side == 0 ? -h : h, w), e);
      quat_mul(q, e, qe);
      at[side] = quat_log(qe);
    }
    const vec3 rate = scale(0.5 / h, sub(at[1], at[0]));
    CHECK_NEAR(dot(log_pull(d, f), w), dot(f, rate), 2e-7);
    const vec3 along = log_pull(d, d); /* a force along d is not changed */
    CHECK_ARRAY(&along.x, &d.x, 3, 1e-15, 1);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(exponential), cmocka_unit_test(logarithm), cmocka_unit_test(the_shorter_way),
      cmocka_unit_test(products),    cmocka_unit_test(rates),     cmocka_unit_test(sinc_and_cosine),
      cmocka_unit_test(pull),
  };
  return cmocka_run_group_tests_name("rotation", tests, NULL, NULL);
}
