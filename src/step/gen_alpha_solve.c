/* SPDX-License-Identifier: Apache-2.0 */
/* gen_alpha_solve.c: the equations at the end of a step of generalised alpha, and Newton's method
   for them. See gen_alpha.h. */
#include "step/gen_alpha.h"

#include "dynamics/extra.h"
#include "dynamics/passes.h"

#include <math.h>
#include <string.h>

/* Iterations continue, after two, while coordinates change by more than this [m or rad], far below
   the accuracy of such steps. */
static const double still = 1e-6;
enum { LEAST_ROUNDS = 2, MOST_ROUNDS = 12 };

void apl_gen_alpha_give(apl_gen_alpha* m) {
  apl_system* s = m->system;
  if (m->rows == 0) return;

  memcpy(s->rows.r, m->p, sizeof *m->p * (size_t)m->rows);
  apl_couplings_take(s, &m->pass);
}

/* q+ = q + N x; N is evaluated at mid-step if velocities are not the rates of coordinates. */
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
  for (int i = 0; i < s->drives.nintegral; ++i)
    *apl_system_sum(s, i) = m->sum[i] + 0.5 * h * (m->error[i] + apl_system_sum_rate(s, i));
  for (int i = 0; i < s->drives.nmotion; ++i) /* prescribed freedoms have theirs */
    m->vd1[s->drives.motion[i].velocity] = apl_a(s->state)[s->drives.motion[i].velocity];
  return st;
}

/* Residual efforts r = M v' + b - J^T p - tau. */
static apl_status residual(apl_gen_alpha* m) {
  apl_system* s = m->system;
  double *tau = apl_tau(s->state), *given = m->y;

  memcpy(m->tau, tau, sizeof *tau * (size_t)s->nv);
  apl_gen_alpha_give(m);
  memcpy(given, tau, sizeof *tau * (size_t)s->nv);
  const apl_status st = apl_inverse(s->model, s->state);
  for (int i = 0; i < s->nv; ++i)
    m->r[i] = tau[i] - given[i];
  for (int i = 0; i < s->drives.nmotion; ++i)
    m->r[s->drives.motion[i].velocity] = 0.0;
  memcpy(tau, m->tau, sizeof *tau * (size_t)s->nv);
  return st;
}

/* Factor A = M + (dv/dv') C + (dq/dv') K, approximately, and G = J A^-1 J^T + softness / w. */
static apl_status factor(apl_gen_alpha* m, double h) {
  apl_system* s = m->system;
  apl_rows* r = &s->rows;
  apl_status st = apl_factor(s->model, s->state, m->g * h * (1.0 - m->f) / (1.0 - m->m));
  if (st != APL_OK || m->rows == 0) return st;

  st = apl_couplings_list(s, &m->pass);
  if (st == APL_OK) st = apl_rows_inertia(r, s->model, s->state, false);
  for (int k = 0; k < r->n && st == APL_OK; ++k)
    r->W[k * r->n + k] += m->end[k].softness / m->end[k].weight;
  /* all rows are equalities here: the solver's factors have room for all of them */
  if (st == APL_OK) apl_equal_factor(&r->cone.equal, r->n, r->W, true);
  return st;
}

/* Solve  G dp = J A^-1 r - (error + softness p) / w  for dp; for loops the error is  c + (d/k) c' +
   p/k. Then A^-1 J^T dp is in jump[]. */
static apl_status correct_forces(apl_gen_alpha* m) {
  apl_system* s = m->system;
  apl_rows* r = &s->rows;
  apl_status st = apl_push_along(s->model, s->state, r->way, r->z, r->n, m->fed);

  memset(r->q, 0, sizeof *r->q * (size_t)r->n);
  apl_couplings_lack(s, &m->pass, r->q);
  for (int k = 0; k < r->n; ++k)
    r->q[k] = (r->q[k] + m->end[k].softness * m->p[k]) / m->end[k].weight - m->fed[k];
  apl_equal_solve(&r->cone.equal, r->q, r->r);
  for (int k = 0; k < r->n; ++k)
    m->p[k] += r->r[k];
  return st == APL_OK
             ? apl_rows_spread(r, s->model, s->state, s->room.innovation, s->room.jump, NULL)
             : st;
}

/* v'+ += A^-1 (J^T dp - r); *moved is the resulting change of coordinates. */
static apl_status correct(apl_gen_alpha* m, double h, double* moved) {
  apl_system* s = m->system;
  const double x = m->e * h * h * (1.0 - m->f) / (1.0 - m->m);

  memset(m->y, 0, sizeof *m->y * (size_t)s->nv);
  apl_push_clear(s->model, s->state);
  apl_status st = apl_push_solve(s->model, s->state, m->r, m->y, NULL);
  if (st == APL_OK && m->rows > 0) st = correct_forces(m);
  *moved = 0.0;
  for (int i = 0; i < s->nv; ++i) {
    const double d = (m->rows > 0 ? s->room.jump[i] : 0.0) - m->y[i];
    m->vd1[i] += d;
    *moved = fmax(*moved, x * fabs(d));
  }
  return st;
}

apl_status apl_gen_alpha_solve(apl_gen_alpha* m, double t, double h, long* rounds) {
  apl_status st = APL_OK;
  double moved = HUGE_VAL;

  for (int k = 0; k < MOST_ROUNDS && st == APL_OK; ++k) {
    if (k >= LEAST_ROUNDS && moved <= still) break;
    if (k == MOST_ROUNDS - 1) return APL_ERR_INTEGRATOR;
    st = place(m, t, h);
    if (st == APL_OK) st = residual(m);
    /* passes over deformable bodies overwrite the factors */
    if (st == APL_OK && (k == 0 || m->system->state->factored != FACTORED)) st = factor(m, h);
    if (st == APL_OK) st = correct(m, h, &moved);
    *rounds += 1;
  }
  return st == APL_OK ? place(m, t, h) : st;
}
