/* SPDX-License-Identifier: Apache-2.0 */
/* cone_newton.c: damped semi-smooth Newton method for the natural map of all parts; the step is
   computed in cone_step.c. */
#include "couple/solve/cone_impl.h"

#include "couple/solve/kernel.h"

#include <math.h>
#include <string.h>

enum {
  NEWTON_MEMORY = 5,   /* earlier values of |F| in the non-monotone line search */
  NEWTON_HALVINGS = 8, /* most halvings of a step */
  NEWTON_PATIENCE = 8, /* steps without halving the best |F|          */
  POLISH_PATIENCE = 2, /* full steps without halving the best |F|     */
  NEWTON_SWEEPS = 20   /* after the third stall, then twice as many */
};

/* --------------------------------------------------------------------------------- search ---- */

static void swap(double** a, double** b) {
  double* t = *a;
  *a = *b;
  *b = t;
}

static double try_step(apl_cone* c, double t) {
  for (int i = 0; i < c->m; ++i) {
    c->r_next[i] = c->r[i] + t * c->dr[i];
    c->u_next[i] = c->u[i] + t * c->du[i];
  }
  return apl_cone_evaluate(c, c->r_next, c->u_next);
}

static void go(apl_cone* c) {
  swap(&c->r, &c->r_next);
  swap(&c->u, &c->u_next);
}

/* Line search: halve the step until |F| is below the largest of the last values; the last trial is
   kept in any case. */
static double search(apl_cone* c, double bound, bool* found) {
  double t = 1, e = 0;

  kernel_times(c->W, c->ld, c->m, c->dr, c->du);
  *found = false;
  for (int k = 0; k <= NEWTON_HALVINGS && !*found; ++k, t *= 0.5) {
    e = try_step(c, t);
    *found = e <= (1 - 1e-4 * t) * bound;
  }
  go(c);
  return e;
}

static double largest(const double* x, int n) {
  double most = x[0];
  for (int i = 1; i < n; ++i)
    most = fmax(most, x[i]);
  return most;
}

/* ------------------------------------------------------------------------------- iteration ---- */

/* Return to the best point. */
static double back(apl_cone* c) {
  memcpy(c->r, c->r_best, (size_t)c->ld * sizeof *c->r);
  apl_cone_velocity(c);
  return apl_cone_evaluate(c, c->r, c->u);
}

double apl_cone_newton(apl_cone* c, double e, double goal, int most, apl_cone_result* result) {
  double weight = CONE_WEIGHT, best = e, mark = e, past[NEWTON_MEMORY];
  int stalls = 0, since = 0, sweeps = NEWTON_SWEEPS, kept = 0;
  bool fresh = true;

  memcpy(c->r_best, c->r, (size_t)c->ld * sizeof *c->r);
  for (int k = 0; k < most && e > goal; ++k, ++result->steps) {
    bool found;
    const double before = e;
    past[kept++ % NEWTON_MEMORY] = e;
    if (fresh || !apl_cone_factored(c)) apl_cone_factor(c, weight);
    apl_cone_direction(c);
    e = search(c, largest(past, kept < NEWTON_MEMORY ? kept : NEWTON_MEMORY), &found);
    fresh = !(e < 0.01 * before);
    if (e < best) {
      best = e;
      memcpy(c->r_best, c->r, (size_t)c->ld * sizeof *c->r);
    }
    if (best <= 0.5 * mark) {
      mark = best;
      since = 0;
    } else {
      ++since;
    }
    if (found && since < NEWTON_PATIENCE) continue;
    since = kept = 0;
    fresh = true;
    weight *= 100;
    if (++stalls % 3 != 0) continue;
    (void)back(c);
    e = apl_cone_sweep(c, sweeps, result);
    sweeps *= 2;
    weight = CONE_WEIGHT;
  }
  return e <= best ? e : back(c);
}

/* Full steps down to round-off `least`, so that held rows have exactly zero velocity. |F| may grow
   once or twice where rows change their mode; the best point is kept. */
double apl_cone_descend(apl_cone* c, double e, double least, apl_cone_result* result) {
  double best = e;
  bool fresh = true;
  int worse = 0;

  memcpy(c->r_best, c->r, (size_t)c->ld * sizeof *c->r);
  for (int k = 0; k < NEWTON_PATIENCE && worse < POLISH_PATIENCE && e > least; ++k) {
    const double before = e;
    if (fresh || !apl_cone_factored(c)) apl_cone_factor(c, CONE_WEIGHT);
    apl_cone_direction(c);
    for (int i = 0; i < c->m; ++i)
      c->r[i] += c->dr[i];
    apl_cone_velocity(c);
    e = apl_cone_evaluate(c, c->r, c->u);
    ++result->steps;
    fresh = !(e < 1e-3 * before);
    if (!(e < 0.5 * best)) ++worse;
    if (e < best) {
      best = e;
      memcpy(c->r_best, c->r, (size_t)c->ld * sizeof *c->r);
    }
  }
  return e <= best ? e : back(c);
}
