/* SPDX-License-Identifier: Apache-2.0 */
/* test_wheels.c: nonholonomic elements against closed forms: spec/mobile.md section 8, items 1, 2,
 * 3, 6. */
#include "integrate.h"
#include "near.h"
#include "plan.h"
#include "table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct drive {
  double mass, inertia, ahead; /* inertia about the centre of mass, which is `ahead` of the axle */
  double wheel, radius, track;
} drive;

static plan* drive_plan(drive d) {
  plan* p = plan_new();
  plan_link* link = plan_add(p, "base", "world", "differential-drive", "rigid");
  plan_number(link, "joint.wheel-radius", d.radius);
  plan_number(link, "joint.half-track", d.track);
  plan_number(link, "joint.wheel-inertia", d.wheel);
  plan_mass(link, d.mass, (apl_vec3){d.ahead, 0, 0}, 0, 0, d.inertia);
  return p;
}

static apl_model* drive_model(drive d) {
  plan* p = drive_plan(d);
  apl_model* model = plan_model(p);
  free(p);
  return model;
}

/* gd(x) = 2 atan tanh(x/2) */
static double gudermann(double x) {
  return 2 * atan(tanh(x / 2));
}

/* Item 1: v = V tanh k(t+ts), w = Om sech k(t+ts), heading by the Gudermannian; positions from the
 * file. */
static void sleigh_case(const char* name, const char* file, drive d, double v0, double w0,
                        int steps) {
  const double Me = d.mass + 2 * d.wheel / (d.radius * d.radius);
  const double Je = d.inertia + d.mass * d.ahead * d.ahead +
                    2 * d.wheel * d.track * d.track / (d.radius * d.radius);
  const double V = sqrt(v0 * v0 + Je / Me * w0 * w0);
  const double k = d.mass * d.ahead * V / Je;
  const double Om = (w0 < 0 ? -1 : 1) * V * sqrt(Me / Je);
  const double ts = atanh(v0 / V) / k;
  table t = table_read(APPELL_TEST_DATA, file);
  apl_model* model = drive_model(d);
  apl_state* s;
  double energy[2];

  CHECK_OK(apl_state_new(model, APL_SCALAR, &s));
  apl_v(s)[0] = v0;
  apl_v(s)[1] = w0;
  for (int i = 0; i < t.rows; i++) {
    const double time = table_at(&t, i, "t");
    near_context("%s at %g s", name, time);
    if (i > 0) integrate(model, s, time - table_at(&t, i - 1, "t"), steps);

    /* the closed form: round-off of the integration */
    CHECK_NEAR(apl_v(s)[0], V * tanh(k * (time + ts)), 1e-12);
    CHECK_NEAR(apl_v(s)[1], Om / cosh(k * (time + ts)), 1e-12);
    CHECK_NEAR(apl_q(s)[2], Om / k * (gudermann(k * (time + ts)) - gudermann(k * ts)), 1e-12);

    /* the file: twelve significant digits */
    CHECK_NEAR(apl_q(s)[0], table_at(&t, i, "x"), 2e-11);
    CHECK_NEAR(apl_q(s)[1], table_at(&t, i, "y"), 2e-11);
    CHECK_OK(apl_energy(model, s, energy));
    CHECK_NEAR(energy[0], table_at(&t, i, "T"), 1e-12);
    CHECK_OK(apl_forward(model, s));
    CHECK_NEAR(apl_a(s)[0], table_at(&t, i, "vdot"), 1e-11);
    CHECK_NEAR(apl_a(s)[1], table_at(&t, i, "wdot"), 1e-11);
  }
  CHECK_TRUE(t.rows > 20, "the file %s is short", file);
  apl_state_free(s);
  apl_model_free(model);
  table_free(&t);
}

static void chaplygin_sleigh(void** state) {
  (void)state;
  const drive d = {2.0, 0.5, 0.4, 0.0, 1.0, 1.0};
  sleigh_case("sleigh", "mobile/traj_chaplygin_sleigh.csv", d, -0.8, 0.6, 10);
}

static void free_drive(void** state) {
  (void)state;
  const drive d = {6.64, 0.06363, 0.2, 0.001, 0.08, 0.145};
  sleigh_case("free drive", "mobile/traj_diffdrive_free.csv", d, 0.3, 0.9, 10);
}

/* Item 2: constant wheel torques through inputs, from rest, centre of mass on the axle: a circle.
 */
static void torques_drive_a_circle(void** state) {
  (void)state;
  const drive d = {6.64, 0.06363, 0.0, 0.001, 0.08, 0.145};
  plan* p = drive_plan(d);
  p->ninput = 2;
  p->input[0] = (plan_input){.name = "right", .target = "base.right", .gain = 1};
  p->input[1] = (plan_input){.name = "left", .target = "base.left", .gain = 1};
  apl_model* model = plan_model(p);
  apl_state* s;

  near_context("circle");
  CHECK_OK(apl_state_new(model, APL_SCALAR, &s));
  apl_u(s)[apl_model_find(model, APL_INPUTS, "right")] = 0.1;
  apl_u(s)[apl_model_find(model, APL_INPUTS, "left")] = 0.2;
  CHECK_OK(apl_forward(model, s));
  const double a = 0.539374325782; /* published digits of the spec */
  const double alpha = -2.581897338420;
  CHECK_NEAR(apl_a(s)[0], a, 1e-12);
  CHECK_NEAR(apl_a(s)[1], alpha, 1e-12);

  const double R = apl_a(s)[0] / apl_a(s)[1];
  CHECK_NEAR(R, -0.208906186066, 1e-12);
  integrate(model, s, 2.0, 100);
  const double phi = apl_a(s)[1] * 2.0; /* alpha t^2/2 at t = 2 */
  CHECK_NEAR(apl_q(s)[2], phi, 1e-12 * 6);
  CHECK_NEAR(apl_q(s)[0], R * sin(phi), 1e-12);
  CHECK_NEAR(apl_q(s)[1], R * (1 - cos(phi)), 1e-12);

  /* the wheels roll: r spin = v +- b w */
  double rate[3];
  CHECK_OK(apl_rates(model, s, rate));
  const double* spin = apl_spin(s);
  const double v = apl_v(s)[0];
  const double w = apl_v(s)[1];
  CHECK_NEAR(spin[apl_model_find(model, APL_SATELLITES, "base.right")], (v + 0.145 * w) / 0.08,
             1e-13 * 50);
  CHECK_NEAR(spin[apl_model_find(model, APL_SATELLITES, "base.left")], (v - 0.145 * w) / 0.08,
             1e-13 * 50);
  apl_state_free(s);
  apl_model_free(model);
  free(p);
}

/* Item 3: knife edge on an incline, started spinning, x down the slope: a cycloid across it. */
static void knife_edge_on_an_incline(void** state) {
  (void)state;
  const drive d = {1.7, 0.2, 0.0, 0.0, 1.0, 1.0};
  const double slope = 0.35;
  const double w = 2.5;
  const double gs = 9.81 * sin(slope);
  plan* p = drive_plan(d);
  p->link[0].at.rotation = apl_quat_axis((apl_vec3){0, 1, 0}, slope);
  apl_model* model = plan_model(p);
  apl_state* s;

  near_context("knife edge");
  CHECK_OK(apl_state_new(model, APL_SCALAR, &s));
  apl_v(s)[1] = w;
  for (int k = 1; k <= 8; k++) {
    const double t = 0.5 * k;
    integrate(model, s, 0.5, 25);
    CHECK_NEAR(apl_q(s)[0], gs / (2 * w * w) * sin(w * t) * sin(w * t), 1e-12);
    CHECK_NEAR(apl_q(s)[1], gs / (2 * w * w) * (w * t - sin(2 * w * t) / 2), 1e-12);
    CHECK_NEAR(apl_q(s)[2], w * t, 1e-12 * 10);
  }
  apl_state_free(s);
  apl_model_free(model);
  free(p);
}

/* A tractor with prescribed constant speed and a trailer hitched on its axle. */
static plan* towed(double length, double mass, double inertia) {
  const drive d = {3.0, 0.4, 0.0, 0.0, 1.0, 1.0};
  plan* p = drive_plan(d);
  p->link[0].prescribe_joint = true;
  plan_link* trailer = plan_add(p, "trailer", "base", "trailer", "rigid");
  plan_number(trailer, "joint.length", length);
  plan_mass(trailer, mass, (apl_vec3){0, 0, 0}, 0, 0, inertia);
  return p;
}

/* Item 6: tan(beta/2) = tan(beta0/2) exp(-v t/l); the pull is the power that changes the trailer's
   energy T = 1/2 m v^2 cos^2 + 1/2 J v^2 sin^2/l^2. */
static void trailer_pulled_straight(void** state) {
  (void)state;
  const double l = 0.8;
  const double v = 1.5;
  const double beta0 = 2.2;
  const double m = 1.2;
  const double J = 0.3;
  plan* p = towed(l, m, J);
  apl_model* model = plan_model(p);
  apl_state* s;
  double energy[2];

  CHECK_OK(apl_state_new(model, APL_SCALAR, &s));
  const int angle = apl_model_find(model, APL_COORDINATES, "trailer.joint.angle");
  apl_q(s)[angle] = beta0;
  apl_v(s)[apl_model_find(model, APL_VELOCITIES, "base.joint.speed")] = v;
  for (int k = 1; k <= 8; k++) {
    const double t = 0.25 * k;
    near_context("trailer at %g s", t);
    integrate(model, s, 0.25, 20);
    const double beta = apl_q(s)[angle];
    CHECK_NEAR(tan(beta / 2), tan(beta0 / 2) * exp(-v * t / l), 1e-12);
    CHECK_OK(apl_energy(model, s, energy));
    const double T =
        0.5 * v * v * (3.0 + m * cos(beta) * cos(beta) + J * sin(beta) * sin(beta) / (l * l));
    CHECK_NEAR(energy[0], T, 1e-13 * T);
    CHECK_OK(apl_forward(model, s));
    const double rate = -v / l * sin(beta);
    const double pull = v * (J / (l * l) - m) * sin(beta) * cos(beta) * rate;
    CHECK_NEAR(apl_tau(s)[0], pull, 1e-12);
    CHECK_ALIVE(&pull, 1, 1e-4);
  }
  apl_state_free(s);
  apl_model_free(model);
  free(p);
}

/* On an incline a train rolls freely: its energy stays, and the slope alone does the work. */
static void train_on_an_incline(void** state) {
  (void)state;
  const drive d = {3.0, 0.4, 0.1, 0.02, 0.1, 0.2};
  plan* p = drive_plan(d);
  p->link[0].at.rotation = apl_quat_rpy(0.2, 0.3, 0.1);
  plan_at_port(&p->link[0], "hitch", 0, apl_pose_at(-0.3, 0, 0));
  for (int i = 0; i < 2; i++) {
    plan_link* link = plan_add(p, i == 0 ? "cart" : "tail", i == 0 ? "base.hitch" : "cart.hitch",
                               "trailer", "rigid");
    plan_number(link, "joint.length", 0.7);
    plan_mass(link, 1.5, (apl_vec3){0.1, 0.05, 0.2}, 0, 0, 0.2);
    plan_at_port(link, "hitch", 0, apl_pose_at(-0.2, 0, 0));
  }
  apl_model* model = plan_model(p);
  apl_state* s;
  double before[2];
  double after[2];

  near_context("train on an incline");
  CHECK_OK(apl_state_new(model, APL_SCALAR, &s));
  apl_q(s)[3] = 0.6;
  apl_q(s)[4] = -0.9;
  apl_v(s)[0] = 0.5;
  apl_v(s)[1] = -0.8;
  CHECK_OK(apl_energy(model, s, before));
  integrate(model, s, 1.0, 200);
  CHECK_OK(apl_energy(model, s, after));
  CHECK_NEAR(after[0] + after[1], before[0] + before[1], 1e-11 * fabs(after[0]));
  CHECK_TRUE(fabs(after[0] - before[0]) > 0.5, "the train did not roll: %g J to %g J", before[0],
             after[0]);
  apl_state_free(s);
  apl_model_free(model);
  free(p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(chaplygin_sleigh),        cmocka_unit_test(free_drive),
      cmocka_unit_test(torques_drive_a_circle),  cmocka_unit_test(knife_edge_on_an_incline),
      cmocka_unit_test(trailer_pulled_straight), cmocka_unit_test(train_on_an_incline),
  };
  return cmocka_run_group_tests_name("wheels", tests, NULL, NULL);
}
