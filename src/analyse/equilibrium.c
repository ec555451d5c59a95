/* SPDX-License-Identifier: Apache-2.0 */
/* equilibrium.c: the static shape of a robot. Methods, each used if the one before fails:
     Newton's method   from the guess to an equilibrium nearby
     continuation      r(q) = (1 - s) r(q0), from s = 0, where q0 is exact, to s = 1
     relaxation        overdamped motion downhill, if the guess is on a ridge or the robot falls to
     a stop
     Newton's method   without a limit of the distance
   Theory: docs/statics.md. */
#include "analyse/closed.h"
#include "analyse/dense.h"
#include "analyse/newton.h"
#include "analyse/search.h"

#include "base/error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

apl_equilibrium_options apl_equilibrium_options_default(void) {
  return (apl_equilibrium_options){.tolerance = 1e-11, .iterations = 50, .stable = false};
}

/* --------------------------------------------------------------- Newton, continuation ---- */

/* Nearby means within one unit: a radian, the length of the robot. */
static const double NEAR = 1.0;

static apl_status residual(void* user, const double* x, double* r) {
  search* a = user;
  const apl_status st = apl_balance_residual(&a->b, x, r);

  for (int i = 0; i < a->b.n; ++i)
    r[i] -= a->goal[i];
  return st;
}

static apl_status jacobian(void* user, const double* x, double* J) {
  return apl_balance_jacobian(&((search*)user)->b, x, J);
}

/* Solve r = goal from the base point with a move of at most `farthest` units: of many equilibria, a
   distant one is a different shape than the user's guess. The base point moves to the solution. */
static apl_status solve(search* a, double farthest) {
  const newton_problem p = {.n = a->b.n,
                            .residual = residual,
                            .jacobian = jacobian,
                            .user = a,
                            .unit = a->b.unit,
                            .force = a->b.force,
                            .tolerance = a->o.tolerance,
                            .longest = 1.0,
                            .iterations = a->o.iterations};

  memset(a->x, 0, sizeof *a->x * (size_t)a->b.n);
  const apl_status st = apl_newton(&p, a->x, &a->report->iterations);
  if (st != APL_OK) return st;
  for (int i = 0; i < a->b.nfree; ++i) {
    if (fabs(a->x[i]) > farthest * a->b.unit[i]) return APL_ERR_EQUILIBRIUM;
  }
  return apl_balance_rebase(&a->b, a->x);
}

static apl_status continue_from_guess(search* a) {
  enum { MOST_STEPS = 40 };
  double done = 0.0, step = 0.25;
  apl_status st = APL_OK;

  while (done < 1.0 && a->report->steps < MOST_STEPS) {
    const double next = done + step < 1.0 ? done + step : 1.0;
    for (int i = 0; i < a->b.n; ++i)
      a->goal[i] = (1.0 - next) * a->first[i];
    st = solve(a, NEAR);
    ++a->report->steps;
    if (st == APL_OK) {
      done = next;
      step *= 2.0;
    } else {
      step *= 0.25;
      if (st != APL_ERR_EQUILIBRIUM || step < 1e-4) break;
    }
  }
  memset(a->goal, 0, sizeof *a->goal * (size_t)a->b.n);
  return st == APL_OK && done < 1.0 ? APL_ERR_EQUILIBRIUM : st;
}

/* --------------------------------------------------------------------------------- verdict ---- */

/* A few plain Newton steps, as long as they reduce the residual: to round-off. */
static apl_status polish(search* a) {
  const int n = a->b.n;
  int worst;
  apl_status st = apl_balance_residual(&a->b, a->x, a->r);

  for (int k = 0; k < 4 && st == APL_OK; ++k) {
    const double before = apl_balance_size(&a->b, a->r, &worst);
    st = apl_balance_jacobian(&a->b, a->x, a->J);
    if (st != APL_OK) return st;
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < n; ++i)
        a->J[j * n + i] *= a->b.unit[j] / a->b.force[i];
      a->goal[j] = -a->r[j] / a->b.force[j];
    }
    if (!apl_dense_least_squares(n, a->J, a->goal, NEWTON_RANK)) break;
    for (int i = 0; i < n; ++i)
      a->x[i] = a->goal[i] * a->b.unit[i];
    st = apl_balance_residual(&a->b, a->x, a->r);
    if (st != APL_OK) return st;

    const bool better = apl_balance_size(&a->b, a->r, &worst) < 0.5 * before;
    if (!better) memset(a->x, 0, sizeof *a->x * (size_t)n);
    st = apl_balance_rebase(&a->b, a->x);
    if (!better) break;
  }
  memset(a->goal, 0, sizeof *a->goal * (size_t)n);
  return st == APL_OK ? apl_balance_residual(&a->b, a->x, a->r) : st;
}

/* Stiffness in joules, in J, for the m free motions (with loops: those that keep them closed). -1
   on failure. */
static int free_stiffness(search* a) {
  const balance* b = &a->b;
  if (b->n == b->nfree) return apl_search_stiffness(a, a->J) == APL_OK ? b->n : -1;

  if (apl_balance_jacobian(&a->b, a->x, a->vectors) != APL_OK) return -1;
  const int m = apl_closed_motions(b, a->vectors, a->Z, a->s);
  if (m > 0) apl_closed_project(b->nfree, m, a->Z, a->vectors, b->n, a->J);
  return m;
}

/* Eigenvector k of the stiffness as a motion of all freedoms, in their units. */
static const double* free_motion(search* a, int m, int k) {
  const balance* b = &a->b;
  if (b->n == b->nfree) return a->J + k * m;

  for (int i = 0; i < b->nfree; ++i) {
    a->motion[i] = 0.0;
    for (int j = 0; j < m; ++j)
      a->motion[i] += a->Z[j * b->nfree + i] / b->unit[i] * a->J[k * m + j];
  }
  return a->motion;
}

/* Eigenvalues of the symmetric part of the stiffness: the motions without stiffness, and the
   softest of the others, which is stored in x with unit length. */
static apl_status judge_stability(search* a) {
  apl_equilibrium_report* report = a->report;
  const double zero = NEWTON_RANK * apl_search_work(a);
  const int nfree = a->b.nfree, n = free_stiffness(a);
  if (n < 0 || !apl_dense_symmetric(n, a->J, a->s)) return APL_ERR_NOT_FINITE;

  report->stable = true;
  report->softest = -1;
  report->nindifferent = 0;
  for (int k = 0; k < n; ++k) {
    const double* motion = free_motion(a, n, k);
    if (fabs(a->s[k]) <= zero) {
      ++report->nindifferent;
      for (int i = 0; i < nfree; ++i) {
        if (fabs(motion[i]) > 1e-3) a->b.verdict[a->b.velocity[i]] = APL_INDIFFERENT;
      }
    } else if (report->softest < 0) {
      int largest = 0;
      for (int i = 0; i < nfree; ++i) {
        if (fabs(motion[i]) > fabs(motion[largest])) largest = i;
        a->x[i] = motion[i] * a->b.unit[i];
      }
      report->softest = a->b.velocity[largest];
      report->stiffness = a->s[k];
      report->stable = a->s[k] > 0.0;
    }
  }
  return APL_OK;
}

/* Leave a ridge by a hundredth of a unit and relax downhill, until no motion lowers the energy. */
static apl_status topple(search* a) {
  apl_status st = APL_OK;

  for (int k = 0; k < 8 && !a->report->stable && st == APL_OK; ++k) {
    for (int i = 0; i < a->b.n; ++i)
      a->x[i] *= 0.01;
    st = apl_balance_rebase(&a->b, a->x);
    if (st == APL_OK) st = apl_search_relax(a);
    if (st == APL_OK) st = polish(a);
    if (st == APL_OK) st = judge_stability(a);
  }
  return st;
}

static bool has_rigid(const apl_model* m) {
  bool any = false;

  for (int i = 0; i < m->npair; ++i)
    any = any || (m->pair[i].rigid && !m->pair[i].pressed);
  return any;
}

/* Error message: either the robot was falling freely where the search ended, or a freedom could be
   balanced but was not. */
static apl_status explain(search* a, const double* guess, apl_error* err) {
  const apl_model* m = a->b.model;
  const size_t bytes = sizeof *guess * (size_t)a->b.nq;
  int worst = 0;
  if (a->b.n > a->b.nfree)
    return apl_fail(err, APL_ERR_EQUILIBRIUM,
                    "no equilibrium with closed loops was found near the start");
  bool falls = apl_search_unbalanced(a, &worst) > 0.0;

  memcpy(a->b.base, guess, bytes);
  if (falls) apl_search_unbalanced(a, &worst);
  if (!falls && apl_balance_residual(&a->b, a->x, a->r) == APL_OK)
    apl_balance_size(&a->b, a->r, &worst);
  const int v = a->b.velocity[worst];
  return apl_fail(err, APL_ERR_EQUILIBRIUM,
                  falls ? "there is no equilibrium: nothing balances %.6g %s on '%.80s'%s"
                        : "no equilibrium was found: %.6g %s remain on '%.80s'%s",
                  -a->r[worst], apl_model_unit(m, APL_EFFORTS, v),
                  apl_model_name(m, APL_VELOCITIES, v),
                  has_rigid(m) ? "; contacts with the law `restitution` have no force outside of "
                                 "runs: use a law with a stiffness"
                               : "");
}

/* -------------------------------------------------------------------------------- the call ---- */

static apl_status seek(search* a, const double* guess) {
  const size_t bytes = sizeof *guess * (size_t)a->b.nq;
  apl_status st = apl_balance_scale(&a->b, a->r, a->J);
  if (st == APL_OK) st = apl_balance_residual(&a->b, a->x, a->first);
  if (st != APL_OK) return st;

  const bool nearest = !a->o.stable || a->b.n > a->b.nfree;
  if (nearest) st = solve(a, NEAR);
  if (nearest && st == APL_ERR_EQUILIBRIUM) {
    memcpy(a->b.base, guess, bytes);
    memset(a->b.push, 0, sizeof *a->b.push * (size_t)(a->b.n - a->b.nfree));
    st = continue_from_guess(a);
  }
  /* relaxation does not keep loops closed */
  if (a->b.n == a->b.nfree && (a->o.stable || st == APL_ERR_EQUILIBRIUM)) {
    memcpy(a->b.base, guess, bytes);
    st = apl_search_relax(a);
  }
  if (st == APL_ERR_EQUILIBRIUM) {
    memcpy(a->fallen, a->b.base, bytes);
    memcpy(a->b.base, guess, bytes);
    st = solve(a, HUGE_VAL);
    if (st == APL_ERR_EQUILIBRIUM) memcpy(a->b.base, a->fallen, bytes);
  }
  return st;
}

/* Efforts of prescribed freedoms, and the residual of the others. */
static void report_efforts(search* a) {
  double* tau = apl_tau(a->b.state);

  for (int i = 0; i < a->b.nv; ++i) {
    if (a->b.verdict[i] == APL_PRESCRIBED) tau[i] = a->b.bias[i];
  }
  a->report->nbalanced = a->b.nfree;
  apl_balance_size(&a->b, a->r, &a->report->worst);
  if (a->report->worst < 0) return;
  a->report->residual = fabs(a->r[a->report->worst]);
  a->report->worst = a->b.velocity[a->report->worst];
}

static apl_status work(search* a, const double* guess, apl_error* err) {
  const size_t n = (size_t)a->b.n;
  double* memory = calloc(3 * n * n + 6 * n + (size_t)a->b.nq + 1, sizeof *memory);
  if (memory == NULL) return apl_fail(err, APL_ERR_MEMORY, "out of memory for an equilibrium");

  a->J = memory;
  a->vectors = a->J + n * n;
  a->Z = a->vectors + n * n;
  a->x = a->Z + n * n;
  a->r = a->x + n;
  a->goal = a->r + n;
  a->first = a->goal + n;
  a->s = a->first + n;
  a->motion = a->s + n;
  a->fallen = a->motion + n;
  apl_status st = seek(a, guess);
  if (st == APL_OK) st = polish(a);
  if (st == APL_OK) st = judge_stability(a);
  const bool loops = a->b.n > a->b.nfree;
  if (st == APL_OK && a->o.stable && !loops) st = topple(a);
  if (st == APL_OK && a->o.stable && loops && !a->report->stable) {
    free(memory);
    return apl_fail(err, APL_ERR_EQUILIBRIUM,
                    "the equilibrium near the start is not stable, and for robots with loops no "
                    "other one is searched for");
  }
  memset(a->x, 0, sizeof *a->x * n);
  if (st == APL_OK) st = apl_balance_residual(&a->b, a->x, a->r);
  if (st == APL_OK) {
    report_efforts(a);
  } else if (st == APL_ERR_EQUILIBRIUM) {
    explain(a, guess, err);
  } else {
    apl_fail(err, st, "the search for an equilibrium failed: %s", apl_status_text(st));
  }
  free(memory);
  return st;
}

apl_status apl_equilibrium(const apl_model* m, apl_state* state,
                           const apl_equilibrium_options* options, apl_equilibrium_report* report,
                           apl_error* err) {
  if (m == NULL || state == NULL) {
    return apl_fail(err, APL_ERR_ARGUMENT, "apl_equilibrium() needs a model and a state");
  }
  apl_equilibrium_report mine = {0};
  if (report == NULL) report = &mine;
  search a = {.report = report,
              .o = options != NULL ? *options : apl_equilibrium_options_default()};
  apl_balance* freedom = report->freedom;
  *report = (apl_equilibrium_report){.freedom = freedom, .worst = -1, .softest = -1};
  if (!(a.o.tolerance > 0.0) || a.o.iterations < 1) {
    return apl_fail(
        err, APL_ERR_ARGUMENT,
        "the search for an equilibrium needs a positive tolerance and number of iterations");
  }
  const size_t nq = (size_t)apl_model_nq(m), nv = (size_t)apl_model_nv(m);
  double* kept = malloc(sizeof *kept * (nq + nv + 1));
  apl_status st = kept == NULL ? APL_ERR_MEMORY : apl_balance_open(&a.b, m, state, false);
  if (st != APL_OK) {
    apl_fail(err, st, "%s for an equilibrium",
             st == APL_ERR_MEMORY
                 ? "out of memory"
                 : "the state does not belong to this model, or is not a scalar one");
  } else {
    memcpy(kept, apl_q(state), sizeof *kept * nq);
    memcpy(kept + nq, apl_v(state), sizeof *kept * nv);
    st = work(&a, kept, err);
    report->length = a.b.length;
    memcpy(apl_q(state), st == APL_OK ? a.b.base : kept, sizeof *kept * nq);
    if (st != APL_OK) memcpy(apl_v(state), kept + nq, sizeof *kept * nv);
    if (st == APL_OK) memset(apl_v(state), 0, sizeof *kept * nv);
    if (st == APL_OK) memset(apl_a(state), 0, sizeof *kept * nv);
    if (freedom != NULL) memcpy(freedom, a.b.verdict, sizeof *freedom * nv);
  }
  if (kept != NULL) apl_balance_close(&a.b);
  free(kept);
  return st;
}
