/* SPDX-License-Identifier: Apache-2.0 */
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

static void layout(system_implicit* w, const apl_model* m, int most, apl_arena* a) {
  const size_t n = (size_t)most, nv = (size_t)m->nv;

#define TAKE(p, count) ((p) = apl_arena_take(a, sizeof *(p) * (count)))
  TAKE(w->row, n);
  TAKE(w->soft, n);
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
  apl_equal_place(&w->equal, most, a);
}

static size_t measure(const apl_model* m, int most) {
  system_implicit measured = {0};
  apl_arena arena = {0};

  layout(&measured, m, most, &arena);
  return arena.used;
}

static void free_rows(apl_system* s) {
  system_implicit* w = &s->implicit;

  free(w->memory);
  s->budget.taken -= (double)w->bytes;
  w->memory = NULL;
  w->bytes = 0;
  w->most = w->n = 0;
}

/* Memory for the rows that may act now, and for a quarter more, so that a growing number of
   contacts seldom asks for memory; without that quarter if the budget does not have it. No number
   in it is kept from one step to the next (docs/decisions/084). */
apl_status apl_implicit_reserve(apl_system* s) {
  system_implicit* w = &s->implicit;
  const coupling_pass p = {.level = LEVEL_IMPLICIT};
  const int count = apl_couplings_count(s, &p);
  apl_arena arena = {0};
  if (w->memory != NULL && count <= w->most) return APL_OK;

  int most = count + count / 4;
  size_t bytes = measure(s->model, most);
  if (!apl_budget_fits(&s->budget, w->bytes, bytes)) bytes = measure(s->model, most = count);
  const apl_status st =
      apl_budget_take(&s->budget, w->bytes, bytes, count, "rows of implicit steps");
  if (st != APL_OK) return st;
  w->bytes = bytes;
  free(w->memory);
  layout(w, s->model, most, &arena);
  w->memory = apl_arena_open(&arena);
  if (w->memory == NULL) {
    free_rows(s);
    return APL_ERR_MEMORY;
  }
  layout(w, s->model, most, &arena);
  w->most = most;
  return APL_OK;
}

void apl_implicit_free(apl_system* s) {
  free_rows(s);
  apl_state_free(s->implicit.twin);
  apl_state_free(s->implicit.wide);
  free(s->implicit.jacobian);
}

/* ------------------------------------------------------------------------------------ rows ---- */

int apl_implicit_add(system_implicit* w, double soft) {
  APL_ASSERT(w->n < w->most); /* kinds list at most the rows that they counted */
  w->row[w->n] = (implicit_row){.of = -1};
  w->soft[w->n] = soft;
  return w->n++;
}

/* The first kind (held velocities) comes first, then the others from the end of the list. Of rows
   that depend on each other the factorisation keeps the first ones, and loops must be kept before
   contacts. */
static apl_status list_rows(apl_system* s, coupling_pass* p) {
  system_implicit* w = &s->implicit;
  apl_status st = APL_OK;

  w->n = 0;
  for (int i = 0; i < s->kinds.n && st == APL_OK; ++i) {
    const int k = s->kinds.list[i == 0 ? 0 : s->kinds.n - i];
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
  }
  apl_equal_factor_soft(&w->equal, w->n, w->G, w->soft, !w->skewed);
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
