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

static bool crosses(const apl_event* e, double before, double after) {
  const bool rises = before < 0.0 && after >= 0.0, falls = before > 0.0 && after <= 0.0;
  return (rises && e->direction >= 0) || (falls && e->direction <= 0);
}

/* An event that has just happened starts the step at zero. If the step ends beyond it, the event
   came and went and came again inside one step: the flight was shorter than the step. */
static bool returns(const apl_event* e, double before, double after) {
  return before == 0.0 &&
         ((after < 0.0 && e->direction <= 0) || (after > 0.0 && e->direction >= 0));
}

typedef struct search {
  apl_system* system;
  apl_stepper* stepper;
  const apl_event* e;
  double t0, t1, g0, g1; /* where g changes its sign                                             */
  double start;          /* of the step                                                          */
  const double* y0; /* start of the step                                                          */
  double* y;        /* scratch                                                                    */
} search;

/* A place near the start of the step where g has the sign it had before the event: halve the step
   until there is one. Without any, the event happens again at once. */
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
    /* on the far side: the end itself may be exactly zero */
    if ((gx > 0.0) != (s->g0 > 0.0)) {
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

/* Times closer than that are one time: no method makes a step of a few ulp. */
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

/* Secant on real steps. At loose tolerances steps to nearby times differ by their errors, and it
   may not settle. */
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
    /* the last look stays: y stands at *t */
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

/* g has one sign at both ends and comes closer to zero from both: narrow where it is closest, by
   golden section, until the sign changes; then the step is cut there. */
static apl_status find_hidden(search* s, bool* found) {
  const double part = 0.38196601125010515, sign = s->g0 > 0.0 ? 1.0 : -1.0;
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

/* An event that has just happened stands on the side it has gone to. If the step ends on the other
   one and was never on the first, it is there by round-off, and nothing has happened again. */
static apl_status confirm(search* s, bool* found) {
  apl_status st = APL_OK;
  double g = 0.0;

  *found = false;
  for (double part = 0.5; part > 1e-4 && st == APL_OK && !*found; part *= 0.5) {
    st = value_inside(s, s->t0 + part * (s->t1 - s->t0), &g);
    *found = g != 0.0 && (g > 0.0) == (s->g0 > 0.0);
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

apl_status apl_locate(const step_taken* step, event_list list, double* g, double* t, double* y,
                      int* event) {
  search best = {.system = step->system,
                 .stepper = step->stepper,
                 .y0 = step->y_start,
                 .y = step->scratch,
                 .t0 = step->t_start,
                 .start = step->t_start,
                 .t1 = *t};
  double first = HUGE_VAL, slope = 0.0;
  const int n = list.n;

  *event = -1;
  const apl_status looked = look_near(step, list, *t);
  if (looked != APL_OK) return looked;
  apl_event_values(step->system, list, false, *t, y, step->values);
  for (int i = 0; i < n; ++i) {
    search s = best;
    double at, k;
    s.e = &list.event[i];
    s.g0 = g[i];
    s.g1 = g[i] = step->values[i];
    if (s.e->rounded) continue;
    const bool again = returns(s.e, s.g0, s.g1);
    bool flies = true, found = again || crosses(s.e, s.g0, s.g1);
    apl_status st = APL_OK;
    const bool counts = (s.g0 > 0.0 && s.e->direction <= 0) || (s.g0 < 0.0 && s.e->direction >= 0);
    if (!found && s.e->twice && counts && s.g0 * s.g1 > 0.0 && fabs(step->near[i]) < fabs(s.g0) &&
        fabs(step->near[n + i]) < fabs(s.g1)) {
      st = find_hidden(&s, &found);
      if (found) g[i] = s.g1;
    }
    if (st == APL_OK && found && fabs(s.g0) == DBL_MIN) st = confirm(&s, &found);
    if (st != APL_OK) return st;
    if (!found) continue;

    /* a side that an event only stands on, or by round-off, does not tell how far it is from zero
     */
    if (again || fabs(s.g0) <= fmax(2.0 * DBL_MIN, 1e-12 * fabs(s.g1)))
      st = find_flight(&s, &flies);
    if (st == APL_OK && flies) st = estimate(&s, &at, &k);
    if (st != APL_OK) return st;
    if (!flies) at = s.t0, k = 0.0;
    if (at < first) {
      first = at;
      slope = k;
      *event = i;
      best.e = s.e;
    }
  }
  if (*event < 0) return APL_OK;

  apl_status st = APL_OK;
  const size_t bytes = sizeof *y * (size_t)apl_system_active_size(step->system);
  /* a flight of a few ulp of t cannot be stepped: it takes no time */
  if (first > step->t_start + shortest_step(step->t_start)) {
    st = polish(&best, &first, slope);
    memcpy(y, best.y, bytes);
  } else {
    first = step->t_start;
    memcpy(y, step->y_start, bytes);
  }
  *t = first;
  return st;
}
