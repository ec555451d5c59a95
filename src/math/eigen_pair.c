/* SPDX-License-Identifier: Apache-2.0 */
/* eigen_pair.c: see eigen_pair.h. B = L L^T turns the pair into C = L^-1 A L^-T, whose eigenvalues
   are found by Jacobi's rotations. These keep the relative accuracy of small eigenvalues (J.
   Demmel, K. Veselic, SIAM J. Matrix Anal. Appl. 13, 1992), which methods by a tridiagonal form do
   not. */
#include "math/eigen_pair.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

/* B := L, the factor of B = L L^T, in the lower triangle. */
static bool cholesky(int n, double* B) {
  for (int i = 0; i < n; ++i) {
    double* row = B + i * n;
    for (int j = 0; j <= i; ++j) {
      const double* other = B + j * n;
      double sum = row[j];
      for (int k = 0; k < j; ++k)
        sum -= row[k] * other[k];
      if (j < i) {
        row[j] = sum / other[j];
      } else {
        if (!(sum > 0.0) || !isfinite(sum)) return false;
        row[i] = sqrt(sum);
      }
    }
  }
  return true;
}

/* X := L^-1 X, all columns of X at once. */
static void forward(int n, const double* L, double* X) {
  for (int i = 0; i < n; ++i) {
    double* row = X + i * n;
    for (int k = 0; k < i; ++k) {
      const double l = L[i * n + k];
      for (int j = 0; j < n && l != 0.0; ++j)
        row[j] -= l * X[k * n + j];
    }
    for (int j = 0; j < n; ++j)
      row[j] /= L[i * n + i];
  }
}

/* Reads the lower triangle, writes the upper one. */
static void mirror(int n, double* A) {
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < i; ++j)
      A[j * n + i] = A[i * n + j];
  }
}

static void transpose(int n, double* A) {
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < i; ++j) {
      const double t = A[i * n + j];
      A[i * n + j] = A[j * n + i];
      A[j * n + i] = t;
    }
  }
}

/* The rotation in the plane of p < q that makes C_pq zero. With t = tan of its angle, the smaller
   root of t^2 + 2 h t - 1 = 0, h = (C_qq - C_pp) / (2 C_pq): C_pp -= t C_pq,  C_qq += t C_pq,
   (C_kp, C_kq) := (c C_kp - s C_kq, s C_kp + c C_kq) */
static void rotate(int n, double* C, int p, int q) {
  double *P = C + p * n, *Q = C + q * n;
  const double a = P[q], h = (Q[q] - P[p]) / (2.0 * a);
  const double t = (h < 0.0 ? -1.0 : 1.0) / (fabs(h) + hypot(h, 1.0));
  const double c = 1.0 / sqrt(1.0 + t * t), s = t * c;

  const double pp = P[p] - t * a, qq = Q[q] + t * a;
  for (int k = 0; k < n; ++k) {
    const double x = P[k], y = Q[k];
    P[k] = c * x - s * y;
    Q[k] = s * x + c * y;
  }
  P[p] = pp, Q[q] = qq, P[q] = Q[p] = 0.0;
  for (int k = 0; k < n; ++k) {
    C[k * n + p] = P[k];
    C[k * n + q] = Q[k];
  }
}

/* Rotates every pair in turn until all off-diagonal elements are small against their diagonal. */
static bool diagonalize(int n, double* C) {
  enum { MOST_SWEEPS = 40 }; /* five to ten are usual: convergence is quadratic */

  for (int sweep = 0; sweep < MOST_SWEEPS; ++sweep) {
    bool turned = false;
    for (int p = 0; p < n; ++p) {
      for (int q = p + 1; q < n; ++q) {
        const double size = sqrt(fabs(C[p * n + p])) * sqrt(fabs(C[q * n + q]));
        if (fabs(C[p * n + q]) <= DBL_EPSILON * size) continue;
        rotate(n, C, p, q);
        turned = true;
      }
    }
    if (!turned) return true;
  }
  return false;
}

static int ascending(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

bool apl_eigen_pair(int n, double* A, double* B, double* value) {
  if (!cholesky(n, B)) return false;

  /* L^-1 A, then (L^-1 (L^-1 A)^T)^T, which is symmetric up to rounding */
  mirror(n, A);
  for (int side = 0; side < 2; ++side) {
    forward(n, B, A);
    transpose(n, A);
  }
  mirror(n, A);
  if (!diagonalize(n, A)) return false;
  for (int i = 0; i < n; ++i) {
    value[i] = A[i * n + i];
    if (!isfinite(value[i])) return false;
  }
  qsort(value, (size_t)n, sizeof *value, ascending);
  return true;
}
