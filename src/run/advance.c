/* SPDX-License-Identifier: Apache-2.0 */
/* advance.c: the driver with located events: steps of an integrator, each cut where an event is
   found. */
#include "run/locate.h"
#include "run/run_memory.h"
#include "run/runner.h"

#include "base/error.h"
#include "run/watch.h"

#include "system/system.h"
#include "system/system_impl.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Couplings that come and go get slots for all pairs that may meet within r->horizon, and the next
   step is not longer than that. Events of slots with a new owner are evaluated again. */
static apl_status find_near(runner* r, double t_end) {
  const double next = r->last > 0.0 ? 4.0 * r->last : 1e-3;
  const double far = r->fixed ? fmax(next, 2.0 * r->o->step) : next;
  apl_system* s = r->system;
  bool changed;

  r->horizon = HUGE_VAL;
  if (!apl_watch_gathers(s)) return APL_OK;
  r->horizon = fmin(t_end - r->t, far);
  r->ending = r->ending || (t_end == r->o->to && r->horizon < far);
  apl_system_unpack(s, r->t, r->y);
  const apl_status st = apl_watch_gather(s, &r->horizon, false, &changed);
  /* a step of fixed length cannot become as short as the horizon */
  if (st == APL_OK && r->fixed && r->horizon < fmin(t_end - r->t, r->o->step)) {
    return apl_fail(&s->complaint, APL_ERR_MODEL,
                    "more shapes may meet in one step than there are contacts: use a smaller step");
  }
  if (st != APL_OK || !changed) return st;
  apl_system_pack(s, r->y);
  for (int i = r->first_change; i < r->nevent; ++i) {
    if (!apl_watch_renewed(&r->event[i], s)) continue;
    r->g[i] = apl_watch_side(&r->event[i], s, apl_event_value(s, &r->event[i], r->t, r->y));
  }
  apl_watch_settled(s);
  return APL_OK;
}

/* The latest time at which the next step may end. The error estimate of an embedded pair can miss a
   corner of a force inside a step (Fehlberg 7(8) estimates the error from the two ends of the step
   alone), so a step may pass a corner g = 0 by a short distance only. With the slope of g in the
   last step, the step ends where g has fallen to 2 % of its value; if that is less than the `reach`
   of the event, it ends where g has changed by `reach`. */
static double caution(const runner* r, double t_end) {
  double least = fmin(t_end, r->t + r->horizon);

  if (!(r->last > 0.0) && apl_runner_has_changes(r)) {
    const double h = apl_watch_first_step(r->system, r->t, r->o->tolerance);
    /* no step of a few ulp */
    least = fmin(least, r->t + fmax(h, 1e3 * DBL_EPSILON * fabs(r->t)));
  }
  for (int i = r->first_change; i < r->nevent && r->last > 0.0; ++i) {
    const event_place *now = &r->g[i], *then = &r->before[i];
    const double g = fabs(now->g), slope = (fabs(then->g) - g) / r->last;
    if (!(r->event[i].reach > 0.0) || !(slope > 0.0) || now->side * then->side <= 0) continue;
    least = fmin(least, r->t + fmax(0.98 * g, r->event[i].reach) / slope);
  }
  return least;
}

/* Methods with fixed steps do not locate events: couplings change their memory at ends of steps. */
static apl_status look_at_end(runner* r) {
  apl_system_unpack(r->system, r->t, r->y);
  const apl_status st = apl_runner_meet(r, NULL);
  return st == APL_OK ? apl_runner_restart(r) : st;
}

/* No forces satisfy the laws of all couplings, as where a sliding contact jams. The run goes back
   to the start of the step, and velocities jump so that forces exist again; the ledger books the
   jump as an impact. */
static apl_status unjam(runner* r) {
  apl_system* s = r->system;
  coupling_news news = {.impact = r->o->impact, .user = r->o->user};
  apl_ledger before;

  memcpy(r->y, r->start, sizeof *r->y * (size_t)apl_system_size(s));
  apl_status st = apl_runner_count_returns(r, apl_watch_jam(s));
  if (st == APL_OK) st = apl_system_audit(s, r->t, r->y, &before);
  if (st == APL_OK) apl_watch_jams(r->t, s, &news);
  if (st == APL_OK) st = news.st;
  if (st == APL_OK) st = apl_runner_book(r, &before, APL_ACCOUNT_IMPACT);
  if (st == APL_OK) apl_runner_look(r);
  return st == APL_OK ? apl_runner_restart(r) : st;
}

/* The drift of constraints is corrected where a step has ended; the ledger books the energy that
   this adds or removes. */
static apl_status project(runner* r, bool event) {
  apl_ledger before;
  bool changed;

  if (!apl_watch_projects(r->system)) return APL_OK;
  apl_status st = apl_system_audit(r->system, r->t, r->y, &before);
  /* Some multistep methods must restart after a change of y: errors of the size of their own are
     left. `stiff` leaves gaps of round-off: elastic bodies would answer to their correction. */
  const double norm = apl_stepper_norm(r->stepper);
  coupling_drift how = {.leave = event                             ? 0.0
                                 : norm > 0.0                      ? 1e-13
                                 : apl_stepper_adjusts(r->stepper) ? 0.0
                                                                   : 10.0 * r->o->tolerance,
                        .norm = norm};
  if (st == APL_OK) st = apl_watch_project(r->system, &how, &changed);
  if (st != APL_OK || !changed) return st;
  st = apl_runner_book(r, &before, APL_ACCOUNT_PROJECTION);
  if (st != APL_OK || event) return st;
  return how.jumped ? apl_runner_restart(r) : apl_stepper_adjust(r->stepper, r->y);
}

/* Everything that happens at the end of a step, at r->t. `event`: the event that ended it; -1:
 * none. */
static apl_status end_step(runner* r, int event) {
  apl_status st = APL_OK;

  if (event < 0 && r->fixed && apl_runner_has_changes(r)) st = look_at_end(r);
  if (st == APL_OK) st = project(r, event >= 0);
  if (st == APL_OK && event >= r->first_change) {
    st = apl_runner_count_returns(r, r->event[event].name);
    if (st == APL_OK) apl_system_unpack(r->system, r->t, r->y);
    if (st == APL_OK) st = apl_runner_meet(r, &r->event[event]);
    if (st == APL_OK) st = apl_runner_go_on(r, event);
  } else if (st == APL_OK && event >= 0) {
    st = event < r->o->nevent ? apl_runner_act(r, event) : apl_runner_go_on(r, event);
  }
  if (st == APL_OK) st = apl_runner_check_place(r); /* an action may have moved the robot */
  if (st == APL_OK) st = apl_run_verdict(r, false, event < 0);
  return st == APL_OK && !r->stop ? apl_run_output_here(r) : st;
}

/* One step, which ends at t_end at the latest, or at the first event inside. */
static apl_status take_step(runner* r, double t_end) {
  const step_taken step = {r->system, r->stepper, r->t, r->start, r->scratch, r->near, r->values};
  int event;

  apl_status st = find_near(r, t_end);
  if (st != APL_OK) return st;
  memcpy(r->start, r->y, sizeof *r->y * (size_t)apl_system_size(r->system));
  r->system->drives.left_of = r->t_break;
  /* the first solution of a step starts from zero, so that evaluations between steps (outputs,
     events) do not change the motion */
  r->system->solve.warm = 0;
  const double most = r->fixed ? t_end : caution(r, t_end);
  st = apl_stepper_step(r->stepper, most, &r->t, r->y);
  r->ending = r->ending || (most == r->o->to && apl_stepper_shaped(r->stepper));
  if (st == APL_ERR_CONTACT) return unjam(r);
  if (st != APL_OK) return st;
  st = apl_progress_step(&r->progress, step.t_start, r->start, r->t, r->y);
  r->hopeless = st != APL_OK;
  if (st != APL_OK) return st;
  memcpy(r->before, r->g, sizeof *r->g * (size_t)r->nevent);
  r->report->contact_shared += apl_watch_may_share(r->system) && !r->system->solve.last.unique;
  r->last = r->t - step.t_start;
  r->step_start = step.t_start;
  const event_list list = {r->event, r->fixed ? r->first_change : r->nevent, r->o->nevent};
  st = apl_locate(&step, list, r->g, &r->t, r->y, &event);
  if (st == APL_OK) st = apl_runner_looks_failed(r);
  if (event >= 0) r->last = 0.0;
  if (st == APL_OK && event < 0 && apl_runner_has_changes(r))
    st = apl_runner_peaks(r, step.t_start);
  if (st == APL_OK) st = apl_run_outputs_inside(r);
  r->system->drives.left_of = HUGE_VAL;
  return st == APL_OK ? end_step(r, event) : st;
}

/* Steps up to t_end, or until an event stops the run. Where only a few ulp are left, t_end is
   reached: no method makes so short a step. */
apl_status apl_runner_advance(runner* r, double t_end) {
  apl_status st = APL_OK;

  while (st == APL_OK && t_end - r->t > 16.0 * DBL_EPSILON * fabs(t_end) && !r->stop) {
    if (r->t > r->step_start) st = apl_run_checkpoint(r);
    if (st == APL_OK) st = take_step(r, t_end);
  }
  return st;
}
