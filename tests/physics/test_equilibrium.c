/* SPDX-License-Identifier: Apache-2.0 */
/* test_equilibrium.c: static shapes of rigid robots against closed forms; freedoms without forces;
   robots without an equilibrium. */
#include "near.h"
#include "plan.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double g = 9.81;

/* A robot, its state and the result of the search. */
typedef struct trial {
  apl_model* model;
  apl_state* state;
  apl_equilibrium_options options;
  apl_equilibrium_report report;
  apl_balance freedom[64];
  apl_error err;
} trial;

static trial* trial_of(plan* p) {
  trial* t = calloc(1, sizeof *t);
  assert_non_null(t);
  t->model = plan_model(p);
  free(p);
  assert_true(apl_model_nv(t->model) <= 64);
  CHECK_OK(apl_state_new(t->model, APL_SCALAR, &t->state));
  t->options = apl_equilibrium_options_default();
  t->report.freedom = t->freedom;
  return t;
}

static void trial_free(trial* t) {
  apl_state_free(t->state);
  apl_model_free(t->model);
  free(t);
}

static apl_status seek(trial* t) {
  return apl_equilibrium(t->model, t->state, &t->options, &t->report, &t->err);
}

static void found(trial* t) {
  const apl_status st = seek(t);
  CHECK_TRUE(st == APL_OK, "%s", t->err.text);
}

/* One link on a joint, its centre of mass at `com`, hanging at q = 0 when that is below. */
static plan* single(const char* joint, apl_vec3 com, double stiffness) {
  plan* p = plan_new();
  plan_link* link = plan_add(p, "arm", "world", joint, "rigid");
  plan_mass(link, 2.0, com, 0.1, 0.2, 0.15);
  if (strcmp(joint, "revolute") == 0) plan_vec3(link, "joint.axis", 0, 1, 0);
  if (stiffness > 0) plan_number(link, "joint.stiffness", stiffness);
  return p;
}

/* -------------------------------------------------------------------------------- pendulum ---- */

static const apl_vec3 below = {0, 0, -0.5};

/* m g l sin(q) = torque, by input and by effort */
static void torque(void** state) {
  (void)state;
  plan* p = single("revolute", below, 0);
  p->ninput = 1;
  p->input[0] = (plan_input){.name = "motor", .target = "arm.joint.angle", .gain = 2.0};
  trial* t = trial_of(p);

  for (int k = 0; k < 5; k++) {
    const double moment = 2.0 * k;
    near_context("torque %g", moment);
    apl_state_reset(t->state);
    apl_u(t->state)[0] = 0.25 * moment;
    apl_tau(t->state)[0] = 0.5 * moment;
    found(t);
    CHECK_NEAR(apl_q(t->state)[0], asin(moment / (2.0 * g * 0.5)), 1e-14);
    CHECK_NEAR(apl_tau(t->state)[0], 0.5 * moment, 0);
    CHECK_TRUE(t->report.stable, "it hangs");
    CHECK_NEAR(t->report.stiffness, sqrt(pow(2.0 * g * 0.5, 2) - moment * moment), 1e-12);
  }
  /* more than m g l turns it for ever */
  apl_state_reset(t->state);
  apl_tau(t->state)[0] = 9.82;
  near_context("too much");
  CHECK_TRUE(seek(t) == APL_ERR_EQUILIBRIUM, "9.82 N m cannot be balanced by 9.81 N m");
  CHECK_TRUE(strstr(t->err.text, "arm.joint.angle") != NULL, "%s", t->err.text);
  CHECK_NEAR(apl_q(t->state)[0], 0, 0); /* left as it was */
  trial_free(t);
}

/* Near the top the top is found, and it does not hold; asked for a shape that does, it falls. */
static void upright(void** state) {
  (void)state;
  const double pi = acos(-1.0);
  trial* t = trial_of(single("revolute", below, 0));

  near_context("upright");
  apl_q(t->state)[0] = 3;
  apl_v(t->state)[0] = 5;
  found(t);
  CHECK_NEAR(apl_q(t->state)[0], pi, 1e-15);
  CHECK_NEAR(apl_v(t->state)[0], 0, 0);
  CHECK_TRUE(!t->report.stable && t->report.softest == 0, "it would topple");
  CHECK_NEAR(t->report.stiffness, -9.81, 1e-12);

  near_context("toppled");
  t->options.stable = true;
  found(t);
  CHECK_NEAR(remainder(apl_q(t->state)[0], 2 * pi), 0, 1e-14);
  CHECK_TRUE(t->report.stable && t->report.relaxations > 0, "it hangs");

  /* level: the moment is at its maximum there, so no derivative points to the solution */
  near_context("level");
  t->options.stable = false;
  apl_q(t->state)[0] = pi / 2;
  found(t);
  CHECK_NEAR(remainder(apl_q(t->state)[0], 2 * pi), 0, 1e-14);
  CHECK_TRUE(t->report.stable, "it hangs");
  trial_free(t);
}

/* ---------------------------------------------------------------------------------- springs ----
 */

/* A level chain on springs: k_i q_i = moment of the weight further out, checked by the potential
   energy of the library: no small motion changes it to first order. */
static void chain(void** state) {
  (void)state;
  enum { N = 12 };
  plan* p = plan_new();
  char name[16], on[32] = "world";
  for (int i = 0; i < N; i++) {
    snprintf(name, sizeof name, "l%d", i);
    plan_link* link = plan_add(p, name, on, "revolute", "rigid");
    plan_vec3(link, "joint.axis", 0, 1, 0);
    plan_number(link, "joint.stiffness", 60.0);
    plan_mass(link, 0.5, (apl_vec3){0.05, 0, 0}, 0.001, 0.001, 0.001);
    plan_at_port(link, "end", 0, apl_pose_at(0.1, 0, 0));
    snprintf(on, sizeof on, "l%d.end", i);
  }
  trial* t = trial_of(p);
  near_context("chain");
  found(t);
  CHECK_TRUE(t->report.stable, "springs hold it");

  double* q = apl_q(t->state);
  double level[N], moment = 0;
  for (int i = 0; i < N; i++)
    level[i] = q[i] + (i > 0 ? level[i - 1] : 0);
  for (int i = N - 1; i >= 0; i--) {
    /* about joint i: its own weight at half the link, everything beyond at its end */
    moment += (0.05 + 0.1 * (N - 1 - i)) * 0.5 * g * cos(level[i]);
    CHECK_NEAR(60.0 * q[i], moment, 1e-12);
  }
  trial_free(t);
}

/* Ball and floating joints on springs. About the vertical through the pivot only the spring acts,
   and the weight turns the body about a level axis: k |q| = m g l cos(...) in closed form. */
static void joints_on_springs(void** state) {
  (void)state;
  const double k = 40, weight = 2.0 * g, l = 0.5;
  const char* const joint[] = {"spherical", "floating"};

  for (int j = 0; j < 2; j++) {
    trial* t = trial_of(single(joint[j], (apl_vec3){0.3, 0.4, 0}, k));
    const double* q = apl_q(t->state) + 3 * j;

    near_context("%s", joint[j]);
    found(t);
    CHECK_TRUE(t->report.stable && t->report.nindifferent == 0, "springs hold it");
    /* rotation by a about the level axis across the arm: k a = m g l cos(a) */
    const double a = 2 * acos(q[0]);
    CHECK_NEAR(k * a, weight * l * cos(a), 1e-12);
    CHECK_NEAR(q[3], 0, 1e-15);
    CHECK_NEAR(q[1] * 0.3 + q[2] * 0.4, 0, 1e-15);
    if (j == 1) CHECK_NEAR(apl_q(t->state)[2], -weight / k, 1e-14);

    /* from a guess that is turned by 1.3 rad and moved */
    double* guess = apl_q(t->state);
    for (int i = 0; i < 3 * j; i++)
      guess[i] = 0.5 * cos(2.0 * i + 0.3);
    guess[3 * j] = cos(0.65);
    for (int i = 1; i < 4; i++)
      guess[3 * j + i] = sin(0.65) / sqrt(3);
    found(t);
    CHECK_NEAR(2 * acos(q[0]), a, 1e-13);
    CHECK_NEAR(q[1] * 0.3 + q[2] * 0.4, 0, 1e-14);
    trial_free(t);
  }
}

/* A slider falls to its stop: stiffness p (1 + ...) carries it. */
static void stop(void** state) {
  (void)state;
  plan* p = single("prismatic", (apl_vec3){0, 0, 0}, 0);
  plan_vec3(&p->link[0], "joint.axis", 0, 0, 1);
  plan_number(&p->link[0], "joint.lower", -3.0);
  plan_number(&p->link[0], "joint.stop-stiffness", 1e4);
  trial* t = trial_of(p);

  near_context("stop");
  found(t);
  CHECK_NEAR(apl_q(t->state)[0], -3.0 - 2.0 * g / 1e4, 1e-12);
  CHECK_TRUE(t->report.stable && t->report.relaxations > 0, "the stop carries it");
  trial_free(t);
}

/* ------------------------------------------------------------------------------- indifferent ----
 */

/* A turret about the vertical with a pendulum on it: the turret stays where it starts. */
static void turret(void** state) {
  (void)state;
  plan* p = plan_new();
  plan_link* base = plan_add(p, "turret", "world", "revolute", "rigid");
  plan_link* arm = plan_add(p, "arm", "turret", "revolute", "rigid");
  plan_mass(base, 1, (apl_vec3){0, 0, 0.1}, 0.1, 0.1, 0.1);
  plan_vec3(arm, "joint.axis", 0, 1, 0);
  plan_mass(arm, 1, (apl_vec3){0.4, 0, 0.1}, 0.1, 0.1, 0.1);
  trial* t = trial_of(p);

  near_context("turret");
  apl_q(t->state)[0] = 0.7;
  apl_q(t->state)[1] = 1.0;
  found(t);
  CHECK_NEAR(apl_q(t->state)[0], 0.7, 0);
  /* com (0.4, 0, 0.1) turned about y until it is below */
  CHECK_NEAR(apl_q(t->state)[1], acos(-1.0) / 2 + atan2(0.1, 0.4), 1e-14);
  assert_int_equal(t->freedom[0], APL_INDIFFERENT);
  assert_int_equal(t->freedom[1], APL_BALANCED);
  assert_int_equal(t->report.nindifferent, 1);
  CHECK_TRUE(t->report.stable, "it hangs");
  trial_free(t);
}

/* A ball pendulum is indifferent about the vertical, which is no coordinate of its own. */
static void ball(void** state) {
  (void)state;
  trial* t = trial_of(single("spherical", (apl_vec3){0.3, -0.2, -0.4}, 0));
  double X[12], center[3];

  near_context("ball");
  found(t);
  assert_int_equal(t->report.nindifferent, 1);
  CHECK_OK(apl_port_pose(t->model, t->state, 0, X));
  CHECK_OK(apl_center(t->model, t->state, center));
  CHECK_NEAR(center[0], 0, 1e-14);
  CHECK_NEAR(center[1], 0, 1e-14);
  CHECK_NEAR(center[2], -sqrt(0.29), 1e-14);
  CHECK_TRUE(t->report.stable, "it hangs");
  trial_free(t);
}

static void floats(void** state) {
  (void)state;
  plan* p = single("floating", (apl_vec3){0.1, 0, 0}, 0);
  plan_link* arm = plan_add(p, "tail", "arm", "revolute", "rigid");
  plan_number(arm, "joint.stiffness", 3.0);
  plan_number(arm, "joint.rest", 0.5);
  plan_mass(arm, 1, (apl_vec3){0.4, 0, 0.1}, 0.1, 0.1, 0.1);
  p->gravity = (apl_vec3){0, 0, 0};
  trial* t = trial_of(p);

  near_context("without gravity");
  apl_q(t->state)[0] = 2;
  apl_q(t->state)[7] = 0.1;
  found(t);
  assert_int_equal(t->report.nindifferent, 6);
  for (int i = 0; i < 7; i++)
    assert_int_equal(t->freedom[i], i < 6 ? APL_INDIFFERENT : APL_BALANCED);
  CHECK_NEAR(apl_q(t->state)[0], 2, 0);
  CHECK_NEAR(apl_q(t->state)[7], 0.5, 1e-15);
  CHECK_NEAR(t->report.stiffness, 3.0, 1e-12);
  trial_free(t);
}

/* ------------------------------------------------------------------------- not to be balanced ----
 */

static void falls(void** state) {
  (void)state;
  trial* t = trial_of(single("floating", (apl_vec3){0, 0, 0}, 0));

  near_context("falls");
  CHECK_TRUE(seek(t) == APL_ERR_EQUILIBRIUM, "it falls");
  assert_string_equal(t->err.text,
                      "there is no equilibrium: nothing balances -19.62 N on 'arm.joint.vz'");
  trial_free(t);

  plan* p = single("prismatic", (apl_vec3){0, 0, 0}, 0);
  plan_vec3(&p->link[0], "joint.axis", 0, 3, 4);
  t = trial_of(p);
  CHECK_TRUE(seek(t) == APL_ERR_EQUILIBRIUM, "it slides");
  assert_string_equal(
      t->err.text, "there is no equilibrium: nothing balances -15.696 N on 'arm.joint.position'");
  trial_free(t);
}

/* Prescribed joints stay and report their efforts; wheels are held. */
static void prescribed(void** state) {
  (void)state;
  plan* p = single("revolute", (apl_vec3){0.5, 0, 0}, 0);
  p->link[0].prescribe_joint = true;
  plan_link* tip = plan_add(p, "tip", "arm", "revolute", "rigid");
  tip->at = apl_pose_at(1, 0, 0);
  plan_vec3(tip, "joint.axis", 0, 1, 0);
  plan_mass(tip, 1, (apl_vec3){0, 0, -0.2}, 0.1, 0.1, 0.1);
  trial* t = trial_of(p);

  near_context("prescribed");
  apl_q(t->state)[0] = -0.3;
  found(t);
  CHECK_NEAR(apl_q(t->state)[0], -0.3, 0);
  CHECK_NEAR(apl_q(t->state)[1], 0.3, 1e-14);
  assert_int_equal(t->freedom[0], APL_PRESCRIBED);
  /* up is a turn about -y: the effort is negative */
  CHECK_NEAR(apl_tau(t->state)[0], -g * cos(0.3) * (2.0 * 0.5 + 1), 1e-12);
  trial_free(t);
}

static void wheels(void** state) {
  (void)state;
  plan* p = plan_new();
  plan_link* base = plan_add(p, "base", "world", "differential-drive", "rigid");
  plan_number(base, "joint.wheel-radius", 0.1);
  plan_number(base, "joint.half-track", 0.2);
  plan_mass(base, 5, (apl_vec3){0.1, 0, 0.1}, 0.1, 0.1, 0.1);
  plan_link* arm = plan_add(p, "arm", "base", "revolute", "rigid");
  plan_vec3(arm, "joint.axis", 0, 1, 0);
  plan_mass(arm, 1, (apl_vec3){0.1, 0, -0.2}, 0.1, 0.1, 0.1);
  trial* t = trial_of(p);

  near_context("wheels");
  apl_q(t->state)[0] = 1;
  apl_q(t->state)[2] = 0.4;
  found(t);
  assert_int_equal(t->freedom[0], APL_HELD);
  assert_int_equal(t->freedom[2], APL_BALANCED);
  CHECK_NEAR(apl_q(t->state)[0], 1, 0);
  CHECK_NEAR(apl_q(t->state)[2], 0.4, 0);
  CHECK_NEAR(apl_q(t->state)[3], atan2(0.1, 0.2), 1e-14);
  trial_free(t);
}

/* Nothing to balance, and wrong use. */
static void edges(void** state) {
  (void)state;
  trial* t = trial_of(single("fixed", below, 0));
  apl_state* lanes;

  near_context("fixed");
  found(t);
  assert_int_equal(t->report.nbalanced, 0);
  assert_int_equal(t->report.worst, -1);
  CHECK_OK(apl_equilibrium(t->model, t->state, NULL, NULL, NULL));
  CHECK_OK(apl_state_new(t->model, APL_LANES, &lanes));
  CHECK_TRUE(apl_equilibrium(t->model, lanes, NULL, NULL, &t->err) == APL_ERR_ARGUMENT, "lanes");
  trial* other = trial_of(single("fixed", below, 0));
  CHECK_TRUE(apl_equilibrium(other->model, t->state, NULL, NULL, &t->err) == APL_ERR_ARGUMENT,
             "a state of another model");
  trial_free(other);
  t->options.tolerance = 0;
  CHECK_TRUE(seek(t) == APL_ERR_ARGUMENT, "no tolerance");
  apl_state_free(lanes);
  trial_free(t);

  /* a guess that is no number */
  t = trial_of(single("revolute", below, 0));
  apl_q(t->state)[0] = NEAR_NAN;
  CHECK_TRUE(seek(t) == APL_ERR_NOT_FINITE, "%s", t->err.text);
  trial_free(t);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(torque), cmocka_unit_test(upright),
      cmocka_unit_test(chain),  cmocka_unit_test(joints_on_springs),
      cmocka_unit_test(stop),   cmocka_unit_test(turret),
      cmocka_unit_test(ball),   cmocka_unit_test(floats),
      cmocka_unit_test(falls),  cmocka_unit_test(prescribed),
      cmocka_unit_test(wheels), cmocka_unit_test(edges),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
