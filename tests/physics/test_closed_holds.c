/* SPDX-License-Identifier: Apache-2.0 */
/* test_closed_holds.c: loops together with held velocities and with stops. A motor that is held is
   a motor whose motion is prescribed to stand still, which goes through other code: the articulated
   sweep leaves it out, and no row holds it. */
#include "near.h"

#include "dynamics/loops.h"

#include <stdio.h>
#include <string.h>

#define MODELS APPELL_TEST_DATA "/../../models/"

typedef struct five_bar {
  apl_file* file;
  apl_model* model;
  apl_system* system;
  apl_run_options o;
} five_bar;

static five_bar open_five_bar(const char* const* set, int nset, const char* method) {
  five_bar f;
  apl_load_options load = apl_load_options_default();
  apl_report report = {0};

  load.set = set;
  load.nset = nset;
  if (apl_file_load(MODELS "five-bar.yaml", &load, &f.file, &report) != APL_OK ||
      apl_file_model(f.file, &f.model, &report) != APL_OK ||
      apl_file_system(f.file, f.model, APL_READY, &f.system, &report) != APL_OK)
    near_fail(__FILE__, __LINE__, "five-bar.yaml: %s", report.item[0].text);
  f.o = apl_file_options(f.file);
  f.o.loops.method = method;
  f.o.tolerance = 1e-11;
  f.o.to = 0.3;
  return f;
}

static void close_five_bar(five_bar* f) {
  apl_system_free(f->system);
  apl_model_free(f->model);
  apl_file_free(f->file);
}

static void go(five_bar* f, apl_run_report* report) {
  apl_error err = {0};
  if (apl_run(f->system, &f->o, report, &err) != APL_OK)
    near_fail(__FILE__, __LINE__, "%s", err.text);
}

static double force(const five_bar* f, int row) {
  return apl_loop_row(apl_system_state(f->system))[APL_LOOP * row + APL_LOOP_FORCE];
}

/* Compare coordinates, pin forces and the effort of the motor, within the accuracy of two runs at
   1e-11. */
static void held_motor(void** state) {
  (void)state;
  static const char* const still[] = {"left.joint.prescribed=true", "inputs.left.value=0",
                                      "motion.left.joint.angle=120 deg"};
  static const char* const method[] = {"multipliers", "reduced"};
  five_bar want = open_five_bar(still, 3, "multipliers");

  go(&want, NULL);
  for (int i = 0; i < 2; i++) {
    five_bar got = open_five_bar(NULL, 0, method[i]);
    const int left = apl_model_find(got.model, APL_VELOCITIES, "left.joint.angle");
    apl_run_report report;
    apl_error err = {0};

    near_context("held by %s", method[i]);
    CHECK_OK(apl_system_hold(got.system, left, true, &err));
    go(&got, &report);
    CHECK_TRUE(report.relative < 1e-9, "the ledger is off by %.3g", report.relative);
    CHECK_ARRAY(apl_q(apl_system_state(got.system)), apl_q(apl_system_state(want.system)), 4, 1e-9,
                1);
    for (int k = 0; k < 2; k++)
      CHECK_NEAR(force(&got, k), force(&want, k), 1e-7); /* some 10 N, 1e-9 rad off */
    const double motor = apl_u(apl_system_state(got.system))[0];
    CHECK_NEAR(apl_system_held(got.system, left) + motor,
               apl_tau(apl_system_state(want.system))[left], 1e-7);
    close_five_bar(&got);
  }
  close_five_bar(&want);
}

/* A rod that swings into its stop: all methods, one motion; the ledger closes over the corner. */
static void stopped_rod(void** state) {
  (void)state;
  static const char* const set[] = {"left.joint.limits.lower=100 deg",
                                    "left.joint.stop-stiffness=2000"};
  static const char* const method[] = {"multipliers", "reduced", "springs"};
  double end[3][4];

  for (int i = 0; i < 3; i++) {
    five_bar f = open_five_bar(set, 2, method[i]);
    apl_run_report report;

    near_context("stopped, %s", method[i]);
    f.o.to = 0.5;
    f.o.loops.frequency = 2e4;
    f.o.loops.slow = true;
    if (i == 2) f.o.tolerance = 1e-9;
    go(&f, &report);
    CHECK_TRUE(report.relative < 1e-7, "the ledger is off by %.3g", report.relative);
    memcpy(end[i], apl_q(apl_system_state(f.system)), sizeof end[i]);
    CHECK_TRUE(end[i][0] > 1.7, "the stop at 1.745 rad does not hold: %.3g", end[i][0]);
    close_five_bar(&f);
  }
  CHECK_ARRAY(end[1], end[0], 4, 1e-8, 1);
  CHECK_ARRAY(end[2], end[0], 4, 1e-5, 1); /* springs of frequency w yield by about a / w^2 = 1e-7
                                              m */
}

/* Control periods one after the other go on with springs as they are: the same motion as one run.
 */
static void stepped_springs(void** state) {
  (void)state;
  five_bar one = open_five_bar(NULL, 0, "springs"), many = open_five_bar(NULL, 0, "springs");
  apl_error err = {0};

  one.o.to = 0.2;
  one.o.loops.frequency = many.o.loops.frequency = 300;
  one.o.tolerance = many.o.tolerance = 1e-11;
  go(&one, NULL);
  for (int i = 0; i < 20; i++)
    CHECK_OK(apl_step(many.system, 0.01 * i, 0.01, &many.o, &err));
  /* soft springs are stretched by millimetres: closed anew they would move by as much */
  CHECK_ARRAY(apl_q(apl_system_state(many.system)), apl_q(apl_system_state(one.system)), 4, 1e-8,
              1);
  CHECK_ARRAY(apl_v(apl_system_state(many.system)), apl_v(apl_system_state(one.system)), 4, 1e-7,
              1);
  close_five_bar(&one);
  close_five_bar(&many);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(held_motor),
      cmocka_unit_test(stopped_rod),
      cmocka_unit_test(stepped_springs),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
