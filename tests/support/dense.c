/* SPDX-License-Identifier: Apache-2.0 */
/* dense.c: see dense.h. */
#include "dense.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void dense_times(const double* A, const double* x, int m, int n, double* y) {
  for (int i = 0; i < m; i++)
    y[i] = dense_dot(A + i * n, x, n);
}

void dense_times_transposed(const double* A, const double* x, int m, int n, double* y) {
  for (int j = 0; j < n; j++) {
    y[j] = 0;
    for (int i = 0; i < m; i++)
      y[j] += A[i * n + j] * x[i];
  }
}

void dense_product(const double* A, const double* B, int m, int k, int n, double* C) {
  for (int i = 0; i < m; i++)
    dense_times_transposed(B, A + i * k, k, n, C + i * n);
}

void dense_transpose(const double* A, int m, int n, double* B) {
  for (int i = 0; i < m; i++) {
    for (int j = 0; j < n; j++)
      B[j * m + i] = A[i * n + j];
  }
}

void dense_sizes(const double* A, const double* x, int m, int n, double* y) {
  for (int i = 0; i < m; i++) {
    y[i] = 0;
    for (int j = 0; j < n; j++)
      y[i] += fabs(A[i * n + j] * x[j]);
  }
}

bool dense_cholesky(double* A, int n) {
  for (int j = 0; j < n; j++) {
    for (int i = j; i < n; i++) {
      const double s = A[i * n + j] - dense_dot(A + i * n, A + j * n, j);
      if (i == j && !(s > 0)) return false;
      A[i * n + j] = i == j ? sqrt(s) : s / A[j * n + j];
    }
  }
  return true;
}

/* L x = b or L^T x = b, in place. */
static void forward(const double* L, int n, double* b) {
  for (int i = 0; i < n; i++)
    b[i] = (b[i] - dense_dot(L + i * n, b, i)) / L[i * n + i];
}

static void backward(const double* L, int n, double* b) {
  for (int i = n - 1; i >= 0; i--) {
    for (int k = i + 1; k < n; k++)
      b[i] -= L[k * n + i] * b[k];
    b[i] /= L[i * n + i];
  }
}

bool dense_solve(double* A, int n, double* b) {
  if (!dense_cholesky(A, n)) return false;
  forward(A, n, b);
  backward(A, n, b);
  return true;
}

/* One rotation that makes C[p][q] zero. */
static void rotate(double* C, int n, int p, int q) {
  const double apq = C[p * n + q];
  if (apq == 0) return;
  const double theta = (C[q * n + q] - C[p * n + p]) / (2 * apq);
  const double t = (theta < 0 ? -1 : 1) / (fabs(theta) + sqrt(1 + theta * theta));
  const double c = 1 / sqrt(1 + t * t);
  const double s = t * c;

  for (int k = 0; k < n; k++) {
    const double kp = C[k * n + p];
    const double kq = C[k * n + q];
    C[k * n + p] = c * kp - s * kq;
    C[k * n + q] = s * kp + c * kq;
  }
  for (int k = 0; k < n; k++) {
    const double pk = C[p * n + k];
    const double qk = C[q * n + k];
    C[p * n + k] = c * pk - s * qk;
    C[q * n + k] = s * pk + c * qk;
  }
}

static int ascending(const void* a, const void* b) {
  const double x = *(const double*)a;
  const double y = *(const double*)b;
  return (x > y) - (x < y);
}

bool dense_eigenvalues(const double* K, const double* M, int n, double* lambda) {
  const size_t bytes = sizeof(double) * (size_t)(n * n);
  double* L = malloc(bytes);
  double* C = malloc(bytes);

  if (L == NULL || C == NULL) abort();
  memcpy(L, M, bytes);
  const bool ok = dense_cholesky(L, n);
  if (ok) {
    /* C = L^-1 K L^-T: columns, then rows (K is symmetric) */
    memcpy(C, K, bytes);
    for (int i = 0; i < n; i++)
      forward(L, n, C + i * n);
    for (int j = 0; j < n; j++) {
      for (int i = 0; i < n; i++)
        lambda[i] = C[i * n + j];
      forward(L, n, lambda);
      for (int i = 0; i < n; i++)
        C[i * n + j] = lambda[i];
    }

    /* quadratic convergence: fifteen sweeps are far more than enough for small n */
    for (int sweep = 0; sweep < 15; sweep++) {
      for (int p = 0; p < n; p++) {
        for (int q = p + 1; q < n; q++)
          rotate(C, n, p, q);
      }
    }
    for (int i = 0; i < n; i++)
      lambda[i] = C[i * n + i];
    qsort(lambda, (size_t)n, sizeof *lambda, ascending);
  }
  free(C);
  free(L);
  return ok;
}

void dense_cross(const double a[3], const double b[3], double c[3]) {
  const double x = a[1] * b[2] - a[2] * b[1];
  const double y = a[2] * b[0] - a[0] * b[2];
  const double z = a[0] * b[1] - a[1] * b[0];
  c[0] = x;
  c[1] = y;
  c[2] = z;
}

double dense_dot(const double* a, const double* b, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += a[i] * b[i];
  return sum;
}
