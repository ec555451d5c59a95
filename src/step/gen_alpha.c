/* gen_alpha.c: see gen_alpha.h. */
#include "step/gen_alpha.h"

#include "base/arena.h"
#include "base/error.h"
#include "dynamics/extra.h"
#include "dynamics/loops.h"
#include "dynamics/passes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Corrections go on, after two, while they move coordinates by more than this [m or rad], far below
   what such steps are exact to. */
static const double still = 1e-6;
enum { LEAST_ROUNDS = 2, MOST_ROUNDS = 12 };

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
  TAKE(m->fed, n);
  TAKE(m->end, n);
  TAKE(m->delta, (size_t)model->nt);
  TAKE(m->middle, nq);
  TAKE(m->sum, (size_t)m->system->nintegral);
  TAKE(m->error, (size_t)m->system->nintegral);
#undef TAKE
}

static bool all_plain(const apl_model* model) {
  for (int i = 0; i < model->nlink; ++i) {
    if (model->link[i].nv > 0 && !model->link[i].plain) return false;
  }
  return true;
}

/* spectral radius: from 0 (damps most) to 1 (not at all) */
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
  /* second order, and no more damping of slow motion than the radius asks for (Chung, Hulbert) */
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

/* Where the rows stand in this step, which has this length. Forces of kinds that cannot tell them
   begin at zero. */
static apl_status count_rows(apl_gen_alpha* m, double h) {
  apl_system* s = m->system;
  const double part = (1.0 - m->f) / (1.0 - m->m);

  m->pass = (coupling_pass){
      .level = LEVEL_END, .by_q = m->e * h * h * part, .by_v = m->g * h * part, .end = m->end};
  m->rows = apl_couplings_span(s, &m->pass);
  for (int i = 0; i < s->nkind; ++i) {
    const coupling_span* span = &s->span[s->kind[i]];
    if (apl_kinds[s->kind[i]]->forces == NULL)
      memset(m->p + span->first, 0, sizeof *m->p * (size_t)span->n);
  }
  return apl_rows_reserve(&s->rows, s->model, m->rows);
}

/* Forces of the step to the couplings; some act as efforts. */
static void give_forces(apl_gen_alpha* m) {
  apl_system* s = m->system;
  if (m->rows == 0) return;

  memcpy(s->rows.r, m->p, sizeof *m->p * (size_t)m->rows);
  apl_couplings_take(s, &m->pass);
}

/* Accelerations and forces that hold all rows: on the slow manifold of stiff springs. */
static apl_status begin(apl_gen_alpha* m, double h) {
  apl_system* s = m->system;
  coupling_pass now = {.level = LEVEL_ACCELERATION, .exact = true};
  apl_status st = apl_couplings_begin(s, &(coupling_pass){.level = LEVEL_END});

  if (st == APL_OK) st = apl_couplings_forward(s, &now);
  memcpy(m->vd, apl_a(s->state), sizeof *m->vd * (size_t)s->nv);
  memcpy(m->a, m->vd, sizeof *m->a * (size_t)s->nv);
  if (st == APL_OK) st = count_rows(m, h);
  for (int i = 0; i < s->nkind && st == APL_OK; ++i) {
    const coupling_kind* kind = apl_kinds[s->kind[i]];
    if (kind->forces != NULL) kind->forces(s, m->p + s->span[s->kind[i]].first);
  }
  if (st == APL_OK) st = apl_ledger_given(s->model, s->state, false, m->power, NULL);
  m->begun = st == APL_OK;
  m->switched = s->switched;
  return st;
}

/* q+ = q + N x, N halfway where velocities are not the rates of coordinates. */
static apl_status displace(apl_gen_alpha* m, const double* x) {
  apl_system* s = m->system;
  double *q = apl_q(s->state), *v = apl_v(s->state);
  apl_status st = APL_OK;

  memcpy(q, m->q, sizeof *q * (size_t)s->nq);
  memcpy(v, x, sizeof *v * (size_t)s->nv);
  st = apl_tangent_rates(s->model, s->state, m->delta);
  if (!m->plain && st == APL_OK) {
    for (int i = 0; i < s->model->nt; ++i)
      m->delta[i] *= 0.5;
    st = apl_add(s->model, s->state, m->q, m->delta, m->middle);
    memcpy(q, m->middle, sizeof *q * (size_t)s->nq);
    if (st == APL_OK) st = apl_tangent_rates(s->model, s->state, m->delta);
  }
  return st == APL_OK ? apl_add(s->model, s->state, m->q, m->delta, q) : st;
}

/* The state at the end of the step for the present v'+. */
static apl_status place(apl_gen_alpha* m, double t, double h) {
  apl_system* s = m->system;
  double *v = apl_v(s->state), *x = m->y;

  for (int i = 0; i < s->nv; ++i) {
    m->a1[i] = ((1.0 - m->f) * m->vd1[i] + m->f * m->vd[i] - m->m * m->a[i]) / (1.0 - m->m);
    x[i] = h * (m->v[i] + h * ((0.5 - m->e) * m->a[i] + m->e * m->a1[i]));
  }
  const apl_status st = displace(m, x);
  for (int i = 0; i < s->nv; ++i)
    v[i] = m->v[i] + h * ((1.0 - m->g) * m->a[i] + m->g * m->a1[i]);
  memcpy(apl_a(s->state), m->vd1, sizeof *m->vd1 * (size_t)s->nv);
  apl_system_drive(s, t + h);
  for (int i = 0; i < s->nintegral; ++i)
    *apl_system_sum(s, i) = m->sum[i] + 0.5 * h * (m->error[i] + apl_system_sum_rate(s, i));
  for (int i = 0; i < s->ndrive; ++i) /* prescribed freedoms have theirs */
    m->vd1[s->drive[i].velocity] = apl_a(s->state)[s->drive[i].velocity];
  return st;
}

/* What is missing: efforts r = M v' + b - J^T p - tau. */
static apl_status residual(apl_gen_alpha* m) {
  apl_system* s = m->system;
  double *tau = apl_tau(s->state), *given = m->y;

  memcpy(m->tau, tau, sizeof *tau * (size_t)s->nv);
  give_forces(m);
  memcpy(given, tau, sizeof *tau * (size_t)s->nv);
  const apl_status st = apl_inverse(s->model, s->state);
  for (int i = 0; i < s->nv; ++i)
    m->r[i] = tau[i] - given[i];
  for (int i = 0; i < s->ndrive; ++i)
    m->r[s->drive[i].velocity] = 0.0;
  memcpy(tau, m->tau, sizeof *tau * (size_t)s->nv);
  return st;
}

/* Factors of A = M + (dv/dv') C + (dq/dv') K, nearly, and of G = J A^-1 J^T + softness / w. */
static apl_status factor(apl_gen_alpha* m, double h) {
  apl_system* s = m->system;
  apl_rows* r = &s->rows;
  apl_status st = apl_factor(s->model, s->state, m->g * h * (1.0 - m->f) / (1.0 - m->m));
  if (st != APL_OK || m->rows == 0) return st;

  st = apl_couplings_list(s, &m->pass);
  if (st == APL_OK) st = apl_rows_inertia(r, s->model, s->state, false);
  for (int k = 0; k < r->n; ++k)
    r->W[k * r->n + k] += m->end[k].softness / m->end[k].weight;
  if (st == APL_OK) apl_equal_factor(&r->equal, r->n, r->W, true);
  return st;
}

/* dp of  G dp = J A^-1 r - (error + softness p) / w,  for loops  c + (d/k) c' + p/k; then
   A^-1 J^T dp in jump[]. */
static apl_status correct_forces(apl_gen_alpha* m) {
  apl_system* s = m->system;
  apl_rows* r = &s->rows;
  apl_status st = apl_push_along(s->model, s->state, r->way, r->z, r->n, m->fed);

  memset(r->q, 0, sizeof *r->q * (size_t)r->n);
  apl_couplings_lack(s, &m->pass, r->q);
  for (int k = 0; k < r->n; ++k)
    r->q[k] = (r->q[k] + m->end[k].softness * m->p[k]) / m->end[k].weight - m->fed[k];
  apl_equal_solve(&r->equal, r->q, r->r);
  for (int k = 0; k < r->n; ++k)
    m->p[k] += r->r[k];
  return st == APL_OK ? apl_rows_spread(r, s->model, s->state, s->innovation, s->jump, NULL) : st;
}

/* v'+ += A^-1 (J^T dp - r); `moved` is what that does to coordinates. */
static apl_status correct(apl_gen_alpha* m, double h, double* moved) {
  apl_system* s = m->system;
  const double x = m->e * h * h * (1.0 - m->f) / (1.0 - m->m);

  memset(m->y, 0, sizeof *m->y * (size_t)s->nv);
  apl_push_clear(s->model, s->state);
  apl_status st = apl_push_solve(s->model, s->state, m->r, m->y, NULL);
  if (st == APL_OK && m->rows > 0) st = correct_forces(m);
  *moved = 0.0;
  for (int i = 0; i < s->nv; ++i) {
    const double d = (m->rows > 0 ? s->jump[i] : 0.0) - m->y[i];
    m->vd1[i] += d;
    *moved = fmax(*moved, x * fabs(d));
  }
  return st;
}

/* Work of all forces by the trapezoidal rule: those that the accelerations of the step need, so
   that prescribed freedoms have their efforts. Forces of loops are counted with what their springs
   keep.
 */
static apl_status book(apl_gen_alpha* m, double h) {
  apl_system* s = m->system;
  double power[APL_NACCOUNT];
  const apl_status st = apl_ledger_given(s->model, s->state, false, power, NULL);

  for (int i = 0; i < APL_NACCOUNT; ++i) {
    s->ledger[i] += 0.5 * h * (m->power[i] + power[i]);
    m->power[i] = power[i];
  }
  return st;
}

/* Half a step with the rates of the present state: angle += h/2 spin, at its start and at its end.
 */
static void turn_satellites(apl_gen_alpha* m, double h) {
  apl_system* s = m->system;

  for (int i = 0; i < s->nsat; ++i)
    s->angle[i] += 0.5 * h * apl_spin(s->state)[i];
}

static apl_status alpha_step(apl_time_steps* steps, double t, double h, coupling_news* news,
                             long* rounds) {
  apl_gen_alpha* m = (apl_gen_alpha*)(void*)steps;
  apl_system* s = m->system;
  /* accelerations of before a coupling was switched do not belong to the motion that follows */
  const bool goes_on = m->begun && m->switched == s->switched;
  apl_status st = goes_on ? APL_OK : begin(m, h);
  double moved = HUGE_VAL;
  (void)news; /* no contacts */

  if (st == APL_OK) st = count_rows(m, h);
  if (st == APL_OK && s->nsat > 0) st = apl_rates(s->model, s->state, s->rate);
  if (st == APL_OK) turn_satellites(m, h);
  memcpy(m->q, apl_q(s->state), sizeof *m->q * (size_t)s->nq);
  memcpy(m->v, apl_v(s->state), sizeof *m->v * (size_t)s->nv);
  memcpy(m->vd1, m->vd, sizeof *m->vd * (size_t)s->nv);
  for (int i = 0; i < s->nintegral; ++i) {
    m->sum[i] = *apl_system_sum(s, i);
    m->error[i] = apl_system_sum_rate(s, i);
  }
  for (int k = 0; k < MOST_ROUNDS && st == APL_OK; ++k) {
    if (k >= LEAST_ROUNDS && moved <= still) break;
    if (k == MOST_ROUNDS - 1) return APL_ERR_INTEGRATOR;
    st = place(m, t, h);
    if (st == APL_OK) st = residual(m);
    /* passes over bodies that deform take the room of their factors */
    if (st == APL_OK && (k == 0 || s->state->factored != FACTORED)) st = factor(m, h);
    if (st == APL_OK) st = correct(m, h, &moved);
    *rounds += 1;
  }
  if (st == APL_OK) st = place(m, t, h);
  memcpy(m->tau, apl_tau(s->state), sizeof *m->tau * (size_t)s->nv);
  if (st == APL_OK) give_forces(m);
  memcpy(apl_tau(s->state), m->tau,
         sizeof *m->tau * (size_t)s->nv); /* rows that are held do no work */
  memcpy(m->vd, m->vd1, sizeof *m->vd * (size_t)s->nv);
  memcpy(m->a, m->a1, sizeof *m->a * (size_t)s->nv);
  if (st == APL_OK) st = book(m, h);
  /* book() has been there */
  if (st == APL_OK && s->nsat > 0) st = apl_rates_last(s->model, s->state, s->rate);
  if (st == APL_OK) turn_satellites(m, h);
  return st;
}

const time_ops apl_time_gen_alpha = {.open = alpha_open,
                                     .close = alpha_close,
                                     .step = alpha_step,
                                     .restart = alpha_restart,
                                     .memory_size = apl_gen_alpha_memory_size,
                                     .remember = apl_gen_alpha_remember,
                                     .recall = apl_gen_alpha_recall};
