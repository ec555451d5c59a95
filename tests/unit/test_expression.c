/* SPDX-License-Identifier: Apache-2.0 */
/* test_expression.c: formulas of time as signals: values and exact rates, and what is refused. The
   wanted numbers are derivatives by hand; both sides are a few roundings long: 1e-14. */
#include "near.h"

#include "signal/signals.h"

#include <appell/appell.h>

#include <math.h>
#include <string.h>

static void expect(const char* formula, double t, double f, double d, double dd) {
  apl_signal* s;
  apl_error err;
  double y[3];

  near_context("%s", formula);
  CHECK_OK(apl_signal_expression(formula, &s, &err));
  apl_signal_eval(s, t, y);
  CHECK_NEAR(y[0], f, 1e-14 * (1 + fabs(f)));
  CHECK_NEAR(y[1], d, 1e-14 * (1 + fabs(d)));
  CHECK_NEAR(y[2], dd, 1e-14 * (1 + fabs(dd)));
  assert_int_equal(apl_signal_smoothness(s), 2);
  apl_signal_free(s);
}

static void values(void** state) {
  (void)state;
  const double pi = acos(-1.0), t = 0.7, s = sin(t), c = cos(t), e = exp(t);

  expect("3", t, 3, 0, 0);
  expect("t", t, t, 1, 0);
  expect("1 + 2*t - t^2/4", t, 1 + 2 * t - t * t / 4, 2 - t / 2, -0.5);
  expect("-2^2", t, -4, 0, 0); /* as in mathematics */
  expect("2^3^2", t, 512, 0, 0);
  expect("8/4/2", t, 1, 0, 0);
  expect("5 - 3 - 1", t, 1, 0, 0);
  expect("(1 + t) * (1 - t)", t, 1 - t * t, -2 * t, -2);
  expect("sin(t)", t, s, c, -s);
  expect("cos(2*t)", t, cos(2 * t), -2 * sin(2 * t), -4 * cos(2 * t));
  expect("tan(t)", t, s / c, 1 / (c * c), 2 * s / (c * c * c));
  expect("exp(-t)", t, 1 / e, -1 / e, 1 / e);
  expect("log(t)", t, log(t), 1 / t, -1 / (t * t));
  expect("sqrt(t)", t, sqrt(t), 0.5 / sqrt(t), -0.25 / (t * sqrt(t)));
  expect("tanh(t)", t, tanh(t), 1 - tanh(t) * tanh(t), -2 * tanh(t) * (1 - tanh(t) * tanh(t)));
  expect("t^t", t, pow(t, t), pow(t, t) * (log(t) + 1),
         pow(t, t) * ((log(t) + 1) * (log(t) + 1) + 1 / t));
  expect("1/(1 + t)", t, 1 / (1 + t), -1 / pow(1 + t, 2), 2 / pow(1 + t, 3));
  expect("t^2", 0, 0, 0, 2);
  expect("0.3 * sin(2*pi*t)", 0.25, 0.3, 0, -0.3 * 4 * pi * pi);
  expect("sin(t) * exp(t)", t, s * e, (s + c) * e, 2 * c * e);
}

static void refusals(void** state) {
  (void)state;
  char deep[300] = "";
  static const char* const bad[][2] = {
      {"", "missing"},
      {"1 +", "missing"},
      {"2 t", "unexpected text"},
      {"(1", "bracket"},
      {"1)", "unexpected text"},
      {"sin t", "brackets"},
      {"x", "only t, pi"},
      {"time", "only t"},
      {"sin(1, 2)", "bracket"},
      {"1e999 * t; 2", "unexpected text"},
      {"__import__", "missing"},
  };

  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    apl_signal* s;
    apl_error err = {0};
    near_context("%s", bad[i][0]);
    CHECK_TRUE(apl_signal_expression(bad[i][0], &s, &err) != APL_OK, "not refused");
    CHECK_TRUE(strstr(err.text, bad[i][1]) != NULL, "%s", err.text);
    assert_null(s);
  }

  /* neither long nor deep formulas overflow anything */
  memset(deep, '(', 200);
  apl_signal* s;
  apl_error err = {0};
  CHECK_TRUE(apl_signal_expression(deep, &s, &err) != APL_OK, "deep");
  memset(deep, '-', 200);
  CHECK_TRUE(apl_signal_expression(deep, &s, &err) != APL_OK, "minus signs");
  char sum[1201];
  for (int i = 0; i < 600; i++)
    memcpy(sum + 2 * i, "1+", 2);
  sum[1199] = '\0';
  CHECK_TRUE(apl_signal_expression(sum, &s, &err) != APL_OK, "long");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(values), cmocka_unit_test(refusals)};
  return cmocka_run_group_tests_name("expression", tests, NULL, NULL);
}
