/* SPDX-License-Identifier: Apache-2.0 */
/* jacobian.c: d y'/d y of a system, for methods that need the whole matrix (`bdf`). It is computed
   by complex steps of forward dynamics and of the flows of the ledger, which are exact to round-off
   and cost a pass per column. Forces that the solver of rows finds (loops, supports, held
   velocities) have no complex pass; then difference quotients are used.

   Only q, v, bristles and sums of servos have columns: no rate depends on the rest of y. The
   columns of q are derivatives by the coordinates themselves, also for quaternions. */
#include "system/system_impl.h"

#include "appell/dynamics.h"

#include "base/arena.h"
#include "base/error.h"
#include "dynamics/passes.h"
#include "dynamics/widen.h"
#include "system/system.h"

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static const double step = 1e-100;

/* Index of members of contact_state, counted in numbers. */
enum {
  BRISTLE = offsetof(contact_state, z) / sizeof(double),
  BRISTLE_RATE = offsetof(contact_state, zrate) / sizeof(double),
  FORCE = offsetof(contact_state, force) / sizeof(double)
};

void apl_system_cut_inputs(const apl_system* s, apl_state* wide) {
  double* u = wide->u;

  for (int i = 0; i < s->nu; ++i) {
    const double share = s->drives.slow[i] * wide->v[2 * s->drives.slow_by[i]];
    const double up = fmin(fmax(1.0 - share, 0.0), 1.0), down = fmin(fmax(1.0 + share, 0.0), 1.0);
    const double rate = s->drives.slow[i] * wide->v[2 * s->drives.slow_by[i] + 1];
    if (u[2 * i] >= s->drives.greatest[i] * up) {
      u[2 * i + 1] = up > 0.0 && up < 1.0 ? -s->drives.greatest[i] * rate : 0.0;
    } else if (u[2 * i] <= s->drives.least[i] * down) {
      u[2 * i + 1] = down > 0.0 && down < 1.0 ? s->drives.least[i] * rate : 0.0;
    }
  }
}

double apl_system_sum_slope(apl_system* s, int i, const apl_state* wide) {
  const integral* I = &s->drives.integral[i];
  const double e = s->state->aim[I->velocity] - s->state->q[I->coordinate];
  const bool cut = apl_system_sum_rate(s, i) == 0.0 && e != 0.0;

  return cut ? 0.0 : wide->aim[2 * I->velocity + 1] - wide->q[2 * I->coordinate + 1];
}

/* ----------------------------------------------------------------------------- differences ---- */

static apl_status by_differences(apl_system* s, double t, const double* y, int n, double* J) {
  double *moved = s->implicit.moved, *base = s->implicit.base;
  apl_status st = apl_system_rate(t, y, base, s);

  memcpy(moved, y, sizeof *y * (size_t)n);
  for (int k = 0; k < apl_system_error_size(s) && st == APL_OK; ++k) {
    double* column = J + (long)k * n;
    const double h = sqrt(DBL_EPSILON) * fmax(fabs(y[k]), 1.0);
    moved[k] = y[k] + h;
    st = apl_system_rate(t, moved, column, s);
    for (int i = 0; i < n; ++i)
      column[i] = (column[i] - base[i]) / (moved[k] - y[k]);
    moved[k] = y[k];
  }
  apl_system_unpack(s, t, y);
  return st;
}

/* --------------------------------------------------------------------------- complex steps ---- */

/* The imaginary part of y[k] in the complex state; NULL: a prescribed motion sets y[k]. */
static double* place_of(apl_system* s, int k) {
  apl_state* z = s->implicit.wide;
  int bristle = k - s->nq - s->nv, sum = bristle - (s->nz - s->drives.nintegral);

  for (int i = 0; i < s->drives.nmotion; ++i) {
    if (k == s->drives.motion[i].coordinate || k == s->nq + s->drives.motion[i].velocity)
      return NULL;
  }
  if (k < s->nq) return z->q + 2 * k + 1;
  if (k < s->nq + s->nv) return z->v + 2 * (k - s->nq) + 1;
  if (sum >= 0) return z->aim + 2 * (2 * s->nv + s->drives.integral[sum].velocity) + 1;
  for (int i = 0; i < s->npair; ++i) {
    if (!s->model->pair[i].bristles) continue;
    if (bristle < 2) return z->contact + 2 * (CONTACT_NUMBERS * i + BRISTLE + bristle) + 1;
    bristle -= 2;
  }
  return NULL;
}

/* Imaginary parts of all rates, in the order of y. */
static apl_status read_column(apl_system* s, double* out) {
  const apl_model* m = s->model;
  apl_state* z = s->implicit.wide;
  double flow[2 * NLEDGER] = {0}, *rate = s->implicit.rate;
  apl_status st = apl_forward(m, z);

  if (st == APL_OK && s->ledger.nactive > 0) st = apl_ledger_rates(m, z, s->ledger.impulses, flow);
  if (st == APL_OK) st = apl_rates_last(m, z, rate);
  if (st != APL_OK) return st;
  for (int i = 0; i < s->nq; ++i)
    *out++ = rate[2 * i + 1] / step;
  for (int i = 0; i < s->nv; ++i)
    *out++ = z->a[2 * i + 1] / step;
  for (int i = 0; i < s->npair; ++i) {
    for (int k = 0; k < 2 && m->pair[i].bristles; ++k)
      *out++ = z->contact[2 * (CONTACT_NUMBERS * i + BRISTLE_RATE + k) + 1] / step;
  }
  for (int i = 0; i < s->drives.nintegral; ++i)
    *out++ = apl_system_sum_slope(s, i, z) / step;
  for (int i = 0; i < s->nsat; ++i)
    *out++ = z->spin[2 * i + 1] / step;
  for (int i = 0; i < s->npair; ++i)
    *out++ = z->contact[2 * (CONTACT_NUMBERS * i + FORCE) + 1] / step;
  for (int i = 0; i < s->ledger.nactive; ++i) {
    const int from = s->ledger.order[i];
    *out++ = flow[2 * from + 1] / step;
  }
  return APL_OK;
}

static apl_status by_steps(apl_system* s, double t, const double* y, int n, double* J) {
  apl_status st = APL_OK;

  apl_system_unpack(s, t, y);
  for (int k = 0; k < apl_system_error_size(s) && st == APL_OK; ++k) {
    apl_state_widen(s->model, s->state, s->implicit.wide);
    double* at = place_of(s, k);
    if (at == NULL) continue;
    *at = step;
    apl_system_cut_inputs(s, s->implicit.wide);
    st = read_column(s, J + (long)k * n);
  }
  return st;
}

/* ------------------------------------------------------------------------------------ both ---- */

static void layout(apl_system* s, apl_arena* a) {
  system_implicit* w = &s->implicit;
  const size_t n = (size_t)apl_system_size(s), nq = (size_t)s->nq;

  w->moved = apl_arena_take(a, sizeof *w->moved * n);
  w->base = apl_arena_take(a, sizeof *w->base * n);
  w->rate = apl_arena_take(a, sizeof *w->rate * 2 * nq);
}

apl_status apl_system_open_jacobian(void* context, apl_error* err) {
  apl_system* s = context;
  system_implicit* w = &s->implicit;
  apl_arena arena = {0};

  /* the integrator makes two matrices of this size: the Jacobian, and the one it factors */
  const size_t n = (size_t)apl_system_active_size(s), m = (size_t)apl_system_error_size(s);
  const apl_status st =
      apl_budget_take(&s->budget, 0, 2 * n * m * sizeof(double), (int)n, "numbers of the state");
  if (st != APL_OK) return apl_fail(err, st, "%s", s->refusal.text);
  if (w->wide != NULL) return APL_OK;
  free(w->jacobian); /* an earlier call may have failed half-way */
  layout(s, &arena);
  w->jacobian = apl_arena_open(&arena);
  if (w->jacobian == NULL || apl_state_new(s->model, APL_COMPLEX, &w->wide) != APL_OK)
    return apl_fail(err, APL_ERR_MEMORY, "out of memory for a Jacobian");
  layout(s, &arena);
  return APL_OK;
}

apl_status apl_system_jacobian(double t, const double* y, int n, double* J, void* context) {
  apl_system* s = context;

  memset(J, 0, sizeof *J * (size_t)n * (size_t)apl_system_error_size(s));
  return apl_couplings_solved(s) ? by_differences(s, t, y, n, J) : by_steps(s, t, y, n, J);
}
