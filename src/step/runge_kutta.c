/* SPDX-License-Identifier: Apache-2.0 */
/* runge_kutta.c: the driver of all explicit Runge-Kutta pairs, with the step control of Hairer,
   Norsett and Wanner (Solving Ordinary Differential Equations I, II.4). It replaces a library
   because systems here are small: vector operations of a library cost as much as the mechanics
   (docs/decisions/074-explicit-pairs-of-our-own.md). */
#include "step/runge_kutta.h"

#include "base/error.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const rk_pair* pair_of(int table) {
  return table == TABLE_RKF45   ? &apl_rk_fehlberg45
         : table == TABLE_RKF78 ? &apl_rk_fehlberg78
                                : &apl_rk_dop853;
}

static apl_status rk_open(apl_stepper* s, apl_error* err) {
  const rk_pair* pair = pair_of(s->table);
  const size_t n = ((size_t)s->options.n + RK_BLOCK - 1) / RK_BLOCK * RK_BLOCK;
  const size_t rates = (size_t)(pair->stages + 1 + pair->extra);
  rk_data* d = calloc(1, sizeof *d);

  s->data = d;
  if (d != NULL) d->k = calloc((rates + 5 + (size_t)pair->beyond) * n, sizeof *d->k);
  if (d == NULL || d->k == NULL) {
    return apl_fail(err, APL_ERR_MEMORY, "out of memory for the integrator");
  }
  d->pair = pair;
  d->n = (int)n;
  d->end = d->k + (size_t)pair->stages * n;
  d->x = d->k + rates * n;
  d->s = d->x + n;
  d->e = d->s + n;
  d->w = d->e + n;
  d->late = d->w + n;
  d->dense = d->late + n;
  for (const rk_term* x = pair->solution; x->k != RK_END; ++x)
    d->counts[x->k] = true;
  return APL_OK;
}

static void rk_close(apl_stepper* s) {
  rk_data* d = s->data;

  if (d != NULL) free(d->k);
  free(d);
}

static apl_status rk_restart(apl_stepper* s) {
  rk_data* d = s->data;

  d->h = s->options.step;
  d->guessed = true;
  d->fresh = d->known = false;
  d->from = (double)NAN;
  return APL_OK;
}

/* ------------------------------------------------------------------------------------- sums ----
 */

static inline void sum_block(const double* k, int n, const rk_term* list, double* sum) {
  for (int i = 0; i < RK_BLOCK; ++i)
    sum[i] = 0.0;
  for (const rk_term* x = list; x->k != RK_END; ++x) {
    for (int i = 0; i < RK_BLOCK; ++i)
      sum[i] += x->a * k[x->k * n + i];
  }
}

void apl_rk_sum(const apl_stepper* s, const rk_term* list, int count, double* out) {
  const rk_data* d = s->data;

  for (int j = 0; j < count; j += RK_BLOCK) {
    double sum[RK_BLOCK];
    sum_block(d->k + j, d->n, list, sum);
    memcpy(out + j, sum, sizeof sum);
  }
}

/* Stage values y0 + h sum. Rates do not depend on the components outside of the error norm, so
   these are skipped. */
void apl_rk_stage(const apl_stepper* s, const rk_term* list, double h) {
  const rk_data* d = s->data;

  for (int j = 0; j < s->options.n_error; j += RK_BLOCK) {
    double sum[RK_BLOCK];
    sum_block(d->k + j, d->n, list, sum);
    for (int i = 0; i < RK_BLOCK; ++i)
      d->x[j + i] = s->y0[j + i] + h * sum[i];
  }
}

/* ------------------------------------------------------------------------------------ steps ----
 */

static inline double larger(double a, double b) {
  return b > a ? b : a;
}

static double weight(const apl_stepper* s, double y) {
  return s->options.tolerance * fabs(y) + s->options.absolute;
}

/* Initial step from the norms of y, y' and y'': an Euler step would change y by at most 1 %, and
   the error of the pair would be within the tolerance. */
static apl_status first_step(apl_stepper* s, double* out) {
  rk_data* d = s->data;
  const int n = s->options.n, ne = s->options.n_error;
  const double most = s->options.max_step > 0.0 ? s->options.max_step : APL_FIRST_SPAN;
  double y = 0.0, f = 0.0, df = 0.0;

  for (int j = 0; j < ne; ++j) {
    const double w = weight(s, s->y0[j]);
    y += s->y0[j] / w * (s->y0[j] / w);
    f += d->k[j] / w * (d->k[j] / w);
  }
  double h = y > 1e-10 && f > 1e-10 ? 0.01 * sqrt(y / f) : 1e-6;
  h = fmin(h, most);
  for (int j = 0; j < n; ++j)
    d->x[j] = s->y0[j] + h * d->k[j];
  const apl_status st = apl_stepper_rate(s, s->t0 + h, d->x, d->k + d->n);
  if (st != APL_OK) {
    *out = 1e-3 * h;
    return apl_stepper_may_retry(st) ? APL_OK : st;
  }
  for (int j = 0; j < ne; ++j) {
    const double w = weight(s, s->y0[j]), x = (d->k[d->n + j] - d->k[j]) / w;
    df += x * x;
  }
  const double largest = fmax(sqrt(df) / h, sqrt(f)) / sqrt(ne > 0 ? ne : 1);
  const double fine =
      largest <= 1e-15 ? fmax(1e-6, 1e-3 * h) : pow(0.01 / largest, 1.0 / d->pair->order);
  *out = fmin(fmin(100.0 * h, fine), most);
  return APL_OK;
}

/* One error estimate of a step h relative to the tolerance, as the mean over the n components of
   the error norm; d->w has the inverse tolerances. */
static double error_by(const apl_stepper* s, const rk_estimate* by, double h) {
  const rk_data* d = s->data;
  const int ne = s->options.n_error;
  double e2 = 0.0, c2 = 0.0;

  apl_rk_sum(s, by->fine, ne, d->e);
  for (int j = 0; j < ne; ++j) {
    const double e = d->e[j] * d->w[j];
    e2 += e * e;
  }
  if (!(e2 > 0.0)) return e2;
  if (by->coarse == NULL) return h * sqrt(e2 / ne);
  apl_rk_sum(s, by->coarse, ne, d->e);
  for (int j = 0; j < ne; ++j) {
    const double c = (d->e[j] + d->s[j]) * d->w[j];
    c2 += c * c;
  }
  return h * e2 / sqrt((e2 + 0.01 * c2) * ne);
}

static double error_of(const apl_stepper* s, double h) {
  const rk_data* d = s->data;
  double most = 0.0;

  for (int j = 0; j < s->options.n_error; ++j)
    d->w[j] = 1.0 / weight(s, larger(fabs(s->y0[j]), fabs(s->y[j])));
  for (int i = 0; i < d->pair->estimates; ++i) {
    const double error = error_by(s, &d->pair->estimate[i], h);
    if (!(error <= most)) most = error; /* NaN counts as the largest */
  }
  return most;
}

/* Try a step h: computes the new y and its error relative to the tolerance. */
static apl_status attempt(apl_stepper* s, double h, double* error) {
  rk_data* d = s->data;
  const rk_stage* stage = d->pair->stage;
  const int n = s->options.n;

  for (int i = 1; i < d->pair->stages; ++i) {
    apl_rk_stage(s, stage[i].sum, h);
    const double t = s->t0 + stage[i].at * h;
    double* k = d->k + i * d->n;
    const apl_status st =
        d->counts[i] ? apl_stepper_rate(s, t, d->x, k) : apl_stepper_motion(s, t, d->x, k);
    if (st != APL_OK) return st;
  }
  if (d->pair->stable > 0.0) memcpy(d->late, d->x, sizeof *d->x * (size_t)s->options.n_error);
  apl_rk_sum(s, d->pair->solution, n, d->s);
  for (int j = 0; j < n; ++j)
    s->y[j] = s->y0[j] + h * d->s[j];
  *error = error_of(s, h);
  return isfinite(*error) ? APL_OK : APL_ERR_NOT_FINITE;
}

/* |change of rates| over |change of y| between the last stage and the end, for components first ..
   last - 1. */
static double change_of(const apl_stepper* s, int first, int last) {
  const rk_data* d = s->data;
  const double *before = d->end - d->n, *after = d->end;
  double rate = 0.0, way = 0.0;

  for (int j = first; j < last; ++j) {
    const double f = after[j] - before[j], y = s->y[j] - d->late[j];
    rate += f * f;
    way += y * y;
  }
  return way > 0.0 ? sqrt(rate / way) : 0.0;
}

/* If the last stage is at the end of the step, the change of the rates over the change of y is
   about |lambda| (Hairer and Wanner, second volume, IV.2). For an oscillation x' = v, v' = -w^2 x
   this ratio varies between 1 and w^2 with the phase; the product of the ratios of coordinates and
   velocities is always w^2. */
static double rk_limited(const apl_stepper* s) {
  const double stable = ((const rk_data*)s->data)->pair->stable, h = s->t - s->t0;
  const int ne = s->options.n_error, first = s->options.n_first;
  if (!(stable > 0.0)) return 0.0;

  const double fast = change_of(s, first, ne);
  return h / stable * (first > 0 && first < ne ? sqrt(change_of(s, 0, first) * fast) : fast);
}

static apl_status too_small(apl_stepper* s) {
  if (s->cause != APL_OK) return s->cause;
  snprintf(s->reason, sizeof s->reason,
           "the tolerance cannot be met even with the smallest possible step");
  return APL_ERR_INTEGRATOR;
}

/* Make sure that the rate at the start and a step length are known. */
static apl_status begin(apl_stepper* s) {
  rk_data* d = s->data;
  apl_status st = APL_OK;

  if (d->fresh) memcpy(d->k, d->end, sizeof *d->k * (size_t)s->options.n);
  if (!d->fresh) st = apl_stepper_rate(s, s->t0, s->y0, d->k);
  d->fresh = d->known = false;
  d->from = s->t0;
  return st == APL_OK && !(d->h > 0.0) ? first_step(s, &d->h) : st;
}

/* The book has 0.9; with 0.8 fewer steps are rejected and fewer evaluations are needed in all
   (measured). */
static const double SAFETY = 0.8;

static apl_status rk_step(apl_stepper* s, double t_end) {
  rk_data* d = s->data;
  const double left = t_end - s->t0;
  const double most = s->options.max_step > 0.0 ? fmin(left, s->options.max_step) : left;
  apl_status st = begin(s);
  bool rejected = false;

  if (st != APL_OK) return st;
  for (;;) {
    /* a step that would leave a tiny remainder goes to t_end */
    const bool last = d->h * 1.01 >= left && left <= most;
    const double h = last ? left : fmin(d->h, most);
    double error = HUGE_VAL;

    s->shaped = s->shaped || last;
    if (h <= 16.0 * DBL_EPSILON * fabs(s->t0) || h < DBL_MIN) return too_small(s);
    st = attempt(s, h, &error);
    const bool accepted = st == APL_OK && error <= 1.0;
    /* use t_end itself, without round-off */
    if (accepted) st = apl_stepper_landed(s, last ? t_end : s->t0 + h, s->y, d->end);
    if (st != APL_OK && !apl_stepper_may_retry(st)) return st;
    if (st != APL_OK) {
      d->h = 0.25 * h;
      rejected = true;
      continue;
    }
    const double factor = SAFETY * pow(fmax(error, 1e-16), -1.0 / d->pair->order);
    const double grown = h * fmin(fmax(factor, 1.0 / 3.0), rejected ? 1.0 : 6.0);
    if (accepted) {
      /* a step shortened by t_end gives little information about the next one, but more than the
         initial guess */
      d->h = last && !d->guessed ? fmax(d->h, grown) : grown;
      d->guessed = false;
      s->t = last ? t_end : s->t0 + h;
      d->fresh = true;
      return APL_OK;
    }
    d->h = grown;
    rejected = true;
  }
}

/* ------------------------------------------------------------------------------ going on anew ---
 */

/* The rate at y must be evaluated again; the step length is kept. */
static apl_status rk_adjust(apl_stepper* s) {
  ((rk_data*)s->data)->fresh = false;
  return APL_OK;
}

/* Back to the start of the last step: its rates there are known, and the step length remains a good
   guess. */
static apl_status rk_rewind(apl_stepper* s) {
  rk_data* d = s->data;

  if (d->from != s->t) return rk_restart(s);
  memcpy(d->end, d->k, sizeof *d->k * (size_t)s->options.n);
  d->fresh = true;
  d->known = false;
  return APL_OK;
}

/* Memory: the next step length, and the rate at (t, y) if known. */
enum { RK_MEMORY = 2 };

static int rk_memory_size(int n) {
  return RK_MEMORY + n;
}

static apl_status rk_memory(apl_stepper* s, apl_store* m) {
  rk_data* d = s->data;

  apl_store_number(m, &d->h, "the next step");
  apl_store_flag(m, &d->fresh, "whether the rate is known");
  if (d->fresh) apl_store_numbers(m, d->end, s->options.n, "a rate");
  if (!d->fresh) apl_store_skip(m, s->options.n);
  if (m->out == NULL) d->guessed = s->since == 0;
  return apl_store_status(m);
}

#define RK_OPS                                                                                     \
  .open = rk_open, .close = rk_close, .restart = rk_restart, .step = rk_step,                      \
  .inside = apl_rk_inside, .adjust = rk_adjust, .jolt = rk_adjust, .rewind = rk_rewind,            \
  .memory_size = rk_memory_size, .memory = rk_memory, .limited = rk_limited

const stepper_ops apl_stepper_pair = {RK_OPS, .read = apl_rk_read};
const stepper_ops apl_stepper_pair_landing = {RK_OPS};
