/* SPDX-License-Identifier: Apache-2.0 */
/* small_motion.c: see small_motion.h. The stiffness is computed by complex steps of the bias, so it
   includes elasticity, gravity and inputs. */
#include "papers/small_motion.h"

#include <lapacke.h>
#include <math.h>
#include <stdlib.h>

static apl_status no_memory(apl_error* err) {
  return apl_fail(err, APL_ERR_MEMORY, "out of memory for %s", "the stiffness");
}

static apl_status failed(apl_error* err, apl_status st) {
  return apl_fail(err, st, "%s", apl_status_text(st));
}

/* column k of K: imag(bias(q + i h e_k)) / h */
static apl_status column(const apl_model* model, apl_state* z, int k, double* bias, double* K) {
  const double h = 1e-100;
  const int n = apl_model_nv(model);

  apl_q(z)[2 * k + 1] = h;
  const apl_status st = apl_bias(model, z, bias);
  apl_q(z)[2 * k + 1] = 0.0;
  for (int i = 0; i < n; ++i)
    K[i * n + k] = bias[2 * i + 1] / h;
  return st;
}

apl_status apl_stiffness_matrix(const apl_model* model, apl_state* state, double* K,
                                apl_error* err) {
  const int n = apl_model_nv(model);
  apl_state* z = NULL;
  double* bias = calloc((size_t)(2 * n), sizeof *bias);

  apl_status st = bias == NULL ? APL_ERR_MEMORY : apl_state_new(model, APL_COMPLEX, &z);
  if (st != APL_OK) {
    free(bias);
    return no_memory(err);
  }
  for (int i = 0; i < apl_model_nq(model); ++i)
    apl_q(z)[2 * i] = apl_q(state)[i];
  for (int i = 0; i < apl_model_nu(model); ++i)
    apl_u(z)[2 * i] = apl_u(state)[i];
  for (int k = 0; k < n && st == APL_OK; ++k)
    st = column(model, z, k, bias, K);
  apl_state_free(z);
  free(bias);
  return st == APL_OK ? APL_OK : failed(err, st);
}

apl_status apl_natural_frequencies(const apl_model* model, apl_state* state, double* omega,
                                   apl_error* err) {
  const int n = apl_model_nv(model);
  double* K = calloc((size_t)(2 * n * n), sizeof *K);
  if (K == NULL) return no_memory(err);

  double* M = K + n * n;
  apl_status st = apl_stiffness_matrix(model, state, K, err);
  if (st == APL_OK) {
    st = apl_mass_matrix(model, state, M);
    if (st != APL_OK) failed(err, st);
  }
  if (st == APL_OK && LAPACKE_dsygv(LAPACK_ROW_MAJOR, 1, 'N', 'U', n, K, n, M, n, omega) != 0) {
    st = failed(err, APL_ERR_SINGULAR);
  }
  for (int i = 0; i < n && st == APL_OK; ++i)
    omega[i] = copysign(sqrt(fabs(omega[i])), omega[i]);
  free(K);
  return st;
}

apl_status apl_inertia_values(const apl_model* model, apl_state* state, double* value,
                              apl_error* err) {
  const int n = apl_model_nv(model);
  double* M = calloc((size_t)(n * n), sizeof *M);
  if (M == NULL) return no_memory(err);

  apl_status st = apl_mass_matrix(model, state, M);
  if (st == APL_OK && LAPACKE_dsyev(LAPACK_ROW_MAJOR, 'N', 'U', n, M, n, value) != 0) {
    st = APL_ERR_NOT_FINITE;
  }
  free(M);
  return st == APL_OK ? APL_OK : failed(err, st);
}
