/* SPDX-License-Identifier: Apache-2.0 */
/* cone.c: sequence of the cone solver. Problems of equalities only go to equal.c. Otherwise: warm
   start, a few Gauss-Seidel sweeps, Newton, polishing (docs/theory/rows.md, "The solver"). */
#include "couple/solve/cone_impl.h"

#include "couple/solve/kernel.h"

#include <math.h>
#include <string.h>

/* Residuals below this fraction of |q| are round-off. */
#define ROUND_OFF 1e-14

/* Sweeps before Newton's method. */
enum { SWEEPS_COLD = 5, SWEEPS_WARM = 2 };

static double* numbers(apl_arena* a, int rows, int each) {
  return apl_arena_take(a, (size_t)rows * (size_t)each * sizeof(double));
}

void apl_cone_place(apl_cone* c, int most, int blocks, apl_arena* a) {
  const int padded = kernel_padded(most);

  memset(c, 0, sizeof *c);
  apl_equal_place(&c->equal, most, a);
  apl_lu_place(&c->lu, most, a);
  c->part = apl_arena_take(a, (size_t)blocks * sizeof *c->part);
  c->point = apl_arena_take(a, (size_t)blocks * sizeof *c->point);
  c->factored = apl_arena_take(a, (size_t)blocks);
  c->from = apl_arena_take(a, (size_t)most * sizeof *c->from);
  c->W = numbers(a, most, padded);
  c->d = numbers(a, most, 1);
  c->soft = numbers(a, most, 1);
  double** const vector[] = {&c->q,      &c->r,      &c->u,        &c->r_next,  &c->u_next,
                             &c->r_best, &c->r_prox, &c->diagonal, &c->q_plain, &c->dr,
                             &c->du,     &c->b,      &c->x};
  for (size_t k = 0; k < sizeof vector / sizeof *vector; ++k)
    *vector[k] = numbers(a, padded, 1);
}

apl_cone_options apl_cone_defaults(void) {
  return (apl_cone_options){
      .tolerance = 1e-10, .rough = 1e-5, .most_steps = 40, .most_prox = 300, .unique = true};
}

static bool all_free(const apl_cone_problem* problem) {
  for (int k = 0; k < problem->nblock; ++k)
    if (problem->block[k].set != APL_SET_FREE) return false;
  return true;
}

static apl_cone_status status_of(double residual, const apl_cone_options* options) {
  if (residual <= options->tolerance) return APL_CONE_SOLVED;
  return residual <= options->rough ? APL_CONE_ROUGH : APL_CONE_FAILED;
}

/* ----------------------------------------------------------------------------- equalities ---- */

static apl_cone_result solve_equal(apl_cone* c, const apl_cone_problem* problem,
                                   const apl_cone_options* options, double* r) {
  apl_cone_result result = {.worst = -1};

  c->m = 0;
  apl_equal_factor(&c->equal, problem->n, problem->W, problem->symmetric);
  result.residual = apl_equal_solve(&c->equal, problem->q, r);
  result.unique = apl_equal_unique(&c->equal);
  result.status = status_of(result.residual, options);
  return result;
}

/* ---------------------------------------------------------------------------------- cones ---- */

/* r' = r/d, or zero for a cold start; the padding is always zero. Returns the residual. */
static double start(apl_cone* c, const double* r, bool warm) {
  memset(c->r, 0, (size_t)c->ld * sizeof *c->r);
  memset(c->r_next, 0, (size_t)c->ld * sizeof *c->r_next);
  if (warm) {
    for (int i = 0; i < c->m; ++i)
      c->r[i] = r[c->from[i]] / c->d[c->from[i]];
  }
  apl_cone_velocity(c);
  return apl_cone_evaluate(c, c->r, c->u);
}

/* Sweeps find the active rows and the directions of sliding; a damped Newton method finishes. */
static double from_here(apl_cone* c, int n, const apl_cone_options* options,
                        apl_cone_result* result) {
  const double e = apl_cone_sweep(c, n, result);
  return apl_cone_newton(c, e, options->tolerance * c->size, options->most_steps, result);
}

/* The forces of a similar problem usually have the right active rows: then full Newton steps are
   enough. A warm start that fails is discarded. */
static double iterate(apl_cone* c, const apl_cone_options* options, const double* r,
                      apl_cone_result* result) {
  const double goal = options->tolerance * c->size, least = ROUND_OFF * c->size;
  double e = start(c, r, options->warm);

  if (options->warm && isfinite(e)) {
    e = apl_cone_descend(c, e, least, result);
    if (e <= goal) return e;
    e = from_here(c, SWEEPS_WARM, options, result);
  }
  if (!(e <= goal)) {
    (void)start(c, r, false);
    e = from_here(c, SWEEPS_COLD, options, result);
  }
  if (e > goal) e = apl_cone_proximal(c, e, goal, options->most_prox, result);
  return e <= goal ? apl_cone_descend(c, e, least, result) : e;
}

/* The block with the largest share of the residual. */
static int worst_block(const apl_cone* c) {
  double most = -1;
  int worst = -1;

  for (int k = 0; k < c->nparts; ++k) {
    const double* F = c->point[k].F;
    double sum = 0;
    for (int i = 0; i < c->part[k].rows; ++i)
      sum += F[i] * F[i];
    if (sum > most) {
      most = sum;
      worst = c->part[k].block;
    }
  }
  return worst;
}

static apl_cone_result solve_cones(apl_cone* c, const apl_cone_problem* problem,
                                   const apl_cone_options* options, double* r) {
  apl_cone_result result = {.worst = -1, .unique = true};

  apl_cone_gather(c, problem);
  bool done = isfinite(c->size);
  if (done && c->size > 0) {
    const double e = iterate(c, options, r, &result);
    result.residual = e / c->size;
    result.unique = !options->unique || apl_cone_unique(c);
    result.status = status_of(result.residual, options);
    if (result.status != APL_CONE_SOLVED) result.worst = worst_block(c);
    done = isfinite(e);
  } else if (!done) {
    result = (apl_cone_result){.status = APL_CONE_FAILED, .residual = HUGE_VAL, .worst = -1};
  }
  if (!done || !(c->size > 0)) c->m = 0; /* no forces */
  memset(r, 0, (size_t)problem->n * sizeof *r);
  for (int i = 0; i < c->m; ++i)
    r[c->from[i]] = c->r[i] * c->d[c->from[i]];
  return result;
}

/* u = W r + q. Rows of the scaled problem use their own u, which is closer to zero for held rows,
   minus the artificial compliance of rows that nothing can move. */
static void velocities(const apl_cone* c, const apl_cone_problem* problem, const double* r,
                       double* u) {
  const int n = problem->n;

  for (int i = 0; i < n && c->m < n; ++i)
    u[i] = problem->q[i] + kernel_dot(problem->W + (long)i * n, r, n);
  for (int i = 0; i < c->m; ++i)
    u[c->from[i]] = c->u[i] / c->d[c->from[i]] - c->soft[c->from[i]] * r[c->from[i]];
}

apl_cone_result apl_cone_solve(apl_cone* c, const apl_cone_problem* problem,
                               const apl_cone_options* options, double* r, double* u) {
  const apl_cone_result result =
      all_free(problem) ? solve_equal(c, problem, options, r) : solve_cones(c, problem, options, r);

  if (u != NULL) velocities(c, problem, r, u);
  return result;
}
