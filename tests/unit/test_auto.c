/* SPDX-License-Identifier: Apache-2.0 */
/* test_auto.c: the integrator auto on equations whose stiffness is known:

     x' = -k(t) (x - cos w t) - w sin w t        x = cos w t,  lambda = -k

   where k is the rate at which x comes back to its motion. Explicit steps are held at h k of about
   6 (test of stiffness, docs/theory/integrators.md), implicit ones are not. */
#include "near.h"

#include "step/steppers.h"

#include <appell/appell.h>

#include <math.h>
#include <string.h>

typedef struct follower {
  double slow, fast; /* k before and after `turn` */
  double turn;       /* time [s] */
  double w;
  long calls; /* of iterate() */
} follower;

static double pull(const follower* f, double t) {
  return t < f->turn ? f->slow : f->fast;
}

static apl_status rate(double t, const double* y, double* out, void* context) {
  const follower* f = context;
  out[0] = -pull(f, t) * (y[0] - cos(f->w * t)) - f->w * sin(f->w * t);
  return APL_OK;
}

static apl_status open(void* context, apl_error* err) {
  (void)context, (void)err;
  return APL_OK;
}
static apl_status begin(double t, double c, const double* psi, double* y, void* context) {
  (void)t, (void)c, (void)psi, (void)y, (void)context;
  return APL_OK;
}
/* x = psi + c x' is linear: (1 + c k) x = psi + c (k cos w t - w sin w t) */
static apl_status iterate(double t, double c, const double* psi, double* y, void* context) {
  follower* f = context;
  const double k = pull(f, t);

  f->calls += 1;
  y[0] = (psi[0] + c * (k * cos(f->w * t) - f->w * sin(f->w * t))) / (1.0 + c * k);
  return APL_OK;
}
static apl_status finish(double t, double c, const double* psi, const double* y, double* out,
                         void* context) {
  (void)c, (void)psi;
  return rate(t, y, out, context);
}
static const apl_implicit implicit = {
    .open = open, .begin = begin, .iterate = iterate, .finish = finish};

static apl_stepper* stepper_of(const char* method, follower* f, bool has_implicit) {
  const apl_stepper_options o = {.method = method,
                                 .n = 1,
                                 .n_error = 1,
                                 .tolerance = 1e-8,
                                 .implicit = has_implicit ? &implicit : NULL};
  const double y = 1.0;
  apl_stepper* s;

  CHECK_OK(apl_stepper_new(&o, rate, f, &s, NULL));
  CHECK_OK(apl_stepper_restart(s, 0.0, &y));
  return s;
}

/* Of dop853's steps 301 to 400, when the start is forgotten: how many are within a fifth of the
   limit by its test, and the longest of them times k. */
static int limited_steps(double k, double* longest) {
  follower f = {.slow = k, .turn = HUGE_VAL, .w = 1.0};
  apl_stepper* s = stepper_of("dop853", &f, false);
  double t = 0.0, y;
  int n = 0;

  *longest = 0.0;
  for (int i = 0; i < 400; ++i) {
    const double before = t;
    CHECK_OK(apl_stepper_step(s, 1.0, &t, &y));
    if (i < 300) continue;
    n += apl_stepper_limited(s) > 0.8;
    *longest = fmax(*longest, k * (t - before));
  }
  assert_true(t < 1.0);
  apl_stepper_free(s);
  return n;
}

/* At the limit steps are about 6.1 / k, and the test says so of nearly all of them (those behind a
   rejected one are shorter). */
static void limit_is_found(void** unused) {
  (void)unused;
  for (double k = 1e4; k <= 1e8; k *= 100.0) {
    double longest;
    const int n = limited_steps(k, &longest);
    near_context("k = %g", k);
    CHECK_TRUE(n >= 90, "%d of 100 steps are limited", n);
    CHECK_TRUE(longest > 5.0 && longest < 8.0, "the longest is %g / k", longest);
  }
}

/* k = 1e6: once, early, and with few evaluations; the motion is that of the tolerance. */
static void stiff_is_taken_once(void** unused) {
  (void)unused;
  follower f = {.slow = 1e6, .turn = HUGE_VAL, .w = 1.0};
  apl_stepper* s = stepper_of("auto", &f, true);
  double t = 0.0, y;

  while (t < 10.0)
    CHECK_OK(apl_stepper_step(s, 10.0, &t, &y));
  const apl_switching w = apl_stepper_switching(s);
  assert_int_equal(w.changes, 1);
  assert_string_equal(w.method, "stiff");
  /* 15 limited steps of 6/k, and what the start took */
  CHECK_TRUE(w.first < 1e-3, "at %g s", w.first);
  CHECK_NEAR(w.held, 6e-6, 3e-6);
  CHECK_NEAR(w.implicit, 10.0 - w.first, 1e-12);
  CHECK_NEAR(y, cos(10.0), 1e-6);
  /* explicit steps alone: 10 k / 6 of them, 12 evaluations each */
  CHECK_TRUE(apl_stepper_evaluations(s) < 3000, "%ld", apl_stepper_evaluations(s));
  apl_stepper_free(s);
}

/* Without an implicit iteration, and for systems that are not stiff, it equals dop853 to the last
   bit. */
static void smooth_is_dop853(void** unused) {
  (void)unused;
  for (int has = 0; has < 2; ++has) {
    follower f = {.slow = 3.0, .turn = HUGE_VAL, .w = 5.0};
    apl_stepper *a = stepper_of("auto", &f, has == 1), *b = stepper_of("dop853", &f, false);
    double t = 0.0, y[2];
    while (t < 10.0) {
      CHECK_OK(apl_stepper_step(a, 10.0, &t, &y[0]));
      CHECK_OK(apl_stepper_step(b, 10.0, &t, &y[1]));
      CHECK_NEAR(y[0], y[1], 0.0);
    }
    assert_int_equal(apl_stepper_switching(a).changes, 0);
    assert_string_equal(apl_stepper_switching(a).method, "dop853");
    assert_string_equal(apl_stepper_switching(b).method, "dop853");
    assert_int_equal(apl_stepper_evaluations(a), apl_stepper_evaluations(b));
    apl_stepper_free(a);
    apl_stepper_free(b);
  }
}

/* The stiff part has decayed, and the motion is fast: explicit steps are better, and the method
   changes to them. */
static void it_comes_back(void** unused) {
  (void)unused;
  follower f = {.slow = 1e6, .fast = 1.0, .turn = 1.0, .w = 200.0};
  apl_stepper* s = stepper_of("auto", &f, true);
  double t = 0.0, y;

  while (t < 1.0)
    CHECK_OK(apl_stepper_step(s, 1.0, &t, &y));
  assert_string_equal(apl_stepper_switching(s).method, "stiff");
  CHECK_OK(apl_stepper_restart(s, t, &y));
  while (t < 60.0)
    CHECK_OK(apl_stepper_step(s, 60.0, &t, &y));
  assert_string_equal(apl_stepper_switching(s).method, "dop853");
  CHECK_TRUE(apl_stepper_switching(s).implicit < 20.0, "%g s by stiff",
             apl_stepper_switching(s).implicit);
  CHECK_NEAR(y, cos(200.0 * 60.0), 1e-4);
  apl_stepper_free(s);
}

/* Saved at any step and continued by another stepper it makes the same steps, before, between and
   after the changes; interpolation and repeated steps change nothing. */
static void left_and_looked_at(void** unused) {
  enum { STEPS = 150, ROOM = 400 };
  static double t_of[STEPS], y_of[STEPS];
  double memory[ROOM], y = 1.0, t = 0.0, at;
  (void)unused;
  follower f = {.slow = 1e5, .turn = HUGE_VAL, .w = 3.0};
  assert_true(apl_method_memory_size("auto", 1) <= ROOM);
  apl_stepper* s = stepper_of("auto", &f, true);
  for (int i = 0; i < STEPS; ++i) {
    CHECK_OK(apl_stepper_step(s, 100.0, &t, &y));
    t_of[i] = t;
    y_of[i] = y;
  }
  const long changes = apl_stepper_switching(s).changes;
  assert_int_equal(changes, 1);
  apl_stepper_free(s);

  for (int leave = 1; leave < STEPS - 1; leave += 3) {
    s = stepper_of("auto", &f, true);
    for (int i = 0; i < STEPS; ++i) {
      const double t0 = i == 0 ? 0.0 : t_of[i - 1];
      CHECK_OK(apl_stepper_step(s, 100.0, &t, &y));
      CHECK_NEAR(t, t_of[i], 0.0);
      CHECK_NEAR(y, y_of[i], 0.0);
      CHECK_OK(apl_stepper_read(s, 0.5 * (t0 + t), &at));
      CHECK_NEAR(at, cos(3.0 * 0.5 * (t0 + t)), 1e-6);
      if (i != leave) continue;
      apl_store out = apl_store_writer(memory, ROOM), in = apl_store_reader(memory, ROOM);
      apl_stepper_remember(s, &out);
      apl_stepper_free(s);
      s = stepper_of("auto", &f, true);
      CHECK_OK(apl_stepper_recall(s, t, &y, &in));
    }
    assert_int_equal(apl_stepper_switching(s).changes, changes);
    apl_stepper_free(s);
  }
}

/* An event at half of every 25th step, which is stepped to `times` times. Returns when the method
   changed, and where it is 300 steps on. */
static double step_to_events(int times, double* end) {
  follower f = {.slow = 1e5, .turn = HUGE_VAL, .w = 3.0};
  apl_stepper* s = stepper_of("auto", &f, true);
  double t = 0.0, y = 1.0;

  for (int i = 0; i < 300; ++i) {
    const double t0 = t, y0 = y;
    CHECK_OK(apl_stepper_step(s, 100.0, &t, &y));
    if (i % 25 != 24) continue;
    const double half = 0.5 * (t0 + t);
    for (int k = 0; k < times; ++k) {
      CHECK_OK(apl_stepper_rewind(s, t0, &y0));
      for (t = t0; t < half;)
        CHECK_OK(apl_stepper_step(s, half, &t, &y));
    }
    CHECK_OK(apl_stepper_restart(s, t, &y));
  }
  const apl_switching w = apl_stepper_switching(s);
  assert_int_equal(w.changes, 1);
  *end = y;
  apl_stepper_free(s);
  return w.first;
}

/* Steps that are taken again, to find an event or to read an output before it, do not count: how
   often must not matter. */
static void steps_taken_again_do_not_count(void** unused) {
  double once, often;
  (void)unused;

  const double first = step_to_events(1, &once);
  CHECK_NEAR(step_to_events(100, &often), first, 0.0);
  CHECK_NEAR(often, once, 0.0);
}

/* -------------------------------------------------------------------------------- a spring ----

     x'' = -w^2 x - 2 zeta w x'

   whose swings must be followed while they are larger than the tolerance. */
typedef struct spring {
  double w, zeta;
  double fails; /* implicit steps fail from here on [s] */
} spring;

static apl_status spring_rate(double t, const double* y, double* out, void* context) {
  const spring* f = context;
  (void)t;
  out[0] = y[1];
  out[1] = -f->w * (f->w * y[0] + 2.0 * f->zeta * y[1]);
  return APL_OK;
}

/* v = (psi_v - c w^2 psi_x) / (1 + 2 c zeta w + c^2 w^2), x = psi_x + c v */
static apl_status spring_iterate(double t, double c, const double* psi, double* y, void* context) {
  const spring* f = context;
  if (t > f->fails) return APL_ERR_SINGULAR;

  const double cw = c * f->w;
  y[1] = (psi[1] - cw * f->w * psi[0]) / (1.0 + 2.0 * f->zeta * cw + cw * cw);
  y[0] = psi[0] + c * y[1];
  return APL_OK;
}
static apl_status spring_finish(double t, double c, const double* psi, const double* y, double* out,
                                void* context) {
  (void)c, (void)psi;
  return spring_rate(t, y, out, context);
}
static const apl_implicit spring_implicit = {
    .open = open, .begin = begin, .iterate = spring_iterate, .finish = spring_finish};

/* From x = 1/w, v = 0 to t_end; evaluations come out. */
static long swing(const char* method, const spring* f, double t_end, double* y, apl_switching* w) {
  const apl_stepper_options o = {.method = method,
                                 .n = 2,
                                 .n_error = 2,
                                 .n_first = 1,
                                 .n_second = 1,
                                 .tolerance = 1e-8,
                                 .implicit = &spring_implicit};
  spring s = *f;
  double t = 0.0;
  apl_stepper* by;

  CHECK_OK(apl_stepper_new(&o, spring_rate, &s, &by, NULL));
  y[0] = 1.0 / f->w;
  y[1] = 0.0;
  CHECK_OK(apl_stepper_restart(by, t, y));
  while (t < t_end)
    CHECK_OK(apl_stepper_step(by, t_end, &t, y));
  *w = apl_stepper_switching(by);
  const long evaluations = apl_stepper_evaluations(by);
  apl_stepper_free(by);
  return evaluations;
}

/* Explicit steps while it oscillates, implicit ones when it has decayed: one change, for any
   damping; the remainder is as small as the tolerance. */
static void springs_change_once(void** unused) {
  (void)unused;
  for (double zeta = 1e-3; zeta < 0.2; zeta *= 10.0) {
    const spring f = {.w = 1e5, .zeta = zeta, .fails = HUGE_VAL};
    const double over = 20.0 / (zeta * f.w); /* e^-20 = 2e-9 of it is left */
    apl_switching w;
    double y[2];
    const long n = swing("auto", &f, 10.0, y, &w);
    near_context("zeta = %g: %ld evaluations, changed %ld times, first at %g of %g s", zeta, n,
                 w.changes, w.first, over);
    assert_int_equal(w.changes, 1);
    assert_string_equal(w.method, "stiff");
    /* and 15 steps of 6.1 / w at the limit */
    CHECK_TRUE(w.first > 0.3 * over && w.first < 1.5 * over + 3e-3, "when it has died away");
    /* cost of dop853 while it oscillates: 10 evaluations per rad at this tolerance; then some
       hundred steps */
    CHECK_TRUE((double)n < 15.0 * over * f.w + 3000.0, "evaluations");
    CHECK_NEAR(y[1], 0.0, 1e-7);
  }
}

/* stiff alone is not held at the border of its orders 3 to 5 either, as it would be for the 1e6 rad
   that are left: 2.5 steps per rad. */
static void orders_fall_where_they_ring(void** unused) {
  const spring f = {.w = 1e5, .zeta = 5e-3, .fails = HUGE_VAL};
  apl_switching w;
  double y[2];
  (void)unused;

  const long n = swing("stiff", &f, 10.0, y, &w);
  CHECK_TRUE(n < 100000, "%ld evaluations", n);
}

/* Where implicit steps cannot go on, explicit ones do; the motion stays within the tolerance. */
static void failing_implicit_steps(void** unused) {
  const spring f = {.w = 1e5, .zeta = 5.0, .fails = 0.01};
  apl_switching w;
  double y[2];
  (void)unused;

  swing("auto", &f, 0.02, y, &w);
  assert_int_equal(w.changes, 2);
  assert_string_equal(w.method, "dop853");
  CHECK_NEAR(w.first + w.implicit, f.fails, 2e-3);
  /* the slow root: lambda = w (-zeta + sqrt(zeta^2 - 1)), about -w / (2 zeta) */
  CHECK_NEAR(y[0], 0.0, 1e-8);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(limit_is_found),         cmocka_unit_test(stiff_is_taken_once),
      cmocka_unit_test(smooth_is_dop853),       cmocka_unit_test(it_comes_back),
      cmocka_unit_test(left_and_looked_at),     cmocka_unit_test(steps_taken_again_do_not_count),
      cmocka_unit_test(springs_change_once),    cmocka_unit_test(orders_fall_where_they_ring),
      cmocka_unit_test(failing_implicit_steps),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
