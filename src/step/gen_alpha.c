/* SPDX-License-Identifier: Apache-2.0 */
/* gen_alpha.c: see gen_alpha.h. */
#include "step/gen_alpha.h"

#include "base/arena.h"
#include "base/error.h"
#include "dynamics/extra.h"
#include "dynamics/passes.h"
#include "system/system.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A step whose equations are not solved is halved at most this many times (1024 parts). */
enum { MOST_HALVINGS = 10 };

/* ------------------------------------------------------------------------------- set up ---- */

static void layout(apl_gen_alpha* m, apl_arena* arena) {
  const apl_model* model = m->system->model;
  const size_t nv = (size_t)model->nv, nq = (size_t)model->nq;
  const size_t n = (size_t)apl_couplings_most(m->system);

#define TAKE(p, count) ((p) = apl_arena_take(arena, sizeof *(p) * (count)))
  TAKE(m->q, nq);
  TAKE(m->v, nv);
  TAKE(m->vd, nv);
  TAKE(m->a, nv);
  TAKE(m->vd1, nv);
  TAKE(m->a1, nv);
  TAKE(m->tau, nv);
  TAKE(m->r, nv);
  TAKE(m->y, nv);
  TAKE(m->p, n);
  TAKE(m->p_start, n);
  TAKE(m->start, (size_t)apl_system_size(m->system));
  TAKE(m->fed, n);
  TAKE(m->end, n);
  TAKE(m->delta, (size_t)model->nt);
  TAKE(m->middle, nq);
  TAKE(m->sum, (size_t)m->system->drives.nintegral);
  TAKE(m->error, (size_t)m->system->drives.nintegral);
#undef TAKE
}

static bool all_plain(const apl_model* model) {
  for (int i = 0; i < model->nlink; ++i) {
    if (model->link[i].nv > 0 && !model->link[i].plain) return false;
  }
  return true;
}

/* spectral radius at infinite frequency: from 0 (most damping) to 1 (none) */
static apl_status alpha_open(apl_system* s, const apl_run_options* o, apl_time_steps** out,
                             apl_error* err) {
  const double radius = o->spectral_radius;
  apl_arena arena = {0};
  apl_gen_alpha measured = {.system = s};

  *out = NULL;
  if (!(radius >= 0.0 && radius <= 1.0)) {
    return apl_fail(err, APL_ERR_ARGUMENT, "spectral-radius must lie between 0 and 1, got %g",
                    radius);
  }
  layout(&measured, &arena);
  apl_gen_alpha* m = calloc(1, sizeof *m);
  void* memory = apl_arena_open(&arena);
  if (m == NULL || memory == NULL) {
    free(m);
    free(memory);
    return apl_fail(err, APL_ERR_MEMORY, "out of memory for time stepping");
  }
  m->system = s;
  m->memory = memory;
  layout(m, &arena);
  m->plain = all_plain(s->model);
  /* second order, with the least damping of slow motion for this radius (Chung and Hulbert) */
  m->m = (2.0 * radius - 1.0) / (radius + 1.0);
  m->f = radius / (radius + 1.0);
  m->g = 0.5 + m->f - m->m;
  m->e = 0.25 * (m->g + 0.5) * (m->g + 0.5);
  *out = &m->base;
  return APL_OK;
}

static void alpha_close(apl_time_steps* steps) {
  apl_gen_alpha* m = (apl_gen_alpha*)(void*)steps;

  free(m->memory);
  free(m);
}

static void alpha_restart(apl_time_steps* steps) {
  ((apl_gen_alpha*)(void*)steps)->begun = false;
}

/* --------------------------------------------------------------------------------- a step ---- */

/* Count the rows of this step of length h. Forces of kinds that do not store them start at zero. */
static apl_status count_rows(apl_gen_alpha* m, double h) {
  apl_system* s = m->system;
  const double part = (1.0 - m->f) / (1.0 - m->m);

  m->pass = (coupling_pass){
      .level = LEVEL_END, .by_q = m->e * h * h * part, .by_v = m->g * h * part, .end = m->end};
  m->rows = apl_couplings_span(s, &m->pass);
  for (int i = 0; i < s->kinds.n; ++i) {
    const coupling_span* span = &s->kinds.span[s->kinds.list[i]];
    if (apl_kinds[s->kinds.list[i]]->forces == NULL)
      memset(m->p + span->first, 0, sizeof *m->p * (size_t)span->n);
  }
  return apl_rows_reserve(&s->rows, s->model, m->rows, 0);
}

/* Initial accelerations and forces that satisfy all rows: on the slow manifold of stiff springs. */
static apl_status begin(apl_gen_alpha* m, double h) {
  apl_system* s = m->system;
  coupling_pass now = {.level = LEVEL_ACCELERATION, .exact = true};
  apl_status st = apl_couplings_begin(s, &(coupling_pass){.level = LEVEL_END});

  if (st == APL_OK) st = apl_couplings_forward(s, &now);
  memcpy(m->vd, apl_a(s->state), sizeof *m->vd * (size_t)s->nv);
  memcpy(m->a, m->vd, sizeof *m->a * (size_t)s->nv);
  if (st == APL_OK) st = count_rows(m, h);
  for (int i = 0; i < s->kinds.n && st == APL_OK; ++i) {
    const coupling_kind* kind = apl_kinds[s->kinds.list[i]];
    if (kind->forces != NULL) kind->forces(s, m->p + s->kinds.span[s->kinds.list[i]].first);
  }
  if (st == APL_OK) st = apl_ledger_given(s->model, s->state, false, m->power, NULL);
  m->begun = st == APL_OK;
  m->switched = s->kinds.switched;
  return st;
}

/* Work of all forces by the trapezoidal rule, with the forces that the accelerations of the step
   need, so that the efforts of prescribed freedoms are included. Forces of loops include the energy
   stored in their springs. */
static apl_status book(apl_gen_alpha* m, double h) {
  apl_system* s = m->system;
  double power[APL_NACCOUNT];
  const apl_status st = apl_ledger_given(s->model, s->state, false, power, NULL);

  for (int i = 0; i < APL_NACCOUNT; ++i) {
    s->ledger.account[i] += 0.5 * h * (m->power[i] + power[i]);
    m->power[i] = power[i];
  }
  return st;
}

/* Half a step with the present spin rates: angle += h/2 spin, called at the start and at the end of
   a step (trapezoidal rule). */
static void turn_satellites(apl_gen_alpha* m, double h) {
  apl_system* s = m->system;

  for (int i = 0; i < s->nsat; ++i)
    s->along.angle[i] += 0.5 * h * apl_spin(s->state)[i];
}

/* One step from the present state. Accelerations m->vd, m->a change only if it succeeds. */
static apl_status try_step(apl_gen_alpha* m, double t, double h, long* rounds) {
  apl_system* s = m->system;
  apl_status st = count_rows(m, h);

  apl_system_pack(s, m->start);
  memcpy(m->p_start, m->p, sizeof *m->p * (size_t)m->rows);
  if (st == APL_OK && s->nsat > 0) st = apl_rates(s->model, s->state, s->room.rate);
  if (st == APL_OK) turn_satellites(m, h);
  memcpy(m->q, apl_q(s->state), sizeof *m->q * (size_t)s->nq);
  memcpy(m->v, apl_v(s->state), sizeof *m->v * (size_t)s->nv);
  memcpy(m->vd1, m->vd, sizeof *m->vd * (size_t)s->nv);
  for (int i = 0; i < s->drives.nintegral; ++i) {
    m->sum[i] = *apl_system_sum(s, i);
    m->error[i] = apl_system_sum_rate(s, i);
  }
  if (st == APL_OK) st = apl_gen_alpha_solve(m, t, h, rounds);
  if (st != APL_OK) return st;
  memcpy(m->tau, apl_tau(s->state), sizeof *m->tau * (size_t)s->nv);
  apl_gen_alpha_give(m);
  memcpy(apl_tau(s->state), m->tau, sizeof *m->tau * (size_t)s->nv); /* held rows do no work */
  memcpy(m->vd, m->vd1, sizeof *m->vd * (size_t)s->nv);
  memcpy(m->a, m->a1, sizeof *m->a * (size_t)s->nv);
  st = book(m, h);
  /* book() has run a pass for this state */
  if (st == APL_OK && s->nsat > 0) st = apl_rates_last(s->model, s->state, s->room.rate);
  if (st == APL_OK) turn_satellites(m, h);
  return st;
}

/* From t to `end`, in one step if its equations can be solved, otherwise in two halves, and so on.
   The first guess of Newton's method is v'+ = v'. It is poor in a fast transient, for example of a
   released stiff spring, where v' falls within the step; in a short step it is near enough. */
static apl_status advance(apl_gen_alpha* m, double t, double end, int halvings, long* rounds) {
  apl_system* s = m->system;
  apl_status st = try_step(m, t, end - t, rounds);
  if (st != APL_ERR_INTEGRATOR && !apl_stepper_may_retry(st)) return st;
  if (halvings == 0) {
    snprintf(m->base.reason, sizeof m->base.reason,
             "Newton's method fails even for a step of %.2g s: use a smaller step, or the "
             "integrator stiff",
             end - t);
    return APL_ERR_INTEGRATOR;
  }
  const double middle = t + 0.5 * (end - t);
  apl_system_unpack(s, t, m->start);
  memcpy(m->p, m->p_start, sizeof *m->p * (size_t)m->rows);
  s->complaint.status = APL_OK; /* it was about a state that is discarded */
  st = advance(m, t, middle, halvings - 1, rounds);
  return st == APL_OK ? advance(m, middle, end, halvings - 1, rounds) : st;
}

static apl_status alpha_step(apl_time_steps* steps, double t, double h, coupling_news* news,
                             long* rounds) {
  apl_gen_alpha* m = (apl_gen_alpha*)(void*)steps;
  /* accelerations from before a coupling was switched on or off do not fit the motion after it */
  const bool goes_on = m->begun && m->switched == m->system->kinds.switched;
  const apl_status st = goes_on ? APL_OK : begin(m, h);
  (void)news; /* not used: this method has no contacts */

  return st == APL_OK ? advance(m, t, t + h, MOST_HALVINGS, rounds) : st;
}

const time_ops apl_time_gen_alpha = {.open = alpha_open,
                                     .close = alpha_close,
                                     .step = alpha_step,
                                     .restart = alpha_restart,
                                     .memory_size = apl_gen_alpha_memory_size,
                                     .memory = apl_gen_alpha_memory};
