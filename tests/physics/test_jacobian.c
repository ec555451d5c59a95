/* SPDX-License-Identifier: Apache-2.0 */
/* test_jacobian.c: the Jacobian that `bdf` takes from a system, ledger rows included, against
   central differences of the rates of shipped robots (tendons, contacts, air, wheels, servos), and
   that an arm comes to rest by `bdf`, where difference Jacobians stalled. */
#include "near.h"

#include "system/system.h"
#include "system/system_impl.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MODELS APPELL_TEST_DATA "/../../models/"

typedef struct rig {
  apl_file* file;
  apl_model* model;
  apl_system* system;
} rig;

static rig rig_load(const char* path) {
  rig r = {0};
  apl_report report = {0};

  CHECK_OK(apl_file_load(path, NULL, &r.file, &report));
  CHECK_OK(apl_file_model(r.file, &r.model, &report));
  CHECK_OK(apl_file_system(r.file, r.model, APL_READY, &r.system, &report));
  return r;
}

static void rig_close(rig* r) {
  apl_system_free(r->system);
  apl_model_free(r->model);
  apl_file_free(r->file);
}

/* Differences of fourth order (h and h/2) and their distance, which says how much is left. */
static void compare(rig* r, double t, const double* y, int n, const double* J) {
  const double h = 1e-5;
  double* room = calloc(6 * (size_t)n, sizeof *room);
  double *x = room, *f = room + n, *rate = room + 5 * n;
  assert_non_null(room);

  memcpy(x, y, sizeof *x * (size_t)n);
  CHECK_OK(apl_system_rate(t, y, rate, r->system));
  const double size = near_max(rate, n);
  for (int k = 0; k < apl_system_error_size(r->system); k++) {
    for (int i = 0; i < 4; i++) {
      x[k] = y[k] + (double[]){h, -h, h / 2, -h / 2}[i];
      CHECK_OK(apl_system_rate(t, x, f + i * n, r->system));
    }
    x[k] = y[k];
    for (int i = 0; i < n; i++) {
      const double wide = (f[i] - f[n + i]) / (2 * h), narrow = (f[2 * n + i] - f[3 * n + i]) / h;
      const double most = fabs(wide - narrow) + 1e-6 * fabs(narrow) + 1e-15 * (1 + size) / h * 100;
      CHECK_NEAR(J[(long)k * n + i], (4 * narrow - wide) / 3, most);
    }
  }
  free(room);
}

static void shipped(void** state) {
  static const char* const name[] = {"tendon-arm", "soft-rover",      "hybrid-arm",
                                     "tractor",    "double-pendulum", "flexible-pendulum"};
  (void)state;
  for (int m = 0; m < (int)(sizeof name / sizeof *name); m++) {
    char path[400];
    apl_error err = {0};
    (void)snprintf(path, sizeof path, MODELS "%s.yaml", name[m]);
    near_context("%s", name[m]);
    rig r = rig_load(path);
    apl_system_activate(r.system, true, true);
    const int n = apl_system_active_size(r.system), nq = apl_model_nq(r.model);
    double* y = calloc((size_t)apl_system_size(r.system) + 1, sizeof *y);
    double* J = calloc((size_t)n * (size_t)n + 1, sizeof *J);
    assert_non_null(y);
    assert_non_null(J);
    apl_system_pack(r.system, y);
    for (int i = 0; i < apl_model_nv(r.model); i++)
      y[nq + i] += 0.1 * sin(1 + 3 * i);
    CHECK_OK(apl_system_open_jacobian(r.system, &err));
    CHECK_OK(apl_system_jacobian(0.1, y, n, J, r.system));
    CHECK_ALIVE(J, n * n, 1e-3);
    compare(&r, 0.1, y, n, J);
    free(y);
    free(J);
    rig_close(&r);
  }
}

/* A ball that rolls and slides in a lying pipe and on a peg in it, by laws with memories, as a run
   has left it: the shapes that touch have exact columns, bristles included. */
static const char rolling[] =
    "appell: 1\ngravity: [0, 0, -9.81]\nlinks:\n"
    "  - {name: ball, joint: floating, body: {mass: 2, inertia: {xx: 0.01, yy: 0.01, zz: 0.01}}, "
    "shapes: [{type: sphere, radius: 0.1}]}\n"
    "  - {name: rod, joint: floating, body: {mass: 1, inertia: {xx: 0.02, yy: 0.02, zz: 0.002}}, "
    "shapes: [{type: capsule, radius: 0.08, length: 0.3}]}\n"
    "obstacles: {pipe: {type: pipe, radius: 0.5, length: 4, at: {position: [0, 0, 0.5], rotation: "
    "{rpy: [1.5707963267948966, 0, 0]}}}, peg: {type: cylinder, radius: 0.05, length: 1, at: "
    "[0.15, "
    "0, 0]}}\n"
    "collide: [{law: {normal: hunt-crossley, stiffness: 1e5, restitution: 0.4}, friction: {law: "
    "lugre, coefficient: 0.3, stiction: 0.4, stribeck-speed: 0.05, bristle-stiffness: 400, "
    "bristle-damping: 2}}]\n"
    "start: {ball.joint.x: -0.1, ball.joint.z: 0.14, ball.joint.vx.rate: 0.3, rod.joint.x: 0.05, "
    "rod.joint.y: 0.5, rod.joint.z: 0.3, rod.joint.vy.rate: -0.4, rod.joint.wx.rate: 0.5}\n";

static void touching(void** state) {
  (void)state;
  rig r = {0};
  apl_report report = {0};
  apl_error err = {0};
  double rest[2][40];

  near_context("shapes that touch");
  for (int method = 0; method < 2; method++) {
    apl_run_options o = apl_run_options_default();
    apl_run_report told = {0};
    CHECK_OK(apl_file_parse(rolling, strlen(rolling), NULL, &r.file, &report));
    CHECK_OK(apl_file_model(r.file, &r.model, &report));
    CHECK_OK(apl_file_system(r.file, r.model, APL_READY, &r.system, &report));
    o.method = method == 0 ? "dop853" : "bdf";
    o.tolerance = method == 0 ? 1e-11 : 1e-9;
    o.to = 0.5;
    CHECK_TRUE(apl_run(r.system, &o, &told, &err) == APL_OK, "%s", err.text);
    memcpy(rest[method], apl_q(apl_system_state(r.system)),
           sizeof(double) * (size_t)apl_model_nq(r.model));
    if (method == 0) rig_close(&r);
  }
  /* two methods, one motion: impacts amplify the errors allowed by the tolerances */
  CHECK_ARRAY(rest[1], rest[0], apl_model_nq(r.model), 1e-5, 1);

  apl_system_activate(r.system, true, true);
  const int n = apl_system_active_size(r.system), npair = apl_model_count(r.model, APL_CONTACTS);
  double* y = calloc((size_t)apl_system_size(r.system) + 1, sizeof *y);
  double* J = calloc((size_t)n * (size_t)n + 1, sizeof *J);
  int closed = 0;
  assert_non_null(y);
  assert_non_null(J);
  apl_system_pack(r.system, y);
  for (int i = 0; i < npair; i++) {
    apl_contact c;
    CHECK_OK(apl_contact_get(apl_system_state(r.system), i, 0, &c));
    closed += c.mode != APL_CONTACT_OPEN && c.shape[0] >= 0;
  }
  CHECK_TRUE(closed > 0, "nothing touches");
  CHECK_OK(apl_system_open_jacobian(r.system, &err));
  CHECK_OK(apl_system_jacobian(0.5, y, n, J, r.system));
  compare(&r, 0.5, y, n, J);
  free(y);
  free(J);
  rig_close(&r);
}

/* Velocities die away, and steps grow: 10 s took steps of 4e-7 s before. */
static void comes_to_rest(void** state) {
  (void)state;
  static const double tolerance[] = {1e-4, 1e-6, 1e-8, 1e-10};

  for (int i = 0; i < 4; i++) {
    rig r = rig_load(APPELL_TEST_DATA "/stiff/rest.yaml");
    apl_run_options o = apl_run_options_default();
    apl_run_report report = {0};
    apl_error err = {0};

    near_context("an arm comes to rest, bdf at %g", tolerance[i]);
    o.method = "bdf";
    o.tolerance = tolerance[i];
    o.to = 10;
    const apl_status st = apl_run(r.system, &o, &report, &err);
    CHECK_TRUE(st == APL_OK, "%s", err.text);
    CHECK_TRUE(report.steps < 5000, "%ld steps", (long)report.steps);
    CHECK_NEAR(near_max(apl_v(apl_system_state(r.system)), apl_model_nv(r.model)), 0, 1e-3);
    rig_close(&r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(shipped), cmocka_unit_test(touching),
                                     cmocka_unit_test(comes_to_rest)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
