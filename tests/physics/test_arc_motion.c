/* test_arc_motion.c: chains of planar arcs against the trajectories of spec/continuum.md, section 8
   (80-bit oracle, 13 digits written). Section 10 asks for 1e-11 rad of a run at 1e-13.

   Axes: X of the spec is -x, Y is z, its turning direction is +y: the base is turned by -pi/2 about
   y. */
#include "integrate.h"
#include "near.h"
#include "plan.h"
#include "table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct chain {
  const char* file;
  int n;
  double length[4];
  double rotary, tip_mass, tip_inertia;
  bool gravity;
  int steps; /* macro steps between two rows                                                    */
} chain;

static apl_model* build(const chain* c) {
  plan* p = plan_new();
  char on[32] = "world";

  if (!c->gravity) p->gravity = (apl_vec3){0, 0, 0};
  for (int i = 0; i < c->n; i++) {
    char name[16];
    snprintf(name, sizeof name, "e%d", i);
    plan_link* arc = plan_add(p, name, on, "fixed", "arc");
    if (i == 0) arc->at.rotation = apl_quat_axis((apl_vec3){0, 1, 0}, -acos(-1.0) / 2);
    plan_number(arc, "body.length", c->length[i]);
    plan_number(arc, "body.mass-per-length", 0.02);
    plan_number(arc, "body.bending-stiffness", 0.05);
    plan_number(arc, "body.rotary-inertia", c->rotary);
    snprintf(on, sizeof on, "e%d.tip", i);
  }
  plan_link* weight = plan_add(p, "weight", on, "fixed", "rigid");
  plan_mass(weight, c->tip_mass, (apl_vec3){0, 0, 0}, c->tip_inertia, c->tip_inertia,
            c->tip_inertia);
  apl_model* model = plan_model(p);
  free(p);
  return model;
}

static void follow(const chain* c) {
  table t = table_read(APPELL_TEST_DATA, c->file);
  apl_model* model = build(c);
  apl_state* s;
  double pose[12];
  double energy[2];
  double q_most = 0;
  double v_most = 0;

  CHECK_OK(apl_state_new(model, APL_SCALAR, &s));
  assert_int_equal(apl_model_nq(model), c->n);
  const int tip = apl_model_port(model, "weight.root");
  for (int row = 0; row < t.rows; row++) {
    for (int i = 0; i < c->n; i++)
      v_most = fmax(v_most, fabs(t.value[row * t.columns + 1 + c->n + i]));
  }
  for (int row = 0; row < t.rows; row++) {
    const double* at =
        t.value + row * t.columns; /* t, th.., thd.., tip_X, tip_Y, tip_phi, E_total */
    near_context("%s at %g s", c->file, at[0]);
    if (row == 0) {
      for (int i = 0; i < c->n; i++) {
        apl_q(s)[i] = at[1 + i];
        apl_v(s)[i] = at[1 + c->n + i];
      }
    } else {
      integrate(model, s, at[0] - at[-t.columns], c->steps);
    }
    CHECK_ARRAY(apl_q(s), at + 1, c->n, 1e-11, 1);
    CHECK_ARRAY(apl_v(s), at + 1 + c->n, c->n, 1e-10, 1 + v_most);
    q_most = fmax(q_most, near_max(apl_q(s), c->n));
    CHECK_OK(apl_port_pose(model, s, tip, pose));
    CHECK_NEAR(-pose[9], at[1 + 2 * c->n], 1e-11);
    CHECK_NEAR(pose[11], at[2 + 2 * c->n], 1e-11);
    CHECK_NEAR(pose[10], 0, 1e-14);
    CHECK_OK(apl_energy(model, s, energy));
    CHECK_NEAR(energy[0] + energy[1], at[4 + 2 * c->n], 1e-11);
  }
  CHECK_TRUE(t.rows > 20 && q_most > 0.2, "%s tells little", c->file);
  apl_state_free(s);
  apl_model_free(model);
  table_free(&t);
}

static void one_straight(void** state) {
  (void)state;
  const chain c = {"continuum/planar_n1_straight_m20.csv", 1, {0.6}, 5e-9, 0.02, 0, true, 4};
  follow(&c);
}

static void one_crossing(void** state) {
  (void)state;
  const chain c = {"continuum/planar_n1_cross.csv", 1, {0.6}, 5e-9, 0.01, 1e-5, false, 4};
  follow(&c);
}

static void two_straight(void** state) {
  (void)state;
  const chain c = {"continuum/planar_n2_straight_m20.csv", 2, {0.3, 0.3}, 5e-9, 0.02, 0, true, 8};
  follow(&c);
}

static void three_crossing(void** state) {
  (void)state;
  const chain c = {"continuum/planar_n3_cross.csv", 3, {0.25, 0.2, 0.15}, 2e-5, 0.005, 0, true, 40};
  follow(&c);
}

static void four_straight(void** state) {
  (void)state;
  const chain c = {
      "continuum/planar_n4_straight_m10.csv", 4, {0.15, 0.15, 0.15, 0.15}, 5e-9, 0.01, 0, true, 40};
  follow(&c);
}

/* Straight means straight: an angle of 1e-12 changes the motion by about that much. */
static void straight_is_not_special(void** state) {
  (void)state;
  const chain c = {"", 2, {0.3, 0.3}, 5e-9, 0.02, 0, true, 0};
  apl_model* model = build(&c);
  apl_state* s;
  double end[4];

  near_context("start at 0 and at 1e-12 rad");
  CHECK_OK(apl_state_new(model, APL_SCALAR, &s));
  for (int k = 0; k < 2; k++) {
    apl_state_reset(s);
    apl_q(s)[0] = apl_q(s)[1] = k * 1e-12;
    integrate(model, s, 0.2, 80);
    end[2 * k] = apl_q(s)[0];
    end[2 * k + 1] = apl_q(s)[1];
  }
  CHECK_ALIVE(end, 2, 0.1);
  CHECK_ARRAY(end + 2, end, 2, 5e-12, 1);
  apl_state_free(s);
  apl_model_free(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_straight),  cmocka_unit_test(one_crossing),
      cmocka_unit_test(two_straight),  cmocka_unit_test(three_crossing),
      cmocka_unit_test(four_straight), cmocka_unit_test(straight_is_not_special),
  };
  return cmocka_run_group_tests_name("arc motion", tests, NULL, NULL);
}
