/* stiff.c: backward differentiation formulas of orders 1 to 5 with variable steps, for systems
   whose Newton matrix is cheap (apl_implicit). Theory: docs/theory/stiff.md; why our own:
   docs/decisions/070-stiff-steps.md.

   Points of the past are kept as they are, and the formula is that of their true distances, so that
   steps may change at any time and going back is free. What the error norm does not count (ledgers,
   angles, impulses) does not act on the rest: once a step is solved it is the integral of the
   polynomial through its rates, which points of the past hold too. */
#include "step/history.h"
#include "step/stepper.h"

#include "base/error.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ORDER = 5, MOST_ITERATIONS = 6 };

/* Newton's iteration ends where what is left is this part of what the step may err. */
static const double newton_share = 0.05;

/* Errors of long implicit steps add up with one sign, and the mean over many numbers hides a few:
   steps are held to this part of the tolerance, so that energy is kept to about ten of them. */
static const double error_share = 0.2;

typedef struct stiff_data {
  history past;    /* the newest point is where the stepper is                                    */
  int order;       /* of the next step                                                            */
  int wait;        /* steps until order and step may grow                                         */
  double h;        /* the next step, 0 when none is known                                         */
  double rate;     /* of convergence of the last steps                                            */
  int ringing;     /* so many steps in a row have rung (listen) ...                               */
  bool quiet;      /* ... so many that no order above QUIET_ORDER is taken for now                */
  double mean[3];  /* of the squares of terms in the last steps                                   */
  double settled;  /* steps before this time are taken again: nobody listens                      */
  int inside;      /* points through which the last step is read                                  */
  double from;     /* where the motion began: points before are made up                           */
  double* predict; /* [n] what the past says of the end of the step ...                           */
  double* psi;     /* [n] ... y = psi + c y' there ...                                            */
  double* y;       /* [n] ... what is tried                                                       */
  double* room;    /* [2 n] one point                                                             */
  double* f;       /* [n] rates where the step ends                                               */
} stiff_data;

/* A point of the past is y[n], then the rates of what does not count. */
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
  d->rate = 1.0;
  d->ringing = 0;
  d->quiet = false;
  memset(d->mean, 0, sizeof d->mean);
  d->settled = -DBL_MAX;
  return APL_OK;
}

/* ---------------------------------------------------------------------------------- norms ---- */

/* sqrt of the mean of ((a - b) / (tolerance |y| + absolute))^2 over what counts, in shares */
static double distance(const apl_stepper* s, const double* a, const double* b, const double* y) {
  const int n = s->options.n_error;
  double sum = 0.0;

  for (int i = 0; i < n; ++i) {
    const double x = (a[i] - b[i]) / (s->options.tolerance * fabs(y[i]) + s->options.absolute);
    sum += x * x;
  }
  return sqrt(sum / (n > 0 ? n : 1)) / error_share;
}

/* Error of a step to d->y at time t by the formula of order k, relative to what is allowed: with P
   the polynomial through the k + 1 points of the past,
     error = c / (t - t_k) (y - P(t)) */
static double error_of(const apl_stepper* s, int k, double t) {
  const stiff_data* d = s->data;

  apl_history_at(&d->past, k + 1, t, s->options.n_error, d->room);
  return apl_history_span(&d->past, k, t) / (t - d->past.t[k]) * distance(s, d->y, d->room, s->y0);
}

/* ---------------------------------------------------------------------------------- start ---- */

/* A point with the rates in d->f. */
static void push(apl_stepper* s, double t, const double* y) {
  stiff_data* d = s->data;
  const size_t n = (size_t)s->options.n, counted = (size_t)s->options.n_error;

  memmove(d->room, y, n * sizeof *y);
  memcpy(d->room + n, d->f + counted, (n - counted) * sizeof *y);
  apl_history_push(&d->past, t, d->room);
}

/* A first step from the sizes of y, y' and y'', as its error at order one, h^2 y''/2, allows; and a
   point before the start that says y' there. */
static apl_status begin(apl_stepper* s, double most) {
  stiff_data* d = s->data;
  const int n = s->options.n;
  const double* origin = s->y; /* distances from y itself, from y + f ... */
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

/* Solve y = psi + c f(t, y). APL_ERR_INTEGRATOR: it did not converge. */
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

/* What does not count in the norm follows: w += integral of w', by points of the motion itself. */
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

/* How much longer a step of order k may be, from its error. */
static double growth(double error, int k) {
  return 0.8 * pow(fmax(error, 1e-12), -1.0 / (k + 1));
}

/* (h^(k+1) y^(k+1))^2, for equal steps: how far d->y is from what the k + 1 newest points say. */
static double term_of(const apl_stepper* s, int k, double t) {
  const stiff_data* d = s->data;

  apl_history_at(&d->past, k + 1, t, s->options.n_error, d->room);
  const double x = distance(s, d->y, d->room, s->y0);
  return x * x;
}

/* Formulas of order 3 and more are unstable near the imaginary axis: what is left of an oscillation
   does not die away, and the error test holds steps at z = h |lambda| of 0.4 to 1 for ever. In the
   mean over its swings each term of an oscillation is |2 sin(z/2)| of the one before. Where the
   higher ones have fallen by that little in RINGING more steps than not, orders 1 and 2, which are
   stable, let it die away, until terms fall as those of a motion that is worth being followed. */
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

/* After a step: the order and length of the next one. */
static void choose(apl_stepper* s, double t, double error, double h) {
  stiff_data* d = s->data;
  const int k = d->order;
  double best = growth(error, k);
  int order = k;

  listen(s, t);
  const int most = d->quiet ? QUIET_ORDER : MOST_ORDER;
  d->wait -= 1;
  if (most < k) {
    d->order = most;
    d->wait = most + 1;
    d->h = h * fmin(1.0, growth(error_of(s, most, t), most));
    return;
  }
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
  if (best < 1.1 && order == k) { /* not worth it */
    d->h = best < 0.9 ? best * h : h;
    return;
  }
  d->h = h * fmin(best, k == 1 ? 10.0 : 2.0);
  d->order = order;
  d->wait = order + 1;
}

static apl_status too_small(apl_stepper* s) {
  if (s->cause != APL_OK && s->cause != APL_ERR_INTEGRATOR) return s->cause;
  snprintf(s->reason, sizeof s->reason,
           "the tolerance cannot be met even with the smallest possible step");
  return APL_ERR_INTEGRATOR;
}

/* The next step: to t_end where that is near, or half the way where it is not much farther, so that
   no crumb is left. */
static double step_length(const apl_stepper* s, double t_end, bool* last) {
  const stiff_data* d = s->data;
  const double left = t_end - s->t0;
  const double h = s->options.max_step > 0.0 ? fmin(d->h, s->options.max_step) : d->h;

  *last = left <= 1.01 * h;
  return *last ? left : left < 2.0 * h ? 0.5 * left : h;
}

static void accept(apl_stepper* s, double t) {
  stiff_data* d = s->data;

  push(s, t, d->y);
  memcpy(s->y, d->y, sizeof *s->y * (size_t)s->options.n);
  s->t = t;
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
    if (failures > 2 && d->order > 1) d->order = 1;

    apl_history_at(&d->past, d->order + 1, t, s->options.n, d->predict);
    const double c = apl_history_formula(&d->past, d->order, t, s->options.n_error, d->psi);
    st = solve(s, t, c);
    if (st == APL_OK) error = error_of(s, d->order, t);
    if (st == APL_OK && error <= 1.0) st = complete(s, t, c);
    if (st != APL_OK && st != APL_ERR_INTEGRATOR && !apl_stepper_may_retry(st)) return st;
    if (st == APL_OK && error <= 1.0) {
      d->inside = d->order + 1;
      /* a step cut short says little about the next one */
      const double wanted = d->h;
      choose(s, t, error, h);
      if (h < 0.99 * wanted) d->h = fmax(d->h, fmin(wanted, 2.0 * h));
      accept(s, t);
      return APL_OK;
    }
    d->rate = fmax(d->rate, 0.5);
    d->h = h * (st == APL_OK ? fmin(fmax(growth(error, d->order), 0.2), 0.9) : 0.25);
    d->wait = d->order + 1;
  }
}

static apl_status stiff_inside(apl_stepper* s, double t, double* y) {
  const stiff_data* d = s->data;

  apl_history_at(&d->past, d->inside, t, s->options.n, y);
  return APL_OK;
}

/* The newest point is another one now. The others go with it: a way that has been shifted is as
   smooth as before, where one point that has moved would look like a corner. What does not count is
   its own integral, and stays. */
static apl_status stiff_adjust(apl_stepper* s) {
  stiff_data* d = s->data;
  const int n = s->options.n, counted = s->options.n_error;

  if (d->past.count == 0) return APL_OK;
  for (int j = 0; j < counted; ++j) {
    const double shift = s->y[j] - d->past.y[0][j];
    for (int i = 1; i < d->past.count && shift != 0.0; ++i)
      d->past.y[i][j] += shift;
  }
  memcpy(d->past.y[0], s->y, sizeof *s->y * (size_t)n);
  return APL_OK;
}

/* What is later than s->t is forgotten; the rest stays good. */
static apl_status stiff_rewind(apl_stepper* s) {
  stiff_data* d = s->data;

  if (d->past.count > 0) d->settled = fmax(d->settled, d->past.t[0]);
  apl_history_drop(&d->past, s->t);
  if (d->past.count < 2 || d->past.t[0] != s->t) return stiff_restart(s);
  if (d->order > d->past.count - 1) d->order = d->past.count - 1;
  d->wait = d->order + 1;
  return APL_OK;
}

/* Thirteen numbers, then the times of all points, then the points. */
enum { STIFF_MEMORY = 13 };

static int stiff_memory_size(int n) {
  return STIFF_MEMORY + HISTORY_ROOM * (1 + 2 * n);
}

static void stiff_remember(const apl_stepper* s, double* out) {
  const stiff_data* d = s->data;
  const size_t n = (size_t)d->past.n;
  double* point = out + STIFF_MEMORY + HISTORY_ROOM;

  memcpy(out,
         (double[STIFF_MEMORY]){d->order, d->wait, d->h, d->rate, d->inside, d->from, d->past.count,
                                d->ringing, d->quiet, d->mean[0], d->mean[1], d->mean[2],
                                d->settled},
         STIFF_MEMORY * sizeof *out);
  for (int i = 0; i < d->past.count; ++i, point += n) {
    out[STIFF_MEMORY + i] = d->past.t[i];
    memcpy(point, d->past.y[i], n * sizeof *point);
  }
}

/* A damaged place must not lead out of the history. */
static apl_status stiff_recall(apl_stepper* s, const double* in) {
  stiff_data* d = s->data;
  const size_t n = (size_t)d->past.n;
  const double* point = in + STIFF_MEMORY + HISTORY_ROOM;

  if (!(in[6] >= 0.0 && in[6] <= HISTORY_ROOM) || !(in[0] >= 1.0 && in[0] <= MOST_ORDER) ||
      !(in[4] >= 0.0 && in[4] <= in[6]) || !(fabs(in[1]) < 1e6) || !(fabs(in[7]) < 1e6) ||
      (in[6] >= 2.0 && in[0] + 1.0 > in[6])) {
    return APL_ERR_ARGUMENT;
  }
  d->order = (int)in[0];
  d->wait = (int)in[1];
  d->h = in[2];
  d->rate = in[3];
  d->inside = (int)in[4];
  d->from = in[5];
  d->past.count = (int)in[6];
  d->ringing = (int)in[7];
  d->quiet = in[8] > 0.5;
  memcpy(d->mean, in + 9, sizeof d->mean);
  d->settled = in[12];
  for (int i = 0; i < d->past.count; ++i, point += n) {
    d->past.t[i] = in[STIFF_MEMORY + i];
    memcpy(d->past.y[i], point, n * sizeof *point);
  }
  return APL_OK;
}

/* After a step of half the way to the end that is twice its length. */
static double stiff_next(const apl_stepper* s) {
  return ((const stiff_data*)s->data)->h;
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
    .memory_size = stiff_memory_size,
    .remember = stiff_remember,
    .recall = stiff_recall,
    .next = stiff_next,
};
