/* SPDX-License-Identifier: Apache-2.0 */
/* test_loop_inverse.c: inverse dynamics of robots with loops. The paper's torques and pin forces at
   41 states (tests/data/parallel, an independent derivation) from the motion of the platform alone;
   more actuators than freedoms, fewer, and none. */
#include "near.h"

#include "couple/close.h"
#include "dynamics/loops.h"
#include "table.h"
#include "text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MODELS APPELL_TEST_DATA "/../../models/"

static const char* const limb[] = {"I", "II", "III"};

static double column(const table* t, int row, const char* first, const char* name,
                     const char* last) {
  char text[32];
  (void)snprintf(text, sizeof text, "%s%s%s", first, name, last);
  return table_at(t, row, text);
}

/* Only the platform is given; limbs follow through the loops, from a guess that is off. */
static void rose(void** state) {
  (void)state;
  static const char* const free[] = {"x", "y", "phi"};
  table t = table_read(APPELL_TEST_DATA, "parallel/ref_rose_r005.csv");
  apl_report report = {0};
  apl_file* file;
  apl_model* m;
  apl_state* s;
  apl_closing* c;
  int keep[9] = {0, 0, 0, 0, 0, 0, 1, 1, 1};

  CHECK_OK(apl_file_load(MODELS "paper-3rrr.yaml", NULL, &file, &report));
  CHECK_OK(apl_file_model(file, &m, &report));
  CHECK_OK(apl_state_new(m, APL_SCALAR, &s));
  CHECK_OK(apl_closing_new(m, &c));
  for (int i = 0; i < t.rows; i++) {
    apl_actuation told;
    apl_error err = {0};
    double tau[3], lam[6], p[6];

    near_context("rose state %d", i);
    for (int j = 0; j < 3; j++) {
      apl_q(s)[2 * j] = column(&t, i, "th1_", limb[j], "") + 0.05;
      apl_q(s)[2 * j + 1] = column(&t, i, "th2_", limb[j], "") - 0.05;
      apl_q(s)[6 + j] = column(&t, i, "", free[j], "");
      apl_v(s)[6 + j] = column(&t, i, "d", free[j], "");
      apl_a(s)[6 + j] = column(&t, i, "dd", free[j], "");
      tau[j] = column(&t, i, "tau_", limb[j], "");
      lam[2 * j] = column(&t, i, "lam_", limb[j], "_x");
      lam[2 * j + 1] = column(&t, i, "lam_", limb[j], "_y");
    }
    for (int k = 0; k < 6; k++)
      apl_v(s)[k] = apl_a(s)[k] = 0;
    CHECK_OK(apl_closing_assemble(c, s, keep, keep, NULL, &err));
    CHECK_OK(apl_closing_accelerate(c, s, keep, &err));
    CHECK_OK(apl_closing_inverse(c, s, false, &told, &err));
    CHECK_TRUE(told.unique && told.unique_forces, "three motors, three freedoms");
    /* the file has 12 digits, the assembly ends at 1e-14 */
    CHECK_ARRAY(apl_u(s), tau, 3, 1e-9, near_max(tau, 3));
    for (int k = 0; k < 6; k++)
      p[k] = apl_loop_row(s)[APL_LOOP * k + APL_LOOP_FORCE];
    CHECK_ARRAY(p, lam, 6, 1e-9, near_max(lam, 6));
    for (int k = 0; k < 9; k++)
      CHECK_NEAR(apl_tau(s)[k], 0, 1e-9);
  }
  apl_closing_free(c);
  apl_state_free(s);
  apl_model_free(m);
  apl_file_free(file);
  table_free(&t);
}

#define FIVE_BAR                                                                                   \
  "appell: 1\ngravity: [0, -9.81, 0]\nlinks:\n"                                                    \
  "  - {name: a, joint: {type: revolute, axis: z}, body: {mass: 1, com: [0.2, 0, 0], inertia: "    \
  "{zz: 0.01}}, ports: {end: {at: [0.4, 0, 0]}}}\n"                                                \
  "  - {name: b, on: a.end, joint: {type: revolute, axis: z}, body: {mass: 1, com: [0.3, 0, 0], "  \
  "inertia: {zz: 0.02}}, ports: {end: {at: [0.6, 0, 0]}}}\n"                                       \
  "  - {name: c, at: [0.5, 0, 0], joint: {type: revolute, axis: z}, body: {mass: 1, com: [0.2, "   \
  "0, "                                                                                            \
  "0], inertia: {zz: 0.01}}, ports: {end: {at: [0.4, 0, 0]}}}\n"                                   \
  "  - {name: d, on: c.end, joint: {type: revolute, axis: z}, body: {mass: 1, com: [0.3, 0, 0], "  \
  "inertia: {zz: 0.02}}, ports: {end: {at: [0.6, 0, 0]}}}\n"                                       \
  "loops:\n  - {name: pin, from: d.end, to: b.end, type: planar-point, axes: world}\n"

typedef struct trial {
  apl_file* file;
  apl_model* m;
  apl_state* s;
  apl_closing* c;
} trial;

/* The five-bar somewhere in motion. */
static trial open_trial(const char* text) {
  trial t;
  apl_error err = {0};
  const int keep[4] = {1, 0, 1, 0};

  text_load(text, &t.file, &t.m);
  CHECK_OK(apl_state_new(t.m, APL_SCALAR, &t.s));
  CHECK_OK(apl_closing_new(t.m, &t.c));
  memcpy(apl_q(t.s), (double[]){2.1, -1.4, 1.0, 1.4}, 4 * sizeof(double));
  memcpy(apl_v(t.s), (double[]){0.7, 0, -0.4, 0}, 4 * sizeof(double));
  memcpy(apl_a(t.s), (double[]){1.5, 0, 2.5, 0}, 4 * sizeof(double));
  CHECK_OK(apl_closing_assemble(t.c, t.s, keep, keep, NULL, &err));
  CHECK_OK(apl_closing_accelerate(t.c, t.s, keep, &err));
  return t;
}

static void close_trial(trial* t) {
  apl_closing_free(t->c);
  apl_state_free(t->s);
  apl_model_free(t->m);
  apl_file_free(t->file);
}

/* Forward dynamics with the computed inputs reproduces the motion. */
static void check_forward(trial* t) {
  double a[4];

  memcpy(a, apl_a(t->s), sizeof a);
  CHECK_OK(apl_closing_forward(t->c, t->s, 0));
  CHECK_ARRAY(apl_a(t->s), a, 4, 1e-11, near_max(a, 4));
}

/* Four motors for two freedoms: the smallest efforts. They are orthogonal to efforts without
   effect, J^T x. */
static void more_motors(void** state) {
  (void)state;
  trial t = open_trial(FIVE_BAR "inputs: {a: {on: a.joint.angle}, b: {on: b.joint.angle}, c: {on: "
                                "c.joint.angle}, d: {on: d.joint.angle}}\n");
  apl_actuation told;
  apl_error err = {0};
  double J[8];

  CHECK_OK(apl_closing_inverse(t.c, t.s, false, &told, &err));
  CHECK_TRUE(!told.unique, "four motors for two freedoms");
  CHECK_OK(apl_loops_jacobian(t.m, t.s, J));
  for (int k = 0; k < 2; k++) {
    double sum = 0;
    for (int i = 0; i < 4; i++)
      sum += J[4 * k + i] * apl_u(t.s)[i];
    CHECK_NEAR(sum, 0, 1e-11 * near_max(apl_u(t.s), 4));
  }
  check_forward(&t);
  close_trial(&t);
}

/* No inputs: the same least efforts, on the joints. */
static void no_motors(void** state) {
  (void)state;
  trial t = open_trial(FIVE_BAR);
  apl_error err = {0};

  CHECK_OK(apl_closing_inverse(t.c, t.s, false, NULL, &err));
  CHECK_TRUE(near_max(apl_tau(t.s), 4) > 1, "nothing acts");
  check_forward(&t);
  close_trial(&t);
}

static void fewer_motors(void** state) {
  (void)state;
  trial t = open_trial(FIVE_BAR "inputs: {a: {on: a.joint.angle}}\n");
  apl_error err = {0};

  CHECK_TRUE(apl_closing_inverse(t.c, t.s, false, NULL, &err) == APL_ERR_MODEL, "one motor did it");
  CHECK_TRUE(strstr(err.text, "1 input cannot produce this motion of a robot with 2 freedoms") !=
                 NULL,
             "%s", err.text);
  close_trial(&t);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rose),
      cmocka_unit_test(more_motors),
      cmocka_unit_test(no_motors),
      cmocka_unit_test(fewer_motors),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
