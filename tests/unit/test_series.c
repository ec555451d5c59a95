/* SPDX-License-Identifier: Apache-2.0 */
/* test_series.c: sines of a sum that are had together, against each by itself. */
#include "near.h"

#include "appell/signal.h"

#include "signal/signals.h"

#include <math.h>

enum { SINES = 40 };

static const double pi = 3.14159265358979323846;

static apl_signal* sine(double mean, double amplitude, double frequency, double phase) {
  apl_signal* s;
  CHECK_OK(apl_signal_sine(mean, amplitude, frequency, phase, &s, NULL));
  return s;
}

/* Value and rates of a Fourier series with gaps, a sine that is no multiple and a constant. The
   sum of amplitudes is some 3; rounding of the 80th power of exp(i w t) is 80 ulp at most. */
static void fourier_series(void** state) {
  (void)state;
  apl_signal *part[SINES + 2], *sum;
  double f[SINES], a[SINES], phase[SINES];

  for (int k = 0; k < SINES; k++) {
    f[k] = 0.7 * (2 * k + 1); /* odd multiples only, from the last to the first */
    a[k] = 1.0 / (k + 1);
    phase[k] = 0.3 * k;
    part[SINES - 1 - k] = sine(k == 3 ? 0.25 : 0.0, a[k], f[k], phase[k]);
  }
  part[SINES] = sine(0.0, 0.5, 1.1, 0.2);
  CHECK_OK(apl_signal_constant(2.0, &part[SINES + 1], NULL));
  CHECK_OK(apl_signal_sum(SINES + 2, part, &sum, NULL));
  assert_int_equal(apl_signal_smoothness(sum), 2);
  for (double t = -1.0; t < 7.0; t += 0.37) {
    double want[3] = {2.25, 0, 0}, got[3];
    for (int k = 0; k <= SINES; k++) {
      const double w = 2 * pi * (k < SINES ? f[k] : 1.1), x = w * t + (k < SINES ? phase[k] : 0.2);
      const double size = k < SINES ? a[k] : 0.5;
      want[0] += size * sin(x);
      want[1] += size * w * cos(x);
      want[2] -= size * w * w * sin(x);
    }
    apl_signal_eval(sum, t, got);
    near_context("t = %g", t);
    CHECK_NEAR(got[0], want[0], 1e-12);
    CHECK_NEAR(got[1], want[1], 1e-12 * 2 * pi * 56); /* the highest frequency is 55.3 Hz */
    CHECK_NEAR(got[2], want[2], 1e-12 * 4 * pi * pi * 56 * 56);
  }
  apl_signal_free(sum);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(fourier_series)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
