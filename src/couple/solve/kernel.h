/* SPDX-License-Identifier: Apache-2.0 */
/* kernel.h: inner loops of the row solvers. Sums are accumulated in four parts that are added in a
   fixed order, so that the compiler can vectorise them and the bits do not depend on it. */
#pragma once

/* Rows of matrices are padded with zeros to multiples of this. */
enum { KERNEL_LANES = 4 };

static inline int kernel_padded(int n) {
  return (n + KERNEL_LANES - 1) / KERNEL_LANES * KERNEL_LANES;
}

/* a.b, n any number. */
static inline double kernel_dot(const double* a, const double* b, int n) {
  double s[KERNEL_LANES] = {0, 0, 0, 0};
  int j = 0;

  for (; j + KERNEL_LANES <= n; j += KERNEL_LANES) {
    for (int k = 0; k < KERNEL_LANES; ++k)
      s[k] += a[j + k] * b[j + k];
  }
  for (; j < n; ++j)
    s[0] += a[j] * b[j];
  return (s[0] + s[2]) + (s[1] + s[3]);
}

/* a.b over the lanes that hold the entries from..to-1; a or b is zero in the rest of them. */
static inline double kernel_dot_lanes(const double* a, const double* b, int from, int to) {
  double s[KERNEL_LANES] = {0, 0, 0, 0};

  for (int j = from / KERNEL_LANES * KERNEL_LANES; j < to; j += KERNEL_LANES) {
    for (int k = 0; k < KERNEL_LANES; ++k)
      s[k] += a[j + k] * b[j + k];
  }
  return (s[0] + s[2]) + (s[1] + s[3]);
}

/* y[rows] = A x with padded rows of ld numbers, x padded too. */
static inline void kernel_times(const double* A, int ld, int rows, const double* x, double* y) {
  for (int i = 0; i < rows; ++i)
    y[i] = kernel_dot_lanes(A + (long)i * ld, x, 0, ld);
}
