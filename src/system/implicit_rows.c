/* implicit_rows.c: see implicit.h. */
#include "system/implicit.h"

#include "base/arena.h"
#include "base/assert.h"
#include "system/system_impl.h"

#include "couple/contact_rows.h"
#include "dynamics/loops.h"
#include "dynamics/passes.h"
#include "law/contact_law.h"
#include "system/system_impl.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------------------------ room ---- */

static void layout(system_implicit* w, const apl_model* m, apl_arena* a) {
  const size_t n = (size_t)w->most, nv = (size_t)m->nv;

#define TAKE(p, count) ((p) = apl_arena_take(a, sizeof *(p) * (count)))
  TAKE(w->row, n);
  TAKE(w->way, n);
  TAKE(w->number, n * ROW_NUMBERS);
  TAKE(w->in, n * ROW_NUMBERS);
  TAKE(w->J, n * nv);
  TAKE(w->F, n * nv);
  TAKE(w->X, n * nv);
  TAKE(w->G, n * n);
  TAKE(w->u, n);
  TAKE(w->p, n);
  TAKE(w->tension, (size_t)m->ntendon);
#undef TAKE
  apl_equal_place(&w->equal, w->most, a);
}

/* Room for all rows that may act; only what is held can become more. */
apl_status apl_implicit_reserve(apl_system* s) {
  system_implicit* w = &s->implicit;
  const coupling_pass p = {.level = LEVEL_IMPLICIT};
  const int most = apl_couplings_count(s, &p);
  apl_arena arena = {0};
  if (w->memory != NULL && most <= w->most) return APL_OK;

  free(w->memory);
  w->most = most;
  layout(w, s->model, &arena);
  w->memory = apl_arena_open(&arena);
  if (w->memory == NULL) return APL_ERR_MEMORY;
  layout(w, s->model, &arena);
  return APL_OK;
}

void apl_implicit_free(apl_system* s) {
  free(s->implicit.memory);
  apl_state_free(s->implicit.twin);
  apl_state_free(s->implicit.wide);
  free(s->implicit.y);
}

/* ------------------------------------------------------------------------------------ rows ---- */

int apl_implicit_add(system_implicit* w, double soft) {
  APL_ASSERT(w->n < w->most); /* room for what kinds have counted */
  w->row[w->n] = (implicit_row){.soft = soft, .of = -1};
  return w->n++;
}

/* Held velocities, then from the end of the list: of rows that depend on each other the factors
   keep the first, and loops are to be kept rather than contacts. */
static apl_status list_rows(apl_system* s, coupling_pass* p) {
  system_implicit* w = &s->implicit;
  apl_status st = APL_OK;

  w->n = 0;
  for (int i = 0; i < s->nkind && st == APL_OK; ++i) {
    const int k = s->kind[i == 0 ? 0 : s->nkind - i];
    w->span[k].first = w->n;
    if (apl_kinds[k]->list != NULL) st = apl_kinds[k]->list(s, p);
    w->span[k].n = w->n - w->span[k].first;
  }
  w->skewed = p->skewed;
  for (int i = 0; i < w->n && w->skewed; ++i) {
    if (!w->row[i].skewed) memcpy(w->F + i * s->nv, w->J + i * s->nv, sizeof *w->F * (size_t)s->nv);
  }
  return st;
}

/* ---------------------------------------------------------------------------------- matrix ---- */

static double dot_of(const double* a, const double* b, int n) {
  double sum = 0.0;

  for (int i = 0; i < n; ++i)
    sum += a[i] * b[i];
  return sum;
}

apl_status apl_implicit_rows(apl_system* s, double c, const double* psi_z) {
  system_implicit* w = &s->implicit;
  coupling_pass p = {.level = LEVEL_IMPLICIT, .h = c, .psi = psi_z};
  const int nv = s->nv;
  apl_status st = apl_implicit_reserve(s);

  w->n = 0;
  if (st == APL_OK) st = list_rows(s, &p);
  for (int i = 0; i < w->n && st == APL_OK; ++i) {
    double* X = w->X + i * nv;
    memset(X, 0, sizeof *X * (size_t)nv);
    st = apl_solve(s->model, w->twin, (w->skewed ? w->F : w->J) + i * nv, NULL, NULL, 0, X, NULL);
  }
  if (st != APL_OK || w->n == 0) return st;
  for (int i = 0; i < w->n; ++i) {
    for (int j = 0; j < w->n; ++j)
      w->G[i * w->n + j] = dot_of(w->J + i * nv, w->X + j * nv, nv);
    w->G[i * w->n + i] += w->row[i].soft;
  }
  apl_equal_factor(&w->equal, w->n, w->G, !w->skewed);
  return APL_OK;
}

apl_status apl_implicit_correct(apl_system* s, double c, double* dv) {
  system_implicit* w = &s->implicit;
  coupling_pass p = {.level = LEVEL_IMPLICIT, .h = c};

  memset(w->u, 0, sizeof *w->u * (size_t)w->n);
  apl_couplings_lack(s, &p, w->u);
  for (int i = 0; i < w->n; ++i)
    w->u[i] += dot_of(w->J + i * s->nv, dv, s->nv);
  apl_equal_solve(&w->equal, w->u, w->p);
  for (int i = 0; i < w->n; ++i) {
    const double *X = w->X + i * s->nv, force = w->p[i];
    for (int j = 0; j < s->nv; ++j)
      dv[j] += X[j] * force;
  }
  return apl_couplings_take(s, &p);
}
