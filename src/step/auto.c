/* auto.c: the method that chooses. Explicit steps (dop853) while accuracy decides how long they
   are, implicit ones (stiff) where stability does. Theory: docs/theory/integrators.md; how the
   numbers were found: docs/decisions/072-auto.md.

   Only counts decide, never clocks: steps that stability holds (apl_stepper_limited), and the time
   that passes per evaluation of the rates. Before a change the other method rehearses: it steps
   ahead on its own, and nothing but its pace is kept, so that a trial that fails costs evaluations
   and no accuracy. Evaluations of outputs do not count, nor do steps that are taken again to find
   an event, so that the choice does not depend on what is recorded. */
#include "step/stepper.h"

#include "base/error.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* A stiff system: so many steps at the limit of stability, with fewer than FREE others in a row
   between them (Hairer's numbers for dop853). Where the motion is fast too, the stages of explicit
   steps lose their order before these become unstable: steps beyond NEAR of the limit count a
   little. */
enum { LIMITED = 15, FREE = 6 };
static const double NEAR = 0.5, LITTLE = 0.1;

/* Implicit steps are looked at in windows; explicit ones rehearse after PROBE windows, then after
   twice as many. A rehearsal takes so many steps, of which the second half counts: implicit ones
   begin at order one. */
enum { WINDOW = 100, PROBE = 20, MOST_DOUBLED = 1 << 20 };
static const int rehearsal[2] = {20, 100};
enum { LONGEST_REHEARSAL = 100 };

/* An implicit evaluation costs about this many explicit ones: a residual, a solution, and its share
   of the factors. And its steps are less exact at one tolerance: they must get on faster by GAIN to
   be taken. */
static const double COST = 2.0, GAIN = 2.0;

/* All that the choice depends on. Numbers are doubles: they are saved as they are. */
typedef struct choice {
  double implicit;    /* 1: the implicit method is in use                                         */
  double limited;     /* explicit: steps that stability has held, as they count ...               */
  double free;        /* ... and others since the last of them                                    */
  double patience;    /* so many limited steps are a stiff system                                 */
  double windows;     /* implicit: windows since the last rehearsal ...                           */
  double probe;       /* ... and how many of them there are to the next                           */
  double steps;       /* of the present window: steps, ...                                        */
  double time;        /* ... their length [s] ...                                                 */
  double evaluations; /* ... and what they cost                                                   */
  double pace;        /* implicit: time per evaluation of explicit steps, as known last [s]       */
  double settled;     /* steps before this time are taken again: they do not count                */
  double changes;     /* of the method so far                                                     */
  double first;       /* time of the first of them [s] ...                                        */
  double held;        /* ... and how long steps were then, 0: none was small enough [s]           */
  double since;       /* time of the last of them [s] ...                                         */
  double spent;       /* ... and how much passed by the implicit method before [s]                */
} choice;
enum { CHOICE = sizeof(choice) / sizeof(double) };

enum { EXPLICIT, IMPLICIT };
static const char* const word[2] = {"dop853", "stiff"};

typedef struct auto_data {
  apl_stepper* by[2]; /* IMPLICIT is NULL where the system has no implicit iteration              */
  choice c;
} auto_data;

static apl_stepper* in_use(const apl_stepper* s) {
  const auto_data* d = s->data;
  return d->by[d->c.implicit > 0.5 ? IMPLICIT : EXPLICIT];
}

/* What the method in use says of itself is what this one says. */
static apl_status taken_over(apl_stepper* s, apl_status st) {
  const auto_data* d = s->data;
  const apl_stepper* by = in_use(s);

  s->evaluations = d->by[EXPLICIT]->evaluations;
  if (d->by[IMPLICIT] != NULL) s->evaluations += d->by[IMPLICIT]->evaluations;
  s->cause = by->cause;
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

/* Time per evaluation [s], an implicit one counting COST. */
static double pace_over(int method, double time, double evaluations) {
  return evaluations > 0.0 ? time / ((method == IMPLICIT ? COST : 1.0) * evaluations) : 0.0;
}

static int method_of(const choice* c) {
  return c->implicit > 0.5 ? IMPLICIT : EXPLICIT;
}

static double present_pace(const choice* c) {
  return pace_over(method_of(c), c->time, c->evaluations);
}

/* The pace of the other method from (s->t, s->y) on, not beyond t_end; 0: it has none. */
static double rehearse(apl_stepper* s, int method, double t_end) {
  apl_stepper* by = ((auto_data*)s->data)->by[method];
  double t[LONGEST_REHEARSAL + 1] = {s->t};
  long evaluations[LONGEST_REHEARSAL + 1] = {by->evaluations};
  int n = 0;

  if (apl_stepper_restart(by, s->t, s->y) != APL_OK) return 0.0;
  while (n < rehearsal[method] && t[n] < t_end) {
    if (apl_stepper_step(by, t_end, &t[n + 1], by->y) != APL_OK) return 0.0;
    evaluations[++n] = by->evaluations;
  }
  /* one that comes to the end is over there: its start counts as well */
  const int from = t[n] < t_end ? n / 2 : 0;
  return pace_over(method, t[n] - t[from], (double)(evaluations[n] - evaluations[from]));
}

/* The other method goes on from (s->t, s->y); held: how long steps were, 0: none was possible. */
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

/* Explicit steps: is it time for implicit ones? A motion that must be followed anyway is no reason;
   then it takes more to ask again. */
static bool explicit_is_over(apl_stepper* s, double t_end) {
  choice* c = &((auto_data*)s->data)->c;

  if (c->limited < c->patience) return false;
  if (rehearse(s, IMPLICIT, t_end) > GAIN * present_pace(c)) return true;
  c->patience = doubled(c->patience);
  c->limited = c->free = 0.0;
  return false;
}

/* Implicit steps: do they get on slower than explicit ones did, or may these have become better,
   because what was stiff has gone? */
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

/* A step of length h has been made with so many evaluations. */
static void count(apl_stepper* s, double h, long evaluations) {
  choice* c = &((auto_data*)s->data)->c;

  const double part = apl_stepper_limited(in_use(s));

  if (part > NEAR) {
    /* what comes before the first of them is no part of the comparison */
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

/* No step of this method is small enough: that of the other may be. */
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
  /* what is singular in an implicit step need not be so in motion; what is so in motion, is */
  if (st == APL_ERR_INTEGRATOR || (implicit && apl_stepper_may_retry(st))) {
    st = step_otherwise(s, st, t_end);
  } else if (st == APL_OK && counts) {
    count(s, s->t - s->t0, in_use(s)->evaluations - before);
  }
  return taken_over(s, st);
}

/* -------------------------------------------------------------------- what both do alike ------
 */

/* A start anew is none of the choice: what is stiff stays so after an event. */
static apl_status auto_restart(apl_stepper* s) {
  ((auto_data*)s->data)->c.settled = -DBL_MAX;
  return taken_over(s, apl_stepper_restart(in_use(s), s->t, s->y));
}

/* Steps up to where the stepper was are taken again. */
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

static double auto_next(const apl_stepper* s) {
  return apl_stepper_next(in_use(s));
}

static double auto_limited(const apl_stepper* s) {
  return apl_stepper_limited(in_use(s));
}

/* The choice, then what the method in use remembers. */
static int auto_memory_size(int n) {
  const int a = apl_method_memory_size(word[EXPLICIT], n);
  const int b = apl_method_memory_size(word[IMPLICIT], n);
  return CHOICE + (a > b ? a : b);
}

static void auto_remember(const apl_stepper* s, double* out) {
  const auto_data* d = s->data;

  memcpy(out, &d->c, sizeof d->c);
  apl_stepper_remember(in_use(s), out + CHOICE);
}

static apl_status auto_recall(apl_stepper* s, const double* in) {
  auto_data* d = s->data;

  memcpy(&d->c, in, sizeof d->c);
  if (d->by[IMPLICIT] == NULL && d->c.implicit > 0.5) return APL_ERR_ARGUMENT;
  return taken_over(s, apl_stepper_recall(in_use(s), s->t, s->y, in + CHOICE));
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
    .remember = auto_remember,
    .recall = auto_recall,
    .next = auto_next,
    .limited = auto_limited,
    .switching = auto_switching,
};
