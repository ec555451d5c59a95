/* SPDX-License-Identifier: Apache-2.0 */
/* wave.c: components of gaits: products, sines of signals, travels from rest to rest, and cycles.
   Derivatives follow by the chain rule, so they are exact. */
#include "signal/signal_impl.h"

#include "base/error.h"
#include "signal/signals.h"

#include <math.h>
#include <stdlib.h>

apl_status apl_signal_product(apl_signal* a, apl_signal* b, apl_signal** out, apl_error* err) {
  return apl_signal_compose(PRODUCT, 2, (apl_signal* const[]){a, b}, out, err);
}

apl_status apl_signal_wave(double amplitude, double scale, apl_signal* of, double phase,
                           apl_signal** out, apl_error* err) {
  const apl_status st = apl_signal_compose(WAVE, 1, &of, out, err);
  if (st != APL_OK) return st;

  (*out)->amplitude = amplitude;
  (*out)->pulse = scale;
  (*out)->phase = phase;
  return APL_OK;
}

/* --------------------------------------------------------------------------------- travel ---- */

enum { START, CRUISE, BRAKE, END, TIMES };

apl_status apl_signal_travel(double speed, double from, double to, double ramp, bool smooth,
                             apl_signal** out, apl_error* err) {
  *out = NULL;
  if (!isfinite(speed) || !isfinite(from) || !(ramp > 0.0) || !(to - from >= 2.0 * ramp)) {
    return apl_fail(
        err, APL_ERR_MODEL,
        "a travel from %g to %g s needs time for two ramps of positive duration, got %g s each",
        from, to, ramp);
  }
  const apl_status st = apl_signal_fresh(TRAVEL, out, err);
  if (st != APL_OK) return st;

  apl_signal* s = *out;
  s->t = malloc(sizeof *s->t * TIMES);
  if (s->t == NULL) {
    apl_signal_free(s);
    *out = NULL;
    return apl_fail(err, APL_ERR_MEMORY, "out of memory for a signal");
  }
  s->amplitude = speed;
  s->period = ramp;
  s->level = smooth ? 2 : 1;
  s->n = isfinite(to) ? TIMES : BRAKE; /* without an end there are only two break times */
  s->t[START] = from;
  s->t[CRUISE] = from + ramp;
  s->t[BRAKE] = to - ramp;
  s->t[END] = to;
  return APL_OK;
}

/* A ramp of the speed from 0 to 1 over x in [0, 1]: path, speed and acceleration. Linear, or the
   blend x^3 (10 - 15 x + 6 x^2) with integral x^4 (5/2 - 3 x + x^2); both have length 1/2. */
static void ramp_of(bool smooth, double x, double y[3]) {
  if (smooth) {
    y[0] = x * x * x * x * (2.5 + x * (x - 3.0));
    y[1] = x * x * x * (10.0 + x * (6.0 * x - 15.0));
    y[2] = x * x * (30.0 + x * (30.0 * x - 60.0));
  } else {
    y[0] = 0.5 * x * x;
    y[1] = x;
    y[2] = 1.0;
  }
}

static void eval_travel(const apl_signal* s, double t, double y[3]) {
  const double v = s->amplitude, r = s->period;
  double x[3];

  if (t < s->t[START]) return;
  if (t < s->t[CRUISE]) {
    ramp_of(s->level == 2, (t - s->t[START]) / r, x);
    y[0] = v * r * x[0];
    y[1] = v * x[1];
    y[2] = v / r * x[2];
  } else if (t < s->t[BRAKE]) {
    y[0] = v * (t - s->t[START] - 0.5 * r);
    y[1] = v;
  } else {
    y[0] = v * (s->t[BRAKE] - s->t[START]); /* total length: both ramps together count as one ramp
                                               at full speed */
    if (t >= s->t[END]) return;
    ramp_of(s->level == 2, (s->t[END] - t) / r, x);
    y[0] -= v * r * x[0];
    y[1] = v * x[1];
    y[2] = -v / r * x[2];
  }
}

/* ---------------------------------------------------------------------------------- cycle ---- */

apl_status apl_signal_cycle(apl_signal* of, double period, apl_signal** out, apl_error* err) {
  double first[3], last[3], size = 0.0;

  *out = NULL;
  if (!(period > 0.0) || !isfinite(period)) {
    apl_signal_free(of);
    return apl_fail(err, APL_ERR_MODEL, "the period of a cycle must be positive, got %g", period);
  }
  /* compare value, first and second derivative at the end and the beginning. At the end the limits
     from the right are used; they equal those from the left as far as the signal is smooth
     there. */
  apl_signal_eval(of, 0.0, first);
  apl_signal_eval(of, period, last);
  for (int k = 0; k < 3; ++k)
    size = fmax(size, fmax(fabs(first[k]), fabs(last[k])));
  const apl_status st = apl_signal_compose(CYCLE, 1, &of, out, err);
  if (st != APL_OK) return st;
  (*out)->period = period;
  (*out)->level = -1;
  while ((*out)->level < 2 &&
         fabs(first[(*out)->level + 1] - last[(*out)->level + 1]) <= 1e-9 * size)
    ++(*out)->level;
  return APL_OK;
}

apl_status apl_signal_delay(apl_signal* of, double by, apl_signal** out, apl_error* err) {
  *out = NULL;
  if (!(by >= 0.0) || !isfinite(by)) {
    apl_signal_free(of);
    return apl_fail(err, APL_ERR_MODEL, "a delay must not be negative, got %g", by);
  }
  const apl_status st = apl_signal_compose(DELAY, 1, &of, out, err);
  if (st == APL_OK) (*out)->period = by;
  return st;
}

/* Time since the cycle began. */
static double in_cycle(const apl_signal* s, double t) {
  return t - s->period * floor(t / s->period);
}

double apl_signal_break_cycle(const apl_signal* s, double t) {
  double begin = s->period * floor(t / s->period), since = t - begin, next = t;

  /* round-off may put t at the end of a cycle instead of the start of the next: continue then */
  while (!(next > t)) {
    const double inside = apl_signal_break(s->part[0], since);
    const bool over = !(inside < s->period);
    next = begin + (over ? s->period : inside);
    begin += over ? s->period : 0.0;
    since = over ? 0.0 : inside;
  }
  return next;
}

/* ----------------------------------------------------------------------------------- eval ---- */

/* (a b)' = a' b + a b',  (a b)'' = a'' b + 2 a' b' + a b'' */
static void eval_product(const apl_signal* s, double t, double y[3]) {
  double a[3], b[3];

  apl_signal_eval(s->part[0], t, a);
  apl_signal_eval(s->part[1], t, b);
  y[0] = a[0] * b[0];
  y[1] = a[1] * b[0] + a[0] * b[1];
  y[2] = a[2] * b[0] + 2.0 * a[1] * b[1] + a[0] * b[2];
}

/* A sin(w p + phase), its rate A w p' cos, and A (w p'' cos - w^2 p'^2 sin) */
static void eval_of_phase(const apl_signal* s, double t, double y[3]) {
  double p[3];

  apl_signal_eval(s->part[0], t, p);
  const double w = s->pulse, sine = sin(w * p[0] + s->phase), cosine = cos(w * p[0] + s->phase);
  y[0] = s->amplitude * sine;
  y[1] = s->amplitude * w * p[1] * cosine;
  y[2] = s->amplitude * w * (p[2] * cosine - w * p[1] * p[1] * sine);
}

void apl_signal_eval_wave(const apl_signal* s, double t, double y[3]) {
  if (s->shape == PRODUCT) {
    eval_product(s, t, y);
  } else if (s->shape == WAVE) {
    eval_of_phase(s, t, y);
  } else if (s->shape == TRAVEL) {
    eval_travel(s, t, y);
  } else if (s->shape == DELAY) {
    apl_signal_eval(s->part[0], t - s->period, y);
  } else {
    apl_signal_eval(s->part[0], in_cycle(s, t), y);
  }
}
