/* SPDX-License-Identifier: Apache-2.0 */
/* test_step_history.c: step/history.h. All its formulas are exact for polynomials, so the test
   uses polynomials at points of unequal distances. */
#include "near.h"

#include "step/history.h"

enum { N = 3 };

/* 1 - 2 t + 0.5 t^3, t^5, and a constant; then rates and integrals from 0. */
static void at(double t, double* y) {
  y[0] = 1 - 2 * t + 0.5 * t * t * t;
  y[1] = pow(t, 5);
  y[2] = 4;
}
static void rate(double t, double* y) {
  y[0] = -2 + 1.5 * t * t;
  y[1] = 5 * pow(t, 4);
  y[2] = 0;
}
static void area(double t, double* y) {
  y[0] = t - t * t + 0.125 * pow(t, 4);
  y[1] = pow(t, 6) / 6;
  y[2] = 4 * t;
}

static const double TIME[] = {0, 0.3, 0.35, 0.7, 1.1, 1.2, 1.6};

static history filled(int points) {
  history h;
  CHECK_OK(apl_history_open(&h, N));
  assert_int_equal(h.count, 0);
  for (int i = 0; i < points; ++i) {
    double y[N];
    at(TIME[i], y);
    apl_history_push(&h, TIME[i], y);
  }
  assert_int_equal(h.count, points);
  return h;
}

/* Six points determine a polynomial of degree 5. */
static void interpolates(void** state) {
  (void)state;
  history h = filled(7);
  double got[N], want[N];

  for (double t = 0.4; t < 2; t += 0.17) {
    near_context("t = %g", t);
    apl_history_at(&h, 6, t, N, got);
    at(t, want);
    CHECK_ARRAY(got, want, N, 1e-12, 1 + pow(t, 5));
  }
  /* fewer points miss t^5, four are enough for t^3; only as many numbers as were asked for */
  got[1] = 99;
  apl_history_at(&h, 4, 0.5, 1, got);
  at(0.5, want);
  CHECK_NEAR(got[0], want[0], 1e-13);
  CHECK_NEAR(got[1], 99, 0);
  apl_history_at(&h, 4, 0.5, N, got);
  CHECK_TRUE(fabs(got[1] - want[1]) > 1e-3, "four points cannot give t^5");
  near_context("%s", "");
  apl_history_close(&h);
}

/* y = psi + c y' holds for polynomials up to the order of the formula; for equal steps c is h over
   1 + 1/2 + .. + 1/k. */
static void formula(void** state) {
  (void)state;
  history h = filled(7);
  const double t = 1.9;
  double psi[N], y[N], slope[N];

  at(t, y), rate(t, slope);
  for (int k = 1; k <= 6; ++k) {
    near_context("order %d", k);
    const double c = apl_history_formula(&h, k, t, N, psi);
    CHECK_NEAR(c, apl_history_span(&h, k, t), 0);
    CHECK_NEAR(psi[2], y[2], 1e-12); /* a constant at any order */
    if (k >= 3) CHECK_NEAR(psi[0] + c * slope[0], y[0], 1e-12);
    if (k >= 5) CHECK_NEAR(psi[1] + c * slope[1], y[1], 1e-10);
    if (k < 3) CHECK_TRUE(fabs(psi[0] + c * slope[0] - y[0]) > 1e-4, "order too high");
  }
  near_context("%s", "");
  apl_history_close(&h);

  history even;
  const double zero[1] = {0};
  CHECK_OK(apl_history_open(&even, 1));
  for (int i = 0; i < 4; ++i)
    apl_history_push(&even, 0.1 * i, zero);
  CHECK_NEAR(apl_history_span(&even, 1, 0.4), 0.1, 1e-15);
  CHECK_NEAR(apl_history_span(&even, 2, 0.4), 0.1 / 1.5, 1e-15);
  CHECK_NEAR(apl_history_span(&even, 4, 0.4), 0.1 / (1 + 0.5 + 1.0 / 3 + 0.25), 1e-15);
  apl_history_close(&even);
}

/* Weights of the integral from the newest point: exact to degree `points`. With one point this is
   the trapezoidal rule. */
static void integral(void** state) {
  (void)state;
  history h = filled(6);
  const double t = 1.5, from = TIME[5];
  double w[8], to[N], begin[N];

  apl_history_integral(&h, 1, t, w);
  CHECK_NEAR(w[0], 0.5 * (t - from), 1e-15);
  CHECK_NEAR(w[1], 0.5 * (t - from), 1e-15);

  area(t, to), area(from, begin);
  for (int points = 3; points <= 6; ++points) {
    near_context("%d points", points);
    double y[N], sum[N] = {0};
    apl_history_integral(&h, points, t, w);
    at(t, y);
    for (int k = 0; k < N; ++k)
      sum[k] = w[0] * y[k];
    for (int i = 0; i < points; ++i) {
      at(TIME[5 - i], y);
      for (int k = 0; k < N; ++k)
        sum[k] += w[1 + i] * y[k];
    }
    CHECK_NEAR(sum[0], to[0] - begin[0], 1e-13);
    CHECK_NEAR(sum[2], to[2] - begin[2], 1e-13);
    if (points >= 5) CHECK_NEAR(sum[1], to[1] - begin[1], 1e-12);
  }
  near_context("%s", "");
  apl_history_close(&h);
}

/* More points than fit push out the oldest; dropping keeps the points up to a time. */
static void room(void** state) {
  (void)state;
  history h;
  double y[1];

  CHECK_OK(apl_history_open(&h, 1));
  for (int i = 0; i < HISTORY_ROOM + 5; ++i) {
    y[0] = 10.0 * i;
    apl_history_push(&h, i, y);
  }
  assert_int_equal(h.count, HISTORY_ROOM);
  for (int i = 0; i < HISTORY_ROOM; ++i) {
    CHECK_NEAR(h.t[i], HISTORY_ROOM + 4 - i, 0);
    CHECK_NEAR(h.y[i][0], 10.0 * (HISTORY_ROOM + 4 - i), 0);
  }
  apl_history_drop(&h, 11.0); /* a point at this very time stays */
  CHECK_NEAR(h.t[0], 11, 0);
  CHECK_NEAR(h.y[0][0], 110, 0);
  assert_int_equal(h.count, HISTORY_ROOM - 5);
  y[0] = 7;
  apl_history_push(&h, 11.5, y);
  CHECK_NEAR(h.y[0][0], 7, 0);
  CHECK_NEAR(h.y[1][0], 110, 0);
  apl_history_drop(&h, -1);
  assert_int_equal(h.count, 0);
  apl_history_close(&h); /* after all this rotation the right block is freed */
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(interpolates),
      cmocka_unit_test(formula),
      cmocka_unit_test(integral),
      cmocka_unit_test(room),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
