/* SPDX-License-Identifier: Apache-2.0 */
/* multipliers.c: see multipliers.h. */
#include "dense.h"
#include "multipliers.h"
#include "near.h"

#include <string.h>

grip grip_new(const apl_model* model, apl_state* s) {
  const grip g = {.model = model, .s = s, .nv = apl_model_nv(model)};
  assert_true(g.nv <= GRIP_VELOCITIES);
  return g;
}

grip_port grip_at(const grip* g, const char* port, apl_axes axes) {
  grip_port at;
  double wv[3];
  const int k = apl_model_find(g->model, APL_PORTS, port);

  CHECK_TRUE(k >= 0, "no port %s", port);
  memset(apl_a(g->s), 0, sizeof(double) * (size_t)g->nv);
  CHECK_OK(apl_jacobian(g->model, g->s, k, axes, at.J));
  CHECK_OK(apl_port_motion(g->model, g->s, k, axes, at.V, at.A));
  if (axes == APL_PORT_AXES) {
    dense_cross(at.V, at.V + 3, wv);
    for (int i = 0; i < 3; i++)
      at.A[3 + i] -= wv[i];
  }
  return at;
}

double* grip_row(grip* g, const grip_port* at, const double weight[6]) {
  double* row = g->J + g->n * g->nv;

  assert_true(g->n < GRIP_ROWS);
  dense_times_transposed(at->J, weight, 6, g->nv, row);
  g->gamma[g->n++] = dense_dot(at->A, weight, 6);
  return row;
}

void grip_check(const grip* g) {
  double Jv[GRIP_ROWS];

  dense_times(g->J, apl_v(g->s), g->n, g->nv, Jv);
  for (int i = 0; i < g->n; i++)
    CHECK_NEAR(Jv[i], 0, 1e-13);
}

void grip_forces(const grip* g, const double* tau, double* a, double* lambda) {
  const int n = g->nv;
  double M[GRIP_VELOCITIES * GRIP_VELOCITIES], work[GRIP_VELOCITIES * GRIP_VELOCITIES];
  double X[GRIP_ROWS * GRIP_VELOCITIES], G[GRIP_ROWS * GRIP_ROWS];
  const size_t size = sizeof *M * (size_t)(n * n);

  CHECK_OK(apl_mass_matrix(g->model, g->s, M));
  CHECK_OK(apl_bias(g->model, g->s, a));
  for (int i = 0; i < n; i++)
    a[i] = tau[i] - a[i];
  memcpy(work, M, size);
  assert_true(dense_solve(work, n, a));

  /* rows of X = M^-1 J^T; G lambda = -gamma - J a with G = J M^-1 J^T */
  for (int i = 0; i < g->n; i++) {
    memcpy(X + i * n, g->J + i * n, sizeof *X * (size_t)n);
    memcpy(work, M, size);
    assert_true(dense_solve(work, n, X + i * n));
  }
  for (int i = 0; i < g->n; i++) {
    for (int j = 0; j < g->n; j++)
      G[i * g->n + j] = dense_dot(g->J + i * n, X + j * n, n);
    lambda[i] = -g->gamma[i] - dense_dot(g->J + i * n, a, n);
  }
  assert_true(dense_solve(G, g->n, lambda));
  for (int i = 0; i < g->n; i++) {
    for (int j = 0; j < n; j++)
      a[j] += lambda[i] * X[i * n + j];
  }
}

void grip_solve(const grip* g, const double* tau, double* a) {
  double lambda[GRIP_ROWS];
  grip_forces(g, tau, a, lambda);
}
