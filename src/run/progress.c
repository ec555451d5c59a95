/* progress.c: steps that do not come to an end.

   A model whose inertia vanishes, or a stiff one under an explicit method, makes steps so short
   that the end of the run is out of reach. The mean length of WINDOW steps says how many more it
   would take; beyond STEPS_MOST, which takes half a day at best, the run ends with a sentence
   instead. It also ends where steps have collapsed, as near a contact that jams: CRAWLS windows in
   which they are shorter than COLLAPSE times those before, with STEPS_CRAWL still to go. Which
   number of y keeps the steps short is seen from its rates over two steps: the one whose rate
   changes most against what its tolerance allows. Nothing is evaluated for it, so looking changes
   nothing. */
#include "run/progress.h"

#include "couple/contact_rows.h"
#include "run/parts.h"
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

/* Of two steps behind one another: the number whose rate has changed most. */
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
  /* the one that most of the last looks find */
  p->votes = found == p->limit ? (p->votes < VOTES ? p->votes + 1 : VOTES) : p->votes - 1;
  if (p->limit < 0 || p->votes < 0) {
    p->limit = found;
    p->votes = 0;
  }
}

static long steps_of(const run_progress* p) {
  return p->stepper == NULL ? p->report->steps : p->steps + apl_stepper_steps(p->stepper);
}

/* The next window begins; false when the end is out of reach. */
static bool end_window(run_progress* p, double t) {
  const double mean = (t - p->window_t) / WINDOW, left = p->o->to - t;
  const double before = (double)(steps_of(p) - WINDOW);
  const double pace = p->crawls > 0  ? p->pace
                      : before > 0.0 ? (p->window_t - p->o->from) / before
                                     : 0.0;
  const bool crawls = mean < COLLAPSE * pace && !(left / STEPS_CRAWL < mean);
  const int windows = crawls ? p->crawls + 1 : 0;

  apl_progress_restart(p, t);
  p->pace = pace;
  p->crawls = windows;
  return left / STEPS_MOST < mean && windows < CRAWLS;
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

enum { MEMORY = 10 };

int apl_progress_memory_size(int n) {
  return MEMORY + n;
}

void apl_progress_remember(const run_progress* p, double* out) {
  memcpy(out,
         (double[MEMORY]){p->has_rate, (double)p->count, p->window_t, p->look_t, p->step, p->t,
                          p->pace, p->crawls, p->votes, p->limit},
         MEMORY * sizeof *out);
  memcpy(out + MEMORY, p->rate, sizeof *out * (size_t)p->n);
}

/* Counts of a damaged place stay small. */
static int count_of(double x) {
  return x > -2.0 && x < 1e9 ? (int)x : 0;
}

void apl_progress_recall(run_progress* p, const double* in) {
  p->has_rate = in[0] > 0.5;
  p->count = count_of(in[1]);
  p->window_t = in[2];
  p->look_t = in[3];
  p->step = in[4];
  p->t = in[5];
  p->pace = in[6];
  p->crawls = count_of(in[7]);
  p->votes = count_of(in[8]);
  p->limit = in[9] >= -1.0 && in[9] < p->n ? (int)in[9] : -1;
  memcpy(p->rate, in + MEMORY, sizeof *in * (size_t)p->n);
}

/* ------------------------------------------------------------------------------- telling ---- */

/* The coefficient with which a rigid contact slides, 0 when it does not. */
static double sliding_friction(const run_progress* p, int i) {
  const apl_system* s = p->system;
  const contact_state* c = apl_state_contact(s->state, i);
  const apl_section C = apl_contact_section(s->model, i, false);

  if (!s->model->pair[i].rigid || c->on != APL_CONTACT_RESTING || c->stick > 0.5) return 0.0;
  return fmax(fmax(C.plus[0], C.minus[0]), fmax(C.plus[1], C.minus[1]));
}

/* A contact that touches now, best one that slides and may jam; -1: none. */
static int closed_contact(const run_progress* p) {
  int found = -1;

  for (int i = 0; i < p->system->npair; ++i) {
    const double on = apl_system_memory(p->system, i)->on;
    if (on != APL_CONTACT_CLOSED && on != APL_CONTACT_RESTING) continue;
    if (found < 0 || sliding_friction(p, i) > sliding_friction(p, found)) found = i;
  }
  return found;
}

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
  const int contact = closed_contact(p);
  const apl_pair* pair = contact < 0 ? NULL : &p->system->model->pair[contact];

  *out = (apl_progress){.t = p->t,
                        .to = p->o->to,
                        .steps = steps_of(p),
                        .evaluations = s == NULL ? p->report->evaluations
                                                 : p->evaluations + apl_stepper_evaluations(s),
                        .step = step,
                        .left = step > 0.0 ? (p->o->to - p->t) / step : HUGE_VAL,
                        .limit = limit_name(p),
                        .contact = pair == NULL ? NULL : p->system->model->pair_name[contact],
                        .rigid = pair != NULL && (pair->rigid || pair->sticks),
                        .slides = pair == NULL ? 0.0 : sliding_friction(p, contact),
                        .settling = p->settling,
                        .settles = p->settles,
                        .method = s == NULL ? p->o->method : apl_stepper_switching(s).method,
                        .chosen = (p->method->can & METHOD_CHOOSES) != 0};
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

/* What to take instead. */
static const char* advice(const apl_progress* p) {
  if (!apl_method_adapts(p->method)) return "a longer step";
  if (p->rigid) return "the integrator moreau, or a larger tolerance";
  /* auto has looked whether stiff does better, but where nothing damps */
  if (p->chosen || apl_method_can(p->method, METHOD_IMPLICIT))
    return "a larger tolerance, or damping where there is none";
  return "integrator stiff, or a larger tolerance";
}

void apl_progress_text(const apl_progress* p, char* text, size_t size) {
  const bool known = p->step > 0.0 && isfinite(p->left), adapts = apl_method_adapts(p->method);
  char limit[110] = "", more[64] = "";

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
  snprintf(text, size, "%s%s; try %s", known ? more : "the first steps are not finished", limit,
           advice(p));
}
