/* scale.h: scales that make rows of any unit comparable, and say which rows nothing can move. All
   scales are powers of two, so that scaling adds no rounding. */
#pragma once

#include <math.h>
#include <stdbool.h>

/* A row whose diagonal is below this share of the largest one is idle: nothing can move it. What
   round-off leaves of a zero of J M^-1 J^T is near 1e-16 of its terms. */
#define SCALE_IDLE 1e-13

/* How much a unit force on row i moves: its diagonal. Where W is not symmetric the diagonal may
   vanish although the row can be moved by others; they then set its size. */
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
