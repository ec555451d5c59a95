/* SPDX-License-Identifier: Apache-2.0 */
/* peaks.c: the largest forces of couplings inside a step, for the table of impacts. */
#include "run/runner.h"
#include "run/watch.h"

#include "system/system.h"
#include "system/system_impl.h"

#include <math.h>

/* The top of the parabola through the largest of five values at equal distances and those beside
   it. */
static double top_of(const double* F) {
  int top = 0;

  for (int k = 1; k < PEAK_LOOKS; ++k) {
    if (F[k] > F[top]) top = k;
  }
  if (top == 0 || top == PEAK_LOOKS - 1) return F[top];
  const double a = 0.5 * (F[top - 1] + F[top + 1]) - F[top];
  const double b = 0.5 * (F[top + 1] - F[top - 1]);
  return a < 0.0 ? F[top] - 0.25 * b * b / a : F[top];
}

apl_status apl_runner_peaks(runner* r, double from) {
  const int n = apl_watch_npeak(r->system), last = PEAK_LOOKS - 1;
  const double h = (r->t - from) / last;
  double* largest = r->force + PEAK_LOOKS * n;

  apl_system_unpack(r->system, r->t, r->y);
  if (!apl_watch_hits(r->system)) return APL_OK;

  /* with fixed steps only the end is examined: states inside a step would cost evaluations */
  for (int k = r->fixed ? last : 0; k < PEAK_LOOKS; ++k) {
    const apl_status st =
        k < last ? apl_stepper_inside(r->stepper, from + k * h, r->scratch) : APL_OK;
    if (st != APL_OK) return st;
    apl_system_unpack(r->system, k < last ? from + k * h : r->t, k < last ? r->scratch : r->y);
    apl_watch_pushes(r->system, r->force + n * k);
  }
  for (int i = 0; i < n; ++i) {
    double F[PEAK_LOOKS];
    for (int k = 0; k < PEAK_LOOKS; ++k)
      F[k] = r->force[n * k + i];
    largest[i] = r->fixed ? F[last] : top_of(F);
  }
  apl_watch_peaks(r->system, largest);
  return APL_OK;
}
