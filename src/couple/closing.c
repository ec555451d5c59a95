/* SPDX-License-Identifier: Apache-2.0 */
/* closing.c: see closing.h. */
#include "couple/closing.h"

#include "dynamics/extra.h"
#include "dynamics/loops.h"
#include "dynamics/passes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* -------------------------------------------------------------------------------- set up ---- */

static void layout(apl_closing* w, apl_arena* a) {
  const apl_model* m = w->model;
  const size_t n = (size_t)w->n, nv = (size_t)m->nv;

#define TAKE(p, count) ((p) = apl_arena_take(a, sizeof *(p) * (count)))
  TAKE(w->way, n);
  TAKE(w->number, n * ROW_NUMBERS);
  TAKE(w->z, n * nv);
  TAKE(w->G, n * n);
  TAKE(w->b, n);
  TAKE(w->p, n);
  TAKE(w->innovation, nv);
  TAKE(w->change, nv);
  TAKE(w->delta, (size_t)m->nt);
  TAKE(w->q, (size_t)m->nq);
#undef TAKE
  apl_equal_place(&w->equal, w->n, a);
}

apl_status apl_closing_open(apl_closing* w, const apl_model* m) {
  apl_arena arena = {0};

  *w = (apl_closing){.model = m, .n = m->npart};
  layout(w, &arena);
  w->memory = apl_arena_open(&arena);
  if (w->memory == NULL) return APL_ERR_MEMORY;
  layout(w, &arena);
  for (int k = 0; k < w->n; ++k) {
    const apl_loop* l = &m->loop[m->part[k].loop];
    w->way[k] = m->part[k].kind == PART_TIE ? (apl_way){{0, 0}, {l->velocity[0], l->velocity[1]}}
                                            : (apl_way){{l->frame[0], l->frame[1]}, {-1, -1}};
  }
  return APL_OK;
}

void apl_closing_close(apl_closing* w) {
  free(w->memory);
  *w = (apl_closing){0};
}

apl_status apl_closing_new(const apl_model* m, apl_closing** out) {
  if (out == NULL) return APL_ERR_ARGUMENT;
  *out = NULL;
  if (m == NULL) return APL_ERR_ARGUMENT;
  apl_closing* w = malloc(sizeof *w);
  const apl_status st = w == NULL ? APL_ERR_MEMORY : apl_closing_open(w, m);

  *out = w;
  if (st == APL_OK) return st;
  free(w);
  *out = NULL;
  return st;
}

void apl_closing_free(apl_closing* w) {
  if (w != NULL) apl_closing_close(w);
  free(w);
}

/* --------------------------------------------------------------------------------- forces ---- */

apl_status apl_closing_factor(apl_closing* w, apl_state* s) {
  const apl_model* m = w->model;
  const apl_ways ways = {w->way, w->z, w->n};

  s->passes->loop_numbers(m, s, w->number);
  apl_status st = apl_ways_halve(m, s, w->way, w->number, w->n, w->z);
  if (st == APL_OK) st = apl_ways_inertia(m, s, &ways, NULL, w->G, w->n);
  if (st == APL_OK) apl_equal_factor(&w->equal, w->n, w->G, true);
  return st;
}

void apl_closing_solve(apl_closing* w) {
  w->unmet = apl_equal_solve(&w->equal, w->b, w->p);
}

apl_status apl_closing_answer(apl_closing* w, apl_state* s) {
  const apl_model* m = w->model;
  const apl_ways ways = {w->way, w->z, w->n};

  apl_closing_solve(w);
  const apl_status st = apl_ways_combine(m, s, &ways, w->p, w->innovation);
  return st == APL_OK ? apl_spread(m, s, w->innovation, w->change, NULL) : st;
}

static double* row_of(apl_state* s, int k) {
  return s->row + APL_LOOP * k;
}

/* Forward dynamics without loop forces first, then with the forces for c'' + 2 w c' + w^2 c = 0. */
apl_status apl_closing_forward(apl_closing* w, apl_state* s, double stiffness) {
  if (w == NULL || s == NULL || s->model != w->model || s->passes->width != 1)
    return APL_ERR_ARGUMENT;
  const apl_model* m = w->model;

  apl_status st = s->passes->forward_cut(m, s);
  if (st == APL_OK) st = apl_factor_last(m, s);
  if (st == APL_OK) st = apl_closing_factor(w, s);
  if (st != APL_OK) return st;

  for (int k = 0; k < w->n; ++k) {
    const double* row = row_of(s, k);
    w->b[k] = row[APL_LOOP_ACCEL] +
              stiffness * (2.0 * row[APL_LOOP_RATE] + stiffness * row[APL_LOOP_GAP]);
  }
  apl_closing_solve(w);
  for (int k = 0; k < w->n; ++k)
    row_of(s, k)[APL_LOOP_FORCE] = w->p[k];
  return s->passes->forward_closed(m, s);
}

/* ----------------------------------------------------------------------------- projection ---- */

/* Gaps and rates of a row are corrected by motions of about their size over sqrt(G_kk). Where G_kk
   is below this fraction of the largest one, near a singular position, round-off of gaps would
   become visible motions. */
static const double weak = 1e-6;

/* change = A^-1 J^T p with p = -G^+ (gaps or rates minus the wanted ones) and the factored matrix
   A; `largest` is the largest of these. Of weak rows those below `leave` stay. */
static apl_status correction(apl_closing* w, apl_state* s, int field, const double* want,
                             double leave, double* largest) {
  double most = 0.0;

  *largest = 0.0;
  for (int k = 0; k < w->n; ++k)
    most = fmax(most, w->G[k * w->n + k]);
  for (int k = 0; k < w->n; ++k) {
    w->b[k] = row_of(s, k)[field] - (want == NULL ? 0.0 : want[k]);
    *largest = fmax(*largest, fabs(w->b[k]));
    if (w->G[k * w->n + k] < weak * most && fabs(w->b[k]) < leave) w->b[k] = 0.0;
  }
  return apl_closing_answer(w, s);
}

/* The change is a velocity for a unit of time: q += N change on the tangent of q. */
apl_status apl_closing_displace(apl_closing* w, apl_state* s) {
  const apl_model* m = w->model;

  for (int i = 0; i < m->nv; ++i) {
    const double v = s->v[i];
    s->v[i] = w->change[i];
    w->change[i] = v;
  }
  const apl_status st = apl_tangent_rates(m, s, w->delta);
  memcpy(s->v, w->change, sizeof *s->v * (size_t)m->nv);
  memcpy(w->q, s->q, sizeof *s->q * (size_t)m->nq);
  return st == APL_OK ? apl_add(m, s, w->q, w->delta, s->q) : st;
}

apl_status apl_closing_project(apl_closing* w, apl_state* s, const apl_norm* norm,
                               const double* gaps, const double* rates, apl_drift* drift) {
  const apl_model* m = w->model;
  apl_status st = apl_loops(m, s);

  if (st == APL_OK) st = apl_factor(m, s, norm->c);
  if (st == APL_OK) st = apl_closing_factor(w, s);
  if (st == APL_OK) st = correction(w, s, APL_LOOP_GAP, gaps, norm->leave, &drift->gap);
  if (st == APL_OK) st = apl_closing_displace(w, s);
  if (st == APL_OK) st = apl_loops(m, s);
  if (st == APL_OK) st = correction(w, s, APL_LOOP_RATE, rates, 10.0 * norm->leave, &drift->rate);
  for (int i = 0; i < m->nv && st == APL_OK; ++i)
    s->v[i] += w->change[i];
  return st;
}

int apl_closing_redundant(const apl_closing* w, int* rows) {
  const apl_equal* e = &w->equal;
  int n = 0;

  for (int k = e->lu.rank; k < e->n; ++k, ++n)
    if (rows != NULL) rows[n] = e->lu.row[k];
  return n;
}
