/* moreau.c: see moreau.h. */
#include "step/moreau.h"

#include "base/arena.h"
#include "base/error.h"
#include "dynamics/extra.h"
#include "dynamics/passes.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------------------- set up ---- */

static void layout(apl_moreau* m, apl_arena* a) {
  const apl_system* s = m->system;
  const size_t nv = (size_t)s->nv;

#define TAKE(p, n) ((p) = apl_arena_take(a, sizeof *(p) * (size_t)(n)))
  TAKE(m->q, s->nq);
  TAKE(m->v, nv);
  TAKE(m->free, nv);
  TAKE(m->jump, nv);
  TAKE(m->effort, nv);
  TAKE(m->Kv, nv);
  TAKE(m->need, nv);
  TAKE(m->borne, nv);
  TAKE(m->servo, nv);
  TAKE(m->delta, s->model->nt);
  TAKE(m->rate0, s->model->nt);
  TAKE(m->rate1, s->model->nt);
#undef TAKE
}

static bool has_trails(const apl_model* m) {
  bool any = false;

  for (int i = 0; i < m->npassive; ++i)
    any = any || (m->node[m->passive[i]].slaved && m->node[m->passive[i]].damper != 0);
  return any;
}

static apl_status moreau_open(apl_system* s, const apl_run_options* o, apl_time_steps** out,
                              apl_error* err) {
  apl_arena arena = {0};
  apl_moreau measured = {.system = s};

  (void)o;
  *out = NULL;
  layout(&measured, &arena);
  apl_moreau* m = calloc(1, sizeof *m);
  void* memory = apl_arena_open(&arena);
  if (m == NULL || memory == NULL || apl_couplings_open(s) != APL_OK) {
    free(m);
    free(memory);
    return apl_fail(err, APL_ERR_MEMORY, "out of memory for time stepping");
  }
  m->system = s;
  s->free_steps = apl_moreau_stands_free(s);
  m->memory = memory;
  layout(m, &arena);
  m->trails = has_trails(s->model);
  *out = &m->base;
  return APL_OK;
}

static void moreau_close(apl_time_steps* steps) {
  apl_moreau* m = (apl_moreau*)(void*)steps;

  apl_couplings_close(m->system);
  free(m->memory);
  free(m);
}

/* --------------------------------------------------------------------------------- a step ---- */

/* h (f - h K v) as efforts on the free velocities: inverse dynamics of the motion in which they
   keep their values and prescribed ones follow their signals. */
static apl_status net_impulse(apl_moreau* m, double h) {
  apl_system* s = m->system;
  double *tau = apl_tau(s->state), *a = apl_a(s->state);

  memcpy(m->effort, tau, sizeof *tau * (size_t)s->nv);
  memset(a, 0, sizeof *a * (size_t)s->nv);
  for (int i = 0; i < s->ndrive; ++i)
    a[s->drive[i].velocity] = m->free[s->drive[i].velocity] / h;
  apl_status st = apl_inverse(s->model, s->state);
  memcpy(m->servo, apl_servo(s->state), sizeof *m->servo * (size_t)s->nv);
  if (st == APL_OK) st = apl_stiffness(s->model, s->state, m->v, m->Kv, NULL);
  for (int i = 0; i < s->nv; ++i) {
    const double f = m->effort[i] - tau[i];
    m->need[i] = tau[i];
    tau[i] = m->effort[i];
    m->effort[i] = h * (f - h * m->Kv[i]);
  }
  /* what prescribed freedoms bore in the last step is no effort on them in this one */
  for (int i = 0; i < s->ndrive; ++i)
    m->effort[s->drive[i].velocity] = 0.0;
  return st;
}

/* Prescribed freedoms bear impulses borne[]; their mean effort goes to tau. */
static void bear(apl_moreau* m, double h) {
  const apl_system* s = m->system;

  for (int i = 0; i < s->ndrive; ++i) {
    const int k = s->drive[i].velocity;
    m->need[k] += m->borne[k] / h;
    apl_tau(s->state)[k] = m->need[k];
  }
}

/* What prescribed velocities will have changed by at the end of the step, in free[]. */
static void prescribed_changes(apl_moreau* m, double t_end) {
  const apl_system* s = m->system;

  memset(m->free, 0, sizeof *m->free * (size_t)s->nv);
  for (int i = 0; i < s->ndrive; ++i) {
    const drive* d = &s->drive[i];
    double x[3];
    apl_signal_eval(d->signal, t_end, x);
    m->free[d->velocity] = (d->coordinate >= 0 ? x[1] : x[0]) - m->v[d->velocity];
  }
}

/* free[] = A^-1 h (f - h K v): the change of velocities without contacts; leaves factors. */
static apl_status free_motion(apl_moreau* m, double h, double t_end) {
  apl_system* s = m->system;

  prescribed_changes(m, t_end);
  apl_status st = net_impulse(m, h);
  if (st == APL_OK) st = apl_factor(s->model, s->state, h);
  /* their part of M is in f already */
  memcpy(m->jump, m->free, sizeof *m->jump * (size_t)s->nv);
  memset(m->free, 0, sizeof *m->free * (size_t)s->nv);
  if (st == APL_OK) st = apl_solve(s->model, s->state, m->effort, NULL, NULL, 0, m->free, m->borne);
  for (int i = 0; i < s->ndrive; ++i)
    m->free[s->drive[i].velocity] = m->jump[s->drive[i].velocity];
  bear(m, h);
  return st;
}

/* A velocity that brings back what has drifted: contacts that press out of the ground, gaps of
   loops. Only coordinates follow it, so it adds no kinetic energy. */
static apl_status bring_back(apl_moreau* m, const coupling_pass* p, double* lift, bool* any) {
  apl_system* s = m->system;

  *any = apl_couplings_drift(s);
  if (!*any) return APL_OK;
  apl_couplings_lift(s, p);
  if (apl_rows_solve(&s->rows, true, false, false).status == APL_CONE_FAILED) {
    *any = false;
    return APL_OK; /* the next step tries again */
  }
  return apl_rows_spread(&s->rows, s->model, s->state, s->innovation, lift, NULL);
}

/* jump[] = A^-1 J^T P of the rows that act. */
static apl_status row_motion(apl_moreau* m, coupling_pass* p, double* lift, bool* lifted) {
  apl_system* s = m->system;
  apl_status st = apl_couplings_list(s, p);

  *lifted = false;
  s->solved.unique = true;
  memset(m->jump, 0, sizeof *m->jump * (size_t)s->nv);
  if (st == APL_OK && s->rows.n == 0) return apl_couplings_take(s, p);
  if (st == APL_OK) st = apl_rows_inertia(&s->rows, s->model, s->state, false);
  if (st != APL_OK) return st;
  p->stiffest = m->base.worst.stiffest;
  p->stiffest_of = m->base.stiffest_of;
  apl_couplings_soften(s, p);
  m->base.worst.stiffest = p->stiffest;
  m->base.stiffest_of = p->stiffest_of;
  s->rows.asks = m->base.asks;
  s->rows.tolerance = s->tolerance;
  s->solved = apl_rows_solve(&s->rows, true, true, false);
  m->base.worst.residual = fmax(m->base.worst.residual, s->solved.residual);
  m->base.worst.rough += s->solved.status == APL_CONE_ROUGH;
  if (s->solved.status == APL_CONE_FAILED) return APL_ERR_CONTACT;
  st = apl_couplings_take(s, p);
  if (st != APL_OK) return st;
  st = apl_rows_spread(&s->rows, s->model, s->state, s->innovation, m->jump, m->borne);
  bear(m, p->h);
  return st == APL_OK ? bring_back(m, p, lift, lifted) : st;
}

/* q+ = q + h N (v+ + lift) */
static apl_status move(apl_moreau* m, double h, const double* lift) {
  apl_system* s = m->system;
  double *q = apl_q(s->state), *v = apl_v(s->state);
  apl_status st = APL_OK;

  for (int i = 0; i < s->nv; ++i)
    v[i] = m->v[i] + m->free[i] + m->jump[i];
  if (m->trails) st = apl_tangent_rates(s->model, s->state, m->rate1);
  for (int i = 0; i < s->nv && lift != NULL; ++i)
    v[i] += lift[i];
  if (st == APL_OK) st = apl_tangent_rates(s->model, s->state, m->delta);
  for (int i = 0; i < s->model->nt; ++i)
    m->delta[i] *= h;
  if (st == APL_OK && s->nsat > 0) st = apl_rates(s->model, s->state, s->rate);
  for (int i = 0; i < s->nsat && st == APL_OK; ++i)
    s->angle[i] += h * apl_spin(s->state)[i];
  if (st == APL_OK) st = apl_add(s->model, s->state, m->q, m->delta, q);
  for (int i = 0; i < s->nv; ++i) {
    v[i] = m->v[i] + m->free[i] + m->jump[i];
    apl_a(s->state)[i] = (m->free[i] + m->jump[i]) / h;
  }
  return st;
}

static apl_status moreau_step(apl_time_steps* steps, double t, double h, coupling_news* news,
                              long* evaluations) {
  apl_moreau* m = (apl_moreau*)(void*)steps;
  apl_system* s = m->system;
  coupling_pass p = {
      .level = LEVEL_STEP, .h = h, .t = t, .q = m->q, .v = m->v, .free = m->free, .news = news};
  double* lift = m->effort; /* no longer needed by then */
  bool lifted;

  *evaluations += 1;
  s->fresh = false;
  memcpy(m->q, apl_q(s->state), sizeof *m->q * (size_t)s->nq);
  memcpy(m->v, apl_v(s->state), sizeof *m->v * (size_t)s->nv);
  /* servos are implicit: kp (aim+ - q+) + kd (aim'+ - v+), so their aims are those of the end */
  apl_system_aims(s, t + h);
  apl_status st = apl_couplings_begin(s, &p);
  if (st == APL_OK) st = apl_moreau_open(m);
  if (st == APL_OK && m->trails) st = apl_tangent_rates(s->model, s->state, m->rate0);
  if (st == APL_OK) st = apl_couplings_look(s, &p);
  if (st == APL_OK) st = apl_moreau_weigh(m);
  if (st == APL_OK) st = free_motion(m, h, t + h);
  if (st == APL_OK) st = row_motion(m, &p, lift, &lifted);
  if (st == APL_OK) st = move(m, h, lifted ? lift : NULL);
  if (st == APL_OK) st = apl_moreau_book(m, &p);
  apl_couplings_end(s, &p);
  apl_system_sum_errors(s, h); /* behind the ledger, which asks what servos gave */
  if (st == APL_OK) apl_system_drive(s, t + h);
  return st == APL_OK ? apl_system_check_steps(s) : st;
}

/* Beside what every run carries (step_worst): which contact or stop was the stiffest. */
static int moreau_memory_size(const apl_system* system) {
  (void)system;
  return 1;
}

static void moreau_remember(const apl_time_steps* steps, double* out) {
  /* 0: nobody knows, as in checkpoints of 0.1 */
  out[0] = steps->stiffest_of >= 0 ? steps->stiffest_of + 1.0 : steps->stiffest_of;
}

static void moreau_recall(apl_time_steps* steps, const double* in) {
  const double most = 1e9; /* a damaged checkpoint may hold any number */
  const int of = fabs(in[0]) < most ? (int)in[0] : 0;
  steps->stiffest_of = of > 0 ? of - 1 : of < 0 ? of : INT_MAX; /* INT_MAX: no contact */
}

const time_ops apl_time_moreau = {.open = moreau_open,
                                  .close = moreau_close,
                                  .step = moreau_step,
                                  .memory_size = moreau_memory_size,
                                  .remember = moreau_remember,
                                  .recall = moreau_recall};
