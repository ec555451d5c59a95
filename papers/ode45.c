/* SPDX-License-Identifier: Apache-2.0 */
/* ode45.c: see ode45.h. Shampine, Reichelt: The MATLAB ODE suite, SIAM J. Sci. Comput. 18 (1997).
 */
#include "papers/ode45.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { STAGES = 7 };

/* clang-format off */
static const double at[STAGES] = {0, 1.0/5, 3.0/10, 4.0/5, 8.0/9, 1, 1};
static const double stage[STAGES][6] = {
  {0},
  {1.0/5},
  {3.0/40, 9.0/40},
  {44.0/45, -56.0/15, 32.0/9},
  {19372.0/6561, -25360.0/2187, 64448.0/6561, -212.0/729},
  {9017.0/3168, -355.0/33, 46732.0/5247, 49.0/176, -5103.0/18656},
  {35.0/384, 0, 500.0/1113, 125.0/192, -2187.0/6784, 11.0/84}};
static const double error_of[STAGES] = {
  71.0/57600, 0, -71.0/16695, 71.0/1920, -17253.0/339200, 22.0/525, -1.0/40};
/* clang-format on */

static double* slope(ode45* o, int i) {
  return o->work + i * o->n;
}

static apl_status ask(ode45* o, double t, const double* y, double* rate) {
  o->evaluations += 1;
  return o->rate(t, y, rate, o->context);
}

/* Largest |rate| against the size of y. */
static double rate_size(ode45* o) {
  const double threshold = o->absolute / o->relative;
  double most = 0.0;

  for (int j = 0; j < o->n; ++j)
    most = fmax(most, fabs(slope(o, 0)[j]) / fmax(fabs(o->y[j]), threshold));
  return most;
}

/* One step: the new y into the work area behind the slopes, its error relative to y. */
static apl_status attempt(ode45* o, double t, double h, double* error) {
  const double threshold = o->absolute / o->relative;
  double* y = slope(o, STAGES);
  *error = 0.0;

  for (int i = 1; i < STAGES; ++i) {
    for (int j = 0; j < o->n; ++j) {
      double sum = 0.0;
      for (int k = 0; k < i; ++k)
        sum += stage[i][k] * slope(o, k)[j];
      y[j] = o->y[j] + h * sum;
    }
    const apl_status st = ask(o, t + at[i] * h, y, slope(o, i));
    if (st != APL_OK) return st;
  }
  for (int j = 0; j < o->n; ++j) {
    double e = 0.0;
    for (int k = 0; k < STAGES; ++k)
      e += error_of[k] * slope(o, k)[j];
    *error = fmax(*error, h * fabs(e) / fmax(fmax(fabs(o->y[j]), fabs(y[j])), threshold));
  }
  return APL_OK;
}

apl_status apl_ode45(ode45* o, double t, double t_end) {
  const double power = 1.0 / 5.0, most = 0.1 * (t_end - t), span = t_end - t;
  const size_t bytes = sizeof *o->y * (size_t)o->n;
  apl_status st = ask(o, t, o->y, slope(o, 0));
  double h = fmin(most, span);
  const double rate = st == APL_OK ? rate_size(o) / (0.8 * pow(o->relative, power)) : 0.0;

  if (h * rate > 1.0) h = 1.0 / rate;
  while (t < t_end && st == APL_OK) {
    const double least = 16.0 * DBL_EPSILON * fmax(fabs(t), DBL_MIN);
    bool good = true, last = false;
    double error = 0.0, step;

    h = fmin(most, fmax(least, h));
    for (;;) {
      last = 1.1 * h >= t_end - t;
      step = last ? t_end - t : h;
      st = attempt(o, t, step, &error);
      if (st != APL_OK || error <= o->relative || h <= least) break;
      h = good ? fmax(least, step * fmax(0.1, 0.8 * pow(o->relative / error, power))) : 0.5 * h;
      good = false;
    }
    if (st != APL_OK) break;
    t = last ? t_end : t + step;
    o->steps += 1;
    memcpy(o->y, slope(o, STAGES), bytes);
    memmove(slope(o, 0), slope(o, STAGES - 1), bytes);
    if (o->look != NULL) o->look(t, o->y, o->user);
    if (!good) continue;
    const double ratio = 1.25 * pow(error / o->relative, power);
    h = ratio > 0.2 ? step / ratio : 5.0 * step;
  }
  return st;
}
