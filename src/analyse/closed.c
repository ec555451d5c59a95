/* SPDX-License-Identifier: Apache-2.0 */
/* closed.c: see closed.h. With A the rows of the loops in units of x, motions that keep them closed
   are the eigenvectors of A^T A with eigenvalue zero. */
#include "analyse/closed.h"

#include "analyse/dense.h"

/* Relative to the largest eigenvalue; A itself is exact to round-off. */
static const double zero = 1e-12;

int apl_closed_motions(const balance* b, const double* J, double* Z, double* s) {
  const int n = b->nfree;
  int m = 0;

  for (int k = 0; k < n; ++k) {
    for (int i = 0; i < n; ++i) {
      Z[k * n + i] = 0.0;
      for (int row = n; row < b->n; ++row)
        Z[k * n + i] += J[k * b->n + row] * b->unit[k] * J[i * b->n + row] * b->unit[i];
    }
  }
  if (n > 0 && !apl_dense_symmetric(n, Z, s)) return -1;
  while (m < n && s[m] <= zero * s[n - 1])
    ++m;
  for (int k = 0; k < m; ++k) {
    for (int i = 0; i < n; ++i)
      Z[k * n + i] *= b->unit[i];
  }
  return m;
}

void apl_closed_project(int n, int m, const double* Z, const double* A, int ld, double* out) {
  for (int k = 0; k < m; ++k) {
    for (int i = 0; i < m; ++i)
      out[k * m + i] = 0.0;
    for (int row = 0; row < n; ++row) {
      double sum = 0.0; /* (A Z)_row,k */
      for (int j = 0; j < n; ++j)
        sum += A[j * ld + row] * Z[k * n + j];
      for (int i = 0; i < m; ++i)
        out[k * m + i] += Z[i * n + row] * sum;
    }
  }
}
