/* SPDX-License-Identifier: Apache-2.0 */
/* search.c: see search.h. Gaps are differentiated by complex steps, so that coordinates without a
   velocity of their own (rolling joints) can be moved too. */
#include "couple/search.h"

#include "dynamics/passes.h"
#include "dynamics/loops.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_TRIALS = 30, MOST_IDLE = 6 };

/* Largest rotation or translation in one step [rad, or sizes of the robot]. */
static const double longest_step = 0.5;

static const double tiny_step = 1e-100;

/* Steps that reduce the gaps by less than this fraction count as idle. */
static const double idle_share = 1e-3;

static void layout(apl_search* a, apl_arena* arena) {
  const apl_model* m = a->w->model;
  const size_t n = (size_t)a->n, nt = (size_t)m->nt, nv = (size_t)m->nv, nq = (size_t)m->nq;
  const size_t wide = nt > nv ? nt : nv;

#define TAKE(p, count) ((p) = apl_arena_take(arena, sizeof *(p) * (count)))
  TAKE(a->J, n * wide);
  TAKE(a->W, n * n);
  TAKE(a->c, n);
  TAKE(a->p, n);
  TAKE(a->step, wide);
  TAKE(a->delta, nt);
  TAKE(a->q, nq);
  TAKE(a->zt, 2 * (nt + nq));
  TAKE(a->home, nq);
  TAKE(a->found, nq);
  TAKE(a->from, nq);
  TAKE(a->best, nq);
  TAKE(a->moves, nt);
  TAKE(a->rates, nv);
  TAKE(a->fixed, nv);
#undef TAKE
  apl_given_place(&a->given, m, arena);
}

/* Largest coordinate of a port relative to the first one: the size of the robot [m]. */
static double size_of_robot(const apl_model* m, apl_state* s) {
  double first[12], at[12], size = 0.0;

  for (int i = 0; i < apl_model_count(m, APL_PORTS); ++i) {
    if (apl_port_pose(m, s, i, i == 0 ? first : at) != APL_OK) break;
    for (int k = 9; k < 12 && i > 0; ++k)
      size = fmax(size, fabs(at[k] - first[k]));
  }
  return size > 0.0 && isfinite(size) ? size : 1.0;
}

apl_status apl_search_open(apl_search* a, apl_closing* w, apl_state* s) {
  apl_arena arena = {0};

  *a = (apl_search){.w = w, .s = s, .n = w->n, .nt = w->model->nt, .nq = w->model->nq};
  layout(a, &arena);
  a->memory = apl_arena_open(&arena);
  const apl_status st =
      a->memory == NULL ? APL_ERR_MEMORY : apl_state_new(w->model, APL_COMPLEX, &a->z);
  if (st != APL_OK) return st;
  layout(a, &arena);
  memcpy(a->home, s->q, sizeof *a->home * (size_t)a->nq);
  memcpy(a->best, s->q, sizeof *a->best * (size_t)a->nq);
  a->best_size = HUGE_VAL;
  a->length = size_of_robot(w->model, s);
  return APL_OK;
}

void apl_search_close(apl_search* a) {
  apl_state_free(a->z);
  free(a->memory);
}

apl_status apl_search_measure(apl_search* a, double* size) {
  const apl_status st = apl_loops(a->w->model, a->s);
  double sum = 0.0;

  a->gap = 0.0;
  a->row = 0;
  for (int k = 0; k < a->n; ++k) {
    a->c[k] = a->s->row[APL_LOOP * k + APL_LOOP_GAP];
    sum += a->c[k] * a->c[k];
    if (fabs(a->c[k]) > a->gap || isnan(a->c[k])) a->gap = fabs(a->c[k]), a->row = k;
  }
  *size = sqrt(sum);
  return st;
}

apl_status apl_search_differentiate(apl_search* a) {
  const apl_model* m = a->w->model;
  double *delta = a->zt, *q = a->zt + 2 * m->nt;
  apl_status st = APL_OK;

  apl_given_directions(&a->given, a->s->q, a->length);
  const int wide = a->given.ndirection;
  for (int i = 0; i < m->nq; ++i)
    q[2 * i] = a->s->q[i], q[2 * i + 1] = 0.0;
  memset(delta, 0, 2 * sizeof *delta * (size_t)m->nt);
  for (int i = 0; i < wide && st == APL_OK; ++i) {
    const given_direction* d = &a->given.direction[i];
    for (int k = 0; k < d->count; ++k)
      delta[2 * (d->t0 + k) + 1] = tiny_step * d->e[k];
    st = apl_add(m, a->z, q, delta, a->z->q);
    if (st == APL_OK) st = apl_loops(m, a->z);
    for (int k = 0; k < d->count; ++k)
      delta[2 * (d->t0 + k) + 1] = 0.0;
    for (int k = 0; k < a->n; ++k) {
      const double slope = a->z->row[2 * (APL_LOOP * k + APL_LOOP_GAP) + 1] / tiny_step;
      a->J[k * wide + i] = slope;
      a->moves[d->t0] = fmax(a->moves[d->t0], fabs(slope));
    }
  }
  return st;
}

void apl_search_step(apl_search* a, int wide, double mu) {
  double* W = a->W;

  for (int i = 0; i < a->n; ++i) {
    for (int j = 0; j < a->n; ++j) {
      double sum = 0.0;
      for (int k = 0; k < wide; ++k)
        sum += a->J[i * wide + k] * a->J[j * wide + k];
      W[i * a->n + j] = sum + (i == j ? mu : 0.0);
    }
  }
  apl_equal_factor(&a->w->equal, a->n, W, true);
  apl_equal_solve(&a->w->equal, a->c, a->p);
  for (int k = 0; k < wide; ++k) {
    a->step[k] = 0.0;
    for (int i = 0; i < a->n; ++i)
      a->step[k] += a->J[i * wide + k] * a->p[i];
  }
}

/* q := q + share of the step; held coordinates are restored. */
static apl_status go(apl_search* a, double share) {
  apl_given_spread(&a->given, a->step, a->delta);
  for (int i = 0; i < a->nt; ++i)
    a->delta[i] *= share;
  const apl_status st = apl_add(a->w->model, a->s, a->q, a->delta, a->s->q);
  apl_given_restore(&a->given, a->s->q);
  return st;
}

/* One step that reduces the gaps: Gauss-Newton, halved a few times, then Levenberg-Marquardt steps
   that approach steepest descent. False if none does. */
static bool descend(apl_search* a, double* size, double* mu) {
  const int wide = a->given.ndirection;
  const double before = *size;
  double mean = 0.0;

  for (int i = 0; i < a->n * wide; ++i)
    mean += a->J[i] * a->J[i] / a->n;
  memcpy(a->q, a->s->q, sizeof *a->q * (size_t)a->nq);
  for (int trial = 0; trial < MOST_TRIALS; ++trial) {
    double far = 0.0;
    apl_search_step(a, wide, *mu);
    for (int i = 0; i < wide; ++i)
      far = fmax(far, fabs(a->step[i]));
    if (go(a, far > longest_step ? longest_step / far : 1.0) == APL_OK &&
        apl_search_measure(a, size) == APL_OK && *size < before) {
      *mu = *mu > 1e-7 * mean ? 0.1 * *mu : 0.0;
      /* rows that cannot all be closed: a positive mu weights the remaining gaps equally */
      if (*size > 0.5 * before) *mu = fmax(*mu, 1e-8 * mean);
      return true;
    }
    *mu = fmax(4.0 * *mu, 1e-6 * mean);
    /* the next step needs c at its start */
    memcpy(a->s->q, a->q, sizeof *a->q * (size_t)a->nq);
    if (apl_search_measure(a, size) != APL_OK || !(*mu < 1e12 * mean)) break;
  }
  memcpy(a->s->q, a->q, sizeof *a->q * (size_t)a->nq);
  apl_search_measure(a, size);
  return false;
}

apl_status apl_search_close_from_here(apl_search* a, int most_steps) {
  double size, mu = 0.0;
  int idle = 0;

  apl_given_restore(&a->given, a->s->q);
  apl_status st = apl_search_measure(a, &size);
  a->starts += 1;
  for (int k = 0; k < most_steps && st == APL_OK && a->gap > APL_SETTLED; ++k) {
    const double before = size;
    st = apl_search_differentiate(a);
    if (st != APL_OK || a->given.ndirection == 0 || !descend(a, &size, &mu)) break;
    a->iterations += 1;
    idle = size > (1.0 - idle_share) * before ? idle + 1 : 0;
    if (idle > MOST_IDLE) break;
  }
  if (st == APL_OK && size < a->best_size) {
    a->best_size = size;
    memcpy(a->best, a->s->q, sizeof *a->best * (size_t)a->nq);
  }
  return st;
}
