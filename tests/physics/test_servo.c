/* SPDX-License-Identifier: Apache-2.0 */
/* test_servo.c: servos against closed forms, their limits, and their account in the ledger. */
#include "text.h"

#include <stdio.h>
#include <stdlib.h>

/* A wheel with inertia 0.5 kg m^2 about z and a servo. */
static apl_system* wheel(const char* servo, const char* rest, apl_file** file, apl_model** model) {
  char text[800];
  apl_system* system;
  apl_report report = {0};

  snprintf(text, sizeof text,
           "appell: 1\ngravity: [0, 0, 0]\nlinks:\n"
           "  - {name: w, joint: {type: revolute, axis: z, servo: %s}, body: {mass: 1, inertia: "
           "{zz: 0.5}}}\n%s",
           servo, rest);
  text_load(text, file, model);
  CHECK_OK(apl_file_system(*file, *model, 0, &system, &report));
  return system;
}

typedef struct seen {
  double q, v, servo, sum, error;
} seen;

static apl_status look(double t, const double* y, const apl_ledger* ledger, apl_system* system,
                       void* user) {
  seen* s = user;
  (void)y;

  if (t == 0.0) s->sum = ledger->sum;
  s->q = apl_q(apl_system_state(system))[0];
  s->v = apl_v(apl_system_state(system))[0];
  s->servo = ledger->account[APL_ACCOUNT_SERVO];
  s->error = fmax(s->error, fabs(ledger->sum - s->sum));
  return APL_OK;
}

static seen run_to(apl_system* system, double to) {
  apl_run_options o = apl_run_options_default();
  apl_run_report report;
  apl_error err;
  seen s = {0};

  o.to = to;
  o.output_every = 0.01;
  o.tolerance = 1e-11;
  o.method = "rkf78";
  o.output = look;
  o.user = &s;
  CHECK_OK(apl_run(system, &o, &report, &err));
  return s;
}

static void finish(apl_system* system, apl_model* model, apl_file* file) {
  apl_system_free(system);
  apl_model_free(model);
  apl_file_free(file);
}

/* J q'' = kp (aim - q) - kd q': a damped oscillator with w = sqrt(kp/J) = 4 and z = kd/(2 J w) */
static void a_servo_is_an_oscillator(void** state) {
  (void)state;
  apl_file* file;
  apl_model* model;
  apl_system* system =
      wheel("{stiffness: 8, damping: 1}", "motion: {w.joint.angle: 0.3}\n", &file, &model);
  const double w = 4, z = 0.25, wd = w * sqrt(1 - z * z), t = 1.7;
  const seen s = run_to(system, t);

  CHECK_NEAR(s.q, 0.3 * (1 - exp(-z * w * t) * (cos(wd * t) + z * w / wd * sin(wd * t))), 1e-9);
  CHECK_NEAR(s.v, 0.3 * exp(-z * w * t) * w * w / wd * sin(wd * t), 1e-9);
  CHECK_NEAR(s.servo, 0.5 * 0.5 * s.v * s.v, 1e-9); /* all energy came through the servo */
  CHECK_NEAR(s.error, 0, 1e-10);
  finish(system, model, file);
}

/* A cut effort accelerates evenly: q = F t^2 / 2 J while the want is above F. */
static void effort_is_cut(void** state) {
  (void)state;
  apl_file* file;
  apl_model* model;
  apl_system* system = wheel("{stiffness: 100, damping: 0.1, effort: 0.2}",
                             "motion: {w.joint.angle: 1}\n", &file, &model);
  const seen s = run_to(system, 1);

  CHECK_NEAR(s.q, 0.2, 1e-12);
  CHECK_NEAR(s.v, 0.4, 1e-12);
  finish(system, model, file);
}

/* F (1 - v/s): v = s (1 - exp(-F t/(J s))), the speed is approached and not passed. */
static void speed_is_approached(void** state) {
  (void)state;
  apl_file* file;
  apl_model* model;
  apl_system* system = wheel("{stiffness: 1000, damping: 0, effort: 2, speed: 3}",
                             "motion: {w.joint.angle: 100}\n", &file, &model);
  const seen s = run_to(system, 1.5);

  CHECK_NEAR(s.v, 3 * (1 - exp(-2 * 1.5 / (0.5 * 3))), 1e-9);
  finish(system, model, file);
}

/* Without a motion a servo holds the joint where its springs would rest. */
static void rest_is_the_first_aim(void** state) {
  (void)state;
  apl_file* file;
  apl_model* model;
  apl_system* system = wheel("{stiffness: 8, damping: 1}, rest: 0.25", "", &file, &model);

  CHECK_NEAR(apl_aim(apl_system_state(system))[0], 0.25, 0);
  const seen s = run_to(system, 1);
  CHECK_NEAR(s.q, 0.25, 1e-15);
  finish(system, model, file);
}

/* The three builds agree; the complex step finds d(q'')/dq = -kp/J, and 0 where the effort is cut.
 */
static void builds_agree(void** state) {
  (void)state;
  apl_file* file;
  apl_model* model;
  apl_system* system = wheel("{stiffness: 8, damping: 1, effort: 2, speed: 4}", "", &file, &model);
  const double q[] = {0.3, -0.1, 0.2, 0.9}, v[] = {0.5, -0.2, 3.9, 1};
  apl_state *s, *lanes, *z;

  CHECK_OK(apl_state_new(model, APL_SCALAR, &s));
  CHECK_OK(apl_state_new(model, APL_LANES, &lanes));
  CHECK_OK(apl_state_new(model, APL_COMPLEX, &z));
  for (int k = 0; k < 4; ++k) {
    apl_q(lanes)[k] = q[k];
    apl_v(lanes)[k] = v[k];
    apl_aim(lanes)[k] = 0.1;
  }
  CHECK_OK(apl_forward(model, lanes));
  for (int k = 0; k < 4; ++k) {
    const double want = 8 * (0.1 - q[k]) - v[k], bound = 2 * (v[k] > 0 ? 1 - v[k] / 4 : 1);
    apl_q(s)[0] = apl_q(z)[0] = q[k];
    apl_v(s)[0] = apl_v(z)[0] = v[k];
    apl_aim(s)[0] = apl_aim(z)[0] = 0.1;
    apl_q(z)[1] = 1e-100;
    CHECK_OK(apl_forward(model, s));
    CHECK_OK(apl_forward(model, z));
    CHECK_NEAR(apl_a(s)[0], fmax(fmin(want, bound), -2) / 0.5, 1e-14);
    CHECK_NEAR(apl_a(lanes)[k], apl_a(s)[0], 1e-14);
    CHECK_NEAR(apl_a(z)[0], apl_a(s)[0], 1e-14);
    CHECK_NEAR(apl_a(z)[1] / 1e-100, fabs(want) < 2 && want < bound ? -8 / 0.5 : 0, 1e-12);
  }
  apl_state_free(s);
  apl_state_free(lanes);
  apl_state_free(z);
  finish(system, model, file);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_servo_is_an_oscillator),
      cmocka_unit_test(effort_is_cut),
      cmocka_unit_test(speed_is_approached),
      cmocka_unit_test(rest_is_the_first_aim),
      cmocka_unit_test(builds_agree),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
