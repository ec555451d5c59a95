/* SPDX-License-Identifier: Apache-2.0 */
/* locate.c: events are zeros of functions of the state, found between steps.

   A sign change over a step is narrowed on the dense output (bisection with the Illinois rule),
   whose error is that of the step. The root is then polished with real steps from the start of the
   step: the stepper starts again there, steps to the estimate, and the estimate is corrected by the
   secant until it moves by less than a few ulp of t or 1e-14 s. So the state at an event comes from
   the method, not from interpolation. */
#include "run/locate.h"

#include "system/system.h"
#include "system/system_impl.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

double apl_event_value(apl_system* system, const apl_event* e, double t, const double* y) {
  apl_system_unpack(system, t, y);
  return e->g(t, system, e->user);
}

void apl_event_values(apl_system* system, event_list list, bool twice, double t, const double* y,
                      double* g) {
  for (int i = 0; i < list.callers && i < list.n; ++i) {
    if (list.event[i].twice || !twice) g[i] = apl_event_value(system, &list.event[i], t, y);
  }
  apl_system_unpack(system, t, y);
  apl_system_settle(system, true);
  for (int i = list.callers; i < list.n; ++i) {
    const apl_event* e = &list.event[i];
    if (e->twice || !twice) g[i] = e->g(t, system, e->user);
  }
  apl_system_settle(system, false);
}

bool apl_event_crosses(const apl_event* e, event_side before, double after) {
  const bool rises = before == SIDE_BELOW && after >= 0.0;
  const bool falls = before == SIDE_ABOVE && after <= 0.0;
  return (rises && e->direction >= 0) || (falls && e->direction <= 0);
}

/* An event that has just occurred starts the step at zero. If g is beyond zero in its direction at
   the end of the step, the event has occurred again: g went back and returned within one step. */
static bool returns(const apl_event* e, event_side before, double after) {
  return before == SIDE_ZERO &&
         ((after < 0.0 && e->direction <= 0) || (after > 0.0 && e->direction >= 0));
}

typedef struct search {
  apl_system* system;
  apl_stepper* stepper;
  const apl_event* e;
  double t0, t1, g0, g1; /* where g changes its sign                                             */
  event_side side0;      /* at t0                                                                */
  double start;          /* of the step                                                          */
  const double* y0; /* start of the step                                                          */
  double* y;        /* scratch                                                                    */
} search;

/* Find a time near the start of the step at which g has the sign from before the event: halve the
   step until there is one. If there is none, the event occurs again at once. */
static apl_status find_flight(search* s, bool* found) {
  const double h = s->t1 - s->t0;

  *found = false;
  for (double part = 0.5; part > 1e-12 && !*found; part *= 0.5) {
    const double t = s->t0 + part * h;
    const apl_status st = apl_stepper_inside(s->stepper, t, s->y);
    if (st != APL_OK) return st;

    const double g = apl_event_value(s->system, s->e, t, s->y);
    if (g != 0.0 && (g > 0.0) != (s->g1 > 0.0)) {
      s->t0 = t;
      s->g0 = g;
      s->side0 = apl_side_of(g);
      *found = true;
    }
  }
  return APL_OK;
}

/* Illinois on the dense output of the last step: the estimate, and the slope there. */
static apl_status estimate(search* s, double* t, double* slope) {
  double a = s->t0, b = s->t1, ga = s->g0, gb = s->g1;
  int side = 0;

  for (int k = 0; k < 60 && b - a > 4.0 * DBL_EPSILON * fmax(fabs(a), fabs(b)); ++k) {
    double x = (a * gb - b * ga) / (gb - ga);
    if (!(x > a && x < b)) x = 0.5 * (a + b);
    const apl_status st = apl_stepper_inside(s->stepper, x, s->y);
    if (st != APL_OK) return st;

    const double gx = apl_event_value(s->system, s->e, x, s->y);
    if (gx == 0.0) {
      *t = x;
      *slope = (s->g1 - s->g0) / (s->t1 - s->t0);
      return APL_OK;
    }
    /* on the far side: the value at the end may be exactly zero */
    if ((gx > 0.0) != (s->side0 == SIDE_ABOVE)) {
      b = x, gb = gx;
      if (side == 1) ga *= 0.5;
      side = 1;
    } else {
      a = x, ga = gx;
      if (side == -1) gb *= 0.5;
      side = -1;
    }
  }
  *t = b;
  *slope = (s->g1 - s->g0) / (s->t1 - s->t0);
  return APL_OK;
}

/* Times closer than this are treated as equal: no method makes a step of a few ulp. */
static double shortest_step(double t) {
  return fmax(1e-14, 64.0 * DBL_EPSILON * fabs(t));
}

/* Real steps from the start of the step to t; leaves y there. */
static apl_status step_to(search* s, double t) {
  double at = s->start;
  if (t <= s->start + shortest_step(s->start)) {
    memcpy(s->y, s->y0, sizeof *s->y * (size_t)apl_system_active_size(s->system));
    return APL_OK;
  }
  apl_status st = apl_stepper_rewind(s->stepper, s->start, s->y0);

  while (st == APL_OK && at < t)
    st = apl_stepper_step(s->stepper, t, &at, s->y);
  return st;
}

/* Secant method with real steps. At loose tolerances steps to nearby times differ by their errors,
   and it may not converge. */
enum { LOOKS = 12 };
static apl_status polish(search* s, double* t, double slope) {
  double before = HUGE_VAL, g_before = 0.0; /* none yet */

  for (int k = 0; k < LOOKS; ++k) {
    const apl_status st = step_to(s, *t);
    if (st != APL_OK) return st;

    const double g = apl_event_value(s->system, s->e, *t, s->y);
    if (isfinite(before) && *t != before && g != g_before) slope = (g - g_before) / (*t - before);
    before = *t;
    g_before = g;
    double move = slope != 0.0 ? -g / slope : 0.0;
    /* keep the last evaluation: y belongs to *t */
    if (k == LOOKS - 1 || fabs(move) <= fmax(1e-14, 4.0 * DBL_EPSILON * fabs(*t))) return APL_OK;
    *t = fmin(fmax(*t + move, s->start + 0.5 * (*t - s->start)), s->t1);
  }
  return APL_OK;
}

/* ------------------------------------------------------------------------- hidden crossings ----
 */

static apl_status value_inside(const search* s, double t, double* g) {
  const apl_status st = apl_stepper_inside(s->stepper, t, s->y);
  if (st == APL_OK) *g = apl_event_value(s->system, s->e, t, s->y);
  return st;
}

/* g has the same sign at both ends and approaches zero from both: search its minimum by golden
   section until the sign changes; then the step is cut there. */
static apl_status find_hidden(search* s, bool* found) {
  const double part = 0.38196601125010515, sign = s->side0;
  double a = s->t0, b = s->t1, x = a + part * (b - a), y = b - part * (b - a), gx, gy = 0.0;
  apl_status st = value_inside(s, x, &gx);

  *found = false;
  if (st == APL_OK) st = value_inside(s, y, &gy);
  for (int k = 0; k < 40 && st == APL_OK; ++k) {
    const double t = sign * gx < 0.0 ? x : y, g = sign * gx < 0.0 ? gx : gy;
    if (sign * g < 0.0) {
      s->t1 = t;
      s->g1 = g;
      *found = true;
      return APL_OK;
    }
    if (sign * gx < sign * gy) {
      b = y, y = x, gy = gx, x = a + part * (b - a);
      st = value_inside(s, x, &gx);
    } else {
      a = x, x = y, gx = gy, y = b - part * (b - a);
      st = value_inside(s, y, &gy);
    }
  }
  return st;
}

/* An event that has just occurred is on the side to which g has moved. If the step ends on the
   other side and g was never on the first, the sign is round-off and the event has not occurred
   again. */
static apl_status confirm(search* s, bool* found) {
  apl_status st = APL_OK;
  double g = 0.0;

  *found = false;
  for (double part = 0.5; part > 1e-4 && st == APL_OK && !*found; part *= 0.5) {
    st = value_inside(s, s->t0 + part * (s->t1 - s->t0), &g);
    *found = apl_side_of(g) == s->side0;
  }
  return st;
}

/* Values close to both ends of the step, for the slopes there: all events at one place, then at the
   other. */
static apl_status look_near(const step_taken* step, event_list list, double t) {
  const double h = 1e-3 * (t - step->t_start);
  bool any = false;

  for (int i = 0; i < list.n; ++i)
    any = any || list.event[i].twice;
  for (int end = 0; end < 2 && any; ++end) {
    const double at = end == 0 ? step->t_start + h : t - h;
    const apl_status st = apl_stepper_inside(step->stepper, at, step->scratch);
    if (st != APL_OK) return st;
    apl_event_values(step->system, list, true, at, step->scratch, step->near + end * list.n);
  }
  return APL_OK;
}

/* True if g may have crossed zero twice inside the step: it approaches zero from both ends. */
static bool may_hide(const search* s, double near0, double near1) {
  const bool counts = (s->side0 == SIDE_ABOVE && s->e->direction <= 0) ||
                      (s->side0 == SIDE_BELOW && s->e->direction >= 0);

  return s->e->twice && counts && apl_side_of(s->g1) == s->side0 && fabs(near0) < fabs(s->g0) &&
         fabs(near1) < fabs(s->g1);
}

/* The first time in the step at which event s->e happens, and the slope of g there; HUGE_VAL when
   it does not. `start` is its place at the start of the step; *g is g at the end, or where a hidden
   crossing cuts the step. */
static apl_status find_first(search* s, const event_place* start, const double near[2], double* g,
                             double* at, double* slope) {
  /* a value that is not a number has no side: nothing has happened there */
  const bool again = start->by == SIDE_BY_VALUE && returns(s->e, s->side0, s->g1);
  bool flies = true, found = again || apl_event_crosses(s->e, s->side0, s->g1);
  apl_status st = APL_OK;

  *at = HUGE_VAL;
  if (!found && start->by != SIDE_BY_EVENT && may_hide(s, near[0], near[1])) {
    st = find_hidden(s, &found);
    if (found) *g = s->g1;
  }
  if (st == APL_OK && found && start->by == SIDE_BY_EVENT) st = confirm(s, &found);
  if (st != APL_OK || !found) return st;

  /* if g0 is zero or round-off, find a time at which g has a definite value */
  if (again || start->by != SIDE_BY_VALUE || fabs(s->g0) <= 1e-12 * fabs(s->g1))
    st = find_flight(s, &flies);
  if (st == APL_OK && flies) st = estimate(s, at, slope);
  if (st == APL_OK && !flies) *at = s->t0, *slope = 0.0;
  return st;
}

/* Step to the event of `best` at time `first`; a time within a few ulp of the start needs no
   step. */
static apl_status land(const step_taken* step, search* best, double first, double slope, double* t,
                       double* y) {
  const size_t bytes = sizeof *y * (size_t)apl_system_active_size(step->system);
  apl_status st = APL_OK;

  if (first > step->t_start + shortest_step(step->t_start)) {
    st = polish(best, &first, slope);
    memcpy(y, best->y, bytes);
  } else {
    first = step->t_start;
    memcpy(y, step->y_start, bytes);
  }
  *t = first;
  return st;
}

apl_status apl_locate(const step_taken* step, event_list list, event_place* g, double* t, double* y,
                      int* event) {
  search best = {.system = step->system,
                 .stepper = step->stepper,
                 .y0 = step->y_start,
                 .y = step->scratch,
                 .t0 = step->t_start,
                 .start = step->t_start,
                 .t1 = *t};
  double first = HUGE_VAL, slope = 0.0;

  *event = -1;
  const apl_status looked = look_near(step, list, *t);
  if (looked != APL_OK) return looked;
  apl_event_values(step->system, list, false, *t, y, step->values);
  for (int i = 0; i < list.n; ++i) {
    const event_place start = g[i];
    const double near[2] = {step->near[i], step->near[list.n + i]};
    search s = best;
    double at = HUGE_VAL, k = 0.0, end = step->values[i];
    s.e = &list.event[i];
    s.g0 = start.g;
    s.side0 = start.side;
    s.g1 = end;
    apl_status st = APL_OK;
    if (!s.e->rounded) st = find_first(&s, &start, near, &end, &at, &k);
    g[i] = apl_place_of(end);
    if (st != APL_OK) return st;
    if (!(at < first)) continue;
    first = at;
    slope = k;
    *event = i;
    best.e = s.e;
  }
  return *event < 0 ? APL_OK : land(step, &best, first, slope, t, y);
}
