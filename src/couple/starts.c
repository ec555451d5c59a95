/* SPDX-License-Identifier: Apache-2.0 */
/* starts.c: other starts for closing loops, see search.h. All are deterministic, so that the same
   file always gives the same assembly.

   1. continuation: assemble without the given values, then move these from their present to their
   given values in steps s = 0 .. 1, closing the loops after each step;
   2. points around the guess, in shells of growing size: the additive sequence x_ki = frac(1/2 + k
   f^-i), f^(d+1) = f + 1, which fills a box of d dimensions evenly.

   The assembly found is then moved along the closed loops towards the guess. */
#include "couple/search.h"

#include "dynamics/passes.h"
#include "dynamics/extra.h"

#include <math.h>
#include <string.h>

enum { SHELLS = 8, SHELL = 8, STEPS = 60, SLIDES = 40, MOST_LEGS = 80 };

static const double shortest_leg = 1.0 / 256.0;

/* |home - q| on the tangent; the vector is left in delta. */
static double distance(apl_search* a) {
  double sum = 0.0;

  if (apl_subtract(a->w->model, a->s, a->home, a->s->q, a->delta) != APL_OK) return HUGE_VAL;
  for (int i = 0; i < a->nt; ++i)
    sum += a->delta[i] * a->delta[i];
  return sqrt(sum);
}

static void take(const apl_search* a, double* to, const double* from) {
  memcpy(to, from, sizeof *to * (size_t)a->nq);
}

/* ---------------------------------------------------------------------------- towards home ---- */

/* A step of x = P (home - q), P = 1 - J^T (J J^T)^+ J, then close the loops again; false if the
   result is not nearer to home. */
static bool slide(apl_search* a, double share) {
  const double before = distance(a);
  double most = 0.0;

  take(a, a->found, a->s->q);
  if (apl_search_differentiate(a) != APL_OK) return false;
  const int wide = a->given.ndirection;
  double* x = a->zt;
  apl_given_gather(&a->given, a->delta, x);
  for (int k = 0; k < a->n; ++k) {
    a->c[k] = 0.0;
    for (int i = 0; i < wide; ++i)
      a->c[k] += a->J[k * wide + i] * x[i];
  }
  apl_search_step(a, wide, 0.0);
  for (int i = 0; i < wide; ++i) {
    x[i] += a->step[i];
    most = fmax(most, fabs(x[i]));
  }
  if (most > 0.3) share *= 0.3 / most;
  for (int i = 0; i < wide; ++i)
    x[i] *= share;
  apl_given_spread(&a->given, x, a->delta);
  if (apl_add(a->w->model, a->s, a->found, a->delta, a->s->q) == APL_OK &&
      apl_search_close_from_here(a, STEPS) == APL_OK && apl_search_closed(a) &&
      distance(a) < before * (1.0 - 1e-6))
    return true;
  take(a, a->s->q, a->found);
  return false;
}

/* Move towards home. The loops are closed before and after. */
static void go_home(apl_search* a) {
  double share = 1.0, size;

  for (int k = 0; k < SLIDES && share > 0.1; ++k)
    if (!slide(a, share)) share *= 0.5;
  apl_search_measure(a, &size);
}

/* ----------------------------------------------------------------------------- continuation ----
 */

/* Move the held values from `from` to home in steps. */
static apl_status lead(apl_search* a, const double* from) {
  double at = 0.0, leg = 0.25;
  apl_status st = APL_OK;

  for (int k = 0; k < MOST_LEGS && at < 1.0 && leg >= shortest_leg && st == APL_OK; ++k) {
    const double next = fmin(1.0, at + leg);
    take(a, a->found, a->s->q);
    for (int i = 0; i < a->nq; ++i)
      a->given.value[i] = next < 1.0 ? (1.0 - next) * from[i] + next * a->home[i] : a->home[i];
    st = apl_search_close_from_here(a, STEPS);
    if (st == APL_OK && apl_search_closed(a)) {
      at = next;
      leg = fmin(2.0 * leg, 0.25);
    } else {
      take(a, a->s->q, a->found);
      leg *= 0.5;
    }
  }
  a->gap = at < 1.0 ? HUGE_VAL : a->gap;
  take(a, a->given.value, a->home);
  return st;
}

/* Continuation. `best` is for the given values only: assemblies with other values do not count. */
static apl_status follow(apl_search* a, const int* keep, int level) {
  const double size = a->best_size;

  a->best_size = -1.0;
  take(a, a->s->q, a->home);
  apl_given_hold(&a->given, NULL, 0, a->home);
  apl_status st = apl_search_close_from_here(a, STEPS);
  apl_given_hold(&a->given, keep, level, a->home);
  if (st == APL_OK && apl_search_closed(a)) {
    take(a, a->from, a->s->q);
    st = lead(a, a->from);
  } else {
    a->gap = HUGE_VAL;
  }
  a->best_size = size;
  return st;
}

/* ---------------------------------------------------------------------------------- points ---- */

/* The root of f^(d + 1) = f + 1 that is larger than 1. */
static double ratio_of(int d) {
  double f = 1.5;

  for (int k = 0; k < 60; ++k)
    f = pow(1.0 + f, 1.0 / (d + 1));
  return f;
}

/* Point k of the sequence, at most `radius` times each direction's size from home. Directions that
   move no row are left out. */
static apl_status place(apl_search* a, int k, double radius) {
  int d = 0, at = 0;

  take(a, a->s->q, a->home);
  apl_given_restore(&a->given, a->s->q);
  apl_given_signs(&a->given, k, a->s->q);
  apl_given_directions(&a->given, a->s->q, a->length);
  const int wide = a->given.ndirection;
  for (int i = 0; i < wide; ++i)
    d += a->moves[a->given.direction[i].t0] > 0.0;
  const double f = ratio_of(d);
  for (int i = 0; i < wide; ++i) {
    const given_direction* e = &a->given.direction[i];
    a->step[i] = 0.0;
    if (!(a->moves[e->t0] > 0.0)) continue;
    const double x = fmod(0.5 + k * pow(f, -(++at)), 1.0);
    a->step[i] = (2.0 * x - 1.0) * radius * e->size;
  }
  apl_given_spread(&a->given, a->step, a->delta);
  take(a, a->q, a->s->q);
  return apl_add(a->w->model, a->s, a->q, a->delta, a->s->q);
}

/* Try shell after shell; take the nearest assembly of the first shell that has one. */
static apl_status look_around(apl_search* a) {
  double near = HUGE_VAL;
  double* nearest = a->best;
  apl_status st = APL_OK;

  for (int shell = 0; shell < SHELLS && !(near < HUGE_VAL); ++shell) {
    for (int k = 0; k < SHELL && st == APL_OK; ++k) {
      st = place(a, 1 + shell * SHELL + k, (shell + 1.0) / SHELLS);
      if (st == APL_OK) st = apl_search_close_from_here(a, STEPS);
      if (st != APL_OK || !apl_search_closed(a)) continue;
      go_home(a);
      const double far = distance(a);
      if (!(far < near)) continue;
      near = far;
      a->best_size = -1.0; /* from now on `best` holds the nearest assembly */
      take(a, nearest, a->s->q);
    }
  }
  return st;
}

apl_status apl_search_elsewhere(apl_search* a, const int* keep, int level) {
  double size;
  apl_status st = follow(a, keep, level);

  if (st == APL_OK && apl_search_closed(a)) {
    go_home(a);
    return st;
  }
  if (st == APL_OK) st = look_around(a);
  take(a, a->s->q, a->best);
  return st == APL_OK ? apl_search_measure(a, &size) : st;
}
