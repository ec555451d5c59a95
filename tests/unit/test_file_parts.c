/* SPDX-License-Identifier: Apache-2.0 */
/* test_file_parts.c: file/attitude.h, road.h, roll.h, drive.h and trajectory_impl.h on motions that
   are known in closed form. */
#include "near.h"
#include "systems.h"

#include "file/attitude.h"
#include "file/drive.h"
#include "file/road.h"
#include "file/roll.h"
#include "file/trajectory_impl.h"
#include "spec/file_impl.h"
#include "system/system_impl.h"

#include <string.h>

static const double PI = 3.14159265358979323846;

static const char DRIVE[] =
    "appell: 1\nlinks:\n"
    "  - name: base\n"
    "    joint: {type: differential-drive, wheel-radius: 80 mm, half-track: 145 mm}\n"
    "    body: {mass: 6, inertia: {zz: 0.06}}\n"
    "  - name: arm\n    on: base\n    joint: {type: revolute, axis: z}\n"
    "    body: {mass: 1, inertia: {zz: 0.06}}\n";

/* -------------------------------------------------------------------------------- attitude ---- */

/* A yaw of a is the quaternion (cos a/2, 0, 0, sin a/2); a half turn further q changes its sign,
   which the smoothing takes back. */
static void attitude(void** state) {
  (void)state;
  enum { N = 9 };
  double w[N], x[N], y[N], z[N];
  double* const q[4] = {w, x, y, z};

  for (int i = 0; i < N; ++i) {
    const double rpy[3] = {0, 0, 1.0 * i}, sign = i % 2 ? -1 : 1; /* wrong signs on purpose */
    apl_attitude_angles(rpy, i, q);
    w[i] *= 3 * sign, x[i] *= 3 * sign, y[i] *= 3 * sign, z[i] *= 3 * sign;
  }
  apl_attitude_smooth(N, q);
  for (int i = 0; i < N; ++i) {
    CHECK_NEAR(w[i], cos(0.5 * i), 1e-14);
    CHECK_NEAR(z[i], sin(0.5 * i), 1e-14);
  }
  /* R = Rz Ry Rx: a roll of 90 degrees, then a pitch of 90 degrees: (1, 1, 1, -1) / 2 */
  apl_attitude_angles((double[3]){PI / 2, PI / 2, 0}, 0, q);
  CHECK_NEAR(w[0], 0.5, 1e-15);
  CHECK_NEAR(x[0], 0.5, 1e-15);
  CHECK_NEAR(y[0], 0.5, 1e-15);
  CHECK_NEAR(z[0], -0.5, 1e-15);
  w[0] = x[0] = y[0] = z[0] = 0;
  apl_attitude_smooth(1, q);
  CHECK_NEAR(w[0], 0, 0); /* zeros stay, and are no NaN */
}

/* ------------------------------------------------------------------------------------ road ---- */

enum { POINTS = 41 };

/* A circle of radius 2 m with 0.5 rad/s: heading 0.5 t + 90 deg. */
static void circle(road* r) {
  CHECK_OK(apl_road_allocate(r, POINTS));
  for (int i = 0; i < POINTS; ++i) {
    r->t[i] = 0.1 * i;
    r->x[i] = 2 * cos(0.5 * r->t[i]);
    r->y[i] = 2 * sin(0.5 * r->t[i]);
  }
}

static void roads(void** state) {
  (void)state;
  apl_error err = {0};
  rig g = rig_text(DRIVE, 0);
  road r = {.shape = "not-a-knot", .err = &err};

  apl_road_know(&r, g.model, 0);
  assert_int_equal(r.gait, ROAD_ROLLS);
  assert_string_equal(r.joint, "differential-drive");
  circle(&r);
  CHECK_OK(apl_road_find(&r, false, false));
  for (int i = 0; i < POINTS; ++i)
    CHECK_NEAR(r.heading[i], 0.5 * r.t[i] + PI / 2, 1e-4); /* error of the spline */
  double h[3];
  apl_signal_eval(r.sh, 1.23, h);
  CHECK_NEAR(h[1], 0.5, 1e-4);
  apl_road_free(&r);

  /* a car of 1.5 m on the same circle steers by atan(1.5 / 2) */
  r = (road){.shape = "not-a-knot", .err = &err, .gait = ROAD_STEERS, .wheelbase = 1.5};
  circle(&r);
  CHECK_OK(apl_road_find(&r, false, false));
  for (int i = 4; i < POINTS - 4; ++i)
    CHECK_NEAR(r.steering[i], atan(0.75), 1e-4);
  apl_road_free(&r);

  /* sideways: refused for what rolls, possible for what glides */
  for (int k = 0; k < 2; ++k) {
    r = (road){.shape = "not-a-knot", .err = &err, .joint = "cart"};
    r.gait = k == 0 ? ROAD_ROLLS : ROAD_GLIDES;
    circle(&r);
    for (int i = 0; i < POINTS; ++i)
      r.heading[i] = 0.5 * r.t[i] + (i % 2 ? 2 * PI : 0); /* full turns do not matter */
    assert_int_equal(apl_road_find(&r, true, false), k == 0 ? APL_ERR_MODEL : APL_OK);
    if (k == 0) assert_non_null(strstr(err.text, "the path goes sideways at t = 0 s"));
    if (k == 0) assert_non_null(strstr(err.text, "which a cart cannot do"));
    CHECK_NEAR(r.heading[1], 0.05, 1e-14);
    apl_road_free(&r);
  }

  /* back and forth without a heading is too sharp; two points are no path */
  r = (road){.shape = "linear", .err = &err, .gait = ROAD_ROLLS};
  CHECK_OK(apl_road_allocate(&r, 4));
  for (int i = 0; i < 4; ++i)
    r.t[i] = i, r.x[i] = i == 1 || i == 2 ? 3 - i : 0;
  assert_int_equal(apl_road_find(&r, false, false), APL_ERR_MODEL);
  assert_non_null(strstr(err.text, "too sharp to follow"));
  r.n = 2;
  assert_int_equal(apl_road_find(&(road){.n = 2, .err = &err}, false, false), APL_ERR_MODEL);
  assert_string_equal(err.text, "a path needs at least three points");
  apl_road_free(&r);

  road arm = {0};
  apl_road_know(&arm, g.model, 1);
  assert_int_equal(arm.gait, ROAD_NONE);
  rig_close(&g);
}

/* ------------------------------------------------------------------------------------ roll ---- */

/* On the circle the base has speed 1 m/s and turn 0.5 rad/s, both constant: no accelerations. */
static void rolls(void** state) {
  (void)state;
  apl_error err = {0};
  rig g = rig_text(DRIVE, 0);
  double t[POINTS], x[POINTS], y[POINTS];
  roll* r;

  assert_true(apl_roll_can(g.model, 0));
  assert_false(apl_roll_can(g.model, 1)); /* velocities are rates of coordinates */
  assert_true(apl_roll_needs(g.model, 0, 0) && apl_roll_needs(g.model, 0, 1));
  assert_false(apl_roll_needs(g.model, 0, 2));
  for (int i = 0; i < POINTS; ++i) {
    t[i] = 0.1 * i;
    x[i] = 2 * cos(0.5 * t[i]);
    y[i] = 2 * sin(0.5 * t[i]);
  }
  roll_table table = {.n = POINTS, .t = t, .value = {x, y}};
  CHECK_OK(apl_roll_new(g.model, 0, &table, 0, &r, &err));
  apl_state* s = apl_system_state(g.system);
  CHECK_OK(apl_roll_set(r, s, 1.7, &err));
  CHECK_NEAR(apl_q(s)[0], 2 * cos(0.85), 1e-6);
  CHECK_NEAR(apl_q(s)[2], 0.85 + PI / 2, 1e-5);
  CHECK_NEAR(apl_v(s)[0], 1, 1e-4);
  CHECK_NEAR(apl_v(s)[1], 0.5, 1e-4);
  CHECK_NEAR(apl_a(s)[0], 0, 2e-3);
  CHECK_NEAR(apl_a(s)[1], 0, 2e-3);
  apl_roll_free(r);

  /* a heading across the path: refused, with no roll left */
  double across[POINTS];
  for (int i = 0; i < POINTS; ++i)
    across[i] = 0.5 * t[i];
  table.value[2] = across;
  assert_int_not_equal(apl_roll_new(g.model, 0, &table, 0, &r, &err), APL_OK);
  assert_null(r);
  assert_non_null(strstr(err.text, "sideways"));
  apl_roll_free(NULL);
  rig_close(&g);
}

/* ----------------------------------------------------------------------------------- drive ---- */

static const char DRIVEN[] =
    "appell: 1\nlinks:\n"
    "  - name: arm\n    joint: {type: revolute, axis: z, prescribed: true}\n"
    "    body: {mass: 1, inertia: {zz: 0.06}}\n"
    "  - name: hand\n    on: arm\n    joint: {type: prismatic, axis: x}\n"
    "    body: {mass: 1}\n"
    "signals: {slow: {sine: {amplitude: 90 deg, frequency: 0.25}}}\n"
    "motion: {arm.joint.angle: {sum: [slow, 30 deg]}}\n"
    "inputs: {}\nstart: {hand.joint.position: 20 cm, hand.joint.position.rate: 3}\n";

/* A signal of the file in the unit of the joint: degrees become radians, names are followed. */
static void drives(void** state) {
  (void)state;
  rig g = rig_text(DRIVEN, 0);
  apl_report report = {0};
  apl_pool pool = {0};
  const apl_spec* spec = g.file->spec;
  drive_reader r = {.form = {.report = &report, .pool = &pool}, .spec = spec, .unit = "rad"};
  double y[3];

  apl_signal* s = apl_drive_signal(&r, spec->motion[0].signal);
  assert_non_null(s);
  apl_signal_eval(s, 1, y); /* 90 deg sin(90 deg) + 30 deg */
  CHECK_NEAR(y[0], PI * 2 / 3, 1e-14);
  CHECK_NEAR(y[1], 0, 1e-14);
  CHECK_NEAR(y[2], -PI / 2 * (PI / 2) * (PI / 2), 1e-13);
  apl_signal_free(s);

  /* the same numbers are no lengths */
  r.unit = "m";
  assert_null(apl_drive_signal(&r, spec->motion[0].signal));
  assert_true(report.count > 0);
  CHECK_TRUE(strstr(report.item[0].text, "90 deg") != NULL, "%s", report.item[0].text);

  report = (apl_report){0};
  apl_form_where(&r.form, "%s", "gaits.0.");
  const apl_error err = {.status = APL_ERR_IO, .text = "it is gone"};
  assert_null(apl_drive_refuse(&r, (apl_mark){3, 4}, &err));
  assert_string_equal(report.item[0].text, "gaits.0: it is gone");
  assert_int_equal(report.item[0].status, APL_ERR_IO);
  assert_int_equal(report.item[0].line, 3);
  const apl_error there = {.status = APL_ERR_SYNTAX, .line = 7, .column = 2, .text = "no number"};
  assert_null(apl_drive_refuse_table(&r, (apl_mark){3, 4}, "way.csv", &there));
  assert_string_equal(report.item[1].text, "gaits.0.way.csv:7:2: no number");
  apl_pool_free(&pool);

  /* names of velocities, with and without .rate */
  assert_int_equal(apl_file_velocity(g.model, "arm.joint.angle"), 0);
  assert_int_equal(apl_file_velocity(g.model, "hand.joint.position.rate"), 1);
  assert_int_equal(apl_file_velocity(g.model, "hand.joint.rate"), -1);

  double q[2], v[2];
  report = (apl_report){0};
  CHECK_OK(apl_file_guess(g.file, g.model, q, v, &report));
  CHECK_NEAR(q[1], 0.2, 1e-16);
  CHECK_NEAR(v[1], 3, 0);

  /* the same motion in a new system; no loops: nothing to close */
  apl_system* other = systems_new(g.model);
  CHECK_OK(apl_file_drive(g.file, other, &report));
  assert_int_equal(other->drives.nmotion, 1);
  CHECK_OK(apl_file_assemble(g.file, other, 0, &report));
  apl_system_free(other);
  rig_close(&g);
}

/* ------------------------------------------------------------------------------ trajectory ---- */

/* Columns in their units; roll, pitch and yaw stand for a quaternion; missing rates by a spline. */
static void trajectory(void** state) {
  (void)state;
  enum { N = 21 };
  static const char text[] =
      "appell: 1\nlinks:\n"
      "  - name: plate\n    joint: floating\n    body: {mass: 1, inertia: {xx: 1, yy: 1, zz: 1}}\n"
      "  - name: arm\n    on: plate\n    joint: {type: revolute, axis: z}\n"
      "    body: {mass: 1, inertia: {xx: 0.06, yy: 0.06, zz: 0.06}}\n";
  static const char* const name[] = {"time",
                                     "plate.joint.x",
                                     "plate.joint.y",
                                     "plate.joint.z",
                                     "plate.joint.roll",
                                     "plate.joint.pitch",
                                     "plate.joint.yaw",
                                     "arm.joint.angle"};
  static const char* const unit[] = {"s", "cm", "m", "m", "deg", "deg", "deg", "rad"};
  double value[N * 8] = {0};
  rig g = rig_text(text, 0);
  apl_report report = {0};
  apl_error err = {0};
  apl_trajectory* t;

  for (int i = 0; i < N; ++i) {
    const double s = 0.05 * i;
    const double row[8] = {s, 100 * s, 0, 2, 0, 0, 90 * s, sin(s)};
    memcpy(value + 8 * i, row, sizeof row);
  }
  const int column[8] = {0};
  const apl_table table = {
      .nrow = N, .ncolumn = 8, .name = name, .unit = unit, .value = value, .name_column = column};
  if (apl_trajectory_new(g.system, &table, &t, &report) != APL_OK)
    near_fail(__FILE__, __LINE__, "%s", report.item[0].text);
  assert_false(t->rest);
  assert_int_equal(t->time, 0);
  assert_int_equal(t->nq, 8);
  CHECK_NEAR(t->scale[1], 0.01, 1e-18);
  CHECK_NEAR(apl_trajectory_value(t, 10, 1), 0.5, 1e-15); /* 50 cm */
  int angle = -1;
  for (int i = 0; i < 8; ++i)
    if (t->q[i] == 7) angle = i;
  assert_in_range(angle, 0, 7);
  assert_true(apl_trajectory_has(t, angle));
  CHECK_NEAR(apl_trajectory_coordinate(t, 3, angle), sin(0.15), 1e-15);
  int turned = -1;
  for (int i = 7; i >= 0; --i)
    if (t->turned[i] != NULL) turned = i;
  assert_in_range(turned, 0, 4);
  assert_true(apl_trajectory_has(t, turned));
  CHECK_NEAR(apl_trajectory_coordinate(t, 20, turned), cos(PI / 4), 1e-14); /* w */
  CHECK_NEAR(apl_trajectory_coordinate(t, 20, turned + 3), sin(PI / 4), 1e-14);

  /* at row 10 the arm has the rates of sin(0.5), the plate moves by 1 m/s and turns by 90 deg/s */
  CHECK_OK(apl_trajectory_set(t, 10, &err));
  const int v = apl_file_velocity(g.model, "arm.joint.angle");
  CHECK_NEAR(apl_v(apl_system_state(g.system))[v], cos(0.5), 1e-5);
  CHECK_NEAR(apl_a(apl_system_state(g.system))[v], -sin(0.5), 1e-3);
  double twice = 0;
  for (int i = 0; i < 6; ++i)
    twice += apl_v(apl_system_state(g.system))[i] * apl_v(apl_system_state(g.system))[i];
  CHECK_NEAR(twice, 1 + PI * PI / 4, 1e-5);
  apl_trajectory_free(t);

  /* times must increase, and names must be known */
  value[8 * 5] = 0.1;
  assert_int_not_equal(apl_trajectory_new(g.system, &table, &t, &report), APL_OK);
  assert_true(report.count > 0);
  rig_close(&g);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(attitude), cmocka_unit_test(roads),      cmocka_unit_test(rolls),
      cmocka_unit_test(drives),   cmocka_unit_test(trajectory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
