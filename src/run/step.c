/* SPDX-License-Identifier: Apache-2.0 */
/* step.c: apl_step(), which simulates one control period per call. The system keeps the integrator
   with its step length and history, the events and all memory between calls, and the next call with
   the same options continues. Changes by the caller between two calls are detected: after new
   inputs the rates are evaluated again, after any other change the integrator starts again. */
#include "run/runner.h"

#include "base/error.h"
#include "dynamics/passes.h"
#include "system/system.h"
#include "system/system_impl.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct kept_step {
  runner r;
  apl_run_options asked; /* the options of the caller ...                                         */
  apl_run_options o;     /* ... and those of the run                                              */
  char method[24], loops[24];
  apl_run_report report;
  long revision;  /* of the system at the end of the last call ...                                */
  double* place;  /* [n] ... y of the state ...                                                   */
  double* inputs; /* ... u, tau and aims, twice: then and now ...                                 */
  double* around; /* ... loads and memories of couplings, twice: then and now                     */
} kept_step;

static void stop_stepping(void* stepping) {
  kept_step* k = stepping;

  apl_runner_close(&k->r);
  free(k->place);
  free(k);
}

/* ------------------------------------------------------------------------------- changes ------
 */

static size_t count_inputs(const apl_system* s) {
  return (size_t)(s->nu + 4 * s->nv);
}

/* Numbers that a controller may write. */
static void copy_inputs(apl_system* s, double* to) {
  const size_t nu = (size_t)s->nu, nv = (size_t)s->nv;

  memcpy(to, apl_u(s->state), sizeof *to * nu);
  memcpy(to + nu, apl_tau(s->state), sizeof *to * nv);
  memcpy(to + nu + nv, apl_aim(s->state), 3 * sizeof *to * nv);
}

/* Other data that act on the motion and may have changed: loads on ports, memories of couplings. */
enum { LOAD = 7 };

static size_t count_around(const apl_system* s) {
  return (size_t)(LOAD * s->model->nport + apl_system_memory_size(s));
}

static void copy_around(apl_system* s, double* to) {
  const int n = s->model->nport;

  memset(to, 0, sizeof *to * count_around(s));
  for (int p = 0; s->state->nload > 0 && p < n; ++p)
    to[LOAD * p] = (double)s->state->passes->load_of(s->state, p, to + LOAD * p + 1);
  apl_store memory = apl_store_writer(to + LOAD * n, apl_system_memory_size(s));
  apl_system_memories(s, &memory);
}

static bool same_word(const char* a, const char* b) {
  return strcmp(a == NULL ? "" : a, b == NULL ? "" : b) == 0;
}

static bool same_loops(const apl_loop_options* a, const apl_loop_options* b) {
  return same_word(a->method, b->method) && a->stabilise == b->stabilise &&
         a->frequency == b->frequency && a->ratio == b->ratio && a->stiffness == b->stiffness &&
         a->damping == b->damping && a->slow == b->slow;
}

static bool same_options(const apl_run_options* a, const apl_run_options* b) {
  return same_word(a->method, b->method) && a->tolerance == b->tolerance &&
         a->absolute == b->absolute && a->step == b->step && a->max_step == b->max_step &&
         a->spectral_radius == b->spectral_radius && a->memory_limit == b->memory_limit &&
         same_loops(&a->loops, &b->loops) && a->energy_only == b->energy_only &&
         a->event == b->event && a->nevent == b->nevent && a->poll == b->poll &&
         a->poll_every == b->poll_every && a->impact == b->impact && a->user == b->user;
}

/* Does this call continue from where the last one ended? */
static bool goes_on(const kept_step* k, apl_system* s, double t, const apl_run_options* asked) {
  const size_t bytes = sizeof *k->place * (size_t)apl_system_size(s);

  if (k->revision != s->revision || fabs(t - k->r.t) > apl_run_near(&k->r, t) ||
      !same_options(&k->asked, asked))
    return false;
  double* now = k->around + count_around(s);
  apl_system_pack(s, k->r.scratch);
  copy_around(s, now);
  return memcmp(k->r.scratch, k->place, bytes) == 0 &&
         memcmp(now, k->around, sizeof *now * count_around(s)) == 0;
}

/* ------------------------------------------------------------------------------ stepping ------
 */

static apl_status begin(apl_system* s, double t, double to, const apl_run_options* asked,
                        kept_step** out, apl_error* err) {
  kept_step* k = calloc(1, sizeof *k);
  const size_t room = (size_t)apl_system_size(s) + 2 * (count_inputs(s) + count_around(s));

  if (k != NULL) k->place = calloc(room, sizeof *k->place);
  if (k == NULL || k->place == NULL) {
    free(k);
    return apl_fail(err, APL_ERR_MEMORY, "out of memory for a step");
  }
  k->inputs = k->place + apl_system_size(s);
  k->around = k->inputs + 2 * count_inputs(s);
  k->asked = *asked;
  /* the strings belong to the caller and may change: copy them */
  (void)snprintf(k->method, sizeof k->method, "%s", asked->method == NULL ? "" : asked->method);
  (void)snprintf(k->loops, sizeof k->loops, "%s",
                 asked->loops.method == NULL ? "" : asked->loops.method);
  if (asked->method != NULL) k->asked.method = k->method;
  if (asked->loops.method != NULL) k->asked.loops.method = k->loops;

  k->o = k->asked;
  k->o.from = t;
  k->o.to = to;
  k->o.output_every = 0.0;
  k->o.loops.go_on = true;
  k->o.output = NULL;
  k->o.checkpoint = NULL;
  k->o.resume = NULL;
  k->o.control = NULL;
  k->r = (runner){.system = s, .o = &k->o, .report = &k->report, .silent = true};
  s->stepping.kept = k;
  s->stepping.stop = stop_stepping;
  *out = k;
  return apl_runner_open(&k->r, err);
}

/* Continue from the end of the last call with the present inputs. */
static apl_status go_on(kept_step* k, apl_system* s, double to) {
  double* now = k->inputs + count_inputs(s);

  s->complaint.status = s->refusal.status = APL_OK;
  k->o.from = k->r.t;
  k->o.to = to;
  k->r.closed = false;
  k->r.next = 1;
  memset(&k->report, 0, sizeof k->report);
  copy_inputs(s, now);
  if (memcmp(now, k->inputs, sizeof *now * count_inputs(s)) == 0) return APL_OK;
  apl_runner_restart_steps(&k->r);
  return k->r.stepper == NULL ? APL_OK : apl_stepper_jolt(k->r.stepper);
}

apl_status apl_step(apl_system* s, double t, double period, const apl_run_options* options,
                    apl_error* err) {
  if (s == NULL || options == NULL || options->method == NULL) {
    return apl_fail(err, APL_ERR_ARGUMENT, "apl_step() needs a system and options with a method");
  }
  kept_step* k = s->stepping.kept;
  apl_status st;
  if (!isfinite(t) || !isfinite(period) || !(period >= 0.0)) {
    return apl_fail(err, APL_ERR_ARGUMENT,
                    "a step needs a finite time and a positive period, got %g s and %g s", t,
                    period);
  }
  const bool on = k != NULL && goes_on(k, s, t, options);

  if (!on) {
    apl_system_end_steps(s);
    st = begin(s, t, t + period, options, &k, err);
  } else {
    st = go_on(k, s, t + period);
    if (st != APL_OK) apl_fail(err, st, "at t = %.9g s: %s", t, apl_status_text(st));
  }
  if (st == APL_OK) st = apl_runner_go(&k->r, !on, err);
  if (st != APL_OK || k->r.stop) {
    apl_system_end_steps(s);
    return st;
  }
  k->revision = s->revision;
  apl_system_pack(s, k->place);
  copy_inputs(s, k->inputs);
  copy_around(s, k->around);
  return APL_OK;
}
