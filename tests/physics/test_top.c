/* SPDX-License-Identifier: Apache-2.0 */
/* test_top.c: the heavy symmetric top with a fixed point (Goldstein, Classical Mechanics, 5.7). A
   and C are the moments about the fixed point, l the distance of the centre of mass on the axis. */
#include "elliptic.h"

#include "math/pose.h"
#include "integrate.h"
#include "near.h"
#include "plan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double mass = 0.7;
static const double arm = 0.2;
static const double g = 9.81;
static const double C = 0.009;
static const double A = 0.006 + 0.7 * 0.2 * 0.2;

static apl_model* top(void) {
  plan* p = plan_new();
  plan_link* link = plan_add(p, "top", "world", "spherical", "rigid");
  plan_mass(link, mass, (apl_vec3){0, 0, arm}, 0.006, 0.006, C);
  apl_model* model = plan_model(p);
  free(p);
  return model;
}

/* R = Rx(tilt) at the start. */
static void tilt(apl_state* s, double angle) {
  const double q[4] = {cos(angle / 2), sin(angle / 2), 0, 0};
  memcpy(apl_q(s), q, sizeof q);
}

/* A p^2 cos(theta) - C w3 p + m g l = 0: the axis goes round at p, the angle stays. */
static void steady_precession(void** state) {
  (void)state;
  const double theta[] = {0.6, 1.3, 2.2};
  const double p = 2.0;
  apl_model* model = top();
  apl_state* s;
  double pose[12];

  CHECK_OK(apl_state_new(model, APL_SCALAR, &s));
  for (int i = 0; i < 3; i++) {
    const double w3 = (A * p * p * cos(theta[i]) + mass * g * arm) / (C * p);
    const double spin = w3 - p * cos(theta[i]);
    const double t = 3.0;

    near_context("steady precession at %g rad", theta[i]);
    tilt(s, theta[i]);
    apl_v(s)[0] = 0;
    apl_v(s)[1] = p * sin(theta[i]);
    apl_v(s)[2] = w3;

    /* in the frame that goes with the axis nothing changes: w' = spin (w2, -w1, 0) */
    CHECK_OK(apl_forward(model, s));
    const double want[3] = {spin * p * sin(theta[i]), 0, 0};
    CHECK_ARRAY(apl_a(s), want, 3, 1e-13, near_max(want, 3));

    /* R = Rz(p t) Rx(theta) Rz(spin t); spins of 80 rad/s for 3 s amplify round-off a few hundred
     * times */
    integrate(model, s, t, 1500);
    CHECK_OK(apl_port_pose(model, s, apl_model_find(model, APL_PORTS, "top.root"), pose));
    const apl_vec3 x =
        apl_quat_rotate(apl_quat_axis((apl_vec3){0, 0, 1}, spin * t), (apl_vec3){1, 0, 0});
    const apl_vec3 tilted = apl_quat_rotate(apl_quat_axis((apl_vec3){1, 0, 0}, theta[i]), x);
    const apl_vec3 turned = apl_quat_rotate(apl_quat_axis((apl_vec3){0, 0, 1}, p * t), tilted);
    CHECK_NEAR(pose[0], turned.x, 1e-10);
    CHECK_NEAR(pose[3], turned.y, 1e-10);
    CHECK_NEAR(pose[6], turned.z, 1e-10);
    CHECK_NEAR(pose[8], cos(theta[i]), 1e-11);
    CHECK_NEAR(pose[2], sin(theta[i]) * sin(p * t), 1e-11);
    CHECK_NEAR(pose[5], -sin(theta[i]) * cos(p * t), 1e-11);
  }
  apl_state_free(s);
  apl_model_free(model);
}

/* Released spinning from rest of the axis: u = cos(theta) swings between u0 and u1, with
   u'^2 = b (u0 - u)(u - u1)(u2 - u), b = 2 m g l/A, so u = u1 + (u0 - u1) (cn/dn)^2. Energy,
   vertical momentum and axial spin stay. */
static void nutation(void** state) {
  (void)state;
  const double theta0 = 0.5;
  const double w3 = 45.0;
  const double u0 = cos(theta0);
  const double b = 2 * mass * g * arm / A;
  const double c = (C * w3 / A) * (C * w3 / A);
  const double root = sqrt(c * c - 4 * b * (c * u0 - b));
  const double u1 = (c - root) / (2 * b);
  const double u2 = (c + root) / (2 * b);
  apl_model* model = top();
  apl_state* s;
  double pose[12];
  double before[6];
  double after[6];
  double energy[4];
  double lowest = 1;

  near_context("nutation");
  CHECK_OK(apl_state_new(model, APL_SCALAR, &s));
  tilt(s, theta0);
  apl_v(s)[2] = w3;
  CHECK_OK(apl_momentum(model, s, before));
  CHECK_OK(apl_energy(model, s, energy));
  for (int k = 1; k <= 20; k++) {
    double sn;
    double cn;
    double dn;
    integrate(model, s, 0.1, 40);
    elliptic_functions(0.5 * sqrt(b * (u2 - u1)) * 0.1 * k, (u0 - u1) / (u2 - u1), &sn, &cn, &dn);
    const double u = u1 + (u0 - u1) * (cn / dn) * (cn / dn);
    lowest = fmin(lowest, u);
    CHECK_OK(apl_port_pose(model, s, apl_model_find(model, APL_PORTS, "top.root"), pose));
    CHECK_NEAR(pose[8], u, 1e-11);
    CHECK_OK(apl_momentum(model, s, after));
    CHECK_NEAR(after[2], before[2], 1e-12);
    CHECK_NEAR(apl_v(s)[2], w3, 1e-11);
    CHECK_OK(apl_energy(model, s, energy + 2));
    CHECK_NEAR(energy[2] + energy[3], energy[0] + energy[1], 1e-11);
  }
  CHECK_TRUE(lowest < 0.5 * (u0 + u1), "the top hardly nutates: %g of %g to %g", lowest, u1, u0);
  apl_state_free(s);
  apl_model_free(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(steady_precession),
      cmocka_unit_test(nutation),
  };
  return cmocka_run_group_tests_name("top", tests, NULL, NULL);
}
