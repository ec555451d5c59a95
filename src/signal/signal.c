/* SPDX-License-Identifier: Apache-2.0 */
/* signal.c: constants, sines, curves through points, sums of them, and speeds along a path. Waves,
   products, travels and cycles are in wave.c. */
#include "signal/signal_impl.h"

#include "base/error.h"
#include "signal/expression.h"
#include "signal/signals.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Properties of each shape through points. */
static const struct {
  const char* word;
  signal_shape shape;
  int smoothness;
} through_points[] = {{"steps", STEPS, -1},
                      {"linear", LINEAR, 0},
                      {"blend", BLEND, 2},
                      {"spline", SPLINE, 2},
                      {"not-a-knot", SPLINE, 1}};
enum { NTHROUGH = sizeof through_points / sizeof *through_points };

apl_status apl_signal_fresh(signal_shape s, apl_signal** out, apl_error* err) {
  *out = calloc(1, sizeof **out);
  if (*out == NULL) return apl_fail(err, APL_ERR_MEMORY, "out of memory for a signal");
  (*out)->shape = s;
  return APL_OK;
}

apl_signal* apl_signal_share(apl_signal* s) {
  if (s != NULL) ++s->others;
  return s;
}

void apl_signal_free(apl_signal* s) {
  if (s == NULL || s->others-- > 0) return;
  for (int i = 0; s->part != NULL && i < s->n; ++i)
    apl_signal_free(s->part[i]);
  free(s->part);
  free(s->t);
  free(s->y);
  free(s->c);
  free(s->formula);
  free(s);
}

apl_status apl_signal_constant(double value, apl_signal** out, apl_error* err) {
  if (out == NULL) {
    return apl_fail(err, APL_ERR_ARGUMENT, "apl_signal_constant() needs a place for the signal");
  }
  *out = NULL;
  if (!isfinite(value)) return apl_fail(err, APL_ERR_MODEL, "a constant signal must be finite");

  const apl_status st = apl_signal_fresh(CONSTANT, out, err);
  if (st == APL_OK) (*out)->mean = value;
  return st;
}

apl_status apl_signal_sine(double mean, double amplitude, double frequency, double phase,
                           apl_signal** out, apl_error* err) {
  if (out == NULL) {
    return apl_fail(err, APL_ERR_ARGUMENT, "apl_signal_sine() needs a place for the signal");
  }
  *out = NULL;
  if (!isfinite(mean + amplitude + frequency + phase)) {
    return apl_fail(err, APL_ERR_MODEL, "mean, amplitude, frequency and phase must be finite");
  }
  const apl_status st = apl_signal_fresh(SINE, out, err);
  if (st != APL_OK) return st;
  (*out)->mean = mean;
  (*out)->amplitude = amplitude;
  (*out)->pulse = 6.283185307179586476925286766559 * frequency;
  (*out)->phase = phase;
  return APL_OK;
}

apl_status apl_signal_expression(const char* formula, apl_signal** out, apl_error* err) {
  if (out != NULL) *out = NULL;
  if (formula == NULL || out == NULL) {
    return apl_fail(err, APL_ERR_ARGUMENT,
                    "apl_signal_expression() needs a formula and a place for the signal");
  }
  apl_status st = apl_signal_fresh(FORMULA, out, err);

  if (st == APL_OK) st = apl_expression_read(formula, &(*out)->formula, err);
  if (st != APL_OK) {
    apl_signal_free(*out);
    *out = NULL;
  }
  return st;
}

/* Second derivatives c of the cubic spline, by tridiagonal (Thomas) elimination:
     h_{i-1} c_{i-1} + 2 (h_{i-1} + h_i) c_i + h_i c_{i+1} = 6 (slope_i - slope_{i-1})
   Natural ends have c = 0. "Not a knot": the third derivative is continuous at the second point,
     c_0 = c_1 + (h_0 / h_1) (c_1 - c_2),
   and at the last but one; this is put into the first and the last row. */
static bool spline_rates(apl_signal* s, bool natural) {
  const int n = s->n;
  double* u = calloc((size_t)n, sizeof *u);
  if (u == NULL) return false;

  for (int i = 1; i < n - 1; ++i) {
    const double h0 = s->t[i] - s->t[i - 1], h1 = s->t[i + 1] - s->t[i];
    const double rhs = 6.0 * ((s->y[i + 1] - s->y[i]) / h1 - (s->y[i] - s->y[i - 1]) / h0);
    double low = h0, diagonal = 2.0 * (h0 + h1), high = h1;
    if (!natural && i == 1) {
      diagonal += h0 + h0 * h0 / h1;
      high -= h0 * h0 / h1;
    }
    if (!natural && i == n - 2) {
      diagonal += h1 + h1 * h1 / h0;
      low -= h1 * h1 / h0;
    }
    const double pivot = diagonal - low * u[i - 1];
    u[i] = high / pivot;
    s->c[i] = (rhs - low * s->c[i - 1]) / pivot;
  }
  for (int i = n - 3; i > 0; --i)
    s->c[i] -= u[i] * s->c[i + 1];
  if (!natural) {
    const double first = (s->t[1] - s->t[0]) / (s->t[2] - s->t[1]);
    const double last = (s->t[n - 1] - s->t[n - 2]) / (s->t[n - 2] - s->t[n - 3]);
    s->c[0] = s->c[1] + first * (s->c[1] - s->c[2]);
    s->c[n - 1] = s->c[n - 2] + last * (s->c[n - 2] - s->c[n - 3]);
  }
  free(u);
  return true;
}

apl_status apl_signal_points(const char* word, int n, const double* t, const double* y,
                             apl_signal** out, apl_error* err) {
  if (out != NULL) *out = NULL;
  if (out == NULL || (n > 0 && (t == NULL || y == NULL))) {
    return apl_fail(err, APL_ERR_ARGUMENT,
                    "apl_signal_points() needs times, values and a place for the signal");
  }
  int kind = -1;

  *out = NULL;
  for (int i = 0; i < NTHROUGH; ++i) {
    if (word != NULL && strcmp(through_points[i].word, word) == 0) kind = i;
  }
  if (kind < 0) {
    return apl_fail(err, APL_ERR_MODEL, "there is no signal shape '%.40s'", word ? word : "");
  }
  if (n < 1) return apl_fail(err, APL_ERR_MODEL, "a signal needs at least one point");
  for (int i = 0; i < n; ++i) {
    if (!isfinite(t[i]) || !isfinite(y[i])) {
      return apl_fail(err, APL_ERR_MODEL, "point %d of a signal is not finite", i + 1);
    }
    if (i > 0 && !(t[i] > t[i - 1])) {
      return apl_fail(err, APL_ERR_MODEL, "times of a signal must increase, but %g follows %g",
                      t[i], t[i - 1]);
    }
  }
  apl_status st = apl_signal_fresh(through_points[kind].shape, out, err);
  if (st != APL_OK) return st;

  apl_signal* s = *out;
  s->n = n;
  s->level = through_points[kind].smoothness;
  s->t = malloc(sizeof *s->t * (size_t)n);
  s->y = malloc(sizeof *s->y * (size_t)n);
  s->c = calloc((size_t)n, sizeof *s->c);
  if (s->t == NULL || s->y == NULL || s->c == NULL) st = APL_ERR_MEMORY;
  if (st == APL_OK) {
    memcpy(s->t, t, sizeof *t * (size_t)n);
    memcpy(s->y, y, sizeof *y * (size_t)n);
    s->per_second = n > 1 ? (n - 1) / (t[n - 1] - t[0]) : 0.0;
    /* three points have only one inner knot: use the natural spline */
    const bool natural = through_points[kind].smoothness == 2 || n < 4;
    if (s->shape == SPLINE && n > 2 && !spline_rates(s, natural)) st = APL_ERR_MEMORY;
  }
  if (st != APL_OK) {
    apl_signal_free(s);
    *out = NULL;
    return apl_fail(err, st, "out of memory for a signal");
  }
  return APL_OK;
}

apl_status apl_signal_compose(signal_shape kind, int n, apl_signal* const* part, apl_signal** out,
                              apl_error* err) {
  *out = NULL;
  apl_status st = apl_signal_fresh(kind, out, err);
  if (st != APL_OK) return st;

  apl_signal* s = *out;
  s->part = calloc((size_t)n + 1, sizeof *s->part);
  if (s->part == NULL) {
    apl_signal_free(s);
    *out = NULL;
    return apl_fail(err, APL_ERR_MEMORY, "out of memory for a signal");
  }
  s->n = n;
  for (int i = 0; i < n; ++i)
    s->part[i] = part[i];
  return APL_OK;
}

apl_status apl_signal_sum(int n, apl_signal* const* part, apl_signal** out, apl_error* err) {
  bool fit = out != NULL && n >= 0 && (n == 0 || part != NULL);

  for (int i = 0; fit && i < n; ++i)
    fit = part[i] != NULL;
  if (out != NULL) *out = NULL;
  if (!fit) {
    return apl_fail(err, APL_ERR_ARGUMENT,
                    "apl_signal_sum() needs signals and a place for their sum");
  }
  apl_status st = apl_signal_compose(SUM, n, part, out, err);
  if (st != APL_OK) return st;

  st = apl_signal_series(*out, err);
  if (st != APL_OK) {
    (*out)->n = 0; /* the caller keeps the components */
    apl_signal_free(*out);
    *out = NULL;
  }
  return st;
}

apl_status apl_signal_rate(apl_signal* of, apl_signal** out, apl_error* err) {
  return apl_signal_compose(RATE, 1, &of, out, err);
}

apl_status apl_signal_ahead(apl_signal* x, apl_signal* y, apl_signal* heading, double turn,
                            apl_signal** out, apl_error* err) {
  const apl_status st =
      apl_signal_compose(AHEAD, 3, (apl_signal* const[]){x, y, heading}, out, err);
  if (st == APL_OK) (*out)->phase = turn;
  return st;
}

/* The interval i with t_i <= t < t_{i+1}; -1 before the first point, n-1 from the last on. Points
   of tables mostly have equal distances, so the corresponding interval is tried first. */
static int interval(const apl_signal* s, double t) {
  int low = -1, high = s->n;
  const double guess = (t - s->t[0]) * s->per_second;

  if (guess >= 0.0 && guess < s->n - 1) {
    const int i = (int)guess;
    if (s->t[i] <= t) low = i;
    if (s->t[i] > t) high = i;
    if (s->t[i + 1] > t && i + 1 < high) high = i + 1;
    if (s->t[i + 1] <= t) low = i + 1;
  }
  while (high - low > 1) {
    const int middle = (low + high) / 2;
    if (s->t[middle] <= t) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return low;
}

/* A natural spline continues along its tangent beyond its ends, where its second derivative is
   zero. */
static void eval_spline(const apl_signal* s, double t, double y[3]) {
  const int n = s->n, at = interval(s, t), i = at < 0 ? 0 : at > n - 2 ? n - 2 : at;
  const double h = s->t[i + 1] - s->t[i], first = s->t[0], last = s->t[n - 1];
  const double inside = t < first ? first : t > last ? last : t;
  const double x = (inside - s->t[i]) / h, z = 1.0 - x, a = s->c[i], b = s->c[i + 1];

  y[1] =
      (s->y[i + 1] - s->y[i]) / h + h / 6.0 * ((3.0 * x * x - 1.0) * b - (3.0 * z * z - 1.0) * a);
  y[0] = z * s->y[i] + x * s->y[i + 1] + h * h / 6.0 * ((z * z * z - z) * a + (x * x * x - x) * b);
  y[0] += y[1] * (t - inside);
  y[2] = z * a + x * b;
}

static void eval_points(const apl_signal* s, double t, double y[3]) {
  const int i = interval(s, t);

  y[1] = y[2] = 0.0;
  if (i < 0 || i >= s->n - 1 || s->shape == STEPS) {
    y[0] = s->y[i < 0 ? 0 : i];
    return;
  }
  const double h = s->t[i + 1] - s->t[i], x = (t - s->t[i]) / h;
  const double step = s->y[i + 1] - s->y[i];

  if (step == 0.0) { /* constant between two points */
    y[0] = s->y[i];
  } else if (s->shape == LINEAR) {
    y[0] = s->y[i] + step * x;
    y[1] = step / h;
  } else {
    /* 10 x^3 - 15 x^4 + 6 x^5: first and second derivative vanish at both ends */
    y[0] = s->y[i] + step * x * x * x * (10.0 + x * (-15.0 + 6.0 * x));
    y[1] = step / h * x * x * (30.0 + x * (-60.0 + 30.0 * x));
    y[2] = step / (h * h) * x * (60.0 + x * (-180.0 + 120.0 * x));
  }
}

/* x' c + y' s, and its rate x'' c + y'' s + heading' (y' c - x' s) */
static void eval_ahead(const apl_signal* s, double t, double y[3]) {
  double px[3], py[3], h[3];

  apl_signal_eval(s->part[0], t, px);
  apl_signal_eval(s->part[1], t, py);
  apl_signal_eval(s->part[2], t, h);
  const double sine = sin(h[0] + s->phase), cosine = cos(h[0] + s->phase);
  y[0] = px[1] * cosine + py[1] * sine;
  y[1] = px[2] * cosine + py[2] * sine + h[1] * (py[1] * cosine - px[1] * sine);
}

void apl_signal_eval(const apl_signal* s, double t, double y[3]) {
  if (s == NULL || y == NULL) return;
  y[0] = y[1] = y[2] = 0.0;
  switch (s->shape) {
  case CONSTANT:
    y[0] = s->mean;
    return;
  case SINE: {
    const double w = s->pulse, a = w * t + s->phase;
    y[0] = s->mean + s->amplitude * sin(a);
    y[1] = s->amplitude * w * cos(a);
    y[2] = -s->amplitude * w * w * sin(a);
    return;
  }
  case SUM:
    for (int i = 0; i < s->alone; ++i) {
      double part[3];
      apl_signal_eval(s->part[i], t, part);
      for (int k = 0; k < 3; ++k)
        y[k] += part[k];
    }
    if (s->c != NULL) apl_signal_add_series(s, t, y);
    return;
  case RATE: {
    double of[3];
    apl_signal_eval(s->part[0], t, of);
    y[0] = of[1];
    y[1] = of[2];
    return;
  }
  case AHEAD:
    eval_ahead(s, t, y);
    return;
  case FORMULA:
    apl_expression_eval(s->formula, t, y);
    return;
  case PRODUCT:
  case WAVE:
  case TRAVEL:
  case CYCLE:
  case DELAY:
    apl_signal_eval_wave(s, t, y);
    return;
  case STEPS:
  case LINEAR:
  case BLEND:
    eval_points(s, t, y);
    return;
  case SPLINE:
    if (s->n > 1) {
      eval_spline(s, t, y);
    } else {
      y[0] = s->y[0];
    }
    return;
  }
}

int apl_signal_smoothness(const apl_signal* s) {
  int least = 2;

  for (int i = 0; s->part != NULL && i < s->n; ++i) {
    const bool rate = s->shape == RATE || (s->shape == AHEAD && i < 2);
    const int k = apl_signal_smoothness(s->part[i]) - (rate ? 1 : 0);
    if (k < least) least = k;
  }
  if (s->t != NULL && s->n > 1) least = s->level;

  const bool joined = s->shape == TRAVEL || s->shape == CYCLE;
  return joined && s->level < least ? s->level : least;
}

double apl_signal_break(const apl_signal* s, double t) {
  double first = HUGE_VAL;

  if (s->shape == CYCLE) {
    first = apl_signal_break_cycle(s, t);
  } else if (s->shape == DELAY) {
    /* round-off may put a break at t again: continue with the next one */
    first = apl_signal_break(s->part[0], t - s->period);
    while (!(first + s->period > t))
      first = apl_signal_break(s->part[0], first);
    first += s->period;
  } else if (s->part != NULL) {
    for (int i = 0; i < s->n; ++i) {
      const double b = apl_signal_break(s->part[i], t);
      if (b < first) first = b;
    }
  } else if (s->t != NULL) {
    const int i = interval(s, t);
    if (i + 1 < s->n) first = s->t[i + 1];
  }
  return first;
}
