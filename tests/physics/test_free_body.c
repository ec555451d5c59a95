/* SPDX-License-Identifier: Apache-2.0 */
/* test_free_body.c: the rigid body without torque. Angular velocity by Jacobi's elliptic functions
   (Landau and Lifshitz, Mechanics, section 37), attitude in closed form when two moments are equal,
   momentum. */
#include "dense.h"

#include "math/pose.h"
#include "elliptic.h"
#include "integrate.h"
#include "near.h"
#include "plan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A body on `joint` without gravity; the centre of mass at `com` of its frame. */
static apl_model* body(const char* joint, const double I[3], apl_vec3 com) {
  plan* p = plan_new();
  plan_link* link = plan_add(p, "body", "world", joint, "rigid");
  plan_mass(link, 2.5, com, I[0], I[1], I[2]);
  p->gravity = (apl_vec3){0, 0, 0};
  apl_model* model = plan_model(p);
  free(p);
  return model;
}

/* w(t) of moments I1 < I2 < I3 that starts with w2 = 0, on the branch M^2 > 2 E I2. */
static void euler(const double I[3], const double w[3], double t, double out[3]) {
  const double E2 = I[0] * w[0] * w[0] + I[2] * w[2] * w[2];
  const double MM = I[0] * I[0] * w[0] * w[0] + I[2] * I[2] * w[2] * w[2];
  const double up = E2 * I[2] - MM;
  const double down = MM - E2 * I[0];
  double sn;
  double cn;
  double dn;

  assert_true(MM > E2 * I[1]);
  elliptic_functions(t * sqrt((I[2] - I[1]) * down / (I[0] * I[1] * I[2])),
                     (I[1] - I[0]) * up / ((I[2] - I[1]) * down), &sn, &cn, &dn);
  out[0] = sqrt(up / (I[0] * (I[2] - I[0]))) * cn;
  out[1] = sqrt(up / (I[1] * (I[2] - I[1]))) * sn;
  out[2] = sqrt(down / (I[2] * (I[2] - I[0]))) * dn;
}

static void three_moments(void** state) {
  (void)state;
  static const char* const joint[] = {"floating", "spherical"};
  const double I[3] = {0.4, 0.7, 0.9};
  const double start[3] = {1.2, 0, 1.5};
  double before[6];
  double after[6];
  double want[3];

  for (int i = 0; i < 2; i++) {
    near_context("free body on a %s joint", joint[i]);
    apl_model* model = body(joint[i], I, (apl_vec3){0, 0, 0});
    apl_state* s;
    CHECK_OK(apl_state_new(model, APL_SCALAR, &s));
    memcpy(apl_v(s), start, sizeof start);
    CHECK_OK(apl_momentum(model, s, before));
    for (int k = 1; k <= 10; k++) {
      integrate(model, s, 1.0, 50);
      euler(I, start, k, want);
      CHECK_ALIVE(want + 1, 1, 1e-3);
      CHECK_ARRAY(apl_v(s), want, 3, 1e-12, 2); /* 500 steps at round-off */
      CHECK_OK(apl_momentum(model, s, after));
      CHECK_ARRAY(after, before, 6, 1e-12, near_max(before, 6));
    }
    apl_state_free(s);
    apl_model_free(model);
  }
}

/* The frame away from the centre of mass, which moves on a straight line; the turning is the same.
 */
static void off_center(void** state) {
  (void)state;
  const double I[3] = {0.4, 0.7, 0.9};
  const double start[3] = {1.2, 0, 1.5};
  const double c[3] = {0.3, -0.2, 0.4};
  double center[3];
  double at[3];
  double want[3];
  double wc[3];
  apl_state* s;

  near_context("free body seen from another point");
  apl_model* model = body("floating", I, (apl_vec3){c[0], c[1], c[2]});
  CHECK_OK(apl_state_new(model, APL_SCALAR, &s));

  /* the centre starts with velocity (1, 2, 3): that of the origin is less by w x c */
  dense_cross(start, c, wc);
  for (int i = 0; i < 3; i++) {
    apl_v(s)[i] = start[i];
    apl_v(s)[3 + i] = 1.0 + i - wc[i];
  }
  CHECK_OK(apl_center(model, s, center));
  integrate(model, s, 3.0, 150);
  euler(I, start, 3.0, want);
  CHECK_ARRAY(apl_v(s), want, 3, 1e-12, 2);
  CHECK_OK(apl_center(model, s, at));
  for (int i = 0; i < 3; i++)
    CHECK_NEAR(at[i], center[i] + 3.0 * (1.0 + i), 1e-11);
  apl_state_free(s);
  apl_model_free(model);
}

/* R(t) = exp(t L/A) R(0) exp(t (1 - C/A) w3 e3): the axis goes round the momentum at |L|/A. */
static void two_equal_moments(void** state) {
  (void)state;
  static const char* const joint[] = {"floating", "spherical"};
  const double A = 0.8;
  const double C = 0.5;
  const double I[3] = {A, A, C};
  const double w[3] = {0.9, -0.4, 2.0};
  const apl_vec3 L = {A * w[0], A * w[1], C * w[2]};
  const double size = sqrt(L.x * L.x + L.y * L.y + L.z * L.z);
  const apl_vec3 unit[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  double pose[12];

  for (int i = 0; i < 2; i++) {
    near_context("axisymmetric body on a %s joint", joint[i]);
    apl_model* model = body(joint[i], I, (apl_vec3){0, 0, 0});
    apl_state* s;
    CHECK_OK(apl_state_new(model, APL_SCALAR, &s));
    memcpy(apl_v(s), w, sizeof w);
    const double t = 4.0;
    integrate(model, s, t, 200);
    CHECK_OK(apl_port_pose(model, s, apl_model_find(model, APL_PORTS, "body.root"), pose));
    for (int k = 0; k < 3; k++) {
      const apl_vec3 spun =
          apl_quat_rotate(apl_quat_axis(unit[2], t * (1 - C / A) * w[2]), unit[k]);
      const apl_vec3 want = apl_quat_rotate(apl_quat_axis(L, t * size / A), spun);
      CHECK_NEAR(pose[k], want.x, 1e-12);
      CHECK_NEAR(pose[3 + k], want.y, 1e-12);
      CHECK_NEAR(pose[6 + k], want.z, 1e-12);
    }
    apl_state_free(s);
    apl_model_free(model);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(three_moments),
      cmocka_unit_test(off_center),
      cmocka_unit_test(two_equal_moments),
  };
  return cmocka_run_group_tests_name("free body", tests, NULL, NULL);
}
