/* SPDX-License-Identifier: Apache-2.0 */
/* test_step.c: apl_step() keeps its integrator between calls. The result is the motion of a run; it
   costs far fewer evaluations than restarting; and every change from outside between two calls is
   detected: the next step then equals, to the last bit, that of a system which starts there. */
#include "near.h"
#include "plan.h"

#include <appell/appell.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NV = 3 };

/* Three links that swing, damped a little, with a motor at the first. */
static apl_model* arm(double friction_speed) {
  static const char* const name[NV] = {"a", "b", "c"};
  plan* p = plan_new();

  for (int i = 0; i < NV; ++i) {
    plan_link* l = plan_add(p, name[i],
                            i == 0   ? "world"
                            : i == 1 ? "a.tip"
                                     : "b.tip",
                            "revolute", "rigid");
    plan_mass(l, 1.0, (apl_vec3){0.2, 0, 0}, 0.01, 0.02, 0.02);
    plan_number(l, "joint.damping", 0.05);
    plan_at_port(l, "tip", 0, apl_pose_at(0.4, 0, 0));
    if (i < 2 || friction_speed == 0.0) continue;
    plan_number(l, "joint.friction", 0.3);
    plan_number(l, "joint.friction-speed", friction_speed);
  }
  apl_model* m = plan_model(p);
  free(p);
  return m;
}

static apl_system* system_of(const apl_model* m) {
  apl_system* s;
  apl_error err;
  CHECK_OK(apl_system_new(m, &s, &err));
  apl_q(apl_system_state(s))[0] = 0.3;
  return s;
}

static apl_status count(const apl_progress* now, void* user) {
  (void)now;
  *(long*)user += 1;
  return APL_OK;
}

static apl_run_options options_of(const char* method, long* evaluations) {
  apl_run_options o = apl_run_options_default();
  o.method = method;
  o.poll = count;
  o.user = evaluations;
  if (!apl_method_adapts(method)) o.step = 1e-3;
  return o;
}

static void step(apl_system* s, double t, double period, const apl_run_options* o) {
  apl_error err = {0};
  if (apl_step(s, t, period, o, &err) != APL_OK) fail_msg("%s", err.text);
}

/* A second in 100 steps equals the run, within the errors of both: a hundred tolerances; time steps
   are the same steps, up to round-off of their times. */
static void steps_are_the_run(void** unused) {
  static const char* const methods[] = {"auto",  "dop853", "rkf45",  "stiff",
                                        "adams", "rk4",    "moreau", "gen-alpha"};
  (void)unused;
  for (size_t k = 0; k < sizeof methods / sizeof *methods; ++k) {
    apl_model* m = arm(0.0);
    apl_system *one = system_of(m), *many = system_of(m);
    long unused_count = 0;
    apl_run_options o = options_of(methods[k], &unused_count);
    apl_error err;
    CHECK_OK(apl_run(one, &o, NULL, &err));
    for (int i = 0; i < 100; ++i)
      step(many, 0.01 * i, 0.01, &o);
    near_context("%s", methods[k]);
    for (int i = 0; i < NV; ++i) {
      CHECK_NEAR(apl_q(apl_system_state(many))[i], apl_q(apl_system_state(one))[i], 1e-6);
      CHECK_NEAR(apl_v(apl_system_state(many))[i], apl_v(apl_system_state(one))[i], 5e-6);
    }
    apl_system_free(one);
    apl_system_free(many);
    apl_model_free(m);
  }
}

/* Cost of 100 steps of 1 ms, with a restart each time (a new limit without effect causes it) or
   without. */
static long cost_of(const apl_model* m, const char* method, bool anew) {
  apl_system* s = system_of(m);
  long n = 0;
  apl_run_options o = options_of(method, &n);

  for (int i = 0; i < 100; ++i) {
    step(s, 1e-3 * i, 1e-3, &o);
    if (anew) CHECK_OK(apl_system_hold(s, 0, false, NULL));
  }
  apl_system_free(s);
  return n;
}

static void keeping_saves(void** unused) {
  (void)unused;
  apl_model *smooth = arm(0.0), *rubs = arm(1e-5);
  near_context("auto");
  /* a step of 1 ms has 12 stages; a restart has two more evaluations and a short first step */
  long kept = cost_of(smooth, "auto", false), fresh = cost_of(smooth, "auto", true);
  CHECK_TRUE(kept <= 1400 && 2 * kept < fresh, "%ld, anew %ld", kept, fresh);
  /* friction settles within 1e-7 s: auto finds so once, not in every step (1250 and 6200 here) */
  kept = cost_of(rubs, "auto", false);
  fresh = cost_of(rubs, "auto", true);
  CHECK_TRUE(3 * kept < fresh, "stiff: %ld, anew %ld", kept, fresh);
  apl_model_free(smooth);
  apl_model_free(rubs);
}

/* Something happens after ten steps; then one more. */
typedef void (*change)(apl_system* s, apl_run_options* o);

static void moves(apl_system* s, apl_run_options* o) {
  (void)o;
  apl_q(apl_system_state(s))[1] += 0.25;
}
static void kicks(apl_system* s, apl_run_options* o) {
  (void)o;
  apl_v(apl_system_state(s))[2] = -3.0;
}
static void tightens(apl_system* s, apl_run_options* o) {
  (void)s;
  o->tolerance = 1e-11;
}
static void holds(apl_system* s, apl_run_options* o) {
  (void)o;
  apl_v(apl_system_state(s))[1] = 0.0;
  CHECK_OK(apl_system_hold(s, 1, true, NULL));
}

static void changes_are_noticed(void** unused) {
  static const change list[] = {moves, kicks, tightens, holds};
  (void)unused;
  for (size_t k = 0; k < sizeof list / sizeof *list; ++k) {
    apl_model* m = arm(0.0);
    apl_system *s = system_of(m), *fresh = system_of(m);
    apl_state *a = apl_system_state(s), *b = apl_system_state(fresh);
    long n = 0;
    apl_run_options o = options_of("auto", &n);
    for (int i = 0; i < 10; ++i)
      step(s, 0.01 * i, 0.01, &o);
    memcpy(apl_q(b), apl_q(a), sizeof(double) * NV);
    memcpy(apl_v(b), apl_v(a), sizeof(double) * NV);
    list[k](s, &o);
    apl_run_options same = o;
    list[k](fresh, &same);
    step(s, 0.1, 0.01, &o);
    step(fresh, 0.1, 0.01, &same);
    near_context("change %zu", k);
    for (int i = 0; i < NV; ++i) {
      CHECK_NEAR(apl_q(a)[i], apl_q(b)[i], 0.0);
      CHECK_NEAR(apl_v(a)[i], apl_v(b)[i], 0.0);
    }
    apl_system_free(s);
    apl_system_free(fresh);
    apl_model_free(m);
  }
}

/* A new effort acts from the beginning of its period on, though the step is kept; a run in between,
   and another time, begin anew. */
static void efforts_act_at_once(void** unused) {
  static const char* const methods[] = {"auto", "stiff", "rkf45", "adams", "rk4", "gen-alpha"};
  (void)unused;
  for (size_t k = 0; k < sizeof methods / sizeof *methods; ++k) {
    apl_model* m = arm(0.0);
    apl_system *s = system_of(m), *other = system_of(m);
    long n = 0;
    apl_run_options o = options_of(methods[k], &n);
    apl_error err;
    for (int i = 0; i < 50; ++i) {
      apl_tau(apl_system_state(s))[0] = apl_tau(apl_system_state(other))[0] = i % 2 ? 5.0 : -2.0;
      step(s, 0.01 * i, 0.01, &o);
      apl_run_options one = o;
      one.from = 0.01 * i;
      one.to = one.from + 0.01;
      CHECK_OK(apl_run(other, &one, NULL, &err));
    }
    near_context("%s", methods[k]);
    for (int i = 0; i < NV; ++i)
      CHECK_NEAR(apl_q(apl_system_state(s))[i], apl_q(apl_system_state(other))[i], 1e-6);
    CHECK_TRUE(apl_step(s, 0.0, -1.0, &o, &err) == APL_ERR_ARGUMENT, "backwards");
    CHECK_TRUE(strstr(err.text, "a step needs a finite time") != NULL, "%s", err.text);
    apl_system_free(s);
    apl_system_free(other);
    apl_model_free(m);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(steps_are_the_run),
      cmocka_unit_test(keeping_saves),
      cmocka_unit_test(changes_are_noticed),
      cmocka_unit_test(efforts_act_at_once),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
