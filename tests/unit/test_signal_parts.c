/* SPDX-License-Identifier: Apache-2.0 */
/* test_signal_parts.c: signal/expression.h and signal/signal_impl.h: formulas, and the parts that
   signals are made of, against derivatives by hand and sums taken one by one. */
#include "near.h"
#include "random.h"

#include "signal/expression.h"
#include "signal/signal_impl.h"
#include "signal/signals.h"

#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------------------- expressions ---- */

static void formula(const char* text, double t, double y0, double y1, double y2) {
  const double want[3] = {y0, y1, y2};
  expression* e = NULL;
  apl_error err;
  double y[3];

  near_context("%s at %g", text, t);
  CHECK_OK(apl_expression_read(text, &e, &err));
  apl_expression_eval(e, t, y);
  for (int i = 0; i < 3; ++i)
    CHECK_NEAR(y[i], want[i], 1e-13 * (1 + fabs(want[i])));
  free(e);
}

static void formulas(void** state) {
  const double t = 0.7, p = acos(-1);

  (void)state;
  formula("2", t, 2, 0, 0);
  formula("t", t, t, 1, 0);
  formula("-t^3", t, -t * t * t, -3 * t * t, -6 * t); /* power before sign */
  formula("2^3^2 * t", t, 512 * t, 512, 0);           /* powers from the right */
  formula("8/4/2 - 1 - 2 + 0*t", t, -2, 0, 0);        /* quotients and differences from the left */
  formula("sin(2*pi*t)", t, sin(2 * p * t), 2 * p * cos(2 * p * t), -4 * p * p * sin(2 * p * t));
  formula("exp(-t/2)*t", t, t * exp(-t / 2), (1 - t / 2) * exp(-t / 2), (t / 4 - 1) * exp(-t / 2));
  formula("1/(1+t)", t, 1 / (1 + t), -pow(1 + t, -2), 2 * pow(1 + t, -3));
  formula("sqrt(t)", t, sqrt(t), 0.5 / sqrt(t), -0.25 * pow(t, -1.5));
  near_context(" ");
}

static void formulas_refused(void** state) {
  static const char* const bad[] = {"",       "2 +", "(t",  "t)",    "sin t",
                                    "foo(t)", "x",   "1 2", "sin()", "*t"};

  (void)state;
  for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
    expression* e = NULL;
    apl_error err = {0};
    near_context("'%s'", bad[i]);
    const apl_status st = apl_expression_read(bad[i], &e, &err);
    CHECK_TRUE(st != APL_OK && err.status == st, "accepted");
    CHECK_TRUE(strlen(err.text) > 5, "no sentence");
  }
  near_context(" ");
}

static void not_finite(void** state) {
  expression* e;
  apl_error err;
  double y[3];

  (void)state;
  CHECK_OK(apl_expression_read("1/t + sqrt(-1 - t)", &e, &err));
  apl_expression_eval(e, 0, y);
  assert_true(!isfinite(y[0]));
  free(e);
}

/* ---------------------------------------------------------------------------------- parts ---- */

static apl_signal* fresh(signal_shape shape) {
  apl_signal* s = NULL;
  apl_error err;
  CHECK_OK(apl_signal_fresh(shape, &s, &err));
  assert_int_equal(s->shape, shape);
  return s;
}

static apl_signal* sine(double amplitude, double pulse, double phase) {
  apl_signal* s = fresh(SINE);
  s->amplitude = amplitude, s->pulse = pulse, s->phase = phase;
  return s;
}

/* A series of sines at multiples of 3 and two beside it: the value is the sum of all. */
static void series(void** state) {
  enum { N = 8 };
  static const double pulse[N] = {3, 6, 3.7, 9, 12, 30.5, 15, 6};
  rng r = rng_seed(4);
  apl_signal *part[N], *sum;
  apl_error err;

  (void)state;
  double amplitude[N], phase[N];
  for (int i = 0; i < N; ++i) {
    amplitude[i] = rng_between(&r, -1, 1), phase[i] = rng_between(&r, -3, 3);
    part[i] = sine(amplitude[i], pulse[i], phase[i]);
    part[i]->mean = 0.25;
  }
  CHECK_OK(apl_signal_compose(SUM, N, part, &sum, &err));
  CHECK_OK(apl_signal_series(sum, &err));
  assert_int_equal(sum->alone, 2); /* 3.7 and 30.5 are no multiples of 3 */
  CHECK_NEAR(sum->pulse, 3, 0);
  for (double t = -2; t < 3; t += 0.3) {
    double want[3] = {0}, y[3] = {0, 0, 0}, beside[3];
    for (int i = 0; i < N; ++i) {
      const double angle = pulse[i] * t + phase[i];
      want[0] += 0.25 + amplitude[i] * sin(angle);
      want[1] += amplitude[i] * pulse[i] * cos(angle);
      want[2] -= amplitude[i] * pulse[i] * pulse[i] * sin(angle);
    }
    apl_signal_add_series(sum, t, y);
    for (int i = 0; i < sum->alone; ++i) {
      apl_signal_eval(sum->part[i], t, beside);
      for (int k = 0; k < 3; ++k)
        y[k] += beside[k];
    }
    for (int k = 0; k < 3; ++k)
      CHECK_NEAR(y[k], want[k], 1e-12 * (1 + fabs(want[k])));
  }
  apl_signal_free(sum);
}

/* Too few sines make no series: all stand for themselves. */
static void no_series(void** state) {
  apl_signal *part[3] = {sine(1, 1, 0), sine(1, 2, 0), sine(1, 3, 0)}, *sum;
  apl_error err;

  (void)state;
  CHECK_OK(apl_signal_compose(SUM, 3, part, &sum, &err));
  CHECK_OK(apl_signal_series(sum, &err));
  assert_int_equal(sum->alone, 3);
  assert_null(sum->c);
  apl_signal_free(sum);
}

/* Product and wave of sines: rates by the rules of differentiation. */
static void waves(void** state) {
  apl_signal* two[2] = {sine(2, 3, 0.1), sine(0.5, 5, -0.4)};
  apl_signal *product, *wave, *inner = sine(0.7, 2, 0.2);
  apl_error err;
  double y[3];

  (void)state;
  CHECK_OK(apl_signal_compose(PRODUCT, 2, two, &product, &err));
  CHECK_OK(apl_signal_wave(1.5, 4, inner, 0.3, &wave, &err));
  for (double t = 0; t < 2; t += 0.17) {
    const double a = 2 * sin(3 * t + 0.1), ad = 6 * cos(3 * t + 0.1), add = -9 * a;
    const double b = 0.5 * sin(5 * t - 0.4), bd = 2.5 * cos(5 * t - 0.4), bdd = -25 * b;
    apl_signal_eval_wave(product, t, y);
    CHECK_NEAR(y[0], a * b, 1e-14);
    CHECK_NEAR(y[1], ad * b + a * bd, 1e-13);
    CHECK_NEAR(y[2], add * b + 2 * ad * bd + a * bdd, 1e-12);

    const double z = 0.7 * sin(2 * t + 0.2), zd = 1.4 * cos(2 * t + 0.2), zdd = -4 * z;
    const double angle = 4 * z + 0.3;
    apl_signal_eval_wave(wave, t, y);
    CHECK_NEAR(y[0], 1.5 * sin(angle), 1e-14);
    CHECK_NEAR(y[1], 6 * zd * cos(angle), 1e-13);
    CHECK_NEAR(y[2], 6 * zdd * cos(angle) - 24 * zd * zd * sin(angle), 1e-12);
  }
  apl_signal_free(product);
  apl_signal_free(wave);
}

/* A stretch of a signal again and again; where it begins again it breaks. */
static void cycles(void** state) {
  apl_signal *of = sine(1, 2, 0.5), *cycle;
  apl_error err;
  double y[3];

  (void)state;
  CHECK_OK(apl_signal_cycle(of, 0.8, &cycle, &err));
  for (double t = 0.05; t < 4; t += 0.1) {
    apl_signal_eval_wave(cycle, t, y);
    CHECK_NEAR(y[0], sin(2 * fmod(t, 0.8) + 0.5), 1e-13);
    CHECK_NEAR(y[1], 2 * cos(2 * fmod(t, 0.8) + 0.5), 1e-13);
    CHECK_NEAR(apl_signal_break_cycle(cycle, t), 0.8 * (floor(t / 0.8) + 1), 1e-12);
  }
  apl_signal_free(cycle);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(formulas), cmocka_unit_test(formulas_refused), cmocka_unit_test(not_finite),
      cmocka_unit_test(series),   cmocka_unit_test(no_series),        cmocka_unit_test(waves),
      cmocka_unit_test(cycles),
  };
  return cmocka_run_group_tests_name("signal_parts", tests, NULL, NULL);
}
