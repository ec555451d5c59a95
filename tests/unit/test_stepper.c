/* SPDX-License-Identifier: Apache-2.0 */
/* test_stepper.c: properties of steppers besides accuracy: interpolation in a step is cheap, and
   failures that a smaller step may avoid are distinguished from final ones. */
#include "near.h"

#include "step/steppers.h"

#include <appell/appell.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Calls of malloc(), where the C library lets us count them. */
#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__)
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define NO_COUNTING
#endif
#endif
#ifndef NO_COUNTING
#define COUNTING
static long mallocs;
extern void* __libc_malloc(size_t n);
void* malloc(size_t n) {
  ++mallocs;
  return __libc_malloc(n);
}
#endif
#endif

static const char* const adaptive[] = {"rkf45", "rkf78", "dop853", "adams", "bdf"};
enum { NADAPTIVE = sizeof adaptive / sizeof *adaptive };

/* An oscillator x'' = -x with injected failures. */
typedef struct swing {
  long calls;
  double bad_from;  /* time from which the rate fails ...                                        */
  int bad_times;    /* ... so many times ...                                                     */
  apl_status says;  /* ... with this                                                             */
  long after_final; /* calls after the first failure                                             */
  bool failed;
} swing;

static apl_status rate(double t, const double* y, double* out, void* context) {
  swing* s = context;

  s->calls += 1;
  if (s->failed) s->after_final += 1;
  out[0] = y[1];
  out[1] = -y[0];
  if (t < s->bad_from || s->bad_times == 0) return APL_OK;
  s->bad_times -= 1;
  s->failed = true;
  return s->says;
}

static apl_stepper* open_stepper(const char* method, swing* s) {
  const apl_stepper_options o = {.method = method,
                                 .n = 2,
                                 .n_error = 2,
                                 .n_first = 1,
                                 .n_second = 1,
                                 .tolerance = 1e-8,
                                 .step =
                                     strcmp(method, "rk4") == 0 || method[0] == 's' ? 0.1 : 0.0};
  const double y[2] = {1.0, 0.0};
  apl_stepper* stepper;

  CHECK_OK(apl_stepper_new(&o, rate, s, &stepper, NULL));
  CHECK_OK(apl_stepper_restart(stepper, 0.0, y));
  return stepper;
}

/* One evaluation for all interpolations in a fixed step, which are a cubic. */
static void fixed_looks_cost_one(void** unused) {
  static const char* const method[] = {"rk4", "semi-implicit"};
  (void)unused;

  for (int m = 0; m < 2; ++m) {
    swing s = {.bad_from = HUGE_VAL};
    apl_stepper* stepper = open_stepper(method[m], &s);
    double t, y[2], at[2];
    for (int k = 0; k < 3; ++k) {
      CHECK_OK(apl_stepper_step(stepper, 1.0, &t, y));
      const long before = s.calls;
      for (int i = 0; i <= 8; ++i)
        CHECK_OK(apl_stepper_inside(stepper, t - 0.1 + 0.0125 * i, at));
      assert_int_equal(s.calls - before, 1);
      /* the last look is at the end of the step */
      CHECK_NEAR(at[0], y[0], 1e-15);
    }
    /* Hermite's cubic misses h^4/384 of the fourth derivative; rk4 itself is finer: h^5 */
    CHECK_OK(apl_stepper_inside(stepper, 0.25, at));
    if (m == 0) CHECK_NEAR(at[0], cos(0.25), 1e-4 / 384.0 + 1e-6);
    apl_stepper_free(stepper);
  }
}

static void looks_do_not_allocate(void** unused) {
  (void)unused;
#ifdef COUNTING
  for (int m = 0; m < NADAPTIVE; ++m) {
    swing s = {.bad_from = HUGE_VAL};
    apl_stepper* stepper = open_stepper(adaptive[m], &s);
    double t = 0.0, y[2], at[2];
    for (int k = 0; k < 5; ++k)
      CHECK_OK(apl_stepper_step(stepper, 100.0, &t, y));
    const long before = mallocs;
    CHECK_TRUE(m < 3 || before > 0, "those of SUNDIALS are counted");
    for (int i = 0; i < 100; ++i)
      CHECK_OK(apl_stepper_inside(stepper, t, at));
    assert_int_equal(mallocs - before, 0);
    CHECK_NEAR(at[0], y[0], 1e-15);
    apl_stepper_free(stepper);
  }
#endif
}

/* A model that is singular at a few points is evaluated again with smaller steps, and the run
   continues. */
static void singular_is_tried_again(void** unused) {
  (void)unused;
  for (int m = 0; m < NADAPTIVE; ++m) {
    swing s = {
        .bad_from = 0.3, .bad_times = 2, .says = m % 2 ? APL_ERR_SINGULAR : APL_ERR_NOT_FINITE};
    apl_stepper* stepper = open_stepper(adaptive[m], &s);
    double t = 0.0, y[2];
    while (t < 1.0)
      if (apl_stepper_step(stepper, 1.0, &t, y) != APL_OK)
        fail_msg("%s: %s", adaptive[m], apl_stepper_reason(stepper));
    assert_int_equal(s.bad_times, 0);
    /* multistep methods at 1e-8 gather some hundred times that */
    CHECK_NEAR(y[0], cos(1.0), 1e-5);
    apl_stepper_free(stepper);
  }
}

/* A final error ends the step in which it occurred, with its status. There are no more evaluations,
   except in CVODE's fixed-point solver, which finishes its step. */
static void final_ends_at_once(void** unused) {
  static const apl_status says[] = {APL_ERR_STOPPED, APL_ERR_MEMORY, APL_ERR_ARGUMENT};
  (void)unused;

  for (int m = 0; m < NADAPTIVE; ++m) {
    for (int k = 0; k < 3; ++k) {
      swing s = {.bad_from = 0.3, .bad_times = 1, .says = says[k]};
      apl_stepper* stepper = open_stepper(adaptive[m], &s);
      double t = 0.0, y[2];
      apl_status st = APL_OK;
      while (st == APL_OK && t < 1.0)
        st = apl_stepper_step(stepper, 1.0, &t, y);
      CHECK_TRUE(st == says[k], "%s: %s, got %s", adaptive[m], apl_status_text(says[k]),
                 apl_status_text(st));
      CHECK_TRUE(s.after_final <= (strcmp(adaptive[m], "adams") == 0 ? 10 : 0),
                 "%s: %ld calls behind it", adaptive[m], s.after_final);
      apl_stepper_free(stepper);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(fixed_looks_cost_one),
      cmocka_unit_test(looks_do_not_allocate),
      cmocka_unit_test(singular_is_tried_again),
      cmocka_unit_test(final_ends_at_once),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
