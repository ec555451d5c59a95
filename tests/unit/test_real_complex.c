/* SPDX-License-Identifier: Apache-2.0 */
/* test_real_complex.c: math/real.h and what is written over it, for complex numbers: an imaginary
   part carries the derivative. Compared with derivatives by hand. */
#define APL_REAL_COMPLEX 1

#include "near.h"

#include "law/contact_law.h"
#include "math/real.h"
#include "math/rotvec.h"
#include "math/stumpff.h"

/* So small that its square vanishes beside anything. */
#define STEP 1e-100

static real at(double x, double slope) {
  return __builtin_complex(x, STEP * slope);
}

static void check_rate(real got, double value, double slope) {
  CHECK_NEAR(creal(got), value, 4e-15 * (1 + fabs(value)));
  CHECK_NEAR(cimag(got) / STEP, slope, 4e-15 * (1 + fabs(slope)));
}

static void primitives(void** state) {
  (void)state;
  assert_int_equal(REAL_WIDTH, 2);
  check_rate(real_of(3.0), 3, 0);
  check_rate(real_abs(at(-2, 5)), 2, -5);
  check_rate(real_abs(at(2, 5)), 2, 5);
  check_rate(real_sqrt(at(4, 1)), 2, 0.25);
  check_rate(real_root(at(4, 1)), 2, 0.25);
  check_rate(real_root(at(0, 1)), 0, 0); /* no derivative there; none is made up */
  check_rate(real_exp(at(-1, 2)), exp(-1), 2 * exp(-1));
  check_rate(real_pow(at(3, 1), real_of(1.5)), pow(3, 1.5), 1.5 * sqrt(3));
  check_rate(real_over(at(1, 2), at(4, 3)), 0.25, (2 * 4 - 1 * 3) / 16.0);
  check_rate(real_hypot(at(3, 1), at(4, 2)), 5, (3 * 1 + 4 * 2) / 5.0);
  check_rate(real_hypot(at(0, 1), at(0, 2)), 0, 0);
  for (int k = 0; k < 12; ++k) { /* all round, also where x < 0 */
    const double t = 0.3 + k * 0.5;
    check_rate(real_atan2(at(2 * sin(t), cos(t)), at(2 * cos(t), -sin(t))), atan2(sin(t), cos(t)),
               0.5);
  }
}

/* Decisions look at real parts. */
static void choices(void** state) {
  (void)state;
  assert_true(real_less(at(1, 9), at(2, -9)));
  assert_false(real_less(at(2, -9), at(2, 9)));
  check_rate(real_max(at(1, 9), at(2, -3)), 2, -3);
  check_rate(real_min(at(1, 9), at(2, -3)), 1, 9);
  check_rate(real_select(mask_not(true), at(1, 2), at(3, 4)), 3, 4);
  assert_true(real_part(at(1e-60, 1)) == 0); /* what products of imaginary parts leave of a zero */
  assert_true(real_part(at(-3, 1)) == -3);
  assert_true(mask_any(mask_or(true, false)));
}

static void functions(void** state) {
  static const double x[] = {0.04, 0.9, 2.5, 9, 30};

  (void)state;
  for (int i = 0; i < 5; ++i) {
    const double t = sqrt(x[i]);
    real s, c, k[STUMPFF_N];
    const real z = at(t, 1);
    real_sincos(&z, &s, &c);
    check_rate(s, sin(t), cos(t));
    check_rate(c, cos(t), -sin(t));
    stumpff(at(x[i], 1), k);
    sinc_cos(at(x[i], 1), &s, &c);
    check_rate(c, cos(t), -sin(t) / (2 * t));
    check_rate(s, sin(t) / t, (t * cos(t) - sin(t)) / (2 * t * t * t));
    for (int n = 0; n < STUMPFF_N - 2; ++n) /* 2 dc_k/dx = k c_{k+2} - c_{k+1} */
      check_rate(k[n], creal(k[n]), 0.5 * creal(n * k[n + 2] - k[n + 1]));
  }
}

/* d log(exp(d)) is the identity, also at zero, where nothing may divide by |d|. */
static void rotation_vectors(void** state) {
  static const double size[] = {0, 1e-9, 1e-3, 0.7, 2.5};

  (void)state;
  for (int i = 0; i < 5; ++i) {
    const vec3 d = {at(size[i], 0.5), at(-size[i] / 2, 2), at(0.3 * size[i], -1)};
    real q[4];
    quat_exp(d, q);
    const vec3 back = quat_log(q);
    check_rate(back.x, size[i], 0.5);
    check_rate(back.y, -size[i] / 2, 2);
    check_rate(back.z, 0.3 * size[i], -1);
  }
}

/* Slopes of contact laws, where one can write them down. */
static void laws(void** state) {
  const normal_numbers p = {at(1e3, 0), at(1.5, 0), at(0.6, 0), at(2, 0)};
  const friction_numbers f = {.m = at(0.3, 0),
                              .ms = at(0.5, 0),
                              .v0 = at(0.1, 0),
                              .v1 = at(0.4, 0),
                              .viscous = at(0.2, 0),
                              .vs = at(0.05, 0),
                              .d = at(2, 0),
                              .xi = at(7, 0),
                              .back = at(1, 0),
                              .left = at(1, 0),
                              .right = at(1, 0)};

  (void)state;
  const double D = 0.02, F = 1e3 * pow(D, 1.5);
  check_rate(normal_elastic(at(D, 1), &p), F, 1.5 * F / D);
  check_rate(normal_elastic(at(-D, 1), &p), 0, 0);
  check_rate(normal_force(at(D, 0), at(0.3, 1), at(0.5, 0), &p, true),
             F * (1 + 0.6 * 0.3 / 0.5) + 2 * 0.3, F * 0.6 / 0.5 + 2);
  const double s = 0.15, root = sqrt(s * s + 0.01);
  check_rate(friction_coefficient(FRICTION_COULOMB, at(s, 1), &f), 0.3 * s / root,
             0.3 * 0.01 / pow(root, 3));
  check_rate(friction_coefficient(FRICTION_AMBROSIO, at(s, 1), &f), 0.3 * 0.05 / 0.3, 1.0);
  check_rate(friction_coefficient(FRICTION_BENGISU_AKAY, at(s, 1), &f), 0.3 + 0.2 * exp(-7 * 0.05),
             -7 * 0.2 * exp(-7 * 0.05));

  /* at rest the force is linear in v: its slope there is finite and against the slip */
  real v[2] = {at(0, 1), at(0, 0)}, force[2];
  friction_force(FRICTION_COULOMB, v, &f, force);
  CHECK_NEAR(creal(force[0]), 0, 0);
  CHECK_NEAR(cimag(force[0]) / STEP, -3, 1e-12); /* -m / v0 */
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(primitives),       cmocka_unit_test(choices), cmocka_unit_test(functions),
      cmocka_unit_test(rotation_vectors), cmocka_unit_test(laws),
  };
  return cmocka_run_group_tests_name("real_complex", tests, NULL, NULL);
}
