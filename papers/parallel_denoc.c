/* SPDX-License-Identifier: Apache-2.0 */
/* parallel_denoc.c: see parallel.h. Dense, for this paper only: `multipliers` gives the same
   numbers by the recursion. */
#include "papers/parallel.h"

#include "appell/loop.h"

#include "dynamics/denoc.h"
#include "dynamics/loops.h"
#include "math/ldl.h"

#include <string.h>

enum { N = PARALLEL_FREEDOMS, ROWS = PARALLEL_ROWS };

/* M = U D U^T of the cut robot. */
static apl_status mass(const apl_model* m, apl_state* s, double* M) {
  double U[N * N], D[N * N], UD[N * N];
  const apl_status st = apl_denoc_factor(m, s, U, D);

  memset(UD, 0, sizeof UD);
  memset(M, 0, sizeof UD);
  for (int i = 0; i < N; ++i) {
    for (int j = 0; j < N; ++j) {
      for (int k = 0; k < N; ++k)
        UD[i * N + j] += U[i * N + k] * D[k * N + j];
    }
  }
  for (int i = 0; i < N; ++i) {
    for (int j = 0; j < N; ++j) {
      for (int k = 0; k < N; ++k)
        M[i * N + j] += UD[i * N + k] * U[j * N + k];
    }
  }
  return st;
}

apl_status apl_parallel_denoc(const apl_model* m, apl_state* s) {
  double M[N * N], A[ROWS * N], push[ROWS * N], G[ROWS * ROWS], p[ROWS], a[N];
  double* row = apl_loop_row(s);

  for (int k = 0; k < ROWS; ++k)
    row[APL_LOOP * k + APL_LOOP_FORCE] = 0.0;
  apl_status st = apl_denoc_forward(m, s); /* the cut robot: a = M^-1 (tau - h) */
  memcpy(a, apl_a(s), sizeof a);
  if (st == APL_OK) st = apl_loops(m, s); /* A a + gam */
  if (st == APL_OK) st = apl_loops_jacobian(m, s, A);
  if (st == APL_OK) st = mass(m, s, M);
  if (st == APL_OK && mask_any(ldl_factor(M, N, N))) st = APL_ERR_SINGULAR;
  for (int k = 0; k < ROWS && st == APL_OK; ++k) {
    p[k] = -row[APL_LOOP * k + APL_LOOP_ACCEL];
    memcpy(push + k * N, A + k * N, N * sizeof *A);
    ldl_solve(M, N, N, push + k * N);
  }
  for (int i = 0; i < ROWS * ROWS; ++i) {
    G[i] = 0.0;
    for (int j = 0; j < N; ++j)
      G[i] += A[i / ROWS * N + j] * push[i % ROWS * N + j];
  }
  if (st == APL_OK && mask_any(ldl_factor(G, ROWS, ROWS))) st = APL_ERR_SINGULAR;
  if (st == APL_OK) ldl_solve(G, ROWS, ROWS, p);
  for (int k = 0; k < ROWS && st == APL_OK; ++k) {
    row[APL_LOOP * k + APL_LOOP_FORCE] = p[k];
    for (int j = 0; j < N; ++j)
      a[j] += push[k * N + j] * p[k];
  }
  memcpy(apl_a(s), a, sizeof a);
  return st;
}
