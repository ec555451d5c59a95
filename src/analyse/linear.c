/* SPDX-License-Identifier: Apache-2.0 */
/* linear.c: inertia, damping and stiffness of a robot at equilibrium. Stiffness and damping are
   derivatives of the efforts by complex steps, exact to round-off. */
#include "analyse/linear.h"

#include "analyse/closed.h"
#include "analyse/dense.h"

#include "base/error.h"
#include "model/model_impl.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Smoothed dry friction F v / sqrt(v^2 + s^2) has the slope F / s at rest, of which only F is
   physical: it would lock small motions, so it is removed. */
static void drop_friction(const balance* b, double* D) {
  const apl_model* m = b->model;

  for (int p = 0; p < m->npassive; ++p) {
    const apl_node* node = &m->node[m->passive[p]];
    if (node->friction == 0) continue;
    const double speed = m->par[node->friction + node->nv];
    for (int k = 0; k < b->nfree; ++k) {
      const int nth = b->velocity[k] - node->v0;
      if (nth < 0 || nth >= node->nv) continue;
      const double slope = m->par[node->friction + nth] / speed;
      double* own = &D[k * b->nfree + k];
      *own -= slope;
      if (fabs(*own) < 1e-12 * slope) *own = 0.0;
    }
  }
}

/* The mass matrix of the freedoms that move. */
static apl_status find_inertia(balance* b, double* M) {
  double* all = calloc((size_t)(b->nv * b->nv) + 1, sizeof *all);
  if (all == NULL) return APL_ERR_MEMORY;

  const apl_status st = apl_mass_matrix(b->model, b->state, all);
  for (int k = 0; k < b->nfree; ++k) {
    for (int i = 0; i < b->nfree; ++i)
      M[k * b->nfree + i] = all[b->velocity[i] * b->nv + b->velocity[k]];
  }
  free(all);
  return st;
}

/* Check the equilibrium. Wheels are not checked: whatever holds them continues to do so. */
static apl_status check_balance(const balance* b, const double* r, double tolerance,
                                apl_error* err) {
  for (int i = 0; i < b->nfree; ++i) {
    const int v = b->velocity[i];
    if (b->verdict[v] != APL_BALANCED || fabs(r[i]) <= tolerance * b->force[i]) continue;
    return apl_fail(err, APL_ERR_EQUILIBRIUM,
                    "the robot is not in equilibrium: %.6g %s remain on '%.80s'", -r[i],
                    apl_model_unit(b->model, APL_EFFORTS, v),
                    apl_model_name(b->model, APL_VELOCITIES, v));
  }
  return APL_OK;
}

static bool take_room(linear* l, int n) {
  const size_t matrix = sizeof(double) * (size_t)(n * n + 1),
               row = sizeof(double) * (size_t)(n + 1);

  l->n = n;
  l->velocity = apl_pool_take(&l->pool, sizeof(int) * (size_t)(n + 1));
  l->M = apl_pool_take(&l->pool, matrix);
  l->D = apl_pool_take(&l->pool, matrix);
  l->K = apl_pool_take(&l->pool, matrix);
  l->unit = apl_pool_take(&l->pool, row);
  l->work = apl_pool_take(&l->pool, row);
  return l->velocity != NULL && l->M != NULL && l->D != NULL && l->K != NULL && l->unit != NULL &&
         l->work != NULL;
}

/* One Newton step in scaled units, of which only the loop forces are used: at equilibrium nothing
   else changes. */
static apl_status push_loops(balance* b, double* J, double* r, double* x) {
  const int n = b->n;

  for (int k = 0; k < n; ++k) {
    for (int i = 0; i < n; ++i)
      J[k * n + i] *= b->unit[k] / b->force[i];
    x[k] = -r[k] / b->force[k];
  }
  if (!apl_dense_least_squares(n, J, x, 1e-11)) return APL_ERR_NOT_FINITE;
  for (int k = 0; k < n; ++k)
    x[k] = k < b->nfree ? 0.0 : x[k] * b->unit[k];
  const apl_status st = apl_balance_rebase(b, x);
  return st == APL_OK ? apl_balance_residual(b, x, r) : st;
}

static bool find_closed(linear* l, const balance* b, const double* J) {
  const size_t n = (size_t)l->n;
  double* s = apl_pool_take(&l->pool, sizeof *s * (n + 1));
  l->m = l->n;
  if (b->n == l->n) return true;

  l->Z = apl_pool_take(&l->pool, sizeof *l->Z * (n * n + 1));
  if (s == NULL || l->Z == NULL) return false;
  l->m = apl_closed_motions(b, J, l->Z, s);
  return l->m >= 0;
}

static double* projected(linear* l, const double* A) {
  double* out = apl_pool_take(&l->pool, sizeof *out * (size_t)(l->m * l->m + 1));

  if (out != NULL) apl_closed_project(l->n, l->m, l->Z, A, l->n, out);
  return out;
}

bool apl_linear_closed(linear* l, linear* out) {
  *out = *l;
  if (l->Z == NULL) return true;

  double work = 0.0;
  for (int i = 0; i < l->n; ++i)
    work = fmax(work, l->work[i]);
  out->n = l->m;
  out->M = projected(l, l->M);
  out->D = projected(l, l->D);
  out->K = projected(l, l->K);
  out->unit = apl_pool_take(&l->pool, sizeof *out->unit * (size_t)(l->m + 1));
  out->work = apl_pool_take(&l->pool, sizeof *out->work * (size_t)(l->m + 1));
  if (out->M == NULL || out->D == NULL || out->K == NULL || out->unit == NULL || out->work == NULL)
    return false;
  for (int i = 0; i < l->m; ++i)
    out->unit[i] = 1.0, out->work[i] = work;
  return true;
}

static apl_status fill(linear* l, balance* b, double tolerance, apl_error* err) {
  const size_t n = (size_t)b->n;
  double* x = calloc(2 * n + n * n + 1, sizeof *x);
  double *r = x + n, *J = r + n;
  if (x == NULL) return apl_fail(err, APL_ERR_MEMORY, "out of memory for modes");

  apl_status st = apl_balance_scale(b, r, J);
  if (st == APL_OK) st = apl_balance_residual(b, x, r);
  if (st == APL_OK) st = apl_balance_jacobian(b, x, J);
  if (st == APL_OK && b->n > b->nfree) {
    st = push_loops(b, J, r, x);
    if (st == APL_OK) st = apl_balance_jacobian(b, x, J); /* now including the loop forces */
  }
  if (st == APL_OK) st = apl_balance_damping(b, l->D);
  if (st == APL_OK) st = find_inertia(b, l->M);
  if (st == APL_OK && !find_closed(l, b, J)) st = APL_ERR_MEMORY;
  for (int k = 0; k < l->n * l->n; ++k)
    l->K[k] = J[k / l->n * b->n + k % l->n];
  if (st != APL_OK) apl_fail(err, st, "the modes could not be computed: %s", apl_status_text(st));
  if (st == APL_OK) st = check_balance(b, r, tolerance, err);
  free(x);
  if (st != APL_OK) return st;

  drop_friction(b, l->D);
  for (int i = 0; i < l->n; ++i) {
    l->velocity[i] = b->velocity[i];
    l->unit[i] = b->unit[i];
    l->work[i] = b->unit[i] * b->force[i];
  }
  return APL_OK;
}

apl_status apl_linear_open(linear* l, const apl_model* m, apl_state* state,
                           const apl_modes_options* options, apl_error* err) {
  const size_t nq = (size_t)apl_model_nq(m), nv = (size_t)apl_model_nv(m);
  double* kept = malloc(sizeof *kept * (nq + nv + 1));
  balance b = {0};

  *l = (linear){0};
  apl_status st = kept == NULL ? APL_ERR_MEMORY : apl_balance_open(&b, m, state, !options->brakes);
  if (st == APL_OK && !take_room(l, b.nfree)) st = APL_ERR_MEMORY;
  if (st != APL_OK) {
    apl_fail(err, st, "%s for modes",
             st == APL_ERR_MEMORY
                 ? "out of memory"
                 : "the state does not belong to this model, or is not a scalar one");
  } else {
    memcpy(kept, apl_q(state), sizeof *kept * nq);
    memcpy(kept + nq, apl_v(state), sizeof *kept * nv);
    st = fill(l, &b, options->tolerance, err);
    memcpy(apl_q(state), kept, sizeof *kept * nq);
    memcpy(apl_v(state), kept + nq, sizeof *kept * nv);
  }
  if (kept != NULL) apl_balance_close(&b);
  free(kept);
  if (st != APL_OK) apl_linear_close(l);
  return st;
}

void apl_linear_close(linear* l) {
  apl_pool_free(&l->pool);
}
