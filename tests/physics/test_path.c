/* SPDX-License-Identifier: Apache-2.0 */
/* test_path.c: bases that follow a path given by points: where they go, what the wheels turn with,
   and paths that cannot be driven. */
#include "near.h"

#include "file/trajectory.h"
#include "system/system.h"
#include "plan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { POINTS = 81, COLUMNS = 4 };

static const char* const names[COLUMNS] = {"time", "x", "y", "heading"};
static const char* const none[COLUMNS] = {"", "", "", ""};
static const char* const wrong[COLUMNS] = {"s", "m", "kg", "deg"};

/* A path that starts and ends gently: a bow of an ellipse, one way over `length` seconds. */
typedef struct bow {
  double value[POINTS * COLUMNS];
  apl_table table;
} bow;

static double gently(double u) {
  return u * u * u * (10 + u * (-15 + 6 * u));
}

static void bow_make(bow* b, int columns, double aside) {
  const double length = 4;

  for (int i = 0; i < POINTS; i++) {
    const double t = length * i / (POINTS - 1), a = 2.5 * gently(t / length);
    double* row = b->value + i * columns;
    row[0] = t;
    row[1] = 2 * sin(a);
    row[2] = 1 - cos(a);
    if (columns > 3) row[3] = atan2(sin(a), 2 * cos(a)) + aside;
  }
  b->table = (apl_table){
      .nrow = POINTS, .ncolumn = columns, .name = names, .unit = none, .value = b->value};
}

static apl_model* base_model(const char* joint) {
  plan* p = plan_new();
  plan_link* base = plan_add(p, "base", "world", joint, "rigid");
  const bool car = strcmp(joint, "car-rear") == 0, mecanum = strcmp(joint, "mecanum") == 0;

  plan_mass(base, 5, (apl_vec3){0.1, 0, 0.1}, 0.1, 0.1, 0.2);
  if (car) {
    plan_number(base, "joint.wheelbase", 0.6);
    plan_number(base, "joint.rear-radius", 0.1);
    plan_number(base, "joint.front-radius", 0.1);
    plan_number(base, "joint.steering-inertia", 0.01);
  } else if (strcmp(joint, "rolling-sphere") == 0) {
    plan_number(base, "joint.radius", 0.1);
  } else {
    plan_number(base, "joint.wheel-radius", 0.1);
    plan_number(base, "joint.half-track", 0.2);
    if (mecanum) plan_number(base, "joint.half-length", 0.3);
  }
  base->prescribe_joint = true;
  apl_model* m = plan_model(p);
  free(p);
  return m;
}

/* Follow the path to its end; how far off the base comes there, and the largest departure before.
 */
static double worst;
static apl_status measure(double t, const double* y, const apl_ledger* l, apl_system* system,
                          void* user) {
  const bow* b = user;
  const int row = (int)lround(t * (POINTS - 1) / 4);
  const double* at = b->value + row * b->table.ncolumn;
  (void)l, (void)system;
  worst = fmax(worst, hypot(y[0] - at[1], y[1] - at[2]));
  if (b->table.ncolumn > 3) worst = fmax(worst, fabs(y[2] - at[3]));
  return APL_OK;
}

static void follow(const char* joint, int columns, double aside, double allowed) {
  apl_model* m = base_model(joint);
  apl_system* system;
  apl_error err = {0};
  apl_run_options o = apl_run_options_default();
  bow b;

  near_context("%s, %d columns", joint, columns);
  bow_make(&b, columns, aside);
  CHECK_OK(apl_system_new(m, &system, &err));
  CHECK_OK(apl_system_path(system, 0, &b.table, &err));
  o.to = 4;
  o.output_every = 4.0 / (POINTS - 1);
  o.tolerance = 1e-11;
  o.output = measure;
  o.user = &b;
  worst = 0;
  CHECK_OK(apl_run(system, &o, NULL, &err));
  CHECK_TRUE(worst < allowed, "off by %g", worst);
  apl_system_free(system);
  apl_model_free(m);
}

/* Bases that can move sideways follow the splines exactly; the others deviate by the error of the
   heading's spline between the points, h^4. */
static void paths(void** state) {
  (void)state;
  follow("mecanum", 4, 0.7, 1e-9);
  follow("mecanum", 3, 0, 1e-9);
  follow("differential-drive", 4, 0, 1e-5);
  follow("differential-drive", 3, 0, 1e-5);
  follow("car-rear", 4, 0, 1e-4);
}

static void refuses(const char* joint, const bow* b, const char* words) {
  apl_model* m = base_model(joint);
  apl_system* system;
  apl_error err = {0};

  near_context("%s refused: %s", joint, words);
  CHECK_OK(apl_system_new(m, &system, &err));
  assert_int_equal(apl_system_path(system, 0, &b->table, &err), APL_ERR_MODEL);
  CHECK_TRUE(strstr(err.text, words) != NULL, "got: %s", err.text);
  apl_system_free(system);
  apl_model_free(m);
}

static void not_drivable(void** state) {
  (void)state;
  bow b;

  bow_make(&b, 4, 0.4);
  refuses("differential-drive", &b, "goes sideways at t = ");
  refuses("rolling-sphere", &b, "cannot follow a path");
  b.table.unit = wrong;
  refuses("differential-drive", &b, "kg");

  /* there and back again needs headings */
  bow_make(&b, 3, 0);
  for (int i = 0; i < POINTS; i++)
    b.value[3 * i + 1] = sin(b.value[3 * i]), b.value[3 * i + 2] = 0;
  refuses("differential-drive", &b, "too sharp to follow");
  b.table.ncolumn = 2;
  b.table.nrow = 3;
  refuses("differential-drive", &b, "no column 'y'");
}

/* With headings a base may go back and forth: its speed changes sign. */
static void there_and_back(void** state) {
  (void)state;
  apl_model* m = base_model("differential-drive");
  apl_system* system;
  apl_error err = {0};
  bow b;
  double y[64];

  bow_make(&b, 4, 0);
  for (int i = 0; i < POINTS; i++) {
    double* row = b.value + 4 * i;
    row[1] = sin(row[0]), row[2] = 0, row[3] = 0;
  }
  CHECK_OK(apl_system_new(m, &system, &err));
  CHECK_OK(apl_system_path(system, 0, &b.table, &err));
  apl_system_pack(system, y);
  for (double t = 0.5; t < 3.6; t += 1) {
    apl_system_unpack(system, t, y);
    CHECK_NEAR(apl_v(apl_system_state(system))[0], cos(t), 1e-5);
    CHECK_NEAR(apl_a(apl_system_state(system))[0], -sin(t), 2e-3);
    CHECK_NEAR(apl_v(apl_system_state(system))[1], 0, 1e-14);
  }
  apl_system_free(system);
  apl_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(paths),
      cmocka_unit_test(not_drivable),
      cmocka_unit_test(there_and_back),
  };
  return cmocka_run_group_tests_name("path", tests, NULL, NULL);
}
