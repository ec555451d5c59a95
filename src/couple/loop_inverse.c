/* SPDX-License-Identifier: Apache-2.0 */
/* loop_inverse.c: inverse dynamics of robots with loops: actuator efforts and loop forces for a
   given motion. With f the efforts that the tree alone would need,

     f = B u + J^T p,        L^T f = L^T B u        J L = 0

   u is unique if there are as many actuators as freedoms, the smallest one if there are more, and
   exists for some motions only if there are fewer. Dense matrices: for some hundred freedoms.
   Theory: docs/theory/loops.md, 8. */
#include "couple/reduced.h"

#include "base/error.h"
#include "dynamics/loops.h"
#include "dynamics/passes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Missing efforts below this fraction are round-off. */
static const double round_off = 1e-9;

typedef struct inverse {
  apl_closing* w;
  apl_state* s;
  apl_reduced reduced;
  int nv, nf, nu;        /* velocities, freedoms, actuators                                      */
  bool joints;           /* true: no inputs; every velocity is an actuator */
  double *f, *B;         /* [nv], [nu * nv]                                                      */
  double *P, *b, *x, *u; /* [nf * nu], [nf], [nf], [nu]                                          */
  double *W, *p;         /* [most * most], [n]                                                   */
  apl_equal equal;
  void* memory;
} inverse;

/* ---------------------------------------------------------------------------------- set up ---- */

static void layout(inverse* a, apl_arena* arena) {
  const size_t nv = (size_t)a->nv, nu = (size_t)a->nu, n = (size_t)a->w->n;
  const size_t most = nv > n ? nv : n;

#define TAKE(p, count) ((p) = apl_arena_take(arena, sizeof *(p) * (count)))
  TAKE(a->f, nv);
  TAKE(a->B, nu * nv);
  TAKE(a->P, nv * nu);
  TAKE(a->b, most);
  TAKE(a->x, most);
  TAKE(a->u, nu);
  TAKE(a->W, most * most);
  TAKE(a->p, n);
#undef TAKE
  apl_equal_place(&a->equal, (int)most, arena);
}

static apl_status open_inverse(inverse* a, apl_closing* w, apl_state* s, bool joints) {
  apl_arena arena = {0};

  *a = (inverse){.w = w, .s = s, .nv = w->model->nv, .joints = joints || w->model->ninput == 0};
  a->nu = a->joints ? a->nv : w->model->ninput;
  layout(a, &arena);
  a->memory = apl_arena_open(&arena);
  if (a->memory == NULL) return APL_ERR_MEMORY;
  layout(a, &arena);
  return apl_reduced_open(&a->reduced, w);
}

static void close_inverse(inverse* a) {
  apl_reduced_close(&a->reduced);
  free(a->memory);
}

/* --------------------------------------------------------------------------------- efforts ---- */

/* f without actuators and loops; then the change of f by a unit of each actuator. */
static apl_status ask_tree(inverse* a) {
  const apl_model* m = a->w->model;
  apl_state* s = a->s;
  const size_t bytes = sizeof *a->f * (size_t)a->nv;

  for (int k = 0; k < a->w->n; ++k)
    s->row[APL_LOOP * k + APL_LOOP_FORCE] = 0.0;
  if (m->ninput > 0) memset(apl_u(s), 0, sizeof *a->u * (size_t)m->ninput);
  apl_status st = apl_inverse(m, s);
  memcpy(a->f, apl_tau(s), bytes);
  for (int i = 0; i < a->nu && st == APL_OK; ++i) {
    double* B = a->B + i * a->nv;
    memset(B, 0, bytes);
    if (a->joints) {
      B[i] = a->reduced.given[i] ? 0.0 : 1.0;
      continue;
    }
    apl_u(s)[i] = 1.0;
    st = apl_inverse(m, s);
    apl_u(s)[i] = 0.0;
    for (int k = 0; k < a->nv; ++k)
      B[k] = a->f[k] - apl_tau(s)[k];
  }
  return st;
}

/* (L^T x)_j */
static double along(const inverse* a, int j, const double* x) {
  const apl_reduced* r = &a->reduced;
  double sum = x[r->independent[j]];

  for (int i = 0; i < r->rank; ++i)
    sum += r->L[i * r->nfree + j] * x[r->dependent[i]];
  return sum;
}

/* The smallest u: u = P^T x with P P^T x = L^T f. */
static void find_actuators(inverse* a, bool* unique) {
  const int nf = a->nf, nu = a->nu;

  for (int j = 0; j < nf; ++j) {
    a->b[j] = -along(a, j, a->f);
    for (int i = 0; i < nu; ++i)
      a->P[j * nu + i] = along(a, j, a->B + i * a->nv);
  }
  for (int j = 0; j < nf; ++j) {
    for (int k = 0; k < nf; ++k) {
      double sum = 0.0;
      for (int i = 0; i < nu; ++i)
        sum += a->P[j * nu + i] * a->P[k * nu + i];
      a->W[j * nf + k] = sum;
    }
  }
  apl_equal_factor(&a->equal, nf, a->W, true);
  apl_equal_solve(&a->equal, a->b, a->x);
  *unique = a->equal.lu.rank == nu;
  for (int i = 0; i < nu; ++i) {
    a->u[i] = 0.0;
    for (int j = 0; j < nf; ++j)
      a->u[i] += a->P[j * nu + i] * a->x[j];
  }
}

/* Missing effort of freedom j: L^T f - P u. */
static double missing(const inverse* a, int j) {
  double sum = -a->b[j];

  for (int i = 0; i < a->nu; ++i)
    sum -= a->P[j * a->nu + i] * a->u[i];
  return fabs(sum);
}

/* The freedom with the largest missing effort; -1 if all of it is round-off. */
static int out_of_reach(const inverse* a) {
  double most = 0.0, size = 0.0;
  int worst = -1;

  for (int k = 0; k < a->nv; ++k)
    size = fmax(size, fabs(a->f[k]));
  for (int j = 0; j < a->nf; ++j) {
    if (missing(a, j) > most) most = missing(a, j), worst = j;
  }
  return most > round_off * size ? worst : -1;
}

/* The smallest p with J J^T p = J (f - B u), over velocities that are not prescribed. */
static void find_loop_forces(inverse* a, bool* unique) {
  const int n = a->w->n, nv = a->nv;
  const bool* given = a->reduced.given;
  const double* J = a->reduced.J;

  for (int i = 0; i < a->nu; ++i) {
    for (int k = 0; k < nv; ++k)
      a->f[k] -= a->B[i * nv + k] * a->u[i];
  }
  for (int i = 0; i < n; ++i) {
    a->b[i] = 0.0;
    for (int k = 0; k < nv; ++k)
      a->b[i] -= given[k] ? 0.0 : J[i * nv + k] * a->f[k];
    for (int j = 0; j < n; ++j) {
      double sum = 0.0;
      for (int k = 0; k < nv; ++k)
        sum += given[k] ? 0.0 : J[i * nv + k] * J[j * nv + k];
      a->W[i * n + j] = sum;
    }
  }
  apl_equal_factor(&a->equal, n, a->W, true);
  apl_equal_solve(&a->equal, a->b, a->p);
  *unique = apl_equal_unique(&a->equal);
}

static apl_status complain(const inverse* a, int freedom, apl_error* err) {
  const apl_model* m = a->w->model;
  const int velocity = a->reduced.independent[freedom];

  return apl_fail(err, APL_ERR_MODEL,
                  "%d input%s cannot produce this motion of a robot with %d freedoms: %.4g %s are "
                  "missing along '%.60s'; add inputs",
                  a->nu, a->nu == 1 ? "" : "s", a->nf, missing(a, freedom),
                  apl_model_unit(m, APL_EFFORTS, velocity),
                  apl_model_name(m, APL_VELOCITIES, velocity));
}

/* Gaps above this [m or rad] are not explained by the digits of a table: the motion does not fit
   the loops. */
static const double open_loop = 1e-5;

static apl_status refuse_open(const apl_closing* w, apl_state* s, apl_error* err) {
  const apl_status st = apl_loops(w->model, s);
  if (st != APL_OK) return apl_fail(err, st, "%s in inverse dynamics", apl_status_text(st));

  for (int k = 0; k < w->n; ++k) {
    const double gap = fabs(s->row[APL_LOOP * k + APL_LOOP_GAP]);
    if (gap <= open_loop) continue;
    return apl_fail(
        err, APL_ERR_MODEL,
        "the loops are open by %.4g %s at '%.60s': inverse dynamics needs a motion that "
        "keeps them closed",
        gap, apl_model_unit(w->model, APL_LOOP_ROWS, k),
        apl_model_name(w->model, APL_LOOP_ROWS, k));
  }
  return APL_OK;
}

apl_status apl_closing_inverse(apl_closing* w, apl_state* s, bool joints, apl_actuation* report,
                               apl_error* err) {
  inverse a;
  apl_actuation unused;
  if (report == NULL) report = &unused;
  apl_status st = refuse_open(w, s, err);
  if (st != APL_OK) return st;
  st = open_inverse(&a, w, s, joints);

  if (st == APL_OK) st = apl_reduced_choose(&a.reduced, s);
  a.nf = a.reduced.nfree;
  if (st == APL_OK) st = ask_tree(&a);
  if (st == APL_OK) {
    find_actuators(&a, &report->unique);
    const int worst = out_of_reach(&a);
    if (worst >= 0) {
      st = complain(&a, worst, err);
      close_inverse(&a);
      return st;
    }
    find_loop_forces(&a, &report->unique_forces);
    for (int k = 0; k < w->n; ++k)
      s->row[APL_LOOP * k + APL_LOOP_FORCE] = a.p[k];
    if (!a.joints) memcpy(apl_u(s), a.u, sizeof *a.u * (size_t)a.nu);
    st = apl_inverse(w->model, s);
  }
  close_inverse(&a);
  return st == APL_OK ? st : apl_fail(err, st, "%s in inverse dynamics", apl_status_text(st));
}

/* --------------------------------------------------------------------------- accelerations ---- */

/* J a = -(dJ/dt) v by the smallest change of accelerations that are neither kept nor prescribed. */
apl_status apl_closing_accelerate(apl_closing* w, apl_state* s, const int* keep, apl_error* err) {
  inverse a;
  apl_status st = open_inverse(&a, w, s, true);
  if (st == APL_OK) st = apl_loops_jacobian(w->model, s, a.reduced.J);
  if (st == APL_OK) st = apl_loops(w->model, s);
  if (st != APL_OK) {
    close_inverse(&a);
    return apl_fail(err, st, "%s while closing accelerations", apl_status_text(st));
  }
  const double* J = a.reduced.J;
  double size = 1.0;

  for (int i = 0; i < w->n; ++i) {
    a.b[i] = s->row[APL_LOOP * i + APL_LOOP_ACCEL];
    for (int j = 0; j < w->n; ++j) {
      double sum = 0.0;
      for (int k = 0; k < a.nv; ++k) {
        const bool fixed = a.reduced.given[k] || (keep != NULL && keep[k] > 0);
        sum += fixed ? 0.0 : J[i * a.nv + k] * J[j * a.nv + k];
      }
      a.W[i * w->n + j] = sum;
    }
  }
  apl_equal_factor(&a.equal, w->n, a.W, true);
  apl_equal_solve(&a.equal, a.b, a.p);
  for (int k = 0; k < a.nv; ++k) {
    size = fmax(size, fabs(s->a[k]));
    if (a.reduced.given[k] || (keep != NULL && keep[k] > 0)) continue;
    for (int i = 0; i < w->n; ++i)
      s->a[k] += J[i * a.nv + k] * a.p[i];
  }
  st = apl_loops(w->model, s);
  for (int i = 0; i < w->n && st == APL_OK; ++i) {
    const double left = fabs(s->row[APL_LOOP * i + APL_LOOP_ACCEL]);
    if (left <= 1e-4 * size) continue; /* splines through tables are not more accurate than that */
    st = apl_fail(err, APL_ERR_MODEL,
                  "the given accelerations do not fit the loops: '%s' opens by %.3g per s^2",
                  apl_model_name(w->model, APL_LOOP_ROWS, i), left);
  }
  close_inverse(&a);
  return st;
}
