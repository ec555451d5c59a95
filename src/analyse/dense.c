/* SPDX-License-Identifier: Apache-2.0 */
/* dense.c: LAPACK for matrices of analyses. */
#include "analyse/dense.h"

#include <lapacke.h>

bool apl_dense_least_squares(int n, double* A, double* b, double rank) {
  lapack_int* pivot = LAPACKE_malloc(sizeof *pivot * (size_t)(n + 1));
  lapack_int found;
  if (pivot == NULL) return false;

  for (int k = 0; k < n; ++k)
    pivot[k] = 0; /* any column may come first */
  const bool ok =
      n == 0 || LAPACKE_dgelsy(LAPACK_COL_MAJOR, n, n, 1, A, n, b, n, pivot, rank, &found) == 0;
  LAPACKE_free(pivot);
  return ok;
}

bool apl_dense_solve(int n, double* A, double* b) {
  lapack_int* pivot = LAPACKE_malloc(sizeof *pivot * (size_t)(n + 1));
  if (pivot == NULL) return false;

  const bool ok = n == 0 || LAPACKE_dgesv(LAPACK_COL_MAJOR, n, 1, A, n, pivot, b, n) == 0;
  LAPACKE_free(pivot);
  return ok;
}

bool apl_dense_symmetric(int n, double* A, double* eigenvalue) {
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < i; ++k)
      A[k * n + i] = A[i * n + k] = 0.5 * (A[k * n + i] + A[i * n + k]);
  }
  return n == 0 || LAPACKE_dsyev(LAPACK_COL_MAJOR, 'V', 'L', n, A, n, eigenvalue) == 0;
}

bool apl_dense_left(int n, double* A, double* s, double* U) {
  double* rest = LAPACKE_malloc(sizeof *rest * (size_t)(n + 1));
  if (rest == NULL) return false;

  const bool ok =
      n == 0 || LAPACKE_dgesvd(LAPACK_COL_MAJOR, 'A', 'N', n, n, A, n, s, U, n, NULL, n, rest) == 0;
  LAPACKE_free(rest);
  return ok;
}
