/* linear.c: inertia, damping and stiffness of a robot in balance. Stiffness and damping are
   derivatives of the efforts by complex steps, exact to round-off. */
#include "analyse/linear.h"

#include "analyse/balance.h"

#include "base/error.h"
#include "model/model_impl.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Dry friction F v / sqrt(v^2 + s^2) has the slope F / s at rest, of which only F means anything:
   for small motions it would be a lock. */
static void drop_friction(const balance* b, double* D) {
  const apl_model* m = b->model;

  for (int p = 0; p < m->npassive; ++p) {
    const apl_node* node = &m->node[m->passive[p]];
    if (node->friction == 0) continue;
    const double speed = m->par[node->friction + node->nv];
    for (int k = 0; k < b->n; ++k) {
      const int nth = b->velocity[k] - node->v0;
      if (nth < 0 || nth >= node->nv) continue;
      const double slope = m->par[node->friction + nth] / speed;
      double* own = &D[k * b->n + k];
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
  for (int k = 0; k < b->n; ++k) {
    for (int i = 0; i < b->n; ++i)
      M[k * b->n + i] = all[b->velocity[i] * b->nv + b->velocity[k]];
  }
  free(all);
  return st;
}

/* Wheels are not asked: what holds them goes on holding. */
static apl_status check_balance(const balance* b, const double* r, double tolerance,
                                apl_error* err) {
  for (int i = 0; i < b->n; ++i) {
    const int v = b->velocity[i];
    if (b->verdict[v] != APL_BALANCED || fabs(r[i]) <= tolerance * b->force[i]) continue;
    return apl_fail(err, APL_ERR_EQUILIBRIUM,
                    "the robot is not in balance: %.6g %s is left over on '%.80s'", -r[i],
                    apl_model_effort_unit(b->model, v), apl_model_velocity_name(b->model, v));
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

static apl_status fill(linear* l, balance* b, double tolerance, apl_error* err) {
  double* x = calloc(2 * (size_t)l->n + 1, sizeof *x);
  double* r = x + l->n;
  if (x == NULL) return apl_fail(err, APL_ERR_MEMORY, "out of memory for modes");

  apl_status st = apl_balance_scale(b, r, l->K);
  if (st == APL_OK) st = apl_balance_residual(b, x, r);
  if (st == APL_OK) st = apl_balance_jacobian(b, x, l->K);
  if (st == APL_OK) st = apl_balance_damping(b, l->D);
  if (st == APL_OK) st = find_inertia(b, l->M);
  if (st != APL_OK) apl_fail(err, st, "the modes failed: %s", apl_status_text(st));
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
  if (st == APL_OK && !take_room(l, b.n)) st = APL_ERR_MEMORY;
  if (st != APL_OK) {
    apl_fail(err, st, "%s for modes",
             st == APL_ERR_MEMORY ? "out of memory" : "not a scalar state of this model");
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
