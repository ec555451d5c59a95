/* SPDX-License-Identifier: Apache-2.0 */
/* checks_inertia.c: the passes that need inertia, against each other. */
#include "checks.h"

#include "dynamics/denoc.h"
#include "dense.h"

#include <math.h>
#include <string.h>

double check_effort_scale(subject* sub, const double* a) {
  double* M = subject_take(sub, sub->nv * sub->nv);
  double* bias = subject_take(sub, sub->nv);
  double* rows = subject_take(sub, sub->nv);

  CHECK_OK(apl_mass_matrix(sub->model, sub->s, M));
  CHECK_OK(apl_bias(sub->model, sub->s, bias));
  dense_sizes(M, a, sub->nv, sub->nv, rows);
  return 1 + near_max(rows, sub->nv) + near_max(bias, sub->nv) +
         near_max(sub->load, 6 * sub->nport);
}

void check_mass_matrix(subject* sub) {
  const int n = sub->nv;
  double* M = subject_take(sub, n * n);
  double* Mt = subject_take(sub, n * n);
  double* columns = subject_take(sub, n * n);
  double* bias = subject_take(sub, n);
  double* zero = subject_take(sub, n);

  subject_point(sub);
  const double scale = check_effort_scale(sub, sub->a);
  CHECK_OK(apl_mass_matrix(sub->model, sub->s, M));
  CHECK_OK(apl_bias(sub->model, sub->s, bias));
  const double most = near_max(M, n * n);
  dense_transpose(M, n, n, Mt);
  CHECK_ARRAY(Mt, M, n * n, 1e-14, most); /* the two halves are the same sums */

  /* passes write their result and nothing else */
  CHECK_ARRAY(apl_q(sub->s), sub->q, sub->nq, 0, 0);
  CHECK_ARRAY(apl_v(sub->s), sub->v, n, 0, 0);
  CHECK_ARRAY(apl_a(sub->s), sub->a, n, 0, 0);
  CHECK_ARRAY(apl_tau(sub->s), sub->tau, n, 0, 0);

  /* bias = inverse without acceleration; M = the difference each unit acceleration makes */
  memcpy(apl_a(sub->s), zero, sizeof *zero * (size_t)n);
  CHECK_OK(apl_inverse(sub->model, sub->s));
  CHECK_ARRAY(apl_tau(sub->s), bias, n, 1e-13, scale);
  for (int k = 0; k < n; k++) {
    memcpy(apl_a(sub->s), zero, sizeof *zero * (size_t)n);
    apl_a(sub->s)[k] = 1;
    CHECK_OK(apl_inverse(sub->model, sub->s));
    for (int i = 0; i < n; i++)
      columns[i * n + k] = apl_tau(sub->s)[i] - bias[i];
  }
  CHECK_ARRAY(columns, M, n * n, 1e-12, most + scale); /* the bias cancels: round-off of its size */

  CHECK_TRUE(dense_cholesky(M, n), "the mass matrix is not positive definite");
}

void check_round_trip(subject* sub) {
  const int n = sub->nv;
  double* a = subject_take(sub, n);

  subject_point(sub);
  CHECK_OK(apl_forward(sub->model, sub->s));
  CHECK_ARRAY(apl_tau(sub->s), sub->tau, n, 0, 0);
  memcpy(a, apl_a(sub->s), sizeof *a * (size_t)n);
  if (n > 0) CHECK_ALIVE(a, n, 1e-3);

  /* the elimination is backward stable: the residual is round-off of the terms added, a few ulp for
     each of up to a hundred links */
  const double scale = check_effort_scale(sub, a);
  CHECK_OK(apl_inverse(sub->model, sub->s));
  CHECK_ARRAY(apl_tau(sub->s), sub->tau, n, 1e-12, scale);
  CHECK_ARRAY(apl_a(sub->s), a, n, 0, 0);
}

/* U unit upper triangular and D diagonal, both by blocks of links. */
static void check_blocks(subject* sub, const double* U, const double* D) {
  const int n = sub->nv;
  for (int i = 0; i < sub->nlink; i++) {
    for (int j = 0; j < sub->nlink; j++) {
      const apl_link_info row = apl_model_link_info(sub->model, i);
      const apl_link_info column = apl_model_link_info(sub->model, j);
      for (int k = row.v0; k < row.v0 + row.nv; k++) {
        for (int l = column.v0; l < column.v0 + column.nv; l++) {
          if (i >= j) {
            CHECK_NEAR(U[k * n + l], k == l ? 1.0 : 0.0, 0);
          }
          if (i != j) CHECK_NEAR(D[k * n + l], 0.0, 0);
        }
      }
    }
  }
}

void check_denoc(subject* sub) {
  const int n = sub->nv;
  double* U = subject_take(sub, n * n);
  double* D = subject_take(sub, n * n);
  double* M = subject_take(sub, n * n);
  double* UD = subject_take(sub, n * n);
  double* Ut = subject_take(sub, n * n);
  double* want = subject_take(sub, n);

  subject_point(sub);
  if (!check_is_rigid(sub->plan)) {
    assert_int_equal(apl_denoc_inverse(sub->model, sub->s), APL_ERR_ARGUMENT);
    assert_int_equal(apl_denoc_forward(sub->model, sub->s), APL_ERR_ARGUMENT);
    assert_int_equal(apl_denoc_factor(sub->model, sub->s, U, D), APL_ERR_ARGUMENT);
    return;
  }

  /* inverse */
  CHECK_OK(apl_inverse(sub->model, sub->s));
  memcpy(want, apl_tau(sub->s), sizeof *want * (size_t)n);
  subject_point(sub);
  CHECK_OK(apl_denoc_inverse(sub->model, sub->s));
  CHECK_ARRAY(apl_tau(sub->s), want, n, 1e-12, check_effort_scale(sub, sub->a));

  /* forward: its accelerations need the given efforts (see check_round_trip) */
  subject_point(sub);
  CHECK_OK(apl_denoc_forward(sub->model, sub->s));
  memcpy(want, apl_a(sub->s), sizeof *want * (size_t)n);
  CHECK_OK(apl_inverse(sub->model, sub->s));
  CHECK_ARRAY(apl_tau(sub->s), sub->tau, n, 1e-12, check_effort_scale(sub, want));

  /* M = U D U^T */
  CHECK_OK(apl_denoc_factor(sub->model, sub->s, U, D));
  CHECK_OK(apl_mass_matrix(sub->model, sub->s, M));
  check_blocks(sub, U, D);
  dense_product(U, D, n, n, n, UD);
  dense_transpose(U, n, n, Ut);
  dense_product(UD, Ut, n, n, n, D);
  CHECK_ARRAY(D, M, n * n, 1e-12, near_max(M, n * n));
}

void check_regressor(subject* sub) {
  const int n = sub->nv;
  const int np = 10 * sub->nlink;
  double* Y = subject_take(sub, n * np);
  double* p = subject_take(sub, np);
  double* Yp = subject_take(sub, n);
  double* sizes = subject_take(sub, n);

  subject_point(sub);
  subject_no_loads(sub, sub->s);
  CHECK_OK(apl_regressor(sub->model, sub->s, Y));
  apl_model_inertial(sub->model, p);
  dense_times(Y, p, n, np, Yp);
  dense_sizes(Y, p, n, np, sizes);
  CHECK_OK(apl_inverse(sub->model, sub->s));
  if (n > 0) CHECK_ALIVE(Yp, n, 1e-3);
  CHECK_ARRAY(Yp, apl_tau(sub->s), n, 1e-12, 1 + near_max(sizes, n));
}
