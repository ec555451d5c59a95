/* jacobian.c: d y'/d y of a system, for methods that want all of it (`bdf`). By complex steps of
   forward dynamics and of what the ledger integrates: exact to round-off, a pass per column. Where
   forces come out of a solver of rows (loops, supports, held velocities) there is no complex pass,
   and differences must do.

   Only q, v and the memories of laws have columns: nothing depends on the rest of y, which is
   integrated along. Coordinates are those of y, not directions of their tangent. */
#include "system/system_impl.h"

#include "appell/dynamics.h"

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

/* Where bristles and their rates stand among the numbers of a contact. */
enum {
  BRISTLE = offsetof(contact_state, z) / sizeof(double),
  BRISTLE_RATE = offsetof(contact_state, zrate) / sizeof(double),
  FORCE = offsetof(contact_state, force) / sizeof(double)
};

void apl_system_cut_inputs(const apl_system* s, apl_state* wide) {
  double* u = wide->u;

  for (int i = 0; i < s->nu; ++i) {
    const double share = s->slow[i] * wide->v[2 * s->slow_by[i]];
    const double up = fmin(fmax(1.0 - share, 0.0), 1.0), down = fmin(fmax(1.0 + share, 0.0), 1.0);
    const double rate = s->slow[i] * wide->v[2 * s->slow_by[i] + 1];
    if (u[2 * i] >= s->greatest[i] * up) {
      u[2 * i + 1] = up > 0.0 && up < 1.0 ? -s->greatest[i] * rate : 0.0;
    } else if (u[2 * i] <= s->least[i] * down) {
      u[2 * i + 1] = down > 0.0 && down < 1.0 ? s->least[i] * rate : 0.0;
    }
  }
}

double apl_system_sum_slope(apl_system* s, int i, const apl_state* wide) {
  const integral* I = &s->integral[i];
  const double e = s->state->aim[I->velocity] - s->state->q[I->coordinate];
  const bool cut = apl_system_sum_rate(s, i) == 0.0 && e != 0.0;

  return cut ? 0.0 : -wide->q[2 * I->coordinate + 1];
}

/* Do solvers of rows have a say? */
static bool has_rows(const apl_system* s) {
  const apl_model* m = s->model;
  bool any = s->nheld > 0 || (m->npart > 0 && !s->state->springs);

  for (int i = 0; i < m->npair && !any; ++i)
    any = m->pair[i].rigid || m->pair[i].sticks;
  return any;
}

/* ----------------------------------------------------------------------------- differences ---- */

static apl_status by_differences(apl_system* s, double t, const double* y, int n, double* J) {
  double *moved = s->implicit.y, *base = moved + n;
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

/* The imaginary number of y[k] in the complex state, NULL: drives decide it. */
static double* place_of(apl_system* s, int k) {
  apl_state* z = s->implicit.wide;
  int bristle = k - s->nq - s->nv, sum = bristle - (s->nz - s->nintegral);

  for (int i = 0; i < s->ndrive; ++i) {
    if (k == s->drive[i].coordinate || k == s->nq + s->drive[i].velocity) return NULL;
  }
  if (k < s->nq) return z->q + 2 * k + 1;
  if (k < s->nq + s->nv) return z->v + 2 * (k - s->nq) + 1;
  if (sum >= 0) return z->aim + 2 * (2 * s->nv + s->integral[sum].velocity) + 1;
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

  if (st == APL_OK && s->nactive > 0) st = apl_ledger_rates(m, z, s->impulses, flow);
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
  for (int i = 0; i < s->nintegral; ++i)
    *out++ = apl_system_sum_slope(s, i, z) / step;
  for (int i = 0; i < s->nsat; ++i)
    *out++ = z->spin[2 * i + 1] / step;
  for (int i = 0; i < s->npair; ++i)
    *out++ = z->contact[2 * (CONTACT_NUMBERS * i + FORCE) + 1] / step;
  for (int i = 0; i < s->nactive; ++i) {
    const int from = s->order[i];
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

apl_status apl_system_open_jacobian(void* context, apl_error* err) {
  apl_system* s = context;
  const size_t n = (size_t)apl_system_size(s);
  system_implicit* w = &s->implicit;

  if (w->wide != NULL) return APL_OK;
  w->y = calloc(2 * n + 2 * (size_t)s->nq + 1, sizeof *w->y);
  w->rate = w->y == NULL ? NULL : w->y + 2 * n;
  if (w->y == NULL || apl_state_new(s->model, APL_COMPLEX, &w->wide) != APL_OK)
    return apl_fail(err, APL_ERR_MEMORY, "out of memory for a Jacobian");
  return APL_OK;
}

apl_status apl_system_jacobian(double t, const double* y, int n, double* J, void* context) {
  apl_system* s = context;

  memset(J, 0, sizeof *J * (size_t)n * (size_t)n);
  return has_rows(s) ? by_differences(s, t, y, n, J) : by_steps(s, t, y, n, J);
}
