/* SPDX-License-Identifier: Apache-2.0 */
/* runge_kutta_dense.c: interpolation inside a step. Events are located on the cubic through the
   ends, which costs no evaluation; outputs use a polynomial of higher degree, whose extra rates are
   evaluated only in steps with an output. */
#include "step/runge_kutta.h"

apl_status apl_rk_inside(apl_stepper* s, double t, double* y) {
  const rk_data* d = s->data;

  apl_stepper_cubic(s, t, d->k, d->end, y);
  return APL_OK;
}

/* Coefficients beyond the cubic of the last step. */
static apl_status complete(apl_stepper* s) {
  rk_data* d = s->data;
  const double h = s->t - s->t0;

  for (int i = 0; i < d->pair->extra; ++i) {
    const rk_stage* at = &d->pair->inner[i];
    apl_rk_stage(s, at->sum, h);
    const apl_status st = apl_stepper_rate(s, s->t0 + at->at * h, d->x, d->end + (1 + i) * d->n);
    if (st != APL_OK) return st;
  }
  for (int i = 0; i < d->pair->beyond; ++i)
    apl_rk_sum(s, d->pair->power[i], s->options.n, d->dense + i * d->n);
  d->known = true;
  return APL_OK;
}

/* With x from 0 to 1 over the step, z = 1 - x, D = y1 - y0, c = h f0 - D:
     y = y0 + x (D + z (c + x (D - h f1 - c + z h (d4 + x (d5 + z (d6 + x d7)))))) */
apl_status apl_rk_read(apl_stepper* s, double t, double* y) {
  rk_data* d = s->data;
  const int last = d->pair->beyond - 1;
  const double h = s->t - s->t0, x = h > 0.0 ? (t - s->t0) / h : 0.0, z = 1.0 - x;
  const apl_status st = d->known || !(h > 0.0) ? APL_OK : complete(s);
  if (st != APL_OK) return st;

  const double *f0 = d->k, *f1 = d->end;
  for (int j = 0; j < s->options.n; ++j) {
    const double D = s->y[j] - s->y0[j], c = h * f0[j] - D;
    double high = d->dense[last * d->n + j];
    for (int i = last - 1; i >= 0; --i)
      high = d->dense[i * d->n + j] + (i % 2 == 0 ? x : z) * high;
    y[j] = s->y0[j] + x * (D + z * (c + x * (D - h * f1[j] - c + z * (h * high))));
  }
  return APL_OK;
}
