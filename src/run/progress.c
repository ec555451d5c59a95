/* SPDX-License-Identifier: Apache-2.0 */
/* progress.c: finds out whether the end of a run can be reached.

   A model whose inertia vanishes, or a stiff one under an explicit method, makes steps so short
   that the end of the run is out of reach. The mean length of WINDOW steps says how many more it
   would take; beyond STEPS_MOST, which takes half a day at best, the run ends with a sentence
   instead. It also ends where steps have collapsed, as near a contact that jams: CRAWLS windows in
   which they are shorter than COLLAPSE times those before, with STEPS_CRAWL still to go. Which
   number of y keeps the steps short is seen from its rates over two steps: the one whose rate
   changes most against what its tolerance allows. This uses the ends of steps only: no rates are
   evaluated for it, so the motion does not depend on it. */
#include "run/progress.h"

#include "run/parts.h"
#include "run/watch.h"
#include "system/system.h"
#include "system/system_impl.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LOOK = 32, WINDOW = 20000, CRAWLS = 2, VOTES = 8, MANY_STEPS = 1000 };
static const double STEPS_MOST = 1e10, STEPS_CRAWL = 1e8, COLLAPSE = 1e-5;

void apl_progress_restart(run_progress* p, double t) {
  p->count = 0;
  p->crawls = 0;
  p->window_t = p->look_t = p->t = t;
  p->has_rate = false;
}

/* Compare the rates of y in two successive steps: find the number whose rate has changed most. */
static void find_limit(run_progress* p, double h, const double* y0, const double* y1) {
  const double rtol = p->o->tolerance, atol = p->o->absolute > 0.0 ? p->o->absolute : rtol;
  double most = 0.0;
  int found = -1;

  for (int i = 0; i < p->n; ++i) {
    const double change = fabs((y1[i] - y0[i]) / h - p->rate[i]) * h;
    const double share = change / (rtol * fabs(y1[i]) + atol);
    if (!(share > most)) continue;
    most = share;
    found = i;
  }
  if (found < 0) return;
  /* keep the number that most of the last comparisons have found */
  p->votes = found == p->limit ? (p->votes < VOTES ? p->votes + 1 : VOTES) : p->votes - 1;
  if (p->limit < 0 || p->votes < 0) {
    p->limit = found;
    p->votes = 0;
  }
}

static long steps_of(const run_progress* p) {
  return p->stepper == NULL ? p->report->steps : p->steps + apl_stepper_steps(p->stepper);
}

/* A window ends and the next one begins. False: the end of the run cannot be reached. */
static bool end_window(run_progress* p, double t) {
  const double mean = (t - p->window_t) / WINDOW, left = p->o->to - t;
  const double before = (double)(steps_of(p) - WINDOW);
  const double pace = p->crawls > 0  ? p->pace
                      : before > 0.0 ? (p->window_t - p->o->from) / before
                                     : 0.0;
  const int windows = mean < COLLAPSE * pace ? p->crawls + 1 : 0;

  apl_progress_restart(p, t);
  p->pace = pace;
  p->crawls = windows < CRAWLS ? windows : CRAWLS; /* whatever is left: checkpoints have it */
  return left / STEPS_MOST < mean && (windows < CRAWLS || left / STEPS_CRAWL < mean);
}

apl_status apl_progress_step(run_progress* p, double t0, const double* y0, double t1,
                             const double* y1) {
  const double h = t1 - t0;

  p->t = t1;
  p->count += 1;
  if (!p->asked && steps_of(p) > MANY_STEPS) {
    p->asked = true;
    p->settling = apl_settling_joint(p->system, &p->settles);
  }
  if (p->count % LOOK == LOOK - 1 && h > 0.0) {
    for (int i = 0; i < p->n; ++i)
      p->rate[i] = (y1[i] - y0[i]) / h;
    p->has_rate = true;
  } else if (p->count % LOOK == 0) {
    if (p->has_rate && h > 0.0) find_limit(p, h, y0, y1);
    p->has_rate = false;
    p->step = (t1 - p->look_t) / LOOK;
    p->look_t = t1;
  }
  if (p->count < WINDOW) return APL_OK;

  return end_window(p, t1) ? APL_OK : APL_ERR_INTEGRATOR;
}

/* ------------------------------------------------------------------------------- resuming --- */

/* Numbers of a checkpoint: this record, which has the members of run_progress, then the rates. */
typedef struct progress_record {
  double has_rate, count, window_t, look_t, step, t, pace, crawls, votes, limit;
} progress_record;
enum { PROGRESS_NUMBERS = 10 };
APL_STORED(progress_record, PROGRESS_NUMBERS);

int apl_progress_memory_size(int n) {
  return PROGRESS_NUMBERS + n;
}

static progress_record record_of(const run_progress* p) {
  return (progress_record){.has_rate = p->has_rate ? 1.0 : 0.0,
                           .count = (double)p->count,
                           .window_t = p->window_t,
                           .look_t = p->look_t,
                           .step = p->step,
                           .t = p->t,
                           .pace = p->pace,
                           .crawls = p->crawls,
                           .votes = p->votes,
                           .limit = p->limit};
}

static void take_record(run_progress* p, const progress_record* r) {
  p->has_rate = r->has_rate > 0.5;
  p->count = (long)r->count;
  p->window_t = r->window_t;
  p->look_t = r->look_t;
  p->step = r->step;
  p->t = r->t;
  p->pace = r->pace;
  p->crawls = (int)r->crawls;
  p->votes = (int)r->votes;
  p->limit = (int)r->limit;
}

void apl_progress_memory(run_progress* p, apl_store* m) {
  progress_record r = record_of(p);

  apl_store_whole(m, &r.has_rate, 0.0, 1.0, "whether a rate is known");
  apl_store_whole(m, &r.count, 0.0, WINDOW, "a count of steps");
  apl_store_number(m, &r.window_t, "the start of a window");
  apl_store_number(m, &r.look_t, "the time of the last look");
  apl_store_number(m, &r.step, "the mean step");
  apl_store_number(m, &r.t, "the end of the last step");
  apl_store_number(m, &r.pace, "the pace of steps");
  apl_store_whole(m, &r.crawls, 0.0, CRAWLS, "a count of windows");
  apl_store_whole(m, &r.votes, -1.0, VOTES, "a count of looks");
  apl_store_whole(m, &r.limit, -1.0, p->n - 1, "the number that limits steps");
  apl_store_numbers(m, p->rate, p->n, "a rate");
  if (m->out == NULL) take_record(p, &r);
}

/* ------------------------------------------------------------------------------- telling ---- */

static const char* limit_name(const run_progress* p) {
  const apl_model* m = apl_system_model(p->system);
  const int nq = apl_model_nq(m), nv = apl_model_nv(m);

  if (p->limit < 0 || p->limit >= nq + nv) return NULL;
  return p->limit < nq ? apl_model_name(m, APL_COORDINATES, p->limit)
                       : apl_model_name(m, APL_VELOCITIES, p->limit - nq);
}

void apl_progress_now(const run_progress* p, apl_progress* out) {
  const apl_stepper* s = p->stepper;
  const double step = s == NULL ? p->o->step : p->step;

  *out = (apl_progress){.t = p->t,
                        .to = p->o->to,
                        .steps = steps_of(p),
                        .evaluations = s == NULL ? p->report->evaluations
                                                 : p->evaluations + apl_stepper_evaluations(s),
                        .step = step,
                        .left = step > 0.0 ? (p->o->to - p->t) / step : HUGE_VAL,
                        .limit = limit_name(p),
                        .settling = p->settling,
                        .settles = p->settles,
                        .method = s == NULL ? p->o->method : apl_stepper_switching(s).method,
                        .chosen = (p->method->can & METHOD_CHOOSES) != 0};
  apl_watch_shortens(p->system, out);
}

apl_status apl_progress_poll(double t, void* progress) {
  run_progress* p = progress;
  apl_progress now;
  (void)t;

  if (p->o->poll == NULL || ++p->polled < p->o->poll_every) return APL_OK;
  p->polled = 0;
  apl_progress_now(p, &now);
  return p->o->poll(&now, p->o->user) == APL_OK ? APL_OK : APL_ERR_STOPPED;
}

/* What to change so that steps become longer. */
static void advise(const apl_progress* p, char* text, size_t size) {
  const bool implicit = p->chosen || apl_method_can(p->method, METHOD_IMPLICIT);
  char able[80];

  if (!apl_method_adapts(p->method)) {
    snprintf(text, size, "a longer step");
  } else if (p->rigid) {
    apl_method_list(METHOD_IMPULSES, true, "or", able, sizeof able);
    snprintf(text, size, "the integrator %s, or a larger tolerance", able);
  } else if (implicit) {
    /* `auto` has compared implicit steps with explicit ones, except in robots without damping */
    snprintf(text, size, "a larger tolerance, or damping where there is none");
  } else {
    apl_method_list(METHOD_IMPLICIT, true, "or", able, sizeof able);
    snprintf(text, size, "integrator %s, or a larger tolerance", able);
  }
}

void apl_progress_text(const apl_progress* p, char* text, size_t size) {
  const bool known = p->step > 0.0 && isfinite(p->left), adapts = apl_method_adapts(p->method);
  char limit[110] = "", more[64] = "", advice[128];

  if (known)
    snprintf(more, sizeof more, "steps are %.1e s long, %.1e more are needed", p->step, p->left);
  if (adapts && p->limit != NULL) {
    snprintf(limit, sizeof limit, "; '%.40s' keeps them short%s%.30s%s", p->limit,
             p->contact == NULL ? "" : ", contact '", p->contact == NULL ? "" : p->contact,
             p->contact == NULL ? "" : "' is closed");
  }
  if (adapts && p->slides > 0.0) {
    snprintf(limit, sizeof limit,
             "; contact '%.30s' slides with friction %.3g and may jam (Painleve paradox)",
             p->contact, p->slides);
  }
  if (adapts && p->slides == 0.0 && p->settling != NULL &&
      !apl_method_can(p->method, METHOD_IMPLICIT)) {
    snprintf(limit, sizeof limit, "; friction at '%.50s' has a time constant of %.1e s",
             p->settling, p->settles);
  }
  advise(p, advice, sizeof advice);
  snprintf(text, size, "%s%s; try %s", known ? more : "the first steps are not finished", limit,
           advice);
}
