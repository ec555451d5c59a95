/* SPDX-License-Identifier: Apache-2.0 */
/* outputs.c: outputs, and the check of the ledgers. Steps do not end at outputs: an output is
   interpolated inside the step that contains its time (docs/decisions/071-outputs-are-read.md), so
   that the motion does not depend on what is recorded. The ledgers are checked at ends of steps. */
#include "run/runner.h"
#include "run/watch.h"

#include "system/system.h"
#include "system/system_impl.h"

#include <float.h>
#include <math.h>
#include <string.h>

double apl_run_near(const runner* r, double t) {
  return 16.0 * DBL_EPSILON * fmax(fabs(t), fabs(r->o->from));
}

/* The k-th multiple of the period, without accumulated round-off. The last output is at the end. */
double apl_run_next_output(const runner* r) {
  const apl_run_options* o = r->o;
  const double t = o->output_every > 0.0 ? o->from + o->output_every * (double)r->next : HUGE_VAL;

  if (r->closed) return HUGE_VAL;
  return t > o->to - apl_run_near(r, o->to) ? o->to : t;
}

apl_status apl_run_output(runner* r, double t, const double* y) {
  apl_ledger l;

  r->report->outputs += 1;
  if (r->o->output == NULL) return APL_OK;
  apl_status st = apl_system_audit(r->system, t, y, &l);
  if (st == APL_OK) st = r->o->output(t, y, &l, r->system, r->o->user);
  if (st == APL_OK) st = r->system->complaint.status;
  /* one long step may contain a million outputs: the caller can stop the run between them */
  return st == APL_OK ? apl_progress_poll(t, &r->progress) : st;
}

apl_status apl_run_verdict(runner* r, bool start, bool untouched) {
  apl_ledger l;
  if (r->silent) return APL_OK;
  const apl_status st = untouched ? apl_system_audit_last(r->system, r->t, r->y, &l)
                                  : apl_system_audit(r->system, r->t, r->y, &l);

  if (st == APL_OK) apl_audit_look(&r->audit, r->system, r->t, &l, start);
  return st;
}

/* Make the last step of the stepper contain t, so that it can be interpolated there. Where an event
   was reached by several steps from r->step_start, t may lie in an earlier one: these steps are
   then repeated. The motion does not change, because the stepper restarts after an event. */
static apl_status reach(runner* r, double t) {
  const long before = apl_stepper_steps(r->stepper);
  apl_status st = APL_OK;
  double at = apl_stepper_end(r->stepper);

  if (t < apl_stepper_start(r->stepper)) {
    at = r->step_start;
    st = apl_stepper_rewind(r->stepper, r->step_start, r->start);
  }
  while (st == APL_OK && at < t)
    st = apl_stepper_step(r->stepper, r->t, &at, r->at_output);
  /* repeated steps do not count as steps of the run */
  r->steps -= apl_stepper_steps(r->stepper) - before;
  r->progress.steps = r->steps;
  return st;
}

/* Inside a step, constraints are violated by the interpolation error. Outputs satisfy them exactly.
 */
static apl_status close_constraints(runner* r, double t) {
  apl_system_unpack(r->system, t, r->at_output);
  const apl_status st = apl_watch_close(r->system);
  apl_system_pack(r->system, r->at_output);
  return st;
}

apl_status apl_run_outputs_inside(runner* r) {
  apl_status st = APL_OK;
  double t;

  while (st == APL_OK && (t = apl_run_next_output(r)) < r->t - apl_run_near(r, r->t)) {
    st = reach(r, t);
    /* the stepper fills the active numbers of y only; the others are constant in the step */
    memcpy(r->at_output, r->y, sizeof *r->y * (size_t)apl_system_size(r->system));
    if (st == APL_OK) st = apl_stepper_read(r->stepper, t, r->at_output);
    if (st == APL_OK && apl_watch_closes(r->system)) st = close_constraints(r, t);
    if (st == APL_OK) st = apl_run_output(r, t, r->at_output);
    r->next += 1;
  }
  return st;
}

apl_status apl_run_output_here(runner* r) {
  const double t = apl_run_next_output(r), near = apl_run_near(r, r->t);
  if (t > r->t + near) return APL_OK;

  long passed = 0;
  r->closed = t >= r->o->to;
  /* one time step may pass several outputs; they become one, at its end */
  while (!r->closed && apl_run_next_output(r) <= r->t + near) {
    if (apl_run_next_output(r) >= r->o->to) r->closed = true;
    r->next += 1;
    ++passed;
  }
  if (passed > 1) r->report->merged += passed - 1;
  return apl_run_output(r, r->stepper == NULL ? r->t : t, r->y);
}
