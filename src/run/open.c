/* SPDX-License-Identifier: Apache-2.0 */
/* open.c: what a run needs before its first step: the integrator, the list of events, memory, and a
   state to start from. */
#include "run/resume.h"
#include "run/run_memory.h"
#include "run/runner.h"
#include "run/watch.h"

#include "base/error.h"
#include "system/system.h"
#include "system/system_impl.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Implicit steps have numerical damping. The integrator `auto` uses them only if the robot has
   damping of its own. */
static bool may_damp(const runner* r) {
  return apl_watch_may_damp(r->system) || apl_system_damped(r->system);
}

/* Choose the driver: time steps of the robot, or a stepper of y' = f(t, y) with located events. */
static apl_status open_driver(runner* r, apl_error* err) {
  const apl_run_options* o = r->o;
  const apl_model* m = r->system->model;

  r->method = apl_method_find(o->method);
  if (r->method == NULL) return apl_method_unknown(o->method, err);
  const apl_status able = apl_method_refuse(r->method, r->system, o, err);
  if (able != APL_OK) return able;
  r->system->stepping.impulsive = r->method->time != NULL;
  if (r->system->stepping.impulsive && !(o->step > 0.0 && isfinite(o->step))) {
    return apl_fail(err, APL_ERR_ARGUMENT, "%s needs a positive step, got %g s", o->method,
                    o->step);
  }
  if (r->system->stepping.impulsive) return r->method->time->open(r->system, o, &r->time, err);

  /* what the kinds ask for, unless the caller does */
  const double scale = o->absolute == 0.0 ? o->tolerance : 0.0;
  const double absolute = scale * apl_watch_absolute(r->system, 0);
  const bool chosen = (r->method->can & METHOD_CHOOSES) != 0;
  const apl_stepper_options so = {.method = o->method,
                                  .n = apl_system_active_size(r->system),
                                  .n_error = apl_system_error_size(r->system),
                                  .motion = apl_system_rate_motion,
                                  .landed = r->silent ? NULL : apl_system_rate_landed,
                                  .n_first = m->nq,
                                  .n_second = m->nv,
                                  .tolerance = o->tolerance,
                                  .absolute = absolute > 0.0 ? absolute : o->absolute,
                                  .absolute_rate = scale * apl_watch_absolute(r->system, 1),
                                  .step = o->step,
                                  .max_step = o->max_step,
                                  .implicit = chosen && !may_damp(r) ? NULL : &apl_system_implicit,
                                  .poll = o->poll == NULL ? NULL : apl_progress_poll,
                                  .poll_user = &r->progress};
  const apl_status st = apl_stepper_new(&so, apl_system_rate, r->system, &r->stepper, err);
  if (st != APL_OK) return st;
  r->report->undamped = (r->method->can & METHOD_IMPLICIT) != 0 && !apl_system_damped(r->system);
  r->fixed = apl_stepper_is_fixed(r->stepper);
  return APL_OK;
}

/* Make the list of events, the caller's before those of couplings, and take all memory of the run.
 */
static apl_status find_events(runner* r, apl_error* err) {
  const apl_run_options* o = r->o;
  const bool located = r->stepper != NULL;
  int corners = 0;
  const int nwatched = located ? apl_watch_find(r->system, &r->watched, &corners) : 0;
  const int n = apl_system_size(r->system), npeak = apl_watch_npeak(r->system);
  const bool found = nwatched >= 0;
  r->first_change = o->nevent + corners;
  r->nevent = o->nevent + nwatched;
  const int nmemory = r->nmemory = apl_run_memory_size(r->system, o);
  const int room = 5 * n + 3 * r->nevent + (PEAK_LOOKS + 1) * npeak + nmemory;
  r->y = found ? calloc((size_t)room, sizeof *r->y) : NULL;
  r->event = found ? calloc((size_t)r->nevent + 1, sizeof *r->event) : NULL;
  r->g = found ? calloc(2 * (size_t)r->nevent + 1, sizeof *r->g) : NULL;
  if (r->y == NULL || r->event == NULL || r->g == NULL)
    return apl_fail(err, APL_ERR_MEMORY, "out of memory for the run");
  for (int i = 0; i < r->nevent; ++i) {
    r->event[i] = i < o->nevent ? o->event[i] : r->watched[i - o->nevent];
  }
  r->start = r->y + n;
  r->scratch = r->start + n;
  r->at_output = r->scratch + n;
  r->near = r->at_output + n;
  r->values = r->near + 2 * r->nevent;
  r->force = r->values + r->nevent;
  r->before = r->g + r->nevent;
  r->memory = r->force + (PEAK_LOOKS + 1) * npeak;
  r->t_event = -DBL_MAX;
  r->progress = (run_progress){.o = o,
                               .method = r->method,
                               .system = r->system,
                               .stepper = r->stepper,
                               .report = r->report,
                               .n = apl_system_error_size(r->system),
                               .rate = r->memory + nmemory,
                               .limit = -1};
  return APL_OK;
}

/* Prepare the present state for a run that is not resumed: prescribed freedoms move to the values
   of their signals, constraints are assembled, and couplings check the state. */
static apl_status begin(runner* r, apl_error* err) {
  apl_system_pack(r->system, r->y);
  apl_system_unpack(r->system, r->t, r->y);
  apl_status st = apl_watch_assemble(r->system, r->o, err);
  if (st == APL_OK) apl_system_pack(r->system, r->y);
  double horizon = 1e-3;
  bool changed;
  if (st == APL_OK) st = apl_watch_gather(r->system, &horizon, true, &changed);
  if (r->system->complaint.status != APL_OK)
    return apl_fail(err, st, "%s", r->system->complaint.text);
  if (st == APL_OK) st = apl_watch_start(r->system, err);
  if (st != APL_OK) return st;
  if ((r->method->can & METHOD_IMPULSES) != 0) apl_watch_impulses(r->system);
  return APL_OK;
}

apl_status apl_runner_open(runner* r, apl_error* err) {
  const apl_run_options* o = r->o;
  apl_system* system = r->system;

  r->t = o->from;
  r->next = 1;
  memset(r->report, 0, sizeof *r->report);
  system->complaint.status = system->refusal.status = APL_OK;
  apl_status st = apl_run_check_options(o, err);
  if (st == APL_OK) st = apl_system_check(system, err);
  if (st == APL_OK && o->resume != NULL) st = apl_resume_check(system, o, err);
  if (st != APL_OK) return st;
  apl_system_limit_memory(system, o->memory_limit);
  if (o->resume != NULL) apl_run_restore_settings(system, o);
  apl_system_activate(system, o->control != NULL || o->nevent > 0, !o->energy_only);
  st = open_driver(r, err);
  if (st == APL_OK) st = find_events(r, err);
  if (st == APL_OK && o->resume == NULL) st = begin(r, err);
  if (st == APL_OK) st = apl_watch_open(system, r->t, o, err);
  if (st == APL_OK && o->resume != NULL) {
    st = apl_run_go_on_from(r, o->resume, err);
    if (st == APL_OK) st = apl_resume_check_outputs(o, r->t, r->next, err);
  }
  return st;
}

void apl_runner_close(runner* r) {
  apl_stepper_free(r->stepper);
  if (r->time != NULL) r->method->time->close(r->time);
  free(r->watched);
  free(r->event);
  free(r->g);
  free(r->y);
  apl_system_limit_memory(r->system,
                          r->o->memory_limit); /* the memory of the stepper is free again */
}
