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
  const size_t nv = (size_t)model->nv, nq = (size_t)model->nq, n = (size_t)model->npart;

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
  TAKE(m->dp, n);
  TAKE(m->fed, n);
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

apl_status apl_gen_alpha_new(apl_system* s, double radius, apl_gen_alpha** out, apl_error* err) {
  apl_arena arena = {0};
  apl_gen_alpha measured = {.system = s};

  *out = NULL;
  if (!(radius >= 0.0 && radius <= 1.0)) {
    return apl_fail(err, APL_ERR_ARGUMENT, "spectral-radius must lie between 0 and 1, got %g",
                    radius);
  }
  if (s->npair > 0) {
    return apl_fail(
        err, APL_ERR_ARGUMENT,
        "gen-alpha does not support contacts: use moreau, or an integrator with error control");
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
  *out = m;
  return APL_OK;
}

void apl_gen_alpha_free(apl_gen_alpha* m) {
  if (m == NULL) return;
  free(m->memory);
  free(m);
}

void apl_gen_alpha_restart(apl_gen_alpha* m) {
  m->begun = false;
}

/* --------------------------------------------------------------------------------- a step ---- */

static double* row_of(const apl_gen_alpha* m, int k) {
  return m->system->state->row + APL_LOOP * k;
}

static void give_forces(apl_gen_alpha* m) {
  for (int k = 0; k < m->system->model->npart; ++k)
    row_of(m, k)[APL_LOOP_FORCE] = m->p[k];
}

/* Accelerations and forces that keep the loops closed: on the slow manifold of stiff springs. */
static apl_status begin(apl_gen_alpha* m) {
  apl_system* s = m->system;
  apl_loops_springs(s->state, false);
  apl_status st = s->model->npart > 0
                      ? apl_closing_forward(&s->loops.closing, s->state, s->loops.stabilise)
                      : apl_forward(s->model, s->state);

  memcpy(m->vd, apl_a(s->state), sizeof *m->vd * (size_t)s->nv);
  memcpy(m->a, m->vd, sizeof *m->a * (size_t)s->nv);
  for (int k = 0; k < s->model->npart; ++k)
    m->p[k] = row_of(m, k)[APL_LOOP_FORCE];
  if (st == APL_OK) st = apl_ledger_given(s->model, s->state, false, m->power, NULL);
  m->begun = st == APL_OK;
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

/* The state at the end of the step for the present v'+ and p. */
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
  give_forces(m);
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
  double* tau = apl_tau(s->state);

  memcpy(m->tau, tau, sizeof *tau * (size_t)s->nv);
  const apl_status st = apl_inverse(s->model, s->state);
  for (int i = 0; i < s->nv; ++i)
    m->r[i] = tau[i] - m->tau[i];
  for (int i = 0; i < s->ndrive; ++i)
    m->r[s->drive[i].velocity] = 0.0;
  memcpy(tau, m->tau, sizeof *tau * (size_t)s->nv);
  return st;
}

/* How a gap answers to v'+, and the softness of its row as seen by accelerations:
     dc + (d/k) dc' = w (J dv'),   w = x + (d/k) y,  x = dq/dv', y = dv/dv'  of the step */
static void weights(const apl_gen_alpha* m, int k, double h, double* w, double* softness) {
  const double part = (1.0 - m->f) / (1.0 - m->m), x = m->e * h * h * part, y = m->g * h * part;
  const double *row = row_of(m, k), stiffness = row[APL_LOOP_STIFFNESS];
  const bool spring = m->system->loops.method == LOOPS_SPRINGS && stiffness > 0.0;

  *w = spring ? x + y * row[APL_LOOP_DAMPING] / stiffness : x;
  *softness = spring ? 1.0 / stiffness : 0.0;
}

/* Factors of A = M + (dv/dv') C + (dq/dv') K, nearly, and of G = J A^-1 J^T + softness / w. */
static apl_status factor(apl_gen_alpha* m, double h) {
  apl_system* s = m->system;
  apl_closing* c = &s->loops.closing;
  apl_status st = apl_factor(s->model, s->state, m->g * h * (1.0 - m->f) / (1.0 - m->m));
  if (st != APL_OK || s->model->npart == 0) return st;

  st = apl_closing_inertia(c, s->state);
  for (int k = 0; k < c->n; ++k) {
    double w, softness;
    weights(m, k, h, &w, &softness);
    c->G[k * c->n + k] += softness / w;
  }
  if (st == APL_OK) apl_equal_factor(&c->equal, c->n, c->G, true);
  return st;
}

/* dp of  G dp = J A^-1 r - (c + (d/k) c' + p/k) / w */
static apl_status correct_forces(apl_gen_alpha* m, double h) {
  apl_system* s = m->system;
  apl_closing* c = &s->loops.closing;
  apl_status st = apl_push_along(s->model, s->state, c->way, c->z, c->n, m->fed);

  for (int k = 0; k < c->n; ++k) {
    const double* row = row_of(m, k);
    double w, softness;
    weights(m, k, h, &w, &softness);
    const double late = row[APL_LOOP_DAMPING] * softness; /* d/k */
    c->b[k] = (row[APL_LOOP_GAP] + late * row[APL_LOOP_RATE] + softness * m->p[k]) / w - m->fed[k];
  }
  apl_equal_solve(&c->equal, c->b, m->dp);
  for (int k = 0; k < c->n; ++k)
    m->p[k] += m->dp[k];
  const apl_ways ways = {c->way, c->z, c->n};
  if (st == APL_OK) st = apl_ways_combine(s->model, s->state, &ways, m->dp, c->innovation);
  return st == APL_OK ? apl_spread(s->model, s->state, c->innovation, c->change, NULL) : st;
}

/* v'+ += A^-1 (J^T dp - r); `moved` is what that does to coordinates. */
static apl_status correct(apl_gen_alpha* m, double h, double* moved) {
  apl_system* s = m->system;
  const double x = m->e * h * h * (1.0 - m->f) / (1.0 - m->m);

  memset(m->y, 0, sizeof *m->y * (size_t)s->nv);
  apl_push_clear(s->model, s->state);
  apl_status st = apl_push_solve(s->model, s->state, m->r, m->y, NULL);
  if (st == APL_OK && s->model->npart > 0) st = correct_forces(m, h);
  *moved = 0.0;
  for (int i = 0; i < s->nv; ++i) {
    const double d = (s->model->npart > 0 ? s->loops.closing.change[i] : 0.0) - m->y[i];
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

/* These steps have no rows for velocities that are held. A callback may hold one at any time. */
static apl_status refuse_holds(apl_system* s) {
  if (s->nheld == 0) return APL_OK;
  return apl_fail(&s->complaint, APL_ERR_ARGUMENT,
                  "gen-alpha cannot hold the velocity '%.80s': use moreau, or an integrator with "
                  "error control",
                  apl_model_name(s->model, APL_VELOCITIES, s->held[0]));
}

apl_status apl_gen_alpha_step(apl_gen_alpha* m, double t, double h, long* rounds) {
  apl_system* s = m->system;
  apl_status st = refuse_holds(s);
  if (st == APL_OK && !m->begun) st = begin(m);
  double moved = HUGE_VAL;

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
  memcpy(m->vd, m->vd1, sizeof *m->vd * (size_t)s->nv);
  memcpy(m->a, m->a1, sizeof *m->a * (size_t)s->nv);
  if (st == APL_OK) st = book(m, h);
  /* book() has been there */
  if (st == APL_OK && s->nsat > 0) st = apl_rates_last(s->model, s->state, s->rate);
  if (st == APL_OK) turn_satellites(m, h);
  return st;
}
