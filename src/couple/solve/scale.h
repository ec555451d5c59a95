/* SPDX-License-Identifier: Apache-2.0 */
/* scale.h: scales that make rows of any unit comparable, and the test for rows that nothing can
   move. Scales are powers of two, so that scaling adds no round-off. */
#pragma once

#include <math.h>
#include <stdbool.h>

/* A row with a diagonal below this fraction of the largest one is idle: no force can move it.
   Round-off leaves about 1e-16 of its terms in a zero of J M^-1 J^T. */
#define SCALE_IDLE 1e-13

/* Mobility of row i: its diagonal entry. If W is not symmetric, the diagonal may be zero although
   other rows can move it; then the largest entry of the row is used. */
static inline double scale_size(const double* row, int i, int n, bool symmetric) {
  double most = 0;

  if (symmetric) return row[i];
  for (int j = 0; j < n; ++j)
    most = fmax(most, fabs(row[j]));
  return fmax(fabs(row[i]), 1e-3 * most);
}

/* A power of two near 1/sqrt(size), size > 0. */
static inline double scale_of(double size) {
  int e;
  (void)frexp(size, &e);
  return ldexp(1, -(e >> 1));
}
