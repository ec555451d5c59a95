/* SPDX-License-Identifier: Apache-2.0 */
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
  s->stepping.books_outside = apl_moreau_stands_free(s);
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

/* Net impulse h (f - h K v) on the free velocities: by inverse dynamics with zero acceleration of
   the free velocities and the given one of prescribed velocities. */
static apl_status net_impulse(apl_moreau* m, double h) {
  apl_system* s = m->system;
  double *tau = apl_tau(s->state), *a = apl_a(s->state);

  memcpy(m->effort, tau, sizeof *tau * (size_t)s->nv);
  memset(a, 0, sizeof *a * (size_t)s->nv);
  for (int i = 0; i < s->drives.nmotion; ++i)
    a[s->drives.motion[i].velocity] = m->free[s->drives.motion[i].velocity] / h;
  apl_status st = apl_inverse(s->model, s->state);
  memcpy(m->servo, apl_servo(s->state), sizeof *m->servo * (size_t)s->nv);
  if (st == APL_OK) st = apl_stiffness(s->model, s->state, m->v, m->Kv, NULL);
  for (int i = 0; i < s->nv; ++i) {
    const double f = m->effort[i] - tau[i];
    m->need[i] = tau[i];
    tau[i] = m->effort[i];
    m->effort[i] = h * (f - h * m->Kv[i]);
  }
  /* the efforts of prescribed freedoms from the last step are results, not applied efforts */
  for (int i = 0; i < s->drives.nmotion; ++i)
    m->effort[s->drives.motion[i].velocity] = 0.0;
  return st;
}

/* borne[] are the impulses on prescribed freedoms; their mean effort over the step goes to tau. */
static void bear(apl_moreau* m, double h) {
  const apl_system* s = m->system;

  for (int i = 0; i < s->drives.nmotion; ++i) {
    const int k = s->drives.motion[i].velocity;
    m->need[k] += m->borne[k] / h;
    apl_tau(s->state)[k] = m->need[k];
  }
}

/* Changes of prescribed velocities over the step, in free[]. */
static void prescribed_changes(apl_moreau* m, double t_end) {
  const apl_system* s = m->system;

  memset(m->free, 0, sizeof *m->free * (size_t)s->nv);
  for (int i = 0; i < s->drives.nmotion; ++i) {
    const drive* d = &s->drives.motion[i];
    double x[3];
    apl_signal_eval(d->signal, t_end, x);
    m->free[d->velocity] = (d->coordinate >= 0 ? x[1] : x[0]) - m->v[d->velocity];
  }
}

/* free[] = A^-1 h (f - h K v): the change of velocities without contact impulses. Leaves the
   factors of A. */
static apl_status free_motion(apl_moreau* m, double h, double t_end) {
  apl_system* s = m->system;

  prescribed_changes(m, t_end);
  apl_status st = net_impulse(m, h);
  if (st == APL_OK) st = apl_factor(s->model, s->state, h);
  /* the inertial effect of prescribed accelerations is already part of f */
  memcpy(m->jump, m->free, sizeof *m->jump * (size_t)s->nv);
  memset(m->free, 0, sizeof *m->free * (size_t)s->nv);
  if (st == APL_OK) st = apl_solve(s->model, s->state, m->effort, NULL, NULL, 0, m->free, m->borne);
  for (int i = 0; i < s->drives.nmotion; ++i)
    m->free[s->drives.motion[i].velocity] = m->jump[s->drives.motion[i].velocity];
  bear(m, h);
  return st;
}

/* A velocity `lift` that corrects drift: penetration of loaded contacts, gaps of loops. Only the
   coordinates are moved by it, so it adds no kinetic energy. */
static apl_status bring_back(apl_moreau* m, const coupling_pass* p, double* lift, bool* any) {
  apl_system* s = m->system;

  *any = apl_couplings_drift(s);
  if (!*any) return APL_OK;
  apl_couplings_lift(s, p);
  if (apl_rows_solve(&s->rows, true, false, false).status == APL_CONE_FAILED) {
    *any = false;
    return APL_OK; /* failed: the next step tries again */
  }
  return apl_rows_spread(&s->rows, s->model, s->state, s->room.innovation, lift, NULL);
}

/* jump[] = A^-1 J^T P of the rows that act. */
static apl_status row_motion(apl_moreau* m, coupling_pass* p, double* lift, bool* lifted) {
  apl_system* s = m->system;
  apl_status st = apl_couplings_list(s, p);

  *lifted = false;
  s->solve.last.unique = true;
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
  s->rows.tolerance = s->solve.tolerance;
  s->solve.last = apl_rows_solve(&s->rows, true, true, false);
  m->base.worst.residual = fmax(m->base.worst.residual, s->solve.last.residual);
  m->base.worst.rough += s->solve.last.status == APL_CONE_ROUGH;
  if (s->solve.last.status == APL_CONE_FAILED) return APL_ERR_CONTACT;
  st = apl_couplings_take(s, p);
  if (st != APL_OK) return st;
  st = apl_rows_spread(&s->rows, s->model, s->state, s->room.innovation, m->jump, m->borne);
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
  if (st == APL_OK && s->nsat > 0) st = apl_rates(s->model, s->state, s->room.rate);
  for (int i = 0; i < s->nsat && st == APL_OK; ++i)
    s->along.angle[i] += h * apl_spin(s->state)[i];
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
  double* lift = m->effort; /* reuses memory that is no longer needed */
  bool lifted;

  *evaluations += 1;
  s->look.fresh = false;
  memcpy(m->q, apl_q(s->state), sizeof *m->q * (size_t)s->nq);
  memcpy(m->v, apl_v(s->state), sizeof *m->v * (size_t)s->nv);
  /* servos are implicit, kp (aim+ - q+) + kd (aim'+ - v+), so their aims are those at the end of
     the step */
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
  apl_system_sum_errors(s, h); /* after the ledger, which needs the servo efforts of this step */
  if (st == APL_OK) apl_system_drive(s, t + h);
  return st == APL_OK ? apl_couplings_check(s) : st;
}

/* Memory besides step_worst: the contact or stop with the largest stiffness. */
static int moreau_memory_size(const apl_system* system) {
  (void)system;
  return 1;
}

/* The number of a contact plus 1, or -1 - coordinate of a stop; 0, which checkpoints of 0.1 have:
   not known. */
static void moreau_memory(apl_time_steps* steps, apl_store* m) {
  const int of = steps->stiffest_of;
  int number = of == INT_MAX ? 0 : of >= 0 ? of + 1 : of;

  apl_store_int(m, &number, -1000000000, 1000000000, "the number of the stiffest contact");
  steps->stiffest_of = number > 0 ? number - 1 : number < 0 ? number : INT_MAX;
}

const time_ops apl_time_moreau = {.open = moreau_open,
                                  .close = moreau_close,
                                  .step = moreau_step,
                                  .memory_size = moreau_memory_size,
                                  .memory = moreau_memory};
