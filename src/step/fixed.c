/* SPDX-License-Identifier: Apache-2.0 */
/* fixed.c: methods with fixed steps. The last step is shortened to end at t_end. */
#include "step/stepper.h"

#include "base/error.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* k: rates at the stages (4 n), the first at the start of the step; x: a stage (n) */
typedef struct fixed_data {
  double *k, *x;
  bool looked; /* the second block of k holds the rates at the end of the step: fixed_inside() */
} fixed_data;

static apl_status fixed_open(apl_stepper* s, apl_error* err) {
  const size_t n = (size_t)s->options.n;
  fixed_data* d = calloc(1, sizeof *d);

  s->data = d;
  if (d != NULL) d->k = calloc(5 * n, sizeof *d->k);
  if (d == NULL || d->k == NULL) {
    return apl_fail(err, APL_ERR_MEMORY, "out of memory for the integrator");
  }
  d->x = d->k + 4 * n;
  return APL_OK;
}

static void fixed_close(apl_stepper* s) {
  fixed_data* d = s->data;

  if (d != NULL) free(d->k);
  free(d);
}

static apl_status fixed_restart(apl_stepper* s) {
  (void)s;
  return APL_OK;
}

/* k1 = f(t, y), k2 = f(t + h/2, y + h/2 k1), k3 likewise, k4 = f(t + h, y + h k3) */
static apl_status rk4(apl_stepper* s, double h) {
  static const double at[4] = {0.0, 0.5, 0.5, 1.0};
  fixed_data* d = s->data;
  const int n = s->options.n;

  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < n; ++j) {
      d->x[j] = s->y0[j] + (i == 0 ? 0.0 : h * at[i] * d->k[(i - 1) * n + j]);
    }
    const apl_status st = apl_stepper_rate(s, s->t0 + h * at[i], d->x, d->k + i * n);
    if (st != APL_OK) return st;
  }
  const double *k1 = d->k, *k2 = k1 + n, *k3 = k2 + n, *k4 = k3 + n;
  for (int j = 0; j < n; ++j) {
    s->y[j] = s->y0[j] + h / 6.0 * (k1[j] + 2.0 * k2[j] + 2.0 * k3[j] + k4[j]);
  }
  return APL_OK;
}

/* v1 = v0 + h a(q0, v0), then q1 = q0 + h N(q0) v1; all other components also use the new
   velocities */
static apl_status semi_implicit(apl_stepper* s, double h) {
  fixed_data* d = s->data;
  const int n = s->options.n, v0 = s->options.n_first, v1 = v0 + s->options.n_second;
  apl_status st = apl_stepper_rate(s, s->t0, s->y0, d->k);
  if (st != APL_OK) return st;

  memcpy(d->x, s->y0, sizeof *d->x * (size_t)n);
  for (int j = v0; j < v1; ++j)
    d->x[j] += h * d->k[j];
  st = apl_stepper_rate(s, s->t0, d->x, d->k + n);
  if (st != APL_OK) return st;
  for (int j = 0; j < n; ++j) {
    const bool velocity = j >= v0 && j < v1;
    s->y[j] = velocity ? d->x[j] : s->y0[j] + h * d->k[n + j];
  }
  return APL_OK;
}

static apl_status fixed_step(apl_stepper* s, double t_end) {
  const double left = t_end - s->t;

  /* a remainder of a few ulp is not a step of its own */
  const bool last = left <= s->options.step * (1.0 + 1e-9);
  const double h = last ? left : s->options.step;
  const apl_status st = s->table == TABLE_RK4 ? rk4(s, h) : semi_implicit(s, h);
  ((fixed_data*)s->data)->looked = false;
  s->shaped = last;

  if (st == APL_OK) s->t = last ? t_end : s->t0 + h;
  return st;
}

/* Cubic Hermite between the ends; the rate at the far end costs one evaluation per step. */
static apl_status fixed_inside(apl_stepper* s, double t, double* y) {
  fixed_data* d = s->data;
  const int n = s->options.n;
  double *f0 = d->k, *f1 = d->k + n;
  const apl_status st = d->looked ? APL_OK : apl_stepper_rate(s, s->t, s->y, f1);
  if (st != APL_OK) return st;
  d->looked = true;

  apl_stepper_cubic(s, t, f0, f1, y);
  return APL_OK;
}

/* There is no memory to adjust. */
static apl_status fixed_adjust(apl_stepper* s) {
  (void)s;
  return APL_OK;
}

const stepper_ops apl_stepper_fixed = {
    .open = fixed_open,
    .close = fixed_close,
    .restart = fixed_restart,
    .step = fixed_step,
    .inside = fixed_inside,
    .read = fixed_inside,
    .adjust = fixed_adjust,
    .jolt = fixed_adjust,
};
