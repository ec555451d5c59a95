/* SPDX-License-Identifier: Apache-2.0 */
/* test_stiff.c: the integrator `stiff`. Its steps against a closed form; soft arms of any length
   with the ledger within its promise and a cost that grows with the robot only; no stall where an
   arm comes to rest; the same motion as explicit methods, whose formulas share nothing with it. */
#include "near.h"

#include "step/steppers.h"

#include <appell/appell.h>

#include <math.h>
#include <string.h>

/* ------------------------------------------------------------------------------ closed form ----
 */

/* A spring and a damper on a unit mass, with the integral of v^2 behind: y = [q, v, w].
     q'' = -k q - d q'          W = 1 + c d + c^2 k                                             */
typedef struct spring {
  double k, d;
  double W;
} spring;

static apl_status spring_rate(double t, const double* y, double* rate, void* context) {
  const spring* s = context;
  (void)t;
  rate[0] = y[1];
  rate[1] = -s->k * y[0] - s->d * y[1];
  rate[2] = y[1] * y[1];
  return APL_OK;
}

static apl_status spring_open(void* context, apl_error* err) {
  (void)context, (void)err;
  return APL_OK;
}

static apl_status spring_begin(double t, double c, const double* psi, double* y, void* context) {
  spring* s = context;
  (void)t;
  s->W = 1.0 + c * s->d + c * c * s->k;
  y[0] = psi[0] + c * y[1];
  return APL_OK;
}

static apl_status spring_iterate(double t, double c, const double* psi, double* y, void* context) {
  const spring* s = context;
  (void)t;
  y[1] += (psi[1] - y[1] + c * (-s->k * y[0] - s->d * y[1])) / s->W;
  y[0] = psi[0] + c * y[1];
  return APL_OK;
}

static apl_status spring_finish(double t, double c, const double* psi, const double* y,
                                double* rate, void* context) {
  (void)c, (void)psi;
  return spring_rate(t, y, rate, context);
}

static const apl_implicit spring_implicit = {spring_open,   spring_begin, spring_iterate,
                                             spring_finish, NULL,         NULL};

/* Both roots real, a < b < 0: q = (b e^(a t) - a e^(b t)) / (b - a) from q = 1 at rest. */
static double spring_place(const spring* s, double t) {
  const double root = sqrt(0.25 * s->d * s->d - s->k), a = -0.5 * s->d - root,
               b = s->k / a; /* a b = k, without cancellation */
  return (b * exp(a * t) - a * exp(b * t)) / (b - a);
}

typedef struct spring_run {
  double worst, inside, work; /* errors at step ends, inside steps, of the integral */
  long steps;
} spring_run;

static spring_run run_spring(double tolerance) {
  spring s = {.k = 1e6, .d = 1e5}; /* rates 10 and 1e5: stiff */
  const apl_stepper_options o = {.method = "stiff",
                                 .n = 3,
                                 .n_error = 2,
                                 .n_first = 1,
                                 .n_second = 1,
                                 .tolerance = tolerance,
                                 .implicit = &spring_implicit};
  double t = 0.0, before = 0.0, y[3] = {1.0, 0.0, 0.0}, x[3];
  spring_run out = {0};
  apl_stepper* stepper;
  apl_error err;

  if (apl_stepper_new(&o, spring_rate, &s, &stepper, &err) != APL_OK) fail_msg("%s", err.text);
  assert_int_equal(apl_stepper_restart(stepper, t, y), APL_OK);
  while (t < 1.0) {
    assert_int_equal(apl_stepper_step(stepper, 1.0, &t, y), APL_OK);
    out.worst = fmax(out.worst, fabs(y[0] - spring_place(&s, t)));
    const double middle = 0.5 * (before + t);
    assert_int_equal(apl_stepper_inside(stepper, middle, x), APL_OK);
    out.inside = fmax(out.inside, fabs(x[0] - spring_place(&s, middle)));
    before = t;
  }
  /* energy: k/2 (1 - q^2) - v^2/2 = d w */
  out.work = fabs(0.5 * s.k * (1.0 - y[0] * y[0]) - 0.5 * y[1] * y[1] - s.d * y[2]) / (0.5 * s.k);
  out.steps = apl_stepper_steps(stepper);
  apl_stepper_free(stepper);
  return out;
}

/* The error of steps is that of the tolerance (held to a fifth of it, over a relaxation that
   forgets errors), inside steps too, and falls with it. An explicit method would need 1e5 / 3 steps
   for stability alone. */
static void follows_a_closed_form(void** unused) {
  (void)unused;
  double before = HUGE_VAL;

  for (double tolerance = 1e-4; tolerance > 1e-11; tolerance *= 1e-2) {
    const spring_run r = run_spring(tolerance);
    near_context("tolerance %g: %g at steps, %g inside, %g of the work, %ld steps", tolerance,
                 r.worst, r.inside, r.work, r.steps);
    CHECK_TRUE(r.worst < 5.0 * tolerance, "steps");
    CHECK_TRUE(r.inside < 10.0 * tolerance, "inside steps");
    CHECK_TRUE(r.work < 100.0 * tolerance, "what follows the norm");
    CHECK_TRUE(r.worst < 0.2 * before, "the error falls");
    CHECK_TRUE(r.steps < 1500, "few steps");
    before = r.worst;
  }
}

/* A step may be taken again from its start with all that was known there: the same numbers come. */
static void goes_back(void** unused) {
  spring s = {.k = 1e6, .d = 1e5};
  const apl_stepper_options o = {.method = "stiff",
                                 .n = 3,
                                 .n_error = 2,
                                 .n_first = 1,
                                 .n_second = 1,
                                 .tolerance = 1e-6,
                                 .implicit = &spring_implicit};
  double t = 0.0, t0 = 0.0, y[3] = {1.0, 0.0, 0.0}, y0[3], again[3];
  apl_stepper* stepper;
  apl_error err;
  (void)unused;

  assert_int_equal(apl_stepper_new(&o, spring_rate, &s, &stepper, &err), APL_OK);
  assert_int_equal(apl_stepper_restart(stepper, t, y), APL_OK);
  for (int k = 0; k < 40; ++k) {
    t0 = t;
    memcpy(y0, y, sizeof y);
    assert_int_equal(apl_stepper_step(stepper, 1.0, &t, y), APL_OK);
  }
  assert_int_equal(apl_stepper_rewind(stepper, t0, y0), APL_OK);
  double at = t0;
  while (at < t)
    assert_int_equal(apl_stepper_step(stepper, t, &at, again), APL_OK);
  /* the order may be another one: equal to a few tolerances */
  CHECK_NEAR(again[0], y[0], 5e-6);
  CHECK_NEAR(again[1], y[1], 5e-6 * (1.0 + fabs(y[1])));
  apl_stepper_free(stepper);
}

/* y' = f(t, y) alone is not enough. */
static void asks_for_an_iteration(void** unused) {
  const apl_stepper_options o = {
      .method = "stiff", .n = 3, .n_error = 2, .n_first = 1, .n_second = 1, .tolerance = 1e-6};
  spring s = {.k = 1, .d = 1};
  apl_stepper* stepper;
  apl_error err;
  (void)unused;

  assert_int_equal(apl_stepper_new(&o, spring_rate, &s, &stepper, &err), APL_ERR_ARGUMENT);
  assert_non_null(strstr(err.text, "for robots only"));
}

/* ---------------------------------------------------------------------------------- soft arms ----
 */

/* A nitinol wire of 0.6 m and 2 mm with 20 g at its tip, level, let go. */
static apl_model* arm(int elements, const char* strains, double kelvin_voigt) {
  const double inertia[6] = {1e-6, 1e-6, 1e-6, 0, 0, 0};
  apl_spec* spec;
  apl_model* model;
  apl_error err;

  assert_int_equal(apl_spec_new(&spec), APL_OK);
  apl_spec_gravity(spec, (apl_vec3){-9.81, 0.5, 0.2});
  const int wire = apl_spec_link(spec, "arm", "world", "fixed", "arc");
  apl_spec_number(spec, wire, "body.length", 0.6);
  apl_spec_number(spec, wire, "body.elements", elements);
  apl_spec_word(spec, wire, "body.strains", strains);
  apl_spec_number(spec, wire, "body.diameter", 2e-3);
  apl_spec_number(spec, wire, "body.density", 6450);
  apl_spec_number(spec, wire, "body.young-modulus", 67.5e9);
  apl_spec_number(spec, wire, "body.shear-modulus", 26e9);
  apl_spec_number(spec, wire, "body.kelvin-voigt-time", kelvin_voigt);
  const int tip = apl_spec_link(spec, "tip", "arm.tip", "fixed", "rigid");
  apl_spec_number(spec, tip, "body.mass", 0.02);
  apl_spec_put(spec, tip, "body.inertia", inertia, 6);
  if (apl_model_new(spec, &model, &err) != APL_OK) fail_msg("%s", err.text);
  apl_spec_free(spec);
  return model;
}

static const char bends[] = "bend-x bend-y";
static const char all_strains[] = "bend-x bend-y torsion shear-x shear-y elongation";

/* Run and say where the tip is. */
static apl_run_report run_arm(apl_model* model, const char* method, double to, double tolerance,
                              double* tip) {
  apl_run_options o = apl_run_options_default();
  apl_run_report report;
  apl_system* system;
  apl_error err;
  double X[12];

  o.to = to;
  o.method = method;
  o.tolerance = tolerance;
  o.output_every = to;
  assert_int_equal(apl_system_new(model, &system, &err), APL_OK);
  if (apl_run(system, &o, &report, &err) != APL_OK) fail_msg("%s", err.text);
  assert_int_equal(apl_port_pose(model, apl_system_state(system),
                                 apl_model_find(model, APL_PORTS, "arm.tip"), X),
                   APL_OK);
  memcpy(tip, X + 9, 3 * sizeof *tip);
  apl_system_free(system);
  return report;
}

static double tip_distance(const double* a, const double* b) {
  return hypot(hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2]) / 0.6;
}

/* dop853 resolves every mode of a short arm: its motion is the reference. */
static void moves_like_an_explicit_method(void** unused) {
  apl_model* model = arm(2, bends, 2e-3);
  double exact[3], tip[3], before = HUGE_VAL;
  (void)unused;

  run_arm(model, "dop853", 0.5, 1e-11, exact);
  for (double tolerance = 1e-4; tolerance > 1e-9; tolerance *= 1e-2) {
    run_arm(model, "stiff", 0.5, tolerance, tip);
    const double error = tip_distance(tip, exact);
    near_context("tolerance %g: tip off by %g of its length", tolerance, error);
    CHECK_TRUE(error < tolerance, "less than the tolerance");
    CHECK_TRUE(error < before, "falls with it");
    before = error;
  }
  apl_model_free(model);
}

/* The ledger within 100 tolerances (measured 1 to 51) and falling; evaluations do not grow with the
   number of elements, so that the cost is that of a pass: linear (measured 613 to 983 for 10
   elements, 428 to 843 for 100). */
static void ledger_and_cost_of_long_arms(void** unused) {
  static const char* const strains[] = {bends, all_strains};
  (void)unused;

  for (int k = 0; k < 2; ++k) {
    long evaluations[2] = {0, 0};
    for (int long_one = 0; long_one < 2; ++long_one) {
      apl_model* model = arm(long_one ? 100 : 10, strains[k], 2e-3);
      double tip[3], before = HUGE_VAL;
      for (double tolerance = 1e-4; tolerance > 1e-9; tolerance *= 1e-2) {
        const apl_run_report r = run_arm(model, "stiff", 0.5, tolerance, tip);
        near_context("%s, %s, %g: ledger %g, momentum %g", strains[k], long_one ? "100" : "10",
                     tolerance, r.relative, r.momentum);
        CHECK_TRUE(r.relative < 100.0 * tolerance, "energy");
        CHECK_TRUE(r.momentum < 100.0 * tolerance, "momentum");
        CHECK_TRUE(r.relative < before, "falls with the tolerance");
        before = r.relative;
        evaluations[long_one] += r.evaluations;
      }
      apl_model_free(model);
    }
    CHECK_TRUE((double)evaluations[1] < 1.3 * (double)evaluations[0], "as many evaluations");
  }
}

/* An arm with much damping comes to rest in its sag: steps grow until a minute of standing still
   costs next to nothing, at any tolerance. The ledger stays closed over it. */
static void does_not_stall_at_rest(void** unused) {
  apl_model* model = arm(5, "bend-x bend-y torsion", 0.3);
  (void)unused;

  for (double tolerance = 1e-4; tolerance > 1e-11; tolerance *= 1e-2) {
    double tip[3];
    const apl_run_report moving = run_arm(model, "stiff", 10.0, tolerance, tip);
    const apl_run_report longer = run_arm(model, "stiff", 100.0, tolerance, tip);
    near_context("tolerance %g: %ld steps to 10 s, %ld to 100 s, ledger %g", tolerance,
                 moving.steps, longer.steps, longer.relative);
    CHECK_TRUE(moving.steps < 3000, "it does not stall");
    CHECK_TRUE((double)longer.steps < 1.2 * (double)moving.steps + 20.0, "rest is cheap");
    CHECK_TRUE(longer.relative < 100.0 * tolerance, "energy");
  }
  apl_model_free(model);
}

/* -------------------------------------------------------------------------------- quaternions ----
 */

/* A body that tumbles free of forces keeps its angular momentum in the world: quaternions are
   integrated as they are, and only their direction counts. */
static void tumbles(void** unused) {
  const double inertia[6] = {0.02, 0.05, 0.06, 0, 0, 0};
  apl_run_options o = apl_run_options_default();
  apl_run_report report;
  apl_system* system;
  apl_spec* spec;
  apl_model* model;
  apl_error err;
  double before[6], after[6];
  (void)unused;

  assert_int_equal(apl_spec_new(&spec), APL_OK);
  apl_spec_gravity(spec, (apl_vec3){0, 0, 0});
  const int body = apl_spec_link(spec, "body", "world", "spherical", "rigid");
  apl_spec_number(spec, body, "body.mass", 1);
  apl_spec_put(spec, body, "body.inertia", inertia, 6);
  if (apl_model_new(spec, &model, &err) != APL_OK) fail_msg("%s", err.text);
  apl_spec_free(spec);
  assert_int_equal(apl_system_new(model, &system, &err), APL_OK);
  double* v = apl_v(apl_system_state(system));
  v[0] = 0.1, v[1] = 3.0, v[2] = 0.2; /* about the unstable axis */
  assert_int_equal(apl_momentum(model, apl_system_state(system), before), APL_OK);
  o.to = 10.0;
  o.method = "stiff";
  o.tolerance = 1e-9;
  if (apl_run(system, &o, &report, &err) != APL_OK) fail_msg("%s", err.text);
  assert_int_equal(apl_momentum(model, apl_system_state(system), after), APL_OK);
  for (int i = 0; i < 3; ++i)
    CHECK_NEAR(after[i], before[i], 1e-7 * 0.15); /* 100 tolerances of |L| */
  CHECK_TRUE(report.relative < 1e-7, "energy");
  assert_true(report.undamped);
  apl_system_free(system);
  apl_model_free(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(follows_a_closed_form),
      cmocka_unit_test(goes_back),
      cmocka_unit_test(asks_for_an_iteration),
      cmocka_unit_test(moves_like_an_explicit_method),
      cmocka_unit_test(ledger_and_cost_of_long_arms),
      cmocka_unit_test(does_not_stall_at_rest),
      cmocka_unit_test(tumbles),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
