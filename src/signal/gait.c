/* SPDX-License-Identifier: Apache-2.0 */
/* gait.c: gaits of snakes and worms. Each joint gets one signal composed of waves, products and
   cycles, so that derivatives are exact. Formulas: docs/theory/gaits.md. */
#include "signal/gait.h"

#include "base/error.h"
#include "signal/signals.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

typedef enum gait_type { SERPENOID, SAME_WAVE, ALTERNATING, CONCERTINA, NTYPE } gait_type;

/* The types of gaits, as in model files. spec/block_gaits.c lists the keys of each type. */
static const char* const types[NTYPE] = {"serpenoid", "wave", "alternating", "concertina"};

static gait_type type_of(const apl_gait* g) {
  int k = 0;

  while (k < NTYPE && (g->type == NULL || strcmp(types[k], g->type) != 0))
    ++k;
  return (gait_type)k;
}

/* ---------------------------------------------------------------------------------- types ---- */

/* A_j = A (1 - z + z j/n) */
static double envelope(const apl_gait* g, int j, int n) {
  return 1.0 - g->envelope + g->envelope * j / n;
}

static const apl_gait_wave* wave_of(const apl_gait* g, int j) {
  return type_of(g) == ALTERNATING && j % 2 == 0 ? &g->yaw : &g->pitch;
}

/* theta_j = phi_{j+1} - phi_j of phi_i = alpha cos(2 k pi (s/L + (i - 1)/n)), n links:
     -2 alpha sin(k pi/n) sin(2 k pi s/L + 2 k pi j/n - k pi/n) */
static double serpenoid_amplitude(const apl_gait* g, int joints) {
  return -2.0 * g->winding * sin(g->waves * pi / (joints + 1));
}

static apl_status serpenoid(const apl_gait* g, int j, int joints, apl_signal** out,
                            apl_error* err) {
  const double k = g->waves * pi;

  return apl_signal_wave(serpenoid_amplitude(g, joints) * envelope(g, j, joints),
                         2.0 * k / g->length, apl_signal_share(g->travel),
                         k * (2 * j - 1) / (joints + 1), out, err);
}

/* `phase` belongs to joint 1 in a single wave, and to the (virtual) joint before the first if axes
   alternate, as in the literature. */
static apl_status wave(const apl_gait* g, int j, int n, apl_signal** out, apl_error* err) {
  const apl_gait_wave* w = wave_of(g, j);
  const int steps = type_of(g) == ALTERNATING ? j : j - 1;

  return apl_signal_sine(w->offset, w->amplitude * envelope(g, j, n), w->frequency,
                         steps * w->step + w->phase, out, err);
}

/* Folding of each part of the body over a cycle, 0 or 1 at its quarters, with blends between: the
   tail is anchored while the middle stretches; the head is anchored, the tail released; the middle
   folds and pulls the tail; the tail is anchored, the head released. */
static const double folded[3][5] = {
    {0, 0, 1, 1, 0}, /* head   */
    {1, 0, 0, 1, 1}, /* middle */
    {1, 1, 0, 0, 1}, /* tail   */
};

static apl_status concertina(const apl_gait* g, int j, int n, apl_signal** out, apl_error* err) {
  const double at = (j - 0.5) / n, T = g->period;
  const int part = at < g->anchor ? 0 : at > 1.0 - g->anchor ? 2 : 1;
  const double size =
      g->pitch.amplitude * envelope(g, j, n) * sin((j - 1) * g->pitch.step + g->pitch.phase);
  double t[5], y[5];
  apl_signal* once = NULL;

  for (int k = 0; k < 5; ++k) {
    t[k] = 0.25 * k * T;
    y[k] = size * folded[part][k];
  }
  const apl_status st = apl_signal_points("blend", 5, t, y, &once, err);
  return st == APL_OK ? apl_signal_cycle(once, T, out, err) : st;
}

/* --------------------------------------------------------------------------------- common ---- */

static apl_status check(const apl_gait* g, gait_type type, int j, int n, apl_error* err) {
  if (type == NTYPE) {
    return apl_fail(err, APL_ERR_MODEL, "there is no gait '%.40s'", g->type == NULL ? "" : g->type);
  }
  if (n < 1) {
    return apl_fail(err, APL_ERR_MODEL, "a gait needs at least 2 links with a joint between them");
  }
  if (j < 1 || j > n)
    return apl_fail(err, APL_ERR_ARGUMENT, "there is no joint %d in a gait of %d joints", j, n);
  if (type == SERPENOID && (!(g->waves > 0.0) || !(g->length > 0.0) || g->travel == NULL)) {
    return apl_fail(err, APL_ERR_MODEL,
                    "a serpenoid needs waves and a length above zero, got %g and %g, and a travel",
                    g->waves, g->length);
  }
  /* sin(k pi/N) = sin((N - k) pi/N): the joints would show N - k waves */
  if (type == SERPENOID && g->waves > 0.5 * (n + 1)) {
    return apl_fail(err, APL_ERR_MODEL,
                    "%g waves do not fit on %d links: a wave takes two links at least", g->waves,
                    n + 1);
  }
  if (type == CONCERTINA && (!(g->period > 0.0) || !(g->anchor > 0.0) || !(g->anchor < 0.5))) {
    return apl_fail(err, APL_ERR_MODEL,
                    "a concertina needs a period above zero and an anchor between 0 and 0.5, got "
                    "%g s and %g",
                    g->period, g->anchor);
  }
  if (!(g->envelope >= 0.0 && g->envelope <= 1.0)) {
    return apl_fail(err, APL_ERR_MODEL, "the envelope must be between 0 and 1, got %g",
                    g->envelope);
  }
  if (g->ramp_up < 0.0 || !(g->stop_at >= g->ramp_up) ||
      (g->stop_at < HUGE_VAL && !(g->ramp_down > 0.0))) {
    return apl_fail(err, APL_ERR_MODEL,
                    "a gait stops after its ramp-up (%g s), at %g s, over a ramp-down above zero, "
                    "got %g s",
                    g->ramp_up, g->stop_at, g->ramp_down);
  }
  return APL_OK;
}

/* r(t): 0 to 1 over ramp_up, 1 to 0 over ramp_down; NULL where it is always 1. */
static apl_status level(const apl_gait* g, apl_signal** out, apl_error* err) {
  double t[4], y[4];
  int n = 0;

  if (g->ramp_up > 0.0) {
    t[n] = 0.0, y[n++] = 0.0;
    t[n] = g->ramp_up, y[n++] = 1.0;
  }
  if (g->stop_at < HUGE_VAL) {
    if (n == 0 || g->stop_at > t[n - 1]) t[n] = g->stop_at, y[n++] = 1.0;
    t[n] = g->stop_at + g->ramp_down, y[n++] = 0.0;
  }
  *out = NULL;
  return n == 0 ? APL_OK : apl_signal_points("blend", n, t, y, out, err);
}

static apl_status shape_of(const apl_gait* g, gait_type type, int j, int n, apl_signal** out,
                           apl_error* err) {
  if (type == SERPENOID) return serpenoid(g, j, n, out, err);
  if (type == CONCERTINA) return concertina(g, j, n, out, err);
  return wave(g, j, n, out, err);
}

/* theta_j = r(t) (shape_j(t) + offset(t)) */
apl_status apl_gait_signal(const apl_gait* g, int j, int n, apl_signal** out, apl_error* err) {
  const gait_type type = type_of(g);
  apl_signal *shape = NULL, *sum = NULL, *r = NULL;

  *out = NULL;
  apl_status st = check(g, type, j, n, err);
  if (st == APL_OK) st = shape_of(g, type, j, n, &shape, err);
  if (st == APL_OK && g->offset != NULL) {
    apl_signal* const part[] = {shape, apl_signal_share(g->offset)};
    st = apl_signal_sum(2, part, &sum, err);
    if (st == APL_OK) shape = sum;
  }
  if (st == APL_OK) st = level(g, &r, err);
  if (st == APL_OK && r != NULL) return apl_signal_product(r, shape, out, err);
  if (st != APL_OK) {
    apl_signal_free(shape);
    return st;
  }
  *out = shape;
  return APL_OK;
}

double apl_gait_reach(const apl_gait* g, int j, int n) {
  const gait_type type = type_of(g);
  if (n < 1 || type == NTYPE) return 0.0;

  const apl_gait_wave* w = wave_of(g, j);
  const double size = type == SERPENOID ? serpenoid_amplitude(g, n) : w->amplitude;
  const double offset = type == SERPENOID || type == CONCERTINA ? 0.0 : fabs(w->offset);
  return fabs(size) * envelope(g, j, n) + offset;
}
