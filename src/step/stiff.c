/* SPDX-License-Identifier: Apache-2.0 */
/* stiff.c: backward differentiation formulas of orders 1 to 5 with variable steps, for systems with
   a cheap Newton matrix (apl_implicit). Theory: docs/theory/stiff.md; reasons for an own
   implementation: docs/decisions/070-stiff-steps.md.

   Past points are kept unchanged, and the formula uses their true distances, so the step length may
   change at any time and going back is free. Components outside of the error norm (ledgers, angles,
   impulses) do not act on the others: once a step is solved, they are integrals of the polynomial
   through their rates, which are stored with the points. */
#include "step/stiff.h"

#include "base/error.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ITERATIONS = 6 };

/* Newton's iteration ends when the remaining error is below this fraction of the step's
   tolerance. */
static const double newton_share = 0.05;

/* Errors of long implicit steps add up with one sign, and the mean over many components hides
   single ones. So steps use this fraction of the tolerance; then energy is conserved to about ten
   tolerances. */
static const double error_share = 0.2;

/* A past point is y[n], then the rates of the components outside of the error norm. */
static int point_size(const apl_stepper* s) {
  return 2 * s->options.n - s->options.n_error;
}

static apl_status stiff_open(apl_stepper* s, apl_error* err) {
  const size_t n = (size_t)s->options.n;
  stiff_data* d = calloc(1, sizeof *d);

  s->data = d;
  if (s->options.implicit == NULL) {
    return apl_fail(err, APL_ERR_ARGUMENT,
                    "the integrator 'stiff' is for robots only, not for a general y' = f(t, y)");
  }
  const apl_status st = s->options.implicit->open(s->context, err);
  if (st != APL_OK) return st;
  if (d != NULL) d->predict = calloc(6 * n, sizeof *d->predict);
  if (d == NULL || d->predict == NULL || apl_history_open(&d->past, point_size(s)) != APL_OK) {
    return apl_fail(err, APL_ERR_MEMORY, "out of memory for the integrator");
  }
  d->psi = d->predict + n;
  d->y = d->psi + n;
  d->room = d->y + n;
  d->f = d->room + 2 * n;
  return APL_OK;
}

static void stiff_close(apl_stepper* s) {
  stiff_data* d = s->data;

  if (d == NULL) return;
  apl_history_close(&d->past);
  free(d->predict);
  free(d);
}

static apl_status stiff_restart(apl_stepper* s) {
  stiff_data* d = s->data;

  d->past.count = d->inside = d->wait = 0;
  d->h = s->options.step;
  d->order = 1;
  d->climb = false;
  d->rate = 1.0;
  d->ringing = 0;
  d->quiet = false;
  memset(d->mean, 0, sizeof d->mean);
  d->settled = -DBL_MAX;
  return APL_OK;
}

/* ---------------------------------------------------------------------------------- norms ---- */

/* sqrt of the mean of ((a - b) / (tolerance |y| + absolute))^2 over the error norm, divided by
   error_share. Velocities have an absolute tolerance of their own. */
static double distance(const apl_stepper* s, const double* a, const double* b, const double* y) {
  const apl_stepper_options* o = &s->options;
  const int n = o->n_error;
  double sum = 0.0;

  for (int i = 0; i < n; ++i) {
    const bool rate = i >= o->n_first && i < o->n_first + o->n_second;
    const double absolute = rate ? o->absolute_rate : o->absolute;
    const double x = (a[i] - b[i]) / (o->tolerance * fabs(y[i]) + absolute);
    sum += x * x;
  }
  return sqrt(sum / (n > 0 ? n : 1)) / error_share;
}

/* Error of a step to d->y at time t with order k, relative to the tolerance: with P the polynomial
   through the k + 1 past points,
     error = c / (t - t_k) (y - P(t)) */
static double error_of(const apl_stepper* s, int k, double t) {
  const stiff_data* d = s->data;

  apl_history_at(&d->past, k + 1, t, s->options.n_error, d->room);
  return apl_history_span(&d->past, k, t) / (t - d->past.t[k]) * distance(s, d->y, d->room, s->y0);
}

/* ---------------------------------------------------------------------------------- start ---- */

/* Store a point with the rates in d->f. */
static void push(apl_stepper* s, double t, const double* y) {
  stiff_data* d = s->data;
  const size_t n = (size_t)s->options.n, counted = (size_t)s->options.n_error;

  memmove(d->room, y, n * sizeof *y);
  memcpy(d->room + n, d->f + counted, (n - counted) * sizeof *y);
  apl_history_push(&d->past, t, d->room);
}

/* Initial step from the norms of y, y' and y'', as the error h^2 y''/2 of order one allows; and an
   artificial point before the start, which defines y'. */
static apl_status begin(apl_stepper* s, double most) {
  stiff_data* d = s->data;
  const int n = s->options.n;
  const double* origin = s->y; /* distances are measured from y, then from y + f ... */
  apl_status st = apl_stepper_rate(s, s->t, s->y, d->f);
  if (st != APL_OK) return st;

  memcpy(d->y, s->y, sizeof *d->y * (size_t)n);
  if (!(d->h > 0.0)) {
    for (int i = 0; i < n; ++i)
      d->room[i] = origin[i] + d->f[i];
    const double speed = distance(s, d->room, origin, origin);
    double h = speed > 1e-10 ? fmin(0.01 / speed / s->options.tolerance, most) : 1e-6;
    h = fmin(fmax(h, 1e-10), most);
    for (int i = 0; i < n; ++i)
      d->room[i] = origin[i] + h * d->f[i];
    st = apl_stepper_rate(s, s->t + h, d->room, d->psi);
    if (st != APL_OK && !apl_stepper_may_retry(st)) return st;
    for (int i = 0; i < n && st == APL_OK; ++i)
      d->room[i] = origin[i] + (d->psi[i] - d->f[i]) / h;
    const double bend = st == APL_OK ? distance(s, d->room, origin, origin) : HUGE_VAL;
    d->h = fmin(bend > 0.0 ? fmin(0.5 / sqrt(bend), 100.0 * h) : 100.0 * h, most);
    if (!(d->h > 0.0)) d->h = 1e-3 * h;
  }
  for (int i = 0; i < n; ++i)
    d->room[i] = origin[i] - d->h * d->f[i];
  d->past.count = 0;
  push(s, s->t - d->h, d->room);
  push(s, s->t, s->y);
  d->from = s->t;
  d->order = 1;
  d->wait = 2;
  return APL_OK;
}

/* ---------------------------------------------------------------------------------- a step ---- */

/* Solve y = psi + c f(t, y) by Newton's method. APL_ERR_INTEGRATOR: no convergence. */
static apl_status solve(apl_stepper* s, double t, double c) {
  stiff_data* d = s->data;
  const apl_implicit* system = s->options.implicit;
  const size_t bytes = sizeof *d->y * (size_t)s->options.n_error;
  double before = 0.0, rate = d->rate;

  memcpy(d->y, d->predict, sizeof *d->y * (size_t)s->options.n);
  apl_status st = system->begin(t, c, d->psi, d->y, s->context);
  for (int k = 0; k < MOST_ITERATIONS && st == APL_OK; ++k) {
    memcpy(d->room, d->y, bytes);
    st = apl_stepper_evaluated(s, t, system->iterate(t, c, d->psi, d->y, s->context));
    if (st != APL_OK) break;
    const double moved = distance(s, d->y, d->room, s->y0);
    if (!isfinite(moved)) return APL_ERR_NOT_FINITE;
    if (k > 0) rate = fmax(0.3 * rate, before > 0.0 ? moved / before : 0.0);
    if (k > 0 && moved > 2.0 * before) return APL_ERR_INTEGRATOR;
    if (moved * fmin(1.0, rate / fmax(1.0 - rate, 0.1)) <= newton_share) {
      d->rate = rate;
      return APL_OK;
    }
    before = moved;
  }
  if (st != APL_OK) s->cause = st;
  return st == APL_OK ? APL_ERR_INTEGRATOR : st;
}

/* Components outside of the error norm: w += integral of w', from points of the solution. */
static apl_status complete(apl_stepper* s, double t, double c) {
  stiff_data* d = s->data;
  const apl_status st = apl_stepper_evaluated(
      s, t, s->options.implicit->finish(t, c, d->psi, d->y, d->f, s->context));

  const int n = s->options.n, first = s->options.n_error;
  double w[HISTORY_ROOM + 1];
  int points = 0;

  while (points <= d->order && points < d->past.count && d->past.t[points] >= d->from)
    ++points;
  apl_history_integral(&d->past, points, t, w);
  for (int i = first; i < n && st == APL_OK; ++i) {
    d->y[i] = d->past.y[0][i] + w[0] * d->f[i];
    for (int k = 0; k < points; ++k)
      d->y[i] += w[k + 1] * d->past.y[k][n + i - first];
  }
  return st;
}

/* Factor by which a step of order k may grow, from its error. */
static double growth(double error, int k) {
  return 0.8 * pow(fmax(error, 1e-12), -1.0 / (k + 1));
}

/* (h^(k+1) y^(k+1))^2 for equal steps: squared distance of d->y from the extrapolation of the k + 1
   newest points. */
static double term_of(const apl_stepper* s, int k, double t) {
  const stiff_data* d = s->data;

  apl_history_at(&d->past, k + 1, t, s->options.n_error, d->room);
  const double x = distance(s, d->y, d->room, s->y0);
  return x * x;
}

/* Formulas of order 3 and more are unstable near the imaginary axis: a remaining oscillation does
   not decay, and the error test keeps steps at z = h |lambda| of 0.4 to 1 for ever. For an
   oscillation each term is on average |2 sin(z/2)| times the one before. If the higher terms have
   decreased that little in RINGING more steps than not, orders 1 and 2, which are stable, are used
   to damp it, until the terms decrease like those of a smooth motion. */
enum { QUIET_ORDER = 2, RINGING = 1000 };
static const double RING = 0.4 * 0.4, SMOOTH = 0.05 * 0.05, FADE = 0.9;

static void listen(apl_stepper* s, double t) {
  stiff_data* d = s->data;
  const int first = d->quiet ? 1 : 3, count = d->quiet ? 2 : 3;
  double* m = d->mean;

  if (d->past.count < first + count || s->t0 < d->settled || (!d->quiet && d->order < 3)) return;
  for (int i = 0; i < count; ++i)
    m[i] = FADE * m[i] + term_of(s, first + i, t);
  if (d->quiet) {
    if (m[1] > SMOOTH * m[0]) return;
  } else {
    const bool rings = m[2] > RING * m[1] && m[1] > RING * m[0];
    d->ringing = rings ? d->ringing + 1 : d->ringing > 0 ? d->ringing - 1 : 0;
    if (d->ringing < RINGING) return;
  }
  d->quiet = !d->quiet;
  d->ringing = 0;
  memset(m, 0, sizeof d->mean);
}

/* After failures at a low order: raise the order by one per step, at constant step length. Steps of
   orders 1 and 2 that grow have errors which their estimate at equal steps does not show, so they
   would fail again and again. False: it is high enough. */
enum { CLIMB_ORDER = 3 };

static bool climb(stiff_data* d, int most, double h) {
  d->climb = d->climb && d->order < CLIMB_ORDER && d->order < most;
  if (!d->climb) return false;
  if (d->past.count > d->order + 1) d->order += 1;
  d->wait = d->order + 1;
  d->h = h;
  return true;
}

/* Order and length of the next step. */
static void choose(apl_stepper* s, double t, double error, double h) {
  stiff_data* d = s->data;
  const int k = d->order;
  const double cap = k == 1 ? 10.0 : 2.0;
  double best = growth(error, k);
  int order = k;

  listen(s, t);
  const int most = d->quiet ? QUIET_ORDER : STIFF_ORDER;
  d->wait -= 1;
  if (most < k) {
    d->order = most;
    d->wait = most + 1;
    d->h = h * fmin(1.0, growth(error_of(s, most, t), most));
    return;
  }
  if (climb(d, most, h)) return;
  if (d->wait > 0) {
    d->h = h;
    return;
  }
  if (k > 1) {
    const double lower = growth(error_of(s, k - 1, t), k - 1);
    if (lower > 1.05 * best) best = lower, order = k - 1;
  }
  if (k < most && d->past.count > k + 1) {
    const double higher = growth(error_of(s, k + 1, t), k + 1);
    if (higher > 1.05 * best) best = higher, order = k + 1;
  }
  if (best < 1.1 && order == k) { /* a small gain is not worth a change */
    d->h = best < 0.9 ? best * h : h;
    return;
  }
  d->h = h * fmin(best, cap);
  d->order = order;
  d->wait = order + 1;
}

static apl_status too_small(apl_stepper* s) {
  if (s->cause != APL_OK && s->cause != APL_ERR_INTEGRATOR) return s->cause;
  snprintf(s->reason, sizeof s->reason,
           "the tolerance cannot be met even with the smallest possible step");
  return APL_ERR_INTEGRATOR;
}

/* Length of the next step: to t_end if that is near, or half of the way if it is not much farther,
   so that no tiny step remains. */
static double step_length(apl_stepper* s, double t_end, bool* last) {
  const stiff_data* d = s->data;
  const double left = t_end - s->t0;
  const double h = s->options.max_step > 0.0 ? fmin(d->h, s->options.max_step) : d->h;

  s->shaped = s->shaped || left < 2.0 * h;
  *last = left <= 1.01 * h;
  return *last ? left : left < 2.0 * h ? 0.5 * left : h;
}

static void accept(apl_stepper* s, double t) {
  stiff_data* d = s->data;

  push(s, t, d->y);
  memcpy(s->y, d->y, sizeof *s->y * (size_t)s->options.n);
  s->t = t;
}

/* The step of length h to t has failed: `error` is its error, or Newton's iteration did not
   converge (st). From the third failure on, the order falls, but only where the error of the lower
   order is known to allow a longer step. */
static void shorten(apl_stepper* s, apl_status st, double t, double h, double error, int failures) {
  stiff_data* d = s->data;
  double best = growth(error, d->order);

  while (failures >= 2 && st == APL_OK && d->order > 1) {
    const double lower = growth(error_of(s, d->order - 1, t), d->order - 1);
    if (!(lower > best)) break;
    best = lower;
    d->order -= 1;
  }
  if (failures >= 2) d->climb = true;
  d->rate = fmax(d->rate, 0.5);
  d->h = h * (st == APL_OK ? fmin(fmax(best, 0.2), 0.9) : 0.25);
  d->wait = d->order + 1;
}

static apl_status stiff_step(apl_stepper* s, double t_end) {
  stiff_data* d = s->data;
  apl_status st = d->past.count < 2 ? begin(s, APL_FIRST_SPAN) : APL_OK;
  if (st != APL_OK) return st;

  for (int failures = 0;; ++failures) {
    bool last;
    const double h = step_length(s, t_end, &last), t = last ? t_end : s->t0 + h;
    double error = HUGE_VAL;
    if (h <= 16.0 * DBL_EPSILON * fabs(s->t0) || h < DBL_MIN) return too_small(s);

    apl_history_at(&d->past, d->order + 1, t, s->options.n, d->predict);
    const double c = apl_history_formula(&d->past, d->order, t, s->options.n_error, d->psi);
    st = solve(s, t, c);
    if (st == APL_OK) error = error_of(s, d->order, t);
    if (st == APL_OK && error <= 1.0) st = complete(s, t, c);
    if (st != APL_OK && st != APL_ERR_INTEGRATOR && !apl_stepper_may_retry(st)) return st;
    if (st == APL_OK && error <= 1.0) {
      d->inside = d->order + 1;
      /* a step shortened by t_end gives little information about the next one */
      const double wanted = d->h;
      choose(s, t, error, h);
      if (h < 0.99 * wanted) d->h = fmax(d->h, fmin(wanted, 2.0 * h));
      accept(s, t);
      return APL_OK;
    }
    shorten(s, st, t, h, error, failures);
  }
}

static apl_status stiff_inside(apl_stepper* s, double t, double* y) {
  const stiff_data* d = s->data;

  apl_history_at(&d->past, d->inside, t, s->options.n, y);
  return APL_OK;
}

/* The newest point has changed by less than the error of a step (projection): it is replaced, and
   the points before it stay where they are. */
static apl_status stiff_adjust(apl_stepper* s) {
  stiff_data* d = s->data;

  if (d->past.count > 0) memcpy(d->past.y[0], s->y, sizeof *s->y * (size_t)s->options.n);
  return APL_OK;
}

/* Drop points later than s->t; the earlier ones remain valid. */
static apl_status stiff_rewind(apl_stepper* s) {
  stiff_data* d = s->data;

  if (d->past.count > 0) d->settled = fmax(d->settled, d->past.t[0]);
  apl_history_drop(&d->past, s->t);
  if (d->past.count < 2 || d->past.t[0] != s->t) return stiff_restart(s);
  if (d->order > d->past.count - 1) d->order = d->past.count - 1;
  d->wait = d->order + 1;
  return APL_OK;
}

/* Drift is corrected in the norm of M + c C + c^2 K with this c [s]. In the mass norm the gaps
   would be closed by shapes that have nearly no mass, and elasticity would answer with fast
   vibrations. Any c from 1 ms to 1 s gives about the same number of steps. */
static double stiff_norm(const apl_stepper* s) {
  (void)s;
  return 0.01;
}

const stepper_ops apl_stepper_stiff = {
    .open = stiff_open,
    .close = stiff_close,
    .restart = stiff_restart,
    .step = stiff_step,
    .inside = stiff_inside,
    .read = stiff_inside,
    .adjust = stiff_adjust,
    .rewind = stiff_rewind,
    .memory_size = apl_stiff_memory_size,
    .memory = apl_stiff_memory,
    .norm = stiff_norm,
};
