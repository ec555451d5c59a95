/* SPDX-License-Identifier: Apache-2.0 */
/* test_pendulum.c: the plane pendulum at all amplitudes. Period by elliptic integral: 4
   K(sin^2(A/2)) / w0 swinging, 2 K(1/k^2) / (k w0) going round, w0^2 = m g l / I. */
#include "elliptic.h"
#include "integrate.h"
#include "near.h"
#include "plan.h"

#include <math.h>
#include <stdlib.h>

static const double mass = 1.3;
static const double arm = 0.45;
static const double inertia = 0.08; /* about the centre of mass */
static const double g = 9.81;

/* Hanging down at angle 0, turning about an axis in general position. */
static apl_model* pendulum(void) {
  plan* p = plan_new();
  plan_link* link = plan_add(p, "bob", "world", "revolute", "rigid");
  plan_vec3(link, "joint.axis", 3, 4, 0);
  plan_mass(link, mass, (apl_vec3){0, 0, -arm}, inertia, inertia, 0.03);
  link->at = apl_pose_at(1, 2, 3);
  apl_model* model = plan_model(p);
  free(p);
  return model;
}

static double w0(void) {
  return sqrt(mass * g * arm / (inertia + mass * arm * arm));
}

static void swings(void** state) {
  (void)state;
  const double amplitude[] = {0.01, 0.5, 1.5, 2.5, 3.1};
  apl_model* model = pendulum();
  apl_state* s;

  CHECK_OK(apl_state_new(model, APL_SCALAR, &s));
  for (int i = 0; i < 5; i++) {
    const double A = amplitude[i];
    const double k = sin(A / 2);
    const double period = 4 * elliptic_k(k * k) / w0();

    near_context("amplitude %g", A);
    apl_q(s)[0] = A;
    apl_v(s)[0] = 0;

    /* lowest point after a quarter: speed from energy, angle zero; round-off of a few hundred
       steps, which the hyperbolic motion near the top multiplies by 1/(pi - A) */
    integrate(model, s, period / 4, 200);
    CHECK_NEAR(apl_q(s)[0], 0, 1e-13 * (1 + 1 / (3.15 - A)));
    CHECK_NEAR(apl_v(s)[0], -2 * w0() * k, 1e-12);

    /* and back after the whole */
    integrate(model, s, period * 3 / 4, 600);
    CHECK_NEAR(apl_q(s)[0], A, 1e-12 * (1 + 1 / (3.15 - A)));
    CHECK_NEAR(apl_v(s)[0], 0, 1e-12 * (1 + 1 / (3.15 - A)));
  }
  apl_state_free(s);
  apl_model_free(model);
}

static void goes_round(void** state) {
  (void)state;
  apl_model* model = pendulum();
  apl_state* s;

  near_context("going round");
  CHECK_OK(apl_state_new(model, APL_SCALAR, &s));
  const double k = 1.2;
  const double turn = 2 * elliptic_k(1 / (k * k)) / (k * w0());
  apl_v(s)[0] = 2 * w0() * k;
  integrate(model, s, 3 * turn, 900);
  CHECK_NEAR(apl_q(s)[0], 6 * acos(-1.0), 1e-11);
  CHECK_NEAR(apl_v(s)[0], 2 * w0() * k, 1e-11);
  apl_state_free(s);
  apl_model_free(model);
}

/* The tests rest on their integrator: halving the step must divide its error by about 2^12. */
static void integrator_order(void** state) {
  (void)state;
  apl_model* model = pendulum();
  apl_state* s;
  double error[2];

  near_context("order of the integrator");
  CHECK_OK(apl_state_new(model, APL_SCALAR, &s));
  const double period = 4 * elliptic_k(sin(1.0) * sin(1.0)) / w0();
  for (int i = 0; i < 2; i++) {
    apl_q(s)[0] = 2.0;
    apl_v(s)[0] = 0;
    integrate(model, s, period / 4, i == 0 ? 2 : 4);
    error[i] = fabs(apl_q(s)[0]);
  }
  CHECK_TRUE(error[1] > 1e-15, "no error left to measure: %g", error[1]);
  CHECK_NEAR(log2(error[0] / error[1]), 12.5, 2.0);
  apl_state_free(s);
  apl_model_free(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(swings),
      cmocka_unit_test(goes_round),
      cmocka_unit_test(integrator_order),
  };
  return cmocka_run_group_tests_name("pendulum", tests, NULL, NULL);
}
