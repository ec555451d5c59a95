/* SPDX-License-Identifier: Apache-2.0 */
/* test_mobile.c: the mobile manipulators of spec/mobile.md against its reference files
   (Kane's equations in 80-bit numbers, twelve digits written).

   Axes: the paper's base has x forward, y up, z to the right; ours x forward, y left, z up. Its
   frame is ours turned by a quarter about x, so the arm stands on a port turned that way and
   everything behind it is written as in the paper: link i sits at p_i, turned by A0_i, and revolves
   about its z. */
#include "integrate.h"
#include "near.h"
#include "plan.h"
#include "table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINKS = 5, NV = 7 };

static const double radius = 0.08;
static const double track = 0.145;

/* n links. Rotations A0_1 .. A0_5 about x: all along the axle (H), or yaw first and then pitch
 * (YP).
 */
static apl_model* manipulator(const double turn[LINKS], int n) {
  static const char* const name[LINKS] = {"l1", "l2", "l3", "l4", "l5"};
  const double quarter = acos(-1.0) / 2;
  plan* p = plan_new();

  p->gravity = (apl_vec3){0, 0, -10};
  plan_link* base = plan_add(p, "base", "world", "differential-drive", "rigid");
  plan_number(base, "joint.wheel-radius", radius);
  plan_number(base, "joint.half-track", track);
  plan_number(base, "joint.wheel-inertia", 0.001);
  plan_mass(base, 6.64, (apl_vec3){0.2, 0, 0}, 0, 0, 0.06363);
  plan_at_port(base, "mount", 0,
               (apl_pose){{0.2, 0, 0}, apl_quat_axis((apl_vec3){1, 0, 0}, quarter)});
  for (int i = 0; i < n; i++) {
    plan_link* link =
        plan_add(p, name[i], i == 0 ? "base.mount" : name[i - 1], "revolute", "rigid");
    plan_vec3(link, "joint.axis", 0, 0, 1);
    plan_mass(link, 1, (apl_vec3){0.5, 0, 0}, 0.0008, 0.0008 + 1.0 / 12, 0.0008 + 1.0 / 12);
    link->at.position.x = i == 0 ? 0 : 1;
    link->at.rotation = apl_quat_axis((apl_vec3){1, 0, 0}, turn[i] * quarter);
  }
  plan_at_port(&p->link[n], "tip", 0, apl_pose_at(1, 0, 0));
  p->ninput = 2;
  p->input[0] = (plan_input){.name = "right", .target = "base.right", .gain = 1};
  p->input[1] = (plan_input){.name = "left", .target = "base.left", .gain = 1};
  apl_model* model = plan_model(p);
  free(p);
  return model;
}

static const double layout_H[LINKS] = {0, 0, 0, 0, 0};
static const double layout_YP[LINKS] = {-1, 1, 0, 0, 0};

/* phi, q1..q5, v, w, qd1.. of a row. */
static void set_row(const table* t, int row, apl_state* s, int n) {
  char name[16];
  apl_q(s)[2] = table_at(t, row, "phi");
  apl_v(s)[0] = table_at(t, row, "v");
  apl_v(s)[1] = table_at(t, row, "w");
  for (int i = 0; i < n; i++) {
    snprintf(name, sizeof name, "q%d", i + 1);
    apl_q(s)[3 + i] = table_at(t, row, name);
    snprintf(name, sizeof name, "qd%d", i + 1);
    apl_v(s)[2 + i] = table_at(t, row, name);
  }
}

static void row_accelerations(const table* t, int row, double* a, int n) {
  char name[16];
  a[0] = table_at(t, row, "vdot");
  a[1] = table_at(t, row, "wdot");
  for (int i = 0; i < n; i++) {
    snprintf(name, sizeof name, "qdd%d", i + 1);
    a[2 + i] = table_at(t, row, name);
  }
}

/* Twenty random states: efforts for the motion, and the motion back through wheel inputs. */
static void inverse_case(const char* file, const double* layout) {
  table t = table_read(APPELL_TEST_DATA, file);
  apl_model* model = manipulator(layout, LINKS);
  apl_state* s;
  double want[NV];

  CHECK_OK(apl_state_new(model, APL_SCALAR, &s));
  assert_int_equal(t.rows, 20);
  for (int row = 0; row < t.rows; row++) {
    near_context("%s row %d", file, row);
    set_row(&t, row, s, LINKS);
    row_accelerations(&t, row, apl_a(s), LINKS);
    apl_u(s)[0] = apl_u(s)[1] = 0;
    CHECK_OK(apl_inverse(model, s));
    want[0] = table_at(&t, row, "F42");
    want[1] = table_at(&t, row, "F43");
    for (int i = 0; i < LINKS; i++) {
      char name[16];
      snprintf(name, sizeof name, "tau%d", i + 1);
      want[2 + i] = table_at(&t, row, name);
    }

    /* the file's rounding read back gives 4.6e-12 of the row's largest entry (spec, section 6) */
    CHECK_ARRAY(apl_tau(s), want, NV, 1e-11, near_max(want, NV));

    /* wheel torques through the inputs, arm torques as efforts; the condition of M stands between
       the rounding of the file and the accelerations */
    memset(apl_tau(s), 0, 2 * sizeof(double));
    memcpy(apl_tau(s) + 2, want + 2, LINKS * sizeof(double));
    apl_u(s)[apl_model_find(model, APL_INPUTS, "right")] = table_at(&t, row, "tauR");
    apl_u(s)[apl_model_find(model, APL_INPUTS, "left")] = table_at(&t, row, "tauL");
    CHECK_OK(apl_forward(model, s));
    row_accelerations(&t, row, want, LINKS);
    CHECK_ARRAY(apl_a(s), want, NV, 1e-9, near_max(want, NV));
  }
  apl_state_free(s);
  apl_model_free(model);
  table_free(&t);
}

static void inverse_H(void** state) {
  (void)state;
  inverse_case("mobile/inv_paper_H_n5.csv", layout_H);
}

static void inverse_YP(void** state) {
  (void)state;
  inverse_case("mobile/inv_paper_YP_n5.csv", layout_YP);
}

/* A run under constant torques. */
typedef struct mobile_run {
  const char* file;
  const double* layout;
  int n, rows;
  double tau[LINKS], right, left;
} mobile_run;

/* Accelerations at the written states, and the whole trajectory integrated. */
static void follow(const mobile_run* run) {
  const int n = run->n, nv = n + 2;
  table t = table_read(APPELL_TEST_DATA, run->file);
  apl_model* model = manipulator(run->layout, n);
  apl_state* s;
  double want[NV];
  double pose[12];
  double energy[2];

  CHECK_OK(apl_state_new(model, APL_SCALAR, &s));
  apl_u(s)[apl_model_find(model, APL_INPUTS, "right")] = run->right;
  apl_u(s)[apl_model_find(model, APL_INPUTS, "left")] = run->left;
  memcpy(apl_tau(s) + 2, run->tau, sizeof(double) * (size_t)n);
  const int tip = apl_model_find(model, APL_PORTS, n == 5 ? "l5.tip" : "l2.tip");

  /* read-back of the rounded states gives 5.3e-11 of the row's largest entry */
  for (int row = 0; row < t.rows; row++) {
    near_context("%s at %g s", run->file, table_at(&t, row, "t"));
    set_row(&t, row, s, n);
    apl_q(s)[0] = table_at(&t, row, "x");
    apl_q(s)[1] = table_at(&t, row, "y");
    CHECK_OK(apl_forward(model, s));
    row_accelerations(&t, row, want, n);
    CHECK_ARRAY(apl_a(s), want, nv, 1e-10, near_max(want, nv));
    CHECK_OK(apl_port_pose(model, s, tip, pose));
    CHECK_NEAR(pose[9], table_at(&t, row, "tipX"), 1e-10);
    CHECK_NEAR(pose[10], table_at(&t, row, "tipY"), 1e-10);
    CHECK_NEAR(pose[11], table_at(&t, row, "tipZ"), 1e-10);
    CHECK_OK(apl_energy(model, s, energy));
    CHECK_NEAR(energy[0], table_at(&t, row, "T"), 1e-10 * (1 + energy[0]));
    CHECK_NEAR(energy[1], table_at(&t, row, "V"), 1e-10 * (1 + energy[0]));
  }

  /* from the first row; an order-8 integrator at 1e-12 is asked for 1e-10 */
  set_row(&t, 0, s, n);
  apl_q(s)[0] = table_at(&t, 0, "x");
  apl_q(s)[1] = table_at(&t, 0, "y");
  for (int row = 1; row < t.rows; row++) {
    near_context("%s integrated to %g s", run->file, table_at(&t, row, "t"));
    integrate(model, s, table_at(&t, row, "t") - table_at(&t, row - 1, "t"), 25);
    CHECK_NEAR(apl_q(s)[0], table_at(&t, row, "x"), 1e-10);
    CHECK_NEAR(apl_q(s)[1], table_at(&t, row, "y"), 1e-10);
    CHECK_NEAR(apl_q(s)[2], table_at(&t, row, "phi"), 1e-10);
    CHECK_NEAR(apl_q(s)[3], table_at(&t, row, "q1"), 1e-10);
    CHECK_NEAR(apl_q(s)[2 + n], table_at(&t, row, n == 5 ? "q5" : "q2"), 1e-10);
  }
  assert_int_equal(t.rows, run->rows);
  apl_state_free(s);
  apl_model_free(model);
  table_free(&t);
}

static void paper_H(void** state) {
  (void)state;
  follow(
      &(const mobile_run){"mobile/traj_paper_H.csv", layout_H, 5, 31, {1, 1, 1, 1, 1}, 0.1, 0.2});
}

static void paper_YP(void** state) {
  (void)state;
  follow(
      &(const mobile_run){"mobile/traj_paper_YP.csv", layout_YP, 5, 31, {1, 1, 1, 1, 1}, 0.1, 0.2});
}

static void two_links(void** state) {
  (void)state;
  follow(&(const mobile_run){"mobile/traj_arm2_YP.csv", layout_YP, 2, 41, {0.5, 3}, 0.3, 0.25});
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(inverse_H), cmocka_unit_test(inverse_YP), cmocka_unit_test(paper_H),
      cmocka_unit_test(paper_YP),  cmocka_unit_test(two_links),
  };
  return cmocka_run_group_tests_name("mobile", tests, NULL, NULL);
}
