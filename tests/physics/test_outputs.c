/* SPDX-License-Identifier: Apache-2.0 */
/* test_outputs.c: outputs have no influence on the motion. It is the same, bit for bit, whatever is
   recorded and wherever a run was interrupted and resumed; interpolation inside a step is as
   accurate as a step that ends there; the check of the ledgers does not depend on outputs. */
#include "near.h"

#include "run/parts.h"
#include "step/steppers.h"
#include "system/system.h"

#include <appell/appell.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct subject {
  apl_file* file;
  apl_model* model;
} subject;

/* A shipped model by its name. */
static subject open_subject(const char* name) {
  char path[600];
  apl_report report = {0};
  subject s = {0};

  snprintf(path, sizeof path, "%s/../../models/%s.yaml", APPELL_TEST_DATA, name);
  apl_status st = apl_file_load(path, NULL, &s.file, &report);
  if (st == APL_OK) st = apl_file_model(s.file, &s.model, &report);
  if (st != APL_OK) fail_msg("%s: %s", name, report.item[0].text);
  return s;
}

static void close_subject(subject* s) {
  apl_model_free(s->model);
  apl_file_free(s->file);
}

static apl_system* start(const subject* s) {
  apl_report report = {0};
  apl_system* system;

  if (apl_file_system(s->file, s->model, APL_READY, &system, &report) != APL_OK)
    fail_msg("%s", report.item[0].text);
  return system;
}

/* Models and durations: long enough for events, kinks, breaks and hundreds of steps. */
typedef struct scene {
  const char *model, *method;
  double to, step;
} scene;

static const scene scenes[] = {
    {"double-pendulum", "rkf45", 2.0, 0.0},
    {"double-pendulum", "dop853", 2.0, 0.0},
    {"double-pendulum", "adams", 6.0, 0.0},
    {"double-pendulum", "rk4", 0.5, 1e-3},
    {"double-pendulum", "semi-implicit", 0.5, 1e-3},
    {"double-pendulum", "gen-alpha", 0.5, 1e-3},
    {"arm7", "dop853", 1.0, 0.0},           /* stops of joints                                   */
    {"bouncing-chain", "dop853", 1.0, 0.0}, /* impacts that last, friction                      */
    {"bouncing-chain", "rkf45", 0.7, 0.0},
    {"four-legs", "dop853", 0.3, 0.0}, /* supports, friction that sticks                  */
    {"four-bar", "dop853", 1.0, 0.0},  /* loops, projected at step ends                   */
    {"four-bar", "gen-alpha", 0.5, 1e-3},
    {"tendon-arm", "stiff", 0.8, 0.0},
    {"tendon-arm", "bdf", 1.5, 0.0},
    {"tendon-arm", "auto", 0.8, 0.0},  /* changes to stiff and back */
    {"four-legs", "auto", 0.3, 0.0},   /* the same, with events                             */
    {"soft-arm", "auto", 0.5, 0.0},    /* changes to stiff early */
    {"warehouse", "dop853", 3.0, 0.0}, /* prescribed motion whose signals break           */
    {"gripper", "moreau", 0.5, 1e-3},
};
enum { NSCENE = sizeof scenes / sizeof *scenes };

enum { MOST = 600, PLACES = 4 };

typedef struct place {
  double t, *y, *memory;
} place;

/* Results of a run. */
typedef struct trace {
  double end[MOST];
  int n;
  apl_run_report report;
  long rows;
  double sum; /* over the rows: any bit that differs shows                                        */
  double last;
  place* place; /* [PLACES] to fill, or NULL; the first ones                                      */
  int nplace, nmemory;
} trace;

static apl_status row(double t, const double* y, const apl_ledger* l, apl_system* system,
                      void* user) {
  trace* r = user;

  /* reads everything, like a recorder */
  double rate[MOST];
  assert_true(apl_system_size(system) <= MOST);
  CHECK_OK(apl_system_rate(t, y, rate, system));
  assert_true(r->rows == 0 || t > r->last);
  r->last = t;
  r->rows += 1;
  r->sum = 0.37 * r->sum + t + l->sum + y[0] + rate[0];
  return APL_OK;
}

static apl_status leave(double t, const double* y, const double* memory, void* user) {
  trace* r = user;

  if (r->place == NULL || r->nplace >= PLACES) return APL_OK;
  place* p = &r->place[r->nplace++];
  p->t = t;
  p->y = malloc(sizeof *y * (size_t)r->n);
  p->memory = malloc(sizeof *y * (size_t)r->nmemory);
  assert_true(p->y != NULL && p->memory != NULL);
  memcpy(p->y, y, sizeof *y * (size_t)r->n);
  memcpy(p->memory, memory, sizeof *y * (size_t)r->nmemory);
  return APL_OK;
}

static apl_run_options options_of(const subject* s, const scene* c, double every) {
  apl_run_options o = apl_file_options(s->file);

  o.method = c->method;
  o.to = c->to;
  o.step = c->step;
  o.tolerance = 1e-8;
  o.output_every = every;
  return o;
}

static void run(const subject* s, const scene* c, apl_run_options o, trace* out) {
  apl_system* system = start(s);
  apl_error err;

  out->n = apl_system_size(system);
  out->nmemory = apl_run_memory_size(system, &o);
  o.user = out;
  if (apl_run(system, &o, &out->report, &err) != APL_OK)
    fail_msg("%s by %s: %s", c->model, c->method, err.text);
  apl_system_pack(system, out->end);
  apl_system_free(system);
}

/* One output at the end, or a thousand with all channels and checkpoints: the same bits, and the
   same verdict on the ledgers. */
static void recording_changes_nothing(void** unused) {
  (void)unused;
  for (int i = 0; i < NSCENE; ++i) {
    const scene* c = &scenes[i];
    subject s = open_subject(c->model);
    trace one = {0}, many = {0};

    run(&s, c, options_of(&s, c, 0.0), &one);
    apl_run_options o = options_of(&s, c, c->to / 997.0);
    o.output = row;
    o.checkpoint = leave;
    o.checkpoint_every = 10;
    run(&s, c, o, &many);
    near_context("%s by %s", c->model, c->method);
    CHECK_TRUE(memcmp(one.end, many.end, sizeof *one.end * (size_t)one.n) == 0, "the same end");
    /* time steps end where they end: outputs closer than steps come together */
    if (c->step == 0.0) assert_int_equal(many.rows, 998);
    assert_int_equal(one.report.steps, many.report.steps);
    CHECK_NEAR(one.report.error, many.report.error, 0.0);
    CHECK_NEAR(one.report.momentum, many.report.momentum, 0.0);
    CHECK_NEAR(one.report.scale, many.report.scale, 0.0);
    CHECK_TRUE(one.report.audited, "a run with two outputs is audited");
    close_subject(&s);
  }
}

/* From each of the first places on: the same end, the same rows, the same counts. */
static void resumed_runs_go_on(void** unused) {
  (void)unused;
  for (int i = 0; i < NSCENE; ++i) {
    const scene* c = &scenes[i];
    subject s = open_subject(c->model);
    place list[PLACES] = {{0}};
    trace whole = {.place = list};
    apl_run_options o = options_of(&s, c, c->to / 100.0);

    o.output = row;
    o.checkpoint = leave;
    o.checkpoint_every = 17;
    run(&s, c, o, &whole);
    near_context("%s by %s", c->model, c->method);
    /* a step of rkf45 through free flight is as long as the run, whose end then cuts it */
    const bool flies = strcmp(c->model, "bouncing-chain") == 0 && strcmp(c->method, "rkf45") == 0;
    CHECK_TRUE(whole.nplace > 0 || flies, "it can be left");
    for (int k = 0; k < whole.nplace; ++k) {
      const apl_resume at = {list[k].t, list[k].y, list[k].memory};
      trace rest = {0};
      o.resume = &at;
      run(&s, c, o, &rest);
      near_context("%s by %s from %g s", c->model, c->method, at.t);
      CHECK_TRUE(memcmp(rest.end, whole.end, sizeof *rest.end * (size_t)rest.n) == 0,
                 "the same end");
      CHECK_TRUE(memcmp(&rest.report, &whole.report, sizeof rest.report) == 0, "the same report");
      free(list[k].y);
      free(list[k].memory);
    }
    close_subject(&s);
  }
}

/* ------------------------------------------------------------------------------------ holds ----
 */

/* A velocity is held from 0.1 s on, by an event of the caller or before the run. */
static double after_a_while(double t, apl_system* system, void* user) {
  (void)system, (void)user;
  return t - 0.1;
}

static apl_action hold_first(double t, apl_system* system, void* user) {
  (void)t, (void)user;
  apl_v(apl_system_state(system))[0] = 0.0;
  return apl_system_hold(system, 0, true, NULL) == APL_OK ? APL_GO_ON : APL_STOP_HERE;
}

static void held_run(const subject* s, apl_run_options o, bool before, trace* out) {
  apl_system* system = start(s);

  if (before && o.resume == NULL) CHECK_OK(apl_system_hold(system, 1, true, NULL));
  out->n = apl_system_size(system);
  out->nmemory = apl_run_memory_size(system, &o);
  o.user = out;
  CHECK_OK(apl_run(system, &o, &out->report, NULL));
  apl_system_pack(system, out->end);
  CHECK_TRUE(apl_v(apl_system_state(system))[before ? 1 : 0] == 0.0, "it is held at the end");
  apl_system_free(system);
}

/* A checkpoint has the holds: a new system that knows nothing of them goes on with the same bits.
 */
static void holds_are_resumed(void** unused) {
  static const scene list[] = {
      {"double-pendulum", "dop853", 1.0, 0.0},  {"double-pendulum", "auto", 1.0, 0.0},
      {"double-pendulum", "stiff", 0.4, 0.0},   {"double-pendulum", "rk4", 0.4, 1e-3},
      {"double-pendulum", "moreau", 0.4, 1e-3}, {"double-pendulum", "gen-alpha", 0.4, 1e-3},
      {"gripper", "moreau", 0.4, 1e-3}};
  const apl_event event = {.name = "held", .g = after_a_while, .action = hold_first};
  int resumed = 0;
  (void)unused;

  for (size_t i = 0; i < 2 * sizeof list / sizeof *list; ++i) {
    const scene* c = &list[i / 2];
    const bool before = i % 2 == 1;
    subject s = open_subject(c->model);
    place at_place[PLACES] = {{0}};
    trace whole = {.place = at_place};
    apl_run_options o = options_of(&s, c, c->to / 100.0);

    near_context("%s by %s, held %s", c->model, c->method, before ? "from the start" : "at 0.1 s");
    o.event = before ? NULL : &event;
    o.nevent = before ? 0 : 1;
    o.output = row;
    o.checkpoint = leave;
    o.checkpoint_every = 30;
    held_run(&s, o, before, &whole);
    for (int k = 0; k < whole.nplace; ++k) {
      const apl_resume at = {at_place[k].t, at_place[k].y, at_place[k].memory};
      trace rest = {0};
      o.resume = &at;
      held_run(&s, o, before, &rest);
      near_context("%s by %s from %g s, held %s", c->model, c->method, at.t,
                   before ? "from the start" : "at 0.1 s");
      CHECK_TRUE(memcmp(rest.end, whole.end, sizeof *rest.end * (size_t)rest.n) == 0,
                 "the same end");
      CHECK_TRUE(memcmp(&rest.report, &whole.report, sizeof rest.report) == 0, "the same report");
      resumed += at.t > 0.1;
      free(at_place[k].y);
      free(at_place[k].memory);
    }
    close_subject(&s);
  }
  CHECK_TRUE(resumed >= 14, "resumed %d times", resumed);
}

/* ----------------------------------------------------------------------------------- quality ----
 */

/* sqrt of the mean of ((a - b) / (tolerance (|b| + 1)))^2, as methods weigh their errors */
static double distance(const double* a, const double* b, int n, double tolerance) {
  double sum = 0.0;

  for (int i = 0; i < n; ++i) {
    const double x = (a[i] - b[i]) / (tolerance * (fabs(b[i]) + 1.0));
    sum += x * x;
  }
  return sqrt(sum / n);
}

/* The motion from (t0, y0) to t, far finer than any method that is looked at. */
static void exact(apl_stepper* fine, double t0, const double* y0, double t, double* y) {
  CHECK_OK(apl_stepper_restart(fine, t0, y0));
  for (double at = t0; at < t;)
    CHECK_OK(apl_stepper_step(fine, t, &at, y));
}

/* The worst of all steps and all places inside them, over the worst of the ends of steps: both are
   distances from the exact motion that begins where the step began. */
typedef struct quality {
  double inside, end, cubic;
} quality;

static quality look_inside(const char* model, const char* method, double tolerance, double to) {
  subject s = open_subject(model);
  apl_system *system = start(&s), *other = start(&s);
  double y[MOST], y0[MOST], at[MOST], best[MOST], t = 0.0;
  apl_stepper_options o = {.method = method,
                           .n_first = apl_model_nq(s.model),
                           .n_second = apl_model_nv(s.model),
                           .tolerance = tolerance};
  apl_stepper *stepper, *fine;
  apl_error err;
  quality q = {0};

  apl_system_activate(system, false, true);
  apl_system_activate(other, false, true);
  o.n = apl_system_active_size(system);
  o.n_error = apl_system_error_size(system);
  assert_true(o.n <= MOST);
  apl_system_pack(system, y);
  if (apl_stepper_new(&o, apl_system_rate, system, &stepper, &err) != APL_OK)
    fail_msg("%s", err.text);
  o.method = "dop853";
  o.tolerance = 1e-14;
  if (apl_stepper_new(&o, apl_system_rate, other, &fine, &err) != APL_OK) fail_msg("%s", err.text);
  CHECK_OK(apl_stepper_restart(stepper, t, y));
  while (t < to) {
    const double t0 = t;
    memcpy(y0, y, sizeof y0);
    CHECK_OK(apl_stepper_step(stepper, to, &t, y));
    exact(fine, t0, y0, t, best);
    q.end = fmax(q.end, distance(y, best, o.n_error, tolerance));
    for (int k = 1; k < 8; ++k) {
      const double x = t0 + (t - t0) * k / 8.0;
      CHECK_OK(apl_stepper_read(stepper, x, at));
      exact(fine, t0, y0, x, best);
      q.inside = fmax(q.inside, distance(at, best, o.n_error, tolerance));
      CHECK_OK(apl_stepper_inside(stepper, x, at));
      q.cubic = fmax(q.cubic, distance(at, best, o.n_error, tolerance));
    }
  }
  apl_stepper_free(stepper);
  apl_stepper_free(fine);
  apl_system_free(system);
  apl_system_free(other);
  close_subject(&s);
  return q;
}

/* Outputs are within 50 tolerances of a step that ends there; of dop853 the cubic that events are
   looked for on is not, which is why its outputs have a polynomial of order 7. */
static void reading_is_as_good_as_landing(void** unused) {
  static const struct {
    const char *model, *method;
    double to;
  } list[] = {{"double-pendulum", "rkf45", 1.0}, {"double-pendulum", "dop853", 2.0},
              {"double-pendulum", "adams", 1.0}, {"double-pendulum", "bdf", 0.3},
              {"arm7", "dop853", 0.5},           {"arm7", "rkf45", 0.2},
              {"paper-mobile-H", "dop853", 0.5}, {"tumbling-body", "dop853", 2.0}};
  double cubic = 0.0;
  (void)unused;

  for (size_t i = 0; i < sizeof list / sizeof *list; ++i) {
    for (double tolerance = 1e-6; tolerance > 1e-11; tolerance *= 1e-2) {
      const quality q = look_inside(list[i].model, list[i].method, tolerance, list[i].to);
      near_context("%s by %s at %g: inside %.2g, ends %.2g, cubic %.2g", list[i].model,
                   list[i].method, tolerance, q.inside, q.end, q.cubic);
      if (getenv("APPELL_SHOW") != NULL)
        printf("%-16s %-7s %.0e  inside %8.2g  ends %8.2g  cubic %8.2g\n", list[i].model,
               list[i].method, tolerance, q.inside, q.end, q.cubic);
      CHECK_TRUE(q.inside < 50.0, "inside");
      if (strcmp(list[i].method, "dop853") == 0) cubic = fmax(cubic, q.cubic);
    }
  }
  CHECK_TRUE(cubic > 50.0, "the cubic would not do: %g", cubic);
}

/* Methods without such a polynomial land on outputs, and refuse to be read. */
static void rkf78_lands(void** unused) {
  const scene c = {"double-pendulum", "rkf78", 1.0, 0.0};
  subject s = open_subject(c.model);
  trace few = {0}, many = {0};
  apl_run_options o = options_of(&s, &c, 0.5);
  (void)unused;

  o.output = row;
  run(&s, &c, o, &few);
  o.output_every = 1e-3;
  run(&s, &c, o, &many);
  assert_int_equal(few.rows, 3);
  assert_int_equal(many.rows, 1001);
  CHECK_TRUE(many.report.steps >= 1000 && few.report.steps < 300, "it lands on each");
  close_subject(&s);
}

/* A run whose outputs are few is audited as one whose outputs are many: momentum and energy are
   looked at where steps end. */
static void few_outputs_are_audited(void** unused) {
  const scene c = {"tumbling-body", "dop853", 10.0, 0.0};
  subject s = open_subject(c.model);
  trace r = {0};
  (void)unused;

  run(&s, &c, options_of(&s, &c, 0.0), &r);
  CHECK_TRUE(r.report.audited && r.report.has_momentum, "audited");
  CHECK_TRUE(r.report.relative > 0.0 && r.report.relative < 1e-6, "energy %g", r.report.relative);
  CHECK_TRUE(r.report.momentum > 0.0 && r.report.momentum < 1e-6, "momentum %g", r.report.momentum);
  close_subject(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(recording_changes_nothing),
      cmocka_unit_test(resumed_runs_go_on),
      cmocka_unit_test(holds_are_resumed),
      cmocka_unit_test(reading_is_as_good_as_landing),
      cmocka_unit_test(rkf78_lands),
      cmocka_unit_test(few_outputs_are_audited),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
