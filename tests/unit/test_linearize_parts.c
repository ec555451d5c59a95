/* SPDX-License-Identifier: Apache-2.0 */
/* test_linearize_parts.c: analyse/linearize.h: poles and zeros of given matrices, names of states,
   inputs and outputs, states that depend on others by a gear, and robots without a linear
   system. */
#include "near.h"
#include "systems.h"

#include "analyse/linearize.h"

#include <string.h>

/* ----------------------------------------------------------------------------------- poles ---- */

static void poles_of(linear_work* w, int n, int m, int p, double* A, double* B, double* C,
                     double* D) {
  static double pole[16], zero[16];

  *w = (linear_work){.A = A, .B = B, .C = C, .D = D, .pole = pole, .zero = zero};
  w->x.n = n, w->u.n = m, w->y.n = p;
  CHECK_OK(apl_linear_poles(w));
}

/* (s + 4) / ((s + 2) (s + 3)) in companion form; then other numerators and denominators. */
static void poles(void** state) {
  (void)state;
  linear_work w;
  double A[4] = {0, 1, -6, -5}, B[2] = {0, 1}, C[2] = {4, 1}, D[1] = {0};

  poles_of(&w, 2, 1, 1, A, B, C, D);
  CHECK_ARRAY(w.pole, ((double[]){-2, 0, -3, 0}), 4, 1e-13, 1); /* the slowest first */
  assert_int_equal(w.out.nzero, 1);
  CHECK_ARRAY(w.zero, ((double[]){-4, 0}), 2, 1e-12, 1);

  /* s^2 + 2 s + 5: -1 +- 2 i. With D = 2 the numerator is 2 s^2 + 5 s + 14, whose zeros are
     (-5 +- i sqrt(87)) / 4 */
  double A2[4] = {0, 1, -5, -2}, D2[1] = {2};
  poles_of(&w, 2, 1, 1, A2, B, C, D2);
  CHECK_ARRAY(w.pole, ((double[]){-1, 2, -1, -2}), 4, 1e-13, 1);
  assert_int_equal(w.out.nzero, 2);
  CHECK_ARRAY(w.zero, ((double[]){-1.25, sqrt(87) / 4, -1.25, -sqrt(87) / 4}), 4, 1e-12, 1);

  double C3[2] = {1, 0}; /* 1 / (s^2 + 2 s + 5): both zeros are at infinity */
  poles_of(&w, 2, 1, 1, A2, B, C3, D);
  assert_int_equal(w.out.nzero, 0);

  /* two outputs and one input: no zeros are looked for */
  double C4[4] = {1, 0, 0, 1}, D4[2] = {0, 0};
  poles_of(&w, 2, 1, 2, A2, B, C4, D4);
  assert_int_equal(w.out.nzero, -1);

  /* growth is sorted before decay, whatever the order of the matrix */
  double A5[9] = {-1, 0, 0, 0, 7, 0, 0, 0, 3}, none[3] = {0};
  poles_of(&w, 3, 0, 0, A5, none, none, none);
  CHECK_ARRAY(w.pole, ((double[]){7, 0, 3, 0, -1, 0}), 6, 1e-14, 1);
}

/* ----------------------------------------------------------------------------------- names ---- */

/* A turntable that a motion moves, a slider with an input, a ball joint with a quaternion. */
static const char ROBOT[] =
    "appell: 1\nlinks:\n"
    "  - {name: table, joint: {type: revolute, axis: z, prescribed: true}, body: {mass: 1, "
    "inertia: "
    "{zz: 1}}}\n"
    "  - {name: cart, on: table, joint: {type: prismatic, axis: x, servo: {stiffness: 20, damping: "
    "2, integral: 5}}, body: {mass: 2}, ports: {top: {at: [0, 0, 0.5]}}}\n"
    "  - {name: bob, on: cart.top, joint: {type: spherical}, body: {mass: 1, com: [0, 0, -0.3], "
    "inertia: {xx: 0.1, yy: 0.1, zz: 0.1}}}\n"
    "inputs: {push: {on: cart.joint.position}}\n"
    "motion: {table.joint.angle: 0}\n";

static int find(const linear_list* l, const char* name) {
  for (int i = 0; i < l->n; ++i)
    if (strcmp(l->name[i], name) == 0) return i;
  return -1;
}

static void names(void** state) {
  (void)state;
  rig g = rig_text(ROBOT, APL_READY);
  linear_work w = {.system = g.system};
  apl_linearize_options o = {0};
  apl_error err = {0};

  CHECK_OK(apl_linear_list(&w, &o, &err));
  /* the turntable is no state; the quaternion has three directions; the sum of the servo is last */
  assert_int_equal(w.x.n, 1 + 3 + 1 + 3 + 1);
  assert_int_equal(find(&w.x, "table.joint.angle"), -1);
  assert_int_equal(find(&w.x, "cart.joint.position"), 0);
  assert_string_equal(w.x.unit[0], "m");
  const int turn = find(&w.x, "bob.joint.turn-x");
  assert_int_equal(turn, 1);
  assert_int_equal(find(&w.x, "bob.joint.turn-z"), 3);
  assert_int_equal(w.x.part[turn].kind, LINEAR_DIRECTION);
  assert_string_equal(w.x.unit[turn], "rad");
  const int rate = find(&w.x, "cart.joint.position.rate");
  assert_int_equal(rate, 4);
  assert_int_equal(w.x.part[rate].kind, LINEAR_VELOCITY);
  assert_string_equal(w.x.unit[rate], "m/s");
  assert_int_equal(find(&w.x, "cart.joint.position.sum"), 8);
  assert_int_equal(w.x.part[8].kind, LINEAR_SUM);
  assert_string_equal(w.x.unit[8], "m s");
  assert_int_equal(w.u.n, 1);
  assert_string_equal(w.u.name[0], "push");
  assert_string_equal(w.u.unit[0], "N");
  assert_int_equal(w.y.n, 1 + 1 + 4); /* all coordinates */
  apl_pool_free(&w.pool);

  /* by name: an effort that is no input, a position and a velocity of a port */
  w = (linear_work){.system = g.system};
  static const char* const in[] = {"bob.joint.wy.effort"};
  static const char* const out[] = {"cart.top.position.z", "cart.top.velocity.x",
                                    "cart.joint.position.rate"};
  o = (apl_linearize_options){.input = in, .ninput = 1, .output = out, .noutput = 3};
  CHECK_TRUE(apl_linear_list(&w, &o, &err) == APL_OK, "%s", err.text);
  assert_int_equal(w.u.part[0].kind, LINEAR_EFFORT);
  assert_int_equal(w.y.part[0].kind, LINEAR_POSITION);
  assert_int_equal(w.y.part[0].axis, 2);
  assert_int_equal(w.y.part[1].kind, LINEAR_MOTION);
  assert_int_equal(w.y.part[1].of, apl_model_find(g.model, APL_PORTS, "cart.top"));
  assert_string_equal(w.y.unit[1], "m/s");
  assert_int_equal(w.y.part[2].kind, LINEAR_VELOCITY);
  apl_pool_free(&w.pool);

  /* names that are none: the nearest one is offered; an effort on a given motion is none either */
  w = (linear_work){.system = g.system};
  o = (apl_linearize_options){.output = (const char*[]){"cart.joint.positon"}, .noutput = 1};
  assert_int_equal(apl_linear_list(&w, &o, &err), APL_ERR_ARGUMENT);
  assert_non_null(strstr(err.text, "cart.joint.position"));
  apl_pool_free(&w.pool);
  w = (linear_work){.system = g.system};
  o = (apl_linearize_options){.input = (const char*[]){"table.joint.angle.effort"}, .ninput = 1};
  assert_int_equal(apl_linear_list(&w, &o, &err), APL_ERR_ARGUMENT);
  apl_pool_free(&w.pool);
  rig_close(&g);
}

/* ----------------------------------------------------------------------------------- loops ---- */

/* Two sliders, b = 2 a by a coupling, m = 3 and 5; a spring k = 70 on a alone. With c = 2 a - b,
   J = (2, -1), f = (-k, 0) per unit of a:
     a'' = M^-1 (f - J^T (J M^-1 J^T)^-1 J M^-1 f),
   which moves as one mass: w^2 = k / (3 + 4 * 5) */
static void reduced(void** state) {
  (void)state;
  static const char text[] =
      "appell: 1\ngravity: [0, 0, 0]\nlinks:\n"
      "  - {name: a, joint: {type: prismatic, axis: x, stiffness: 70}, body: {mass: 3}}\n"
      "  - {name: b, joint: {type: prismatic, axis: x}, body: {mass: 5}}\n"
      "couplings: {g: {of: b.joint.position, to: a.joint.position, ratio: 2}}\n";
  rig g = rig_text(text, APL_READY);
  linear_work w = {.system = g.system};
  const apl_linearize_options o = {0};
  apl_error err = {0};
  const double J[2] = {2, -1}, m[2] = {3, 5}, f = -70, G = 4.0 / 3 + 1.0 / 5;
  const double p = J[0] / m[0] * f / G;
  double gap[4] = {J[0], J[1], 0, 0}, gap_rate[4] = {0, 0, J[0], J[1]}, rate[4] = {0};
  double A[16] = {0, 0, 1, 0, 0, 0, 0, 1, (f - J[0] * p) / m[0], 0, 0, 0, -J[1] * p / m[1]};
  double B[8] = {0}, C[8] = {1, 0, 0, 0, 0, 1, 0, 0}, D[4] = {0};

  CHECK_OK(apl_linear_list(&w, &o, &err));
  assert_int_equal(w.x.n, 4);
  assert_int_equal(w.y.n, 2);
  assert_int_equal(w.u.n, 2); /* efforts on both */
  w.A = A, w.B = B, w.C = C, w.D = D, w.rate = rate, w.gap = gap, w.gap_rate = gap_rate;
  CHECK_OK(apl_linear_reduce(&w, &err));
  assert_int_equal(w.x.n, 2);
  const bool first = strcmp(w.x.name[0], "a.joint.position") == 0;
  assert_string_equal(w.x.name[1], first ? "a.joint.position.rate" : "b.joint.position.rate");
  CHECK_ARRAY(A, ((double[]){0, 1, -70.0 / 23, 0}), 4, 1e-13, 1);
  /* both outputs follow the state that is left: b = 2 a */
  CHECK_ARRAY(C, (first ? (double[]){1, 0, 2, 0} : (double[]){0.5, 0, 1, 0}), 4, 1e-14, 1);
  apl_pool_free(&w.pool);
  rig_close(&g);
}

/* -------------------------------------------------------------------------------- no system ----
 */

static void refused(void** state) {
  (void)state;
  static const char text[] =
      "appell: 1\ngravity: [0, 0, -10]\n"
      "grounds: {floor: {normal: z, law: {normal: restitution, restitution: 0.5}}}\n"
      "contacts: [{on: a.root}]\nlinks:\n"
      "  - {name: a, joint: {type: prismatic, axis: z}, body: {mass: 1}}\n";
  rig g = rig_text(text, 0);
  apl_error err = {0};
  bool lent[1] = {false};

  apl_q(g.system->state)[0] = 0.1; /* above the ground */
  CHECK_OK(apl_linear_check(g.system, lent, &err));
  apl_q(g.system->state)[0] = 0; /* on it: up is free, down is not */
  assert_int_equal(apl_linear_check(g.system, lent, &err), APL_ERR_ARGUMENT);
  CHECK_TRUE(strstr(err.text, "rests or sticks") != NULL &&
                 strstr(err.text, apl_model_name(g.model, APL_CONTACTS, 0)) != NULL,
             "%s", err.text);
  apl_q(g.system->state)[0] = 0.1;
  CHECK_OK(apl_system_hold(g.system, 0, true, &err));
  assert_int_equal(apl_linear_check(g.system, lent, &err), APL_ERR_ARGUMENT);
  assert_non_null(strstr(err.text, "'a.joint.position' is held"));
  rig_close(&g);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(poles), cmocka_unit_test(names),
                                     cmocka_unit_test(reduced), cmocka_unit_test(refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
