/* SPDX-License-Identifier: Apache-2.0 */
/* loop.c: the loop of a run: control, advance to the next time of interest, record; its start and
   its end. */
#include "run/run_memory.h"
#include "run/runner.h"

#include "base/error.h"
#include "system/system.h"
#include "system/system_impl.h"

#include <math.h>

/* A time at which the loop must end a step: the k-th multiple of a period, without accumulated
   round-off. */
static double tick(double from, double period, long k) {
  return period > 0.0 ? from + period * (double)k : HUGE_VAL;
}

/* Inputs written by a controller must be finite after their bounds are applied. */
static apl_status check_inputs(runner* r) {
  const double* u = apl_u(r->system->state);

  for (int i = 0; i < r->system->nu; ++i) {
    const double bound = u[i] > 0.0 ? r->system->drives.greatest[i] : r->system->drives.least[i];
    if (isfinite(u[i]) || (!isnan(u[i]) && isfinite(bound))) continue;
    return apl_fail(&r->system->complaint, APL_ERR_NOT_FINITE,
                    "the controller gave the input '%.80s' the value %g",
                    apl_model_name(r->system->model, APL_INPUTS, i), u[i]);
  }
  return APL_OK;
}

/* Call the controller; the integrator's history is dropped. */
static apl_status control(runner* r) {
  const apl_run_options* o = r->o;

  apl_system_unpack(r->system, r->t, r->y);
  o->control(r->t, r->system, o->user);
  apl_status st = check_inputs(r);
  if (st == APL_OK) st = r->system->complaint.status;
  return st == APL_OK ? apl_runner_restart(r) : st;
}

static apl_status loop(runner* r) {
  const apl_run_options* o = r->o;
  const bool lands = r->stepper == NULL || apl_stepper_lands(r->stepper);
  const double period = o->control_every > 0.0 ? o->control_every : o->step;
  long controls = 0;
  apl_status st = APL_OK;

  while (st == APL_OK && r->t < o->to && !r->stop && !r->closed) {
    const double near = apl_run_near(r, r->t);
    double t_control = o->control == NULL ? HUGE_VAL : tick(o->from, period, controls);
    /* time steps do not end at breaks */
    r->t_break = r->stepper != NULL ? apl_system_break(r->system, r->t) : HUGE_VAL;

    if (t_control <= r->t + near) {
      st = control(r);
      t_control = tick(o->from, period, ++controls);
      if (st != APL_OK) break;
    }

    /* times that differ by round-off only are equal: no steps of a few ulp */
    const double t_out = lands ? apl_run_next_output(r) : HUGE_VAL;
    const double t_next = fmin(fmin(t_out, t_control), fmin(r->t_break, o->to));
    if (t_next > r->t + near)
      st = r->stepper != NULL ? apl_runner_advance(r, t_next) : apl_run_steps(r, t_next);
    if (st == APL_OK && r->t_break <= r->t + near) {
      r->t = fmax(r->t, r->t_break); /* exactly to the break, or the next iteration would find it
                                        again */
      st = apl_runner_restart(r);
    }
    if (st == APL_OK) st = r->stop ? apl_run_output(r, r->t, r->y) : apl_run_output_here(r);
    if (st == APL_OK && !r->closed) st = apl_run_checkpoint(r);
  }
  return st;
}

/* Leave the state at the last valid time, with the accelerations and efforts that belong to it. */
static apl_status conclude(runner* r, apl_status st) {
  r->system->drives.left_of = HUGE_VAL;
  apl_system_unpack(r->system, r->t, r->y);
  if (st == APL_OK && r->stepper != NULL) st = apl_system_forward(r->system);
  r->report->t = r->t;
  apl_run_count_work(r);
  r->report->switching = r->stepper == NULL ? (apl_switching){.method = r->o->method}
                                            : apl_stepper_switching(r->stepper);
  apl_audit_tell(&r->audit, r->o, r->report);
  r->report->discretisation = (r->method->can & METHOD_IMPULSES) != 0;
  if (r->time != NULL) {
    const step_worst* worst = &r->time->worst;
    r->report->contact_residual = worst->residual;
    r->report->contact_rough = (long)worst->rough;
    r->report->contact_gain = worst->gain;
    r->report->contact_gain_at = worst->gain_at;
    r->report->contact_stiffest = worst->stiffest;
    r->report->contact_stiffest_of = r->time->stiffest_of;
  }
  return st;
}

/* Contacts, events and ledgers at the start, before the first step. */
static apl_status stand_at_start(runner* r) {
  apl_status st = APL_OK;

  apl_system_pack(r->system, r->y); /* closing loops may have moved it */
  if (apl_runner_has_changes(r)) st = apl_runner_meet(r, NULL);
  if (st == APL_OK) st = apl_runner_check_place(r);
  if (st == APL_OK) st = apl_run_verdict(r, true, false);
  if (st == APL_OK) st = apl_run_output(r, r->t, r->y);
  apl_progress_restart(&r->progress, r->t);
  apl_runner_look(r);
  return st == APL_OK ? apl_runner_restart(r) : st;
}

apl_status apl_runner_go(runner* r, bool from_start, apl_error* err) {
  apl_status st = from_start ? stand_at_start(r) : APL_OK;

  if (st == APL_OK) st = loop(r);
  if (st != APL_OK) apl_run_explain(r, st, err);
  return conclude(r, st);
}

apl_status apl_run(apl_system* system, const apl_run_options* o, apl_run_report* report,
                   apl_error* err) {
  if (system == NULL || o == NULL) {
    return apl_fail(err, APL_ERR_ARGUMENT, "apl_run() needs a system and options");
  }
  apl_run_report unused;
  runner r = {.system = system, .o = o, .report = report == NULL ? &unused : report};

  apl_system_end_steps(system);
  apl_status st = apl_runner_open(&r, err);
  if (st == APL_OK) st = apl_runner_go(&r, o->resume == NULL, err);
  apl_runner_close(&r);
  return st;
}
