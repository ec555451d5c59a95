/* SPDX-License-Identifier: Apache-2.0 */
/* relax.c: relaxation (overdamped motion downhill), and quantities that depend on the stiffness of
   a shape. */
#include "analyse/search.h"
#include "analyse/dense.h"

#include <math.h>
#include <string.h>

double apl_search_work(const search* a) {
  double work = 0.0;

  for (int i = 0; i < a->b.n; ++i)
    work = fmax(work, a->b.force[i] * a->b.unit[i]);
  return work;
}

apl_status apl_search_stiffness(search* a, double* H) {
  const int n = a->b.n;
  const apl_status st = apl_balance_jacobian(&a->b, a->x, H);

  for (int k = 0; k < n; ++k) {
    for (int i = 0; i < n; ++i)
      H[k * n + i] *= a->b.unit[i] * a->b.unit[k];
  }
  return st;
}

/* One step of y' = -g(y) by the implicit Euler method with step 1/friction: (H + friction) s = -g,
   y = x / unit. False if the friction is too low, so that the step would exceed b.stride. */
static bool relax_once(search* a, double friction) {
  const int n = a->b.n;
  double longest = 0.0;

  memcpy(a->vectors, a->J, sizeof(double) * (size_t)(n * n));
  for (int i = 0; i < n; ++i) {
    a->vectors[i * n + i] += friction;
    a->s[i] = -a->r[i] * a->b.unit[i];
  }
  if (!apl_dense_solve(n, a->vectors, a->s)) return false;
  for (int i = 0; i < n; ++i) {
    longest = fmax(longest, fabs(a->s[i]));
    a->x[i] = a->s[i] * a->b.unit[i];
  }
  return longest <= a->b.stride;
}

/* Friction above twice the most negative curvature, so that every step goes downhill. */
static double least_friction(search* a, double work) {
  const int n = a->b.n;

  memcpy(a->vectors, a->J, sizeof(double) * (size_t)(n * n));
  if (!apl_dense_symmetric(n, a->vectors, a->s)) return work;
  return fmax(1e-10 * work, -2.0 * a->s[0]);
}

double apl_search_unbalanced(search* a, int* worst) {
  const double zero = 1e-9 * apl_search_work(a);
  const int n = a->b.n;
  double most = 0.0;

  memset(a->x, 0, sizeof *a->x * (size_t)n);
  if (apl_balance_residual(&a->b, a->x, a->r) != APL_OK ||
      apl_search_stiffness(a, a->J) != APL_OK || !apl_dense_left(n, a->J, a->s, a->vectors)) {
    return 0.0;
  }
  for (int k = 0; k < n; ++k) {
    const double* w = a->vectors + k * n;
    double part = 0.0;
    if (a->s[k] > zero) continue;
    for (int i = 0; i < n; ++i)
      part += w[i] * a->r[i] * a->b.unit[i];
    for (int i = 0; i < n; ++i)
      a->x[i] += part * w[i];
  }
  for (int i = 0; i < n; ++i) {
    if (fabs(a->x[i]) > most) most = fabs(a->x[i]), *worst = i;
  }
  return most > 1e-6 * apl_search_work(a) ? most : 0.0;
}

apl_status apl_search_relax(search* a) {
  enum { MOST = 500 };
  const int n = a->b.n;
  const double work = apl_search_work(a);
  double friction = work;
  int worst, falls = 0;

  memset(a->x, 0, sizeof *a->x * (size_t)n);
  for (int k = 0; k < MOST; ++k) {
    apl_status st = apl_balance_residual(&a->b, a->x, a->r);
    if (st == APL_OK && apl_balance_size(&a->b, a->r, &worst) <= a->o.tolerance) return APL_OK;
    if (st == APL_OK) st = apl_search_stiffness(a, a->J);
    if (st != APL_OK) return APL_ERR_EQUILIBRIUM;

    friction = fmax(friction * 0.25, least_friction(a, work));
    while (!relax_once(a, friction)) {
      friction *= 4.0;
      if (!(friction < 1e30 * work)) return APL_ERR_EQUILIBRIUM;
    }
    if (apl_balance_rebase(&a->b, a->x) != APL_OK) return APL_ERR_EQUILIBRIUM;
    ++a->report->relaxations;

    /* many lengths downhill without any resistance: it falls for ever */
    if (k % 50 == 49) {
      falls = apl_search_unbalanced(a, &worst) > 0.0 ? falls + 1 : 0;
      memset(a->x, 0, sizeof *a->x * (size_t)n);
      if (falls == 2) return APL_ERR_EQUILIBRIUM;
    }
  }
  return APL_ERR_EQUILIBRIUM;
}
