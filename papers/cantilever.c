/* SPDX-License-Identifier: Apache-2.0 */
/* cantilever.c: see cantilever.h. Roots by bisection, integrals by Simpson's rule, both to
   round-off. */
#include "papers/cantilever.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

/* (1 + cos b cosh b + mu b (cos b sinh b - sin b cosh b)) / cosh b */
static double characteristic(double b, double mu) {
  return 1.0 / cosh(b) + cos(b) + mu * b * (cos(b) * tanh(b) - sin(b));
}

void apl_cantilever_modes(double mu, int n, double* beta) {
  const double step = 0.01;
  double low = step;

  for (int i = 0; i < n; low += step) {
    double a = low, b = low + step;
    if (characteristic(a, mu) * characteristic(b, mu) > 0.0) continue;
    for (int k = 0; k < 60; ++k) {
      const double middle = 0.5 * (a + b);
      if (characteristic(a, mu) * characteristic(middle, mu) > 0.0) {
        a = middle;
      } else {
        b = middle;
      }
    }
    beta[i++] = 0.5 * (a + b);
  }
}

/* With the slope s of the tip, k^2 = (1 + sin s) / 2 and sin f = 1 / (k sqrt 2): the integrals of
   1 / w and w from f to pi / 2, w = sqrt(1 - k^2 sin^2). */
static void elliptic(double slope, double* first, double* second) {
  enum { PARTS = 4000 };
  const double k2 = 0.5 * (1.0 + sin(slope)), f = asin(fmin(1.0, 1.0 / sqrt(2.0 * k2)));
  const double h = (0.5 * pi - f) / PARTS;

  *first = *second = 0.0;
  for (int i = 0; i <= PARTS; ++i) {
    const double s = sin(f + i * h), w = sqrt(1.0 - k2 * s * s);
    const double weight = i == 0 || i == PARTS ? 1.0 : i % 2 == 1 ? 4.0 : 2.0;
    *first += weight * h / 3.0 / w;
    *second += weight * h / 3.0 * w;
  }
}

beam_shape apl_cantilever_elastica(double alpha) {
  double low = 0.0, high = 0.5 * pi * (1.0 - 1e-9), first, second;

  /* the first integral is sqrt(alpha) and grows with the slope */
  for (int k = 0; k < 60; ++k) {
    const double middle = 0.5 * (low + high);
    elliptic(middle, &first, &second);
    if (first < sqrt(alpha)) {
      low = middle;
    } else {
      high = middle;
    }
  }
  const double slope = 0.5 * (low + high);
  elliptic(slope, &first, &second);
  return (beam_shape){sqrt(2.0 * sin(slope) / alpha), 1.0 - 2.0 * second / sqrt(alpha), slope};
}
