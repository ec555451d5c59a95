/* SPDX-License-Identifier: Apache-2.0 */
/* auto.c: the method `auto`, which chooses between explicit steps (dop853) while accuracy limits
   the step length, and implicit steps (stiff) where stability limits it. Theory:
   docs/theory/integrators.md; origin of the numbers: docs/decisions/072-auto.md.

   The choice depends on counts, never on clock time: steps limited by stability
   (apl_stepper_limited), and simulated time per evaluation of the rates. Before a change the other
   method is rehearsed: it steps ahead in private memory, and only its speed is used, so a rehearsal
   costs evaluations but no accuracy. Evaluations for outputs and steps repeated to locate an event
   are not counted, so that the choice does not depend on what is recorded. */
#include "step/stepper.h"

#include "base/error.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* A system is taken as stiff after LIMITED steps at the limit of stability, with fewer than FREE
   other steps in a row between them (Hairer's numbers for dop853). In fast motion the stages of
   explicit steps lose their order before the step becomes unstable, so steps beyond NEAR of the
   limit count LITTLE each. */
enum { LIMITED = 15, FREE = 6 };
static const double NEAR = 0.5, LITTLE = 0.1;

/* Implicit steps are evaluated in windows of WINDOW steps. Explicit steps are rehearsed after PROBE
   windows, then after twice as many, and so on. A rehearsal takes rehearsal[] steps, of which the
   second half counts, because the implicit method starts at order one. */
enum { WINDOW = 100, PROBE = 20, MOST_DOUBLED = 1 << 20 };
static const int rehearsal[2] = {20, 100};
enum { LONGEST_REHEARSAL = 100 };

/* An implicit evaluation costs about COST explicit ones: a residual, a solution, and its share of a
   factorisation. Implicit steps are less accurate at the same tolerance, so they must be faster by
   the factor GAIN to be chosen. */
static const double COST = 2.0, GAIN = 2.0;

/* The data on which the choice depends. All members are doubles, so that a checkpoint can store
   them. */
typedef struct choice {
  double implicit;    /* 1: the implicit method is in use                                         */
  double limited;     /* explicit: weighted count of steps limited by stability ... */
  double free;        /* ... and number of others since the last of them */
  double patience;    /* count of limited steps from which a system is taken as stiff */
  double windows;     /* implicit: windows since the last rehearsal ...                           */
  double probe;       /* ... and number of windows until the next */
  double steps;       /* of the present window: steps, ...                                        */
  double time;        /* ... their length [s] ...                                                 */
  double evaluations; /* ... and their evaluations */
  double pace;        /* implicit: last known simulated time per evaluation of explicit steps [s] */
  double settled;     /* steps before this time are repetitions and do not count */
  double changes;     /* number of changes of the method */
  double first;       /* time of the first of them [s] ...                                        */
  double held;        /* ... and the step length then [s], 0: no step was small enough */
  double since;       /* time of the last of them [s] ...                                         */
  double spent;       /* ... and the time simulated by the implicit method before [s] */
} choice;
enum { CHOICE = 16 };
APL_STORED(choice, CHOICE);

enum { EXPLICIT, IMPLICIT };
static const char* const word[2] = {"dop853", "stiff"};

typedef struct auto_data {
  apl_stepper* by[2]; /* IMPLICIT is NULL if the system has no implicit iteration */
  choice c;
} auto_data;

static apl_stepper* in_use(const apl_stepper* s) {
  const auto_data* d = s->data;
  return d->by[d->c.implicit > 0.5 ? IMPLICIT : EXPLICIT];
}

/* Copy counters and step data of the method in use to this stepper. */
static apl_status taken_over(apl_stepper* s, apl_status st) {
  const auto_data* d = s->data;
  const apl_stepper* by = in_use(s);

  s->evaluations = d->by[EXPLICIT]->evaluations;
  if (d->by[IMPLICIT] != NULL) s->evaluations += d->by[IMPLICIT]->evaluations;
  s->cause = by->cause;
  s->shaped = s->shaped || by->shaped;
  memcpy(s->reason, by->reason, sizeof s->reason);
  return st;
}

static apl_status auto_open(apl_stepper* s, apl_error* err) {
  auto_data* d = calloc(1, sizeof *d);

  s->data = d;
  if (d == NULL) return apl_fail(err, APL_ERR_MEMORY, "out of memory for the integrator");
  d->c = (choice){.patience = LIMITED, .probe = PROBE, .settled = -DBL_MAX};
  for (int k = EXPLICIT; k <= IMPLICIT; ++k) {
    apl_stepper_options o = s->options;
    o.method = word[k];
    if (k == IMPLICIT && o.implicit == NULL) continue;
    const apl_status st = apl_stepper_new(&o, s->rate, s->context, &d->by[k], err);
    if (st != APL_OK) return st;
  }
  return APL_OK;
}

static void auto_close(apl_stepper* s) {
  auto_data* d = s->data;

  if (d == NULL) return;
  apl_stepper_free(d->by[EXPLICIT]);
  apl_stepper_free(d->by[IMPLICIT]);
  free(d);
}

/* --------------------------------------------------------------------------------- choosing ----
 */

static void open_window(choice* c) {
  c->steps = c->time = c->evaluations = 0.0;
}

/* Simulated time per evaluation [s]; an implicit evaluation counts as COST. */
static double pace_over(int method, double time, double evaluations) {
  return evaluations > 0.0 ? time / ((method == IMPLICIT ? COST : 1.0) * evaluations) : 0.0;
}

static int method_of(const choice* c) {
  return c->implicit > 0.5 ? IMPLICIT : EXPLICIT;
}

static double present_pace(const choice* c) {
  return pace_over(method_of(c), c->time, c->evaluations);
}

/* Speed of the other method from (s->t, s->y), at most to t_end; 0: it failed. */
static double rehearse(apl_stepper* s, int method, double t_end) {
  apl_stepper* by = ((auto_data*)s->data)->by[method];
  double t[LONGEST_REHEARSAL + 1] = {s->t};
  long evaluations[LONGEST_REHEARSAL + 1] = {by->evaluations};
  int n = 0;

  if (apl_stepper_restart(by, s->t, s->y) != APL_OK) return 0.0;
  while (n < rehearsal[method] && t[n] < t_end) {
    const apl_status st = apl_stepper_step(by, t_end, &t[n + 1], by->y);
    s->shaped = s->shaped || by->shaped; /* t_end may change the choice */
    if (st != APL_OK) return 0.0;
    evaluations[++n] = by->evaluations;
  }
  /* a rehearsal that reaches t_end is short, so all of its steps count */
  const int from = t[n] < t_end ? n / 2 : 0;
  return pace_over(method, t[n] - t[from], (double)(evaluations[n] - evaluations[from]));
}

/* Continue with the other method from (s->t, s->y). held: the last step length, 0: none was
   possible. */
static apl_status change(apl_stepper* s, double held) {
  auto_data* d = s->data;
  choice* c = &d->c;

  if (c->implicit > 0.5) c->spent += s->t - c->since;
  if (c->implicit < 0.5) c->pace = present_pace(c);
  c->since = s->t;
  c->implicit = c->implicit > 0.5 ? 0.0 : 1.0;
  c->limited = c->free = c->windows = 0.0;
  if (c->changes == 0.0) {
    c->first = s->t;
    c->held = held;
  }
  c->changes += 1.0;
  open_window(c);
  return taken_over(s, apl_stepper_restart(in_use(s), s->t, s->y));
}

static double doubled(double n) {
  return fmin(2.0 * n, MOST_DOUBLED);
}

/* True if implicit steps should replace explicit ones. If a rehearsal shows no gain, more limited
   steps are needed before the next one. */
static bool explicit_is_over(apl_stepper* s, double t_end) {
  choice* c = &((auto_data*)s->data)->c;

  if (c->limited < c->patience) return false;
  if (rehearse(s, IMPLICIT, t_end) > GAIN * present_pace(c)) return true;
  c->patience = doubled(c->patience);
  c->limited = c->free = 0.0;
  return false;
}

/* True if explicit steps should replace implicit ones: implicit steps have become slower, or a
   rehearsal shows that the system is no longer stiff. */
static bool implicit_is_over(apl_stepper* s, double t_end) {
  choice* c = &((auto_data*)s->data)->c;
  if (c->steps < WINDOW) return false;

  const double pace = present_pace(c);
  c->windows += 1.0;
  open_window(c);
  if (pace >= c->pace && c->windows < c->probe) return false;
  if (c->windows >= c->probe) c->probe = doubled(c->probe);
  c->windows = 0.0;
  c->pace = rehearse(s, EXPLICIT, t_end);
  return c->pace > pace;
}

/* Count a step of length h and its evaluations. */
static void count(apl_stepper* s, double h, long evaluations) {
  choice* c = &((auto_data*)s->data)->c;

  const double part = apl_stepper_limited(in_use(s));

  if (part > NEAR) {
    /* steps before the first limited one are not part of the comparison */
    if (c->limited == 0.0) open_window(c);
    c->limited += part > 1.0 ? 1.0 : LITTLE;
    c->free = 0.0;
  } else if (c->limited > 0.0) {
    c->free += 1.0;
    if (c->free >= FREE) c->limited = 0.0;
  }
  c->steps += 1.0;
  c->time += h;
  c->evaluations += (double)evaluations;
}

static apl_status choose(apl_stepper* s, double t_end) {
  auto_data* d = s->data;
  choice* c = &d->c;

  if (d->by[IMPLICIT] == NULL || s->t < c->settled || c->steps == 0.0) return APL_OK;
  const double held = c->time / c->steps;
  if (c->implicit > 0.5 ? !implicit_is_over(s, t_end) : !explicit_is_over(s, t_end)) return APL_OK;
  return change(s, held);
}

/* No step of this method is small enough: try the other one. */
static apl_status step_otherwise(apl_stepper* s, apl_status st, double t_end) {
  auto_data* d = s->data;
  choice* c = &d->c;
  const bool implicit = c->implicit > 0.5;
  const apl_status failed = taken_over(s, st);

  if (d->by[IMPLICIT] == NULL || s->t < c->settled) return failed;
  if (implicit) c->patience = doubled(c->patience);
  st = change(s, 0.0);
  return st == APL_OK ? apl_stepper_step(in_use(s), t_end, &s->t, s->y) : st;
}

static apl_status auto_step(apl_stepper* s, double t_end) {
  const choice* c = &((auto_data*)s->data)->c;
  const bool counts = s->t >= c->settled;
  apl_status st = choose(s, t_end);
  if (st != APL_OK) return st;

  const bool implicit = c->implicit > 0.5;
  const long before = in_use(s)->evaluations;
  st = apl_stepper_step(in_use(s), t_end, &s->t, s->y);
  /* a singular matrix of an implicit step need not be singular in the equations of motion */
  if (st == APL_ERR_INTEGRATOR || (implicit && apl_stepper_may_retry(st))) {
    st = step_otherwise(s, st, t_end);
  } else if (st == APL_OK && counts) {
    count(s, s->t - s->t0, in_use(s)->evaluations - before);
  }
  return taken_over(s, st);
}

/* -------------------------------------------------------------------- what both do alike ------
 */

/* A restart does not change the choice: a stiff system stays stiff after an event. */
static apl_status auto_restart(apl_stepper* s) {
  ((auto_data*)s->data)->c.settled = -DBL_MAX;
  return taken_over(s, apl_stepper_restart(in_use(s), s->t, s->y));
}

/* Go back to an earlier time. Steps up to the present time will be repetitions. */
static apl_status auto_rewind(apl_stepper* s) {
  choice* c = &((auto_data*)s->data)->c;
  c->settled = fmax(c->settled, in_use(s)->t);
  return taken_over(s, apl_stepper_rewind(in_use(s), s->t, s->y));
}

static apl_status auto_adjust(apl_stepper* s) {
  return taken_over(s, apl_stepper_adjust(in_use(s), s->y));
}

static apl_status auto_jolt(apl_stepper* s) {
  return taken_over(s, apl_stepper_jolt(in_use(s)));
}

static apl_status auto_inside(apl_stepper* s, double t, double* y) {
  return taken_over(s, apl_stepper_inside(in_use(s), t, y));
}

static apl_status auto_read(apl_stepper* s, double t, double* y) {
  return taken_over(s, apl_stepper_read(in_use(s), t, y));
}

static double auto_norm(const apl_stepper* s) {
  return apl_stepper_norm(in_use(s));
}

static double auto_limited(const apl_stepper* s) {
  return apl_stepper_limited(in_use(s));
}

/* Memory: the choice, then the memory of the method in use. */
static int auto_memory_size(int n) {
  const int a = apl_method_memory_size(word[EXPLICIT], n);
  const int b = apl_method_memory_size(word[IMPLICIT], n);
  return CHOICE + (a > b ? a : b);
}

static void store_choice(choice* c, apl_store* m) {
  const double many = 9e15; /* more than any run counts; whole numbers are exact up to here */

  apl_store_whole(m, &c->implicit, 0.0, 1.0, "the method in use");
  apl_store_number(m, &c->limited, "a count of stiff steps");
  apl_store_whole(m, &c->free, 0.0, many, "a count of other steps");
  apl_store_whole(m, &c->patience, 0.0, many, "the patience of the choice");
  apl_store_whole(m, &c->windows, 0.0, many, "a count of windows");
  apl_store_whole(m, &c->probe, 0.0, many, "the window of the next rehearsal");
  apl_store_whole(m, &c->steps, 0.0, many, "a count of steps");
  apl_store_number(m, &c->time, "the time of a window");
  apl_store_whole(m, &c->evaluations, 0.0, many, "a count of evaluations");
  apl_store_number(m, &c->pace, "the pace of steps");
  apl_store_number(m, &c->settled, "the time from which steps count");
  apl_store_whole(m, &c->changes, 0.0, 1e9, "the number of changes of the method");
  apl_store_number(m, &c->first, "the time of the first change");
  apl_store_number(m, &c->held, "the step at the first change");
  apl_store_number(m, &c->since, "the time of the last change");
  apl_store_number(m, &c->spent, "the time with the implicit method");
}

static apl_status auto_memory(apl_stepper* s, apl_store* m) {
  auto_data* d = s->data;

  store_choice(&d->c, m);
  if (m->out != NULL) {
    apl_stepper_remember(in_use(s), m);
    return APL_OK;
  }
  if (d->by[IMPLICIT] == NULL && d->c.implicit > 0.5)
    apl_store_refuse(m, "the method in use", d->c.implicit);
  if (m->bad != NULL) return APL_ERR_ARGUMENT;
  return taken_over(s, apl_stepper_recall(in_use(s), s->t, s->y, m));
}

static apl_switching auto_switching(const apl_stepper* s) {
  const choice* c = &((const auto_data*)s->data)->c;
  return (apl_switching){
      .method = word[c->implicit > 0.5 ? IMPLICIT : EXPLICIT],
      .changes = (long)c->changes,
      .first = c->first,
      .held = c->held,
      .implicit = c->implicit > 0.5 ? c->spent + (s->t - c->since) : c->spent,
  };
}

const stepper_ops apl_stepper_auto = {
    .open = auto_open,
    .close = auto_close,
    .restart = auto_restart,
    .step = auto_step,
    .inside = auto_inside,
    .read = auto_read,
    .adjust = auto_adjust,
    .jolt = auto_jolt,
    .rewind = auto_rewind,
    .memory_size = auto_memory_size,
    .memory = auto_memory,
    .norm = auto_norm,
    .limited = auto_limited,
    .switching = auto_switching,
};
