/* SPDX-License-Identifier: Apache-2.0 */
/* events.c: actions at an event: the caller's action or the change of a coupling, the booking of
   energy and momentum, and the side of zero from which each event continues. */
#include "run/locate.h"
#include "run/runner.h"
#include "run/watch.h"

#include "system/system.h"
#include "system/system_impl.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Events that occur this often at one time, beside each of them once, have accumulated there. */
enum { MOST_RETURNS = 50 };

/* True if couplings have events that change their memory. */
bool apl_runner_has_changes(const runner* r) {
  return r->nevent > r->first_change;
}

/* Test for a singular joint. y begins with q. */
apl_status apl_runner_check_place(const runner* r) {
  return apl_model_singular(apl_system_model(r->system), r->y, NULL) < 0 ? APL_OK
                                                                         : APL_ERR_SINGULAR;
}

void apl_runner_restart_steps(runner* r) {
  if (r->time != NULL && r->method->time->restart != NULL) r->method->time->restart(r->time);
}

apl_status apl_runner_restart(runner* r) {
  apl_runner_restart_steps(r);
  return r->stepper == NULL ? APL_OK : apl_stepper_restart(r->stepper, r->t, r->y);
}

/* Evaluate all events. If g is within round-off of zero, the side of a coupling's event follows
   from the coupling's memory. */
void apl_runner_look(runner* r) {
  const event_list all = {r->event, r->nevent, r->o->nevent};

  apl_event_values(r->system, all, false, r->t, r->y, r->values);
  for (int i = 0; i < r->nevent; ++i) {
    r->g[i] = i < r->first_change ? apl_place_of(r->values[i])
                                  : apl_watch_side(&r->event[i], r->system, r->values[i]);
  }
}

/* g(t + d) - g(t - d) of an event on the tangent of the motion at r->t, y + d y'. */
static double change_along(runner* r, int event, const double* rate, double d) {
  const int n = apl_system_error_size(r->system);
  double change = 0.0;

  memcpy(r->scratch, r->y, sizeof *r->y * (size_t)apl_system_size(r->system));
  for (int end = -1; end <= 1; end += 2) {
    for (int i = 0; i < n; ++i)
      r->scratch[i] = r->y[i] + end * d * rate[i];
    change += end * apl_event_value(r->system, &r->event[event], r->t + end * d, r->scratch);
  }
  return change;
}

/* After an action: true if g of the caller's event still moves in its direction. Then the action
   did not reverse the motion, g has passed zero, and the event can occur again only after g has
   come back. The change of g must grow with the distance, to exclude round-off. */
static bool passes_zero(runner* r, int event) {
  const int direction = r->event[event].direction;
  double *rate = r->at_output, size = 1.0, speed = 1.0;
  /* an event that recurs without time passing accumulates: see apl_runner_count_returns() */
  const bool again = r->t == r->step_start && r->before[event].side == SIDE_ZERO;

  if (event >= r->o->nevent || direction == 0 || again) return false;
  /* if accelerations cannot be computed, the next step reports it */
  if (apl_system_rate_motion(r->t, r->y, rate, r->system) != APL_OK) return false;
  for (int i = 0; i < apl_system_error_size(r->system); ++i) {
    size = fmax(size, fabs(r->y[i]));
    speed = fmax(speed, fabs(rate[i]));
  }
  const double d = fmax(1e-5 * size / speed, 1e4 * DBL_EPSILON * fabs(r->t));
  const double small = direction * change_along(r, event, rate, 0.125 * d);
  return small > 0.0 && direction * change_along(r, event, rate, d) > 4.0 * small;
}

/* Continue after an event: the integrator's history is dropped, and the event must not be found
   again at once. If only one direction counts and the motion is reversed, the event starts at zero,
   so that a bounce shorter than a step is found; otherwise it starts on the side to which it has
   moved. */
apl_status apl_runner_go_on(runner* r, int event) {
  const bool passed = passes_zero(r, event);
  const int direction = r->event[event].direction;
  const bool below = passed ? direction < 0 : signbit(r->g[event].g);
  const event_place gone = apl_place_at(below ? SIDE_BELOW : SIDE_ABOVE, SIDE_BY_EVENT);

  apl_runner_look(r);
  /* no time has passed: events that have just occurred keep their side */
  for (int i = 0; i < r->nevent && r->t == r->step_start; ++i) {
    if (r->before[i].by == SIDE_BY_EVENT) r->g[i] = r->before[i];
  }
  if (event < r->first_change || !apl_watch_decides(&r->event[event]))
    r->g[event] = direction == 0 || passed ? gone : apl_place_at(SIDE_ZERO, SIDE_BY_VALUE);
  return apl_runner_restart(r);
}

/* Count events that recur at the same time. Many different ones may happen at once, as at two
   hundred contacts of one impact. */
apl_status apl_runner_count_returns(runner* r, const char* name) {
  r->returns = r->t == r->t_event ? r->returns + 1 : 0;
  r->t_event = r->t;
  if (r->returns <= MOST_RETURNS + r->nevent) return APL_OK;
  r->crowded = name;
  return APL_ERR_INTEGRATOR;
}

apl_status apl_runner_book(runner* r, const apl_ledger* before, apl_account account) {
  apl_ledger after;
  apl_system_pack(r->system, r->y);
  const apl_status st = apl_system_audit(r->system, r->t, r->y, &after);
  if (st != APL_OK) return st;
  for (int i = 0; i < 6; ++i)
    after.momentum[i] -= before->momentum[i];
  apl_system_book(r->system, account, after.sum - before->sum, after.momentum);
  apl_system_pack(r->system, r->y);
  return APL_OK;
}

/* Event functions return values, not errors; errors during their evaluation are collected here. */
apl_status apl_runner_looks_failed(runner* r) {
  const apl_status st = r->system->look.failed;

  r->system->look.failed = APL_OK;
  return st == APL_OK ? r->system->complaint.status : st;
}

/* An event of a coupling, such as a contact that closes. NULL: the start of the run. */
apl_status apl_runner_meet(runner* r, const apl_event* e) {
  coupling_news news = {.impact = r->o->impact, .user = r->o->user};
  apl_ledger before;
  apl_status st = apl_system_audit(r->system, r->t, r->y, &before);
  if (st != APL_OK) return st;

  apl_watch_happens(e, r->t, r->system, &news);
  r->report->impacts += news.impacts;
  if (news.st == APL_OK) news.st = apl_runner_looks_failed(r);
  if (news.st != APL_OK) return news.st;
  if (news.jumped) {
    st = apl_runner_book(r, &before, APL_ACCOUNT_IMPACT);
  } else {
    apl_system_pack(r->system, r->y);
  }
  return st;
}

/* After an action: pack the changed q and v into y, and drop the history. */
apl_status apl_runner_act(runner* r, int event) {
  const apl_event* e = &r->o->event[event];

  apl_ledger before;
  apl_status st = apl_runner_count_returns(r, e->name);
  if (st == APL_OK) st = apl_system_audit(r->system, r->t, r->y, &before);
  if (st != APL_OK) return st;
  r->report->events += 1;
  if (e->action != NULL && e->action(r->t, r->system, e->user) == APL_STOP_HERE) r->stop = true;
  st = r->system->complaint.status;
  if (st == APL_OK) st = apl_runner_book(r, &before, APL_ACCOUNT_IMPACT);
  if (st == APL_OK && apl_runner_has_changes(r))
    st = apl_runner_meet(r, NULL); /* velocities may have changed */
  return st == APL_OK ? apl_runner_go_on(r, event) : st;
}
