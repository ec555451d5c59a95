/* SPDX-License-Identifier: Apache-2.0 */
/* series.c: sines of a sum whose frequencies are multiples of one base frequency, as in a Fourier
   series. Together they cost one sine and one cosine: with z = exp(i w t),

     y = sum over k of  a_k cos(k w t) + b_k sin(k w t),      z^(k+1) = z^k z

   The round-off grows at most with the number of multiplications. */
#include "signal/signal_impl.h"

#include "base/error.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

/* Limits below or beyond which a series does not save time. */
enum { FEWEST = 4, HIGHEST = 256, GAP = 4 };

/* The multiple of w that this angular frequency is; 0: none. */
static int multiple(double pulse, double w) {
  const double k = pulse / w, near = round(k);
  return near >= 1.0 && near <= HIGHEST && fabs(k - near) <= 1e-15 * near ? (int)near : 0;
}

/* The same for component i of a sum. */
static int part_multiple(const apl_signal* s, int i, double w) {
  return s->part[i]->shape == SINE ? multiple(s->part[i]->pulse, w) : 0;
}

/* True if the sines of a sum form a series; *pulse is its base angular frequency. */
static bool find_series(const apl_signal* s, double* pulse) {
  double w = HUGE_VAL;
  int count = 0, highest = 0;

  for (int i = 0; i < s->n; ++i) {
    if (s->part[i]->shape == SINE && s->part[i]->pulse > 0.0) w = fmin(w, s->part[i]->pulse);
  }
  for (int i = 0; i < s->n; ++i) {
    const int k = part_multiple(s, i, w);
    count += k > 0;
    if (k > highest) highest = k;
  }
  *pulse = w;
  return count >= FEWEST && highest <= GAP * count;
}

/* mean + amplitude sin(k w t + phase), into the coefficients. */
static void add_sine(apl_signal* s, const apl_signal* sine, int k) {
  s->mean += sine->mean;
  s->c[2 * k] += sine->amplitude * sin(sine->phase);
  s->c[2 * k + 1] += sine->amplitude * cos(sine->phase);
  if (k > s->level) s->level = k;
}

apl_status apl_signal_series(apl_signal* s, apl_error* err) {
  int alone = 0;
  double w;

  s->alone = s->n;
  if (!find_series(s, &w)) return APL_OK;
  s->c = calloc(2 * HIGHEST + 2, sizeof *s->c);
  if (s->c == NULL) return apl_fail(err, APL_ERR_MEMORY, "out of memory for a signal");
  s->pulse = w;
  for (int i = 0; i < s->n; ++i) {
    apl_signal* part = s->part[i];
    const int k = part_multiple(s, i, w);

    if (k > 0) {
      add_sine(s, part, k);
    } else { /* components outside of the series come first */
      s->part[i] = s->part[alone];
      s->part[alone++] = part;
    }
  }
  s->alone = alone;
  return APL_OK;
}

void apl_signal_add_series(const apl_signal* s, double t, double y[3]) {
  const double w = s->pulse, c1 = cos(w * t), s1 = sin(w * t);
  double c = c1, z = s1; /* cosine and sine of k w t */

  y[0] += s->mean;
  for (int k = 1; k <= s->level; ++k) {
    const double kw = k * w, a = s->c[2 * k], b = s->c[2 * k + 1], value = a * c + b * z;
    const double turned = c * c1 - z * s1;

    y[0] += value;
    y[1] += kw * (b * c - a * z);
    y[2] -= kw * kw * value;
    z = z * c1 + c * s1;
    c = turned;
  }
}
