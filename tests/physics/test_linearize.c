/* SPDX-License-Identifier: Apache-2.0 */
/* test_linearize.c: linear systems against closed forms, and against the difference of two
   neighbouring motions. Tolerances are round-off of a few operations, 1e-12, where not said
   otherwise. */
#include "near.h"

#include "dynamics/extra.h"
#include "system/system.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct rig {
  apl_file* file;
  apl_model* model;
  apl_system* system;
  apl_linear_system* l;
} rig;

static rig rig_open(const char* text) {
  rig r = {0};
  apl_report report = {0};

  CHECK_OK(apl_file_parse(text, strlen(text), NULL, &r.file, &report));
  CHECK_OK(apl_file_model(r.file, &r.model, &report));
  CHECK_OK(apl_file_system(r.file, r.model, 0, &r.system, &report));
  return r;
}

static void rig_take(rig* r, const apl_linearize_options* o) {
  apl_error err = {0};

  apl_linear_system_free(r->l);
  const apl_status st = apl_linearize(r->system, 0.0, o, &r->l, &err);
  CHECK_TRUE(st == APL_OK, "%s", err.text);
}

static void rig_close(rig* r) {
  apl_linear_system_free(r->l);
  apl_system_free(r->system);
  apl_model_free(r->model);
  apl_file_free(r->file);
}

/* (M + m) x'' + m l q'' = u, m l x'' + (J + m l^2) q'' = m g l q */
static void cart_and_pole(void** state) {
  (void)state;
  const double M = 2, m = 0.5, l = 0.8, J = 0.05, g = 9.81;
  const double a = M + m, b = m * l, c = J + m * l * l, det = a * c - b * b, w = m * g * l;
  const double A[16] = {0, 0, 1, 0, 0, 0, 0, 1, 0, -b * w / det, 0, 0, 0, a * w / det, 0, 0};
  const double B[4] = {0, 0, c / det, -b / det};
  rig r =
      rig_open("appell: 1\nlinks:\n"
               "  - {name: cart, joint: {type: prismatic, axis: x}, body: {mass: 2 kg, inertia: "
               "{xx: 1, yy: 1, zz: 1}}}\n"
               "  - {name: pole, on: cart, joint: {type: revolute, axis: y}, body: {mass: 0.5 kg, "
               "com: [0, 0, 0.8], inertia: {xx: 0.05, yy: 0.05, zz: 0.01}}}\n"
               "gravity: [0, 0, -9.81]\n"
               "inputs: {push: {on: cart.joint.position}}\n");

  near_context("cart and pole");
  rig_take(&r, NULL);
  assert_int_equal(r.l->n, 4);
  assert_int_equal(r.l->m, 1);
  assert_string_equal(r.l->state[1], "pole.joint.angle");
  assert_string_equal(r.l->state[3], "pole.joint.angle.rate");
  assert_string_equal(r.l->state_unit[3], "rad/s");
  assert_string_equal(r.l->input[0], "push");
  assert_string_equal(r.l->input_unit[0], "N");
  CHECK_ARRAY(r.l->A, A, 16, 1e-12, 20);
  CHECK_ARRAY(r.l->B, B, 4, 1e-12, 1);
  /* poles +-sqrt(a w / det), 0, 0: a double one is found to the root of round-off */
  const double p = sqrt(a * w / det);
  CHECK_NEAR(r.l->pole[0], p, 1e-12 * 10);
  CHECK_NEAR(r.l->pole[6], -p, 1e-12 * 10);
  CHECK_NEAR(hypot(r.l->pole[2], r.l->pole[3]), 0, 1e-7);
  rig_close(&r);
}

/* Two masses on springs, pushed and seen at the first: the second one absorbs at sqrt(k/m), where
   the transfer function is zero. Infinite zeros are not told. */
static void absorber(void** state) {
  (void)state;
  static const char* const out[] = {"a.joint.position"};
  const apl_linearize_options o = {.output = out, .noutput = 1};
  rig r = rig_open("appell: 1\ngravity: [0, 0, 0]\nlinks:\n"
                   "  - {name: a, joint: {type: prismatic, axis: x, stiffness: 300}, body: {mass: "
                   "2 kg, inertia: {xx: 1, "
                   "yy: 1, zz: 1}}}\n"
                   "  - {name: b, on: a, joint: {type: prismatic, axis: x, stiffness: 50, damping: "
                   "0.4}, body: {mass: 0.5 "
                   "kg, inertia: {xx: 1, yy: 1, zz: 1}}}\n"
                   "inputs: {push: {on: a.joint.position}}\n");
  /* m s^2 + d s + k = 0 */
  const double re = -0.4 / (2 * 0.5), im = sqrt(50 / 0.5 - re * re);

  near_context("absorber");
  rig_take(&r, &o);
  assert_int_equal(r.l->nzero, 2);
  CHECK_NEAR(r.l->zero[0], re, 1e-9 * 10);
  CHECK_NEAR(r.l->zero[1], im, 1e-9 * 10);
  CHECK_NEAR(r.l->C[0], 1, 0);
  CHECK_NEAR(r.l->D[0], 0, 0);
  rig_close(&r);
}

/* delta of two motions after dt, by Euler's step of both */
static void apart(rig* r, const double* q, const double* qd, const double* p, const double* pd,
                  double dt, double* delta) {
  const int nq = apl_model_nq(r->model);
  double a[16], b[16];

  for (int i = 0; i < nq; i++)
    a[i] = q[i] + dt * qd[i], b[i] = p[i] + dt * pd[i];
  CHECK_OK(apl_subtract(r->model, apl_system_state(r->system), b, a, delta));
}

/* A body that flies and turns: rows of A for directions are the rate at which two neighbouring
   motions part. Central differences in time (1e-4) and distance (1e-4): errors of 1e-8. */
static void neighbours(void** state) {
  (void)state;
  rig r = rig_open(
      "appell: 1\nlinks:\n"
      "  - {name: body, joint: floating, body: {mass: 3 kg, com: [0.1, 0, 0.2], inertia: "
      "{xx: 0.4, yy: 0.7, zz: 0.9}}}\n"
      "start: {body.joint.wx.rate: 1.5, body.joint.wy.rate: -0.7, body.joint.wz.rate: 2.1, "
      "body.joint.vx.rate: 0.3, body.joint.vy.rate: -0.4}\n");
  apl_state* s = apl_system_state(r.system);
  double q[16], qd[16], p[16], pd[16], delta[16] = {0}, after[2][16];
  const double e = 1e-4, dt = 1e-4;

  near_context("neighbours");
  rig_take(&r, NULL);
  assert_int_equal(r.l->n, 12);
  assert_string_equal(r.l->state[3], "body.joint.turn-x");
  memcpy(q, apl_q(s), sizeof *q * 7);
  CHECK_OK(apl_rates(r.model, s, qd));
  for (int k = 0; k < 6; k++) {
    double rate[2][6];
    for (int side = 0; side < 2; side++) {
      delta[k] = side ? -e : e;
      CHECK_OK(apl_add(r.model, s, q, delta, p));
      memcpy(apl_q(s), p, sizeof *p * 7);
      CHECK_OK(apl_rates(r.model, s, pd));
      apart(&r, q, qd, p, pd, dt, after[0]);
      apart(&r, q, qd, p, pd, -dt, after[1]);
      for (int i = 0; i < 6; i++)
        rate[side][i] = (after[0][i] - after[1][i]) / (2 * dt);
    }
    delta[k] = 0;
    for (int i = 0; i < 6; i++)
      CHECK_NEAR((rate[0][i] - rate[1][i]) / (2 * e), r.l->A[i * 12 + k], 1e-6);
  }
  rig_close(&r);
}

/* A servo with an integral part: x'' = kp (0 - x) - kd x' + ki z, z' = -x. A motor at its limit has
   no derivative, and one whose effort falls with speed damps: F (1 - v/v_max). */
static void memories_and_limits(void** state) {
  (void)state;
  rig r = rig_open("appell: 1\ngravity: [0, 0, 0]\nlinks:\n"
                   "  - {name: a, joint: {type: prismatic, axis: x, servo: {stiffness: 30, "
                   "damping: 4, integral: 7, effort: "
                   "100}}, body: {mass: 2 kg, inertia: {xx: 1, yy: 1, zz: 1}}}\n");
  const double A[9] = {0, 1, 0, -15, -2, 3.5, -1, 0, 0};

  near_context("servo");
  rig_take(&r, NULL);
  assert_int_equal(r.l->n, 3);
  assert_string_equal(r.l->state[2], "a.joint.position.sum");
  assert_string_equal(r.l->state_unit[2], "m s");
  CHECK_ARRAY(r.l->A, A, 9, 1e-13, 15);
  rig_close(&r);

  near_context("limits");
  r = rig_open(
      "appell: 1\ngravity: [0, 0, 0]\nlinks:\n"
      "  - {name: a, joint: {type: prismatic, axis: x}, body: {mass: 2 kg, inertia: {xx: 1, yy: "
      "1, zz: 1}}}\n"
      "inputs: {push: {on: a.joint.position}}\n"
      "start: {a.joint.position.rate: 2}\n");
  apl_error err = {0};
  CHECK_OK(apl_system_input_limit(r.system, 0, -10, 10, &err));
  CHECK_OK(apl_system_input_speed(r.system, 0, 0, 8, &err));
  apl_u(apl_system_state(r.system))[0] = 50;
  rig_take(&r, NULL);
  CHECK_NEAR(r.l->u0[0], 10 * (1 - 2.0 / 8), 1e-14);
  CHECK_NEAR(r.l->A[3], -10.0 / 8 / 2, 1e-14); /* by v, of 2 kg */
  CHECK_NEAR(r.l->B[1], 0, 0);
  apl_u(apl_system_state(r.system))[0] = 1;
  rig_take(&r, NULL);
  CHECK_NEAR(r.l->A[3], 0, 0);
  CHECK_NEAR(r.l->B[1], 0.5, 1e-15);
  rig_close(&r);
}

/* Outputs of ports, efforts where there are no inputs, prescribed freedoms that are no states. */
static void outputs(void** state) {
  (void)state;
  static const char* const out[] = {"arm.tip.position.z", "arm.tip.velocity.x",
                                    "arm.joint.angle.rate"};
  const apl_linearize_options o = {.output = out, .noutput = 3};
  rig r = rig_open(
      "appell: 1\nlinks:\n"
      "  - {name: arm, joint: {type: revolute, axis: y}, body: {mass: 2 kg, com: [0, 0, -0.5], "
      "inertia: {xx: 0.1, yy: 0.1, zz: 0.1}}, ports: {tip: {at: [0, 0, -1]}}}\n"
      "start: {arm.joint.angle: 0.5, arm.joint.angle.rate: 1.5}\n");
  /* tip (-sin q, -cos q): z = -cos q, x' = -cos q v */
  const double C[6] = {sin(0.5), 0, sin(0.5) * 1.5, -cos(0.5), 0, 1};

  near_context("outputs");
  rig_take(&r, &o);
  CHECK_ARRAY(r.l->C, C, 6, 1e-14, 1);
  CHECK_NEAR(r.l->y0[0], -cos(0.5), 1e-15);
  assert_string_equal(r.l->input[0], "arm.joint.angle.effort");
  assert_string_equal(r.l->input_unit[0], "N m");
  CHECK_NEAR(r.l->B[1], 1 / (0.1 + 2 * 0.25), 1e-14);
  CHECK_NEAR(r.l->rate[0], 1.5, 0);
  assert_int_equal(r.l->nzero, -1);
  rig_close(&r);
}

static void refuse(const char* text, const apl_linearize_options* o, const char* says) {
  rig r = rig_open(text);
  apl_error err = {0};
  apl_linear_system* l = NULL;

  CHECK_TRUE(apl_linearize(r.system, 0.0, o, &l, &err) != APL_OK && l == NULL, "not refused: %s",
             says);
  CHECK_TRUE(strstr(err.text, says) != NULL, "'%s' does not say '%s'", err.text, says);
  rig_close(&r);
}

static void refusals(void** state) {
  (void)state;
  static const char* const wrong[] = {"arm.joint.angel"};
  const apl_linearize_options output = {.output = wrong, .noutput = 1};
  const apl_linearize_options input = {.input = wrong, .ninput = 1};
  static const char arm[] =
      "appell: 1\nlinks:\n"
      "  - {name: arm, joint: {type: revolute, axis: y}, body: {mass: 2 kg, com: [0, "
      "0, -0.5], inertia: {xx: 1, yy: 1, zz: 1}}}\n";

  near_context("refusals");
  refuse(arm, &output, "did you mean 'arm.joint.angle'?");
  refuse(arm, &input, "there is no input 'arm.joint.angel'");
  refuse("appell: 1\nlinks:\n"
         "  - {name: arm, joint: fixed, body: {mass: 2 kg, inertia: {xx: 1, yy: 1, zz: 1}}}\n",
         NULL, "no degrees of freedom");
}

/* Two pendulums of 2 kg, 1 m and J = 0.1 about their middles, side by side, their tips joined by a
   spring K: as one, w^2 = m g c / I, against each other, w^2 = (m g c + 2 K L^2) / I. */
static void springs_of_loops(void** state) {
  (void)state;
  const double I = 0.1 + 2 * 0.25, w = 2 * 9.81 * 0.5, K = 1e4;
  rig r = rig_open(
      "appell: 1\nlinks:\n"
      "  - {name: a, joint: {type: revolute, axis: y}, body: {mass: 2 kg, com: [0, 0, -0.5], "
      "inertia: {xx: 0.1, yy: 0.1, zz: 0.1}}, ports: {tip: {at: [0, 0, -1]}}}\n"
      "  - {name: b, at: [1, 0, 0], joint: {type: revolute, axis: y}, body: {mass: 2 kg, com: [0, "
      "0, -0.5], inertia: {xx: 0.1, yy: 0.1, zz: 0.1}}, ports: {tip: {at: [0, 0, -1]}}}\n"
      "gravity: [0, 0, -9.81]\n"
      "loops:\n  - {name: rod, from: a.tip, to: b.tip, type: distance, length: 1, stiffness: 1e4}\n"
      "run: {to: 1 s, loops: springs, loop-damping-ratio: 0}\n");
  const apl_run_options run = apl_file_options(r.file);
  const apl_linearize_options o = {.loops = &run.loops};
  double fast = 0, slow = 1e9;

  near_context("loops by springs");
  rig_take(&r, &o);
  assert_int_equal(r.l->n, 4);
  for (int i = 0; i < 4; ++i) {
    fast = fmax(fast, fabs(r.l->pole[2 * i + 1]));
    slow = fmin(slow, fabs(r.l->pole[2 * i + 1]));
  }
  /* eigenvalues of dense algebra, 1e-12 of the largest */
  CHECK_NEAR(fast, sqrt((w + 2 * K) / I), 1e-9);
  CHECK_NEAR(slow, sqrt(w / I), 1e-9);
  rig_close(&r);
}

/* A foot that no run has examined: above rigid ground it has no effect, on it the robot rests; the
   same for solids. A solid under the pendulum's tip pushes by Hertz' law N = K D^1.5 upwards,
   through the centre of the tip's ball: I q'' = -(m g c - N L) q, L = 1. */
static void looked_at_by_no_run(void** state) {
  (void)state;
  static const char arm[] =
      "appell: 1\nlinks:\n"
      "  - {name: arm, joint: {type: revolute, axis: y}, body: {mass: 2 kg, com: [0, 0, -0.5], "
      "inertia: {xx: 0.1, yy: 0.1, zz: 0.1}}, ports: {tip: {at: [0, 0, -1]}}, shapes: [{name: "
      "ball, type: sphere, radius: 0.1, at: [0, 0, -1]}]}\n"
      "gravity: [0, 0, -9.81]\n";
  const struct {
    const char *scene, *says; /* NULL: the pendulum swings freely, but for ... */
    double push;              /* ... this force [N] on its tip                 */
  } cases[] = {
      {"grounds: {floor: {point: [0, 0, -1.5], law: {normal: restitution}}}\n"
       "contacts: [{on: arm.tip}]\n",
       NULL, 0},
      {"grounds: {floor: {point: [0, 0, -1], law: {normal: restitution}}}\n"
       "contacts: [{on: arm.tip}]\n",
       "contact 'arm.tip.floor' rests or sticks", 0},
      {"obstacles: {table: {type: box, size: [1, 1, 0.1], at: [0, 0, -1.2]}}\n"
       "collide: [{of: arm, with: table, neighbours: 0, law: {normal: hertz, stiffness: 1e5}}]\n",
       NULL, 0},
      {"obstacles: {table: {type: box, size: [1, 1, 0.1], at: [0, 0, -1.1495]}}\n"
       "collide: [{of: arm, with: table, neighbours: 0, law: {normal: hertz, stiffness: 1e5}}]\n",
       NULL, 1e5 * pow(0.0005, 1.5)},
      {"obstacles: {table: {type: box, size: [1, 1, 0.1], at: [0, 0, -1.1495]}}\n"
       "collide: [{of: arm, with: table, neighbours: 0, law: {normal: restitution}}]\n",
       "contact 'touch.1 (arm.ball, table)' rests or sticks", 0}};

  near_context("looked at by no run");
  for (int i = 0; i < (int)(sizeof cases / sizeof *cases); ++i) {
    char text[900];
    snprintf(text, sizeof text, "%s%s", arm, cases[i].scene);
    if (cases[i].says != NULL) {
      refuse(text, NULL, cases[i].says);
      continue;
    }
    rig r = rig_open(text);
    rig_take(&r, NULL);
    /* depths of half a millimetre are known to 1e-13 of themselves */
    CHECK_NEAR(r.l->A[2], (-2 * 9.81 * 0.5 + cases[i].push) / 0.6, 1e-11);
    /* contacts that it has lent are gone again */
    apl_contact c = {.shape = {-1, -1}};
    if (apl_model_count(r.model, APL_CONTACTS) > 0)
      CHECK_OK(apl_contact_get(apl_system_state(r.system), 0, 0, &c));
    assert_int_equal(c.shape[0], -1);
    rig_close(&r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(cart_and_pole),    cmocka_unit_test(absorber),
      cmocka_unit_test(neighbours),       cmocka_unit_test(memories_and_limits),
      cmocka_unit_test(outputs),          cmocka_unit_test(refusals),
      cmocka_unit_test(springs_of_loops), cmocka_unit_test(looked_at_by_no_run),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
