/* SPDX-License-Identifier: Apache-2.0 */
/* test_run_parts.c: the parts of a run, each on its own, with a falling mass of which everything is
   known: the audit of ledgers (run/audit.h), the search for events (run/locate.h), a run that is
   driven step by step (run/runner.h), its checkpoints (run/run_memory.h), and its questions to
   couplings (run/watch.h). */
#include "near.h"
#include "systems.h"

#include "run/audit.h"
#include "run/locate.h"
#include "run/run_memory.h"
#include "run/runner.h"
#include "run/watch.h"
#include "system/system.h"
#include "system/system_impl.h"

#include <stdlib.h>
#include <string.h>

static const char falling[] = "appell: 1\n"
                              "links:\n"
                              "  - name: b\n"
                              "    joint: {type: prismatic, axis: z}\n"
                              "    body: {mass: 2}\n"
                              "start: {b.joint.position: 0.5}\n";
static const double MASS = 2.0, HEIGHT = 0.5, G = 9.81;

/* ---------------------------------------------------------------------------------- audit ---- */

/* Three looks at ledgers that are written out here. */
static void audit_finds_the_error(void** state) {
  rig r = rig_text(falling, APL_READY);
  apl_ledger l = {.kinetic = 3.0, .potential = 2.0, .sum = 10.0, .has_momentum = true};
  apl_run_options o = apl_run_options_default();
  apl_run_report report = {0};
  run_audit a;
  (void)state;

  apl_audit_look(&a, r.system, 0.5, &l, true);
  l.sum = 10.5;
  l.potential = 1.0;
  l.account[APL_ACCOUNT_INPUT] = 4.0;
  l.account[APL_ACCOUNT_LOAD] = -1.0;
  l.momentum[5] = 0.2; /* nothing has given it this momentum */
  apl_audit_look(&a, r.system, 1.5, &l, false);
  l.sum = 10.4;
  l.account[APL_ACCOUNT_LOAD] = -9.0;
  apl_audit_look(&a, r.system, 2.0, &l, false);
  apl_audit_tell(&a, &o, &report);
  assert_true(report.audited && report.has_momentum);
  CHECK_NEAR(report.error, 0.5, 1e-15);
  /* T + range of V + |accounts| at the last look */
  CHECK_NEAR(report.scale, 3.0 + 1.0 + 13.0, 1e-14);
  CHECK_NEAR(report.relative, 0.5 / 17.0, 1e-15);
  CHECK_NEAR(report.mean, (0.0 + 0.5 + 0.4) / 3.0 / 17.0, 1e-15);
  /* the error grew between the first two looks, where most work was that of inputs */
  CHECK_NEAR(report.opened_from, 0.5, 0.0);
  CHECK_NEAR(report.opened_to, 1.5, 0.0);
  assert_int_equal(report.opened_account, APL_ACCOUNT_INPUT);
  /* gravity could have given M g t in 1.5 s, more than sqrt(2 T M) */
  CHECK_NEAR(report.momentum, 0.2 / (MASS * G * 1.5), 1e-15);
  CHECK_NEAR(report.promise, 100.0 * o.tolerance, 1e-18);
  o.method = "moreau";
  apl_audit_tell(&a, &o, &report);
  CHECK_NEAR(report.promise, 1e-2, 0.0);
  rig_close(&r);
}

/* --------------------------------------------------------------------------------- events ---- */

static double above(double t, apl_system* s, void* user) {
  (void)t;
  return apl_q(apl_system_state(s))[0] - *(const double*)user;
}

static void directions_count(void** state) {
  const apl_event any = {.direction = 0}, up = {.direction = 1}, down = {.direction = -1};
  (void)state;
  assert_true(apl_event_crosses(&any, SIDE_BELOW, 1.0) &&
              apl_event_crosses(&any, SIDE_ABOVE, -1.0));
  assert_true(apl_event_crosses(&up, SIDE_BELOW, 0.0) && !apl_event_crosses(&up, SIDE_ABOVE, -1.0));
  assert_true(apl_event_crosses(&down, SIDE_ABOVE, 0.0) &&
              !apl_event_crosses(&down, SIDE_BELOW, 1.0));
  assert_false(apl_event_crosses(&any, SIDE_ZERO, 1.0));
  assert_false(apl_event_crosses(&any, SIDE_ABOVE, NEAR_NAN));
}

/* Of three heights that the mass passes, the first one that counts is found, at the time of free
   fall; the stepper stands there. */
static void first_event_is_found(void** state) {
  enum { N = 3 };
  static double height[N] = {0.3, 0.45, 0.4};
  const apl_event event[N] = {{.g = above, .user = &height[0]},
                              {.g = above, .user = &height[1], .direction = 1}, /* it falls */
                              {.g = above, .user = &height[2], .direction = -1}};
  const event_list list = {event, N, N};
  rig r = rig_text(falling, APL_READY);
  const int n = apl_system_active_size(r.system);
  const apl_stepper_options o = {.method = "dop853",
                                 .n = n,
                                 .n_error = apl_system_error_size(r.system),
                                 .n_first = 1,
                                 .n_second = 1,
                                 .tolerance = 1e-10};
  double* y = calloc(3 * (size_t)apl_system_size(r.system), sizeof *y);
  double near[2 * N], values[N], t = 0.0;
  event_place g[N];
  apl_stepper* stepper = NULL;
  int found = -1;
  (void)state;

  assert_non_null(y);
  double *start = y + apl_system_size(r.system), *scratch = start + apl_system_size(r.system);
  CHECK_OK(apl_stepper_new(&o, apl_system_rate, r.system, &stepper, NULL));
  apl_system_pack(r.system, y);
  CHECK_OK(apl_stepper_restart(stepper, t, y));
  apl_event_values(r.system, list, false, t, y, values);
  for (int i = 0; i < N; ++i) {
    CHECK_NEAR(values[i], HEIGHT - height[i], 1e-15);
    CHECK_NEAR(values[i], apl_event_value(r.system, &event[i], t, y), 0.0);
    g[i] = apl_place_of(values[i]);
  }
  /* none of them may cross zero twice in a step */
  values[0] = 7.0;
  apl_event_values(r.system, list, true, t, y, values);
  CHECK_NEAR(values[0], 7.0, 0.0);

  for (int k = 0; k < 1000 && found < 0; ++k) {
    const step_taken step = {r.system, stepper, t, start, scratch, near, values};
    memcpy(start, y, sizeof *y * (size_t)n);
    CHECK_OK(apl_stepper_step(stepper, 0.4, &t, y));
    CHECK_OK(apl_locate(&step, list, g, &t, y, &found));
  }
  assert_int_equal(found, 2);
  CHECK_NEAR(t, sqrt(2.0 * (HEIGHT - 0.4) / G), 1e-13);
  CHECK_NEAR(y[0], 0.4, 1e-13);
  CHECK_NEAR(apl_stepper_end(stepper), t, 0.0);
  apl_stepper_free(stepper);
  free(y);
  rig_close(&r);
}

/* --------------------------------------------------------------------------------- runner ---- */

static void runner_falls(void** state) {
  rig f = rig_text(falling, APL_READY);
  apl_run_options o = apl_run_options_default();
  apl_run_report report = {0};
  runner r = {.system = f.system, .o = &o, .report = &report};
  apl_ledger before, after;
  apl_error err = {0};
  (void)state;

  CHECK_OK(apl_runner_open(&r, &err));
  CHECK_NEAR(r.t, 0.0, 0.0);
  apl_system_pack(f.system, r.y);
  CHECK_OK(apl_runner_restart(&r));
  apl_runner_look(&r);
  assert_false(apl_runner_has_changes(&r));

  /* outputs are multiples of the period, and the last one is the end */
  CHECK_NEAR(apl_run_next_output(&r), 0.01, 0.0);
  r.next = 100;
  CHECK_NEAR(apl_run_next_output(&r), 1.0, 0.0);
  r.closed = true;
  assert_true(isinf(apl_run_next_output(&r)));
  CHECK_OK(apl_runner_advance(&r, 0.2));
  CHECK_NEAR(r.t, 0.2, 1e-16);
  CHECK_NEAR(r.y[0], HEIGHT - 0.5 * G * 0.04, 1e-9);
  CHECK_NEAR(r.y[1], -G * 0.2, 1e-9);
  CHECK_OK(apl_runner_check_place(&r));

  /* a jump of the velocity that is booked leaves the sum of the ledger as it was */
  CHECK_OK(apl_system_audit(f.system, r.t, r.y, &before));
  apl_system_unpack(f.system, r.t, r.y);
  apl_v(apl_system_state(f.system))[0] = 3.0;
  CHECK_OK(apl_runner_book(&r, &before, APL_ACCOUNT_IMPACT));
  CHECK_NEAR(r.y[1], 3.0, 0.0);
  CHECK_OK(apl_system_audit(f.system, r.t, r.y, &after));
  CHECK_NEAR(after.sum, before.sum, 1e-12);
  CHECK_NEAR(after.account[APL_ACCOUNT_IMPACT], 0.5 * MASS * (9.0 - before.kinetic * 2.0 / MASS),
             1e-12);

  /* an event that returns for ever at one time is a failure with its name; later it may return */
  static const char name[] = "bounce";
  for (int i = 0; i <= 50; ++i)
    CHECK_OK(apl_runner_count_returns(&r, name));
  assert_null(r.crowded);
  assert_int_equal(apl_runner_count_returns(&r, name), APL_ERR_INTEGRATOR);
  assert_ptr_equal(r.crowded, name);
  r.t += 0.1;
  CHECK_OK(apl_runner_count_returns(&r, name));
  apl_runner_close(&r);
  rig_close(&f);
}

static void options_are_refused(void** state) {
  apl_run_options o = apl_run_options_default();
  apl_error err = {0};
  (void)state;

  CHECK_OK(apl_run_check_options(&o, &err));
  o.to = -1.0;
  assert_int_equal(apl_run_check_options(&o, &err), APL_ERR_ARGUMENT);
  assert_non_null(strstr(err.text, "must end after it begins, got 0 to -1 s"));
}

/* ---------------------------------------------------------------------------- checkpoints ---- */

typedef struct kept {
  double t, *y, *memory;
  size_t n, nmemory;
  int count;
} kept;

static apl_status keep(double t, const double* y, const double* memory, void* user) {
  kept* k = user;

  k->t = t;
  memcpy(k->y, y, sizeof *y * k->n);
  memcpy(k->memory, memory, sizeof *memory * k->nmemory);
  k->count += 1;
  return APL_OK;
}

static kept make_room(apl_system* s, const apl_run_options* o) {
  kept k = {.n = (size_t)apl_system_size(s), .nmemory = (size_t)apl_run_memory_size(s, o)};

  k.y = calloc(k.n + k.nmemory, sizeof *k.y);
  assert_non_null(k.y);
  k.memory = k.y + k.n;
  return k;
}

/* A run with a held velocity is left; a system that knows nothing of it takes its place, and a
   checkpoint there has the same bytes. */
static void checkpoint_comes_back(void** state) {
  rig one = rig_text(falling, APL_READY), two = rig_text(falling, APL_READY);
  apl_run_options o = apl_run_options_default();
  apl_run_report report = {0};
  apl_error err = {0};
  kept first = make_room(one.system, &o), second = make_room(two.system, &o);
  (void)state;

  CHECK_OK(apl_system_hold(one.system, 0, true, NULL));
  o.max_step = 0.02; /* checkpoints stand at ends of steps */
  o.checkpoint = keep;
  o.checkpoint_every = 30;
  o.user = &first;
  CHECK_OK(apl_run(one.system, &o, &report, &err));
  assert_int_equal(first.count, 3); /* after 30, 60 and 90 of 101 outputs */

  const apl_resume at = {first.t, first.y, first.memory};
  o.user = &second;
  o.resume = &at;
  apl_run_restore_settings(two.system, &o);
  assert_int_equal(two.system->holds.n, 1);
  assert_int_equal(two.system->holds.velocity[0], 0);
  CHECK_OK(apl_system_hold(two.system, 0, false, NULL));

  runner r = {.system = two.system, .o = &o, .report = &report};
  CHECK_OK(apl_runner_open(&r, &err)); /* calls apl_run_go_on_from() */
  assert_int_equal(two.system->holds.n, 1);
  CHECK_NEAR(r.t, first.t, 0.0);
  assert_memory_equal(r.y, first.y, sizeof *r.y * first.n);
  const long steps = report.steps;
  assert_true(steps > 0 && r.steps == steps);
  apl_run_count_work(&r);
  assert_int_equal(report.steps, steps); /* its own stepper has made none */
  CHECK_OK(apl_run_checkpoint(&r));
  assert_int_equal(second.count, 0); /* this period has its checkpoint */
  r.places -= 1;
  CHECK_OK(apl_run_checkpoint(&r));
  assert_int_equal(second.count, 1);
  assert_memory_equal(second.y, first.y, sizeof *first.y * first.n);
  assert_memory_equal(second.memory, first.memory, sizeof *first.memory * first.nmemory);

  /* the account of the largest error is the last number of the audit, which comes first */
  second.memory[AUDIT_NUMBERS - 1] = 1e6;
  assert_int_equal(apl_run_go_on_from(&r, &(apl_resume){second.t, second.y, second.memory}, &err),
                   APL_ERR_ARGUMENT);
  assert_string_equal(err.text, "the checkpoint is damaged: an account of the ledgers is 1e+06");
  apl_runner_close(&r);
  free(first.y);
  free(second.y);
  rig_close(&one);
  rig_close(&two);
}

/* ---------------------------------------------------------------------------------- watch ---- */

/* The same mass above a rigid ground at z = 0, with a stop at z = 1. */
static const char bounded[] =
    "appell: 1\n"
    "links:\n"
    "  - name: b\n"
    "    joint: {type: prismatic, axis: z, limits: {upper: 1}, stop-stiffness: 1e3}\n"
    "    body: {mass: 2}\n"
    "grounds: {floor: {law: {normal: restitution, restitution: 0.5}}}\n"
    "contacts: [{on: b.root, with: floor}]\n"
    "start: {b.joint.position: 0.5}\n";

/* Corners stand first in the list, then events that change the memory of a coupling; the value of
   each has another sign on the other side of its bound. */
static void couplings_are_watched(void** state) {
  rig r = rig_text(bounded, APL_READY);
  apl_system* s = r.system;
  double* y = calloc((size_t)apl_system_size(s), sizeof *y);
  coupling_news news = {.st = APL_OK};
  apl_event* list = NULL;
  int corners = -1;
  (void)state;

  assert_non_null(y);
  apl_watch_happens(NULL, 0.0, s, &news); /* the contact finds that it is open */
  CHECK_OK(news.st);
  const int n = apl_watch_find(s, &list, &corners);
  assert_int_equal(n, apl_watch_count(s));
  assert_int_equal(corners, 1);
  assert_true(n > corners);
  assert_string_equal(list[0].name, "stop");
  for (int i = 0; i < n; ++i) {
    const coupling_kind* kind = ((const coupling_watch*)list[i].user)->kind;
    assert_int_equal(kind->happens != NULL, i >= corners);
  }
  apl_system_pack(s, y);
  y[1] = -1.0; /* it falls: a contact that opens does not close */
  const double below = apl_event_value(s, &list[0], 0.0, y),
               open = apl_event_value(s, &list[1], 0.0, y);
  y[0] = 1.5; /* 0.5 m beyond the stop, as far as it was below */
  CHECK_NEAR(apl_event_value(s, &list[0], 0.0, y), -below, 1e-15);
  CHECK_NEAR(fabs(below), 0.5, 1e-15);
  y[0] = -0.5;
  assert_true(open * apl_event_value(s, &list[1], 0.0, y) < 0.0);
  assert_true(!apl_watch_closes(s) && !apl_watch_projects(s) && !apl_watch_gathers(s));
  assert_int_equal(apl_watch_npeak(s), 1);
  free(list);
  free(y);
  rig_close(&r);
}

/* A mass in free fall: no kind answers, and no kind can resolve a jam. */
static void nothing_is_watched(void** state) {
  rig r = rig_text(falling, APL_READY);
  coupling_news news = {.st = APL_OK};
  apl_event* list = NULL;
  int corners = -1;
  (void)state;

  assert_int_equal(apl_watch_find(r.system, &list, &corners), 0);
  assert_null(list);
  assert_int_equal(apl_watch_count(r.system), 0);
  assert_false(apl_watch_may_damp(r.system) || apl_watch_may_share(r.system));
  CHECK_NEAR(apl_watch_absolute(r.system, 0), 0.0, 0.0);
  CHECK_NEAR(apl_watch_absolute(r.system, 1), 0.0, 0.0);
  assert_true(isinf(apl_watch_first_step(r.system, 0.0, 1e-8)));
  apl_watch_jams(0.0, r.system, &news);
  assert_int_equal(news.st, APL_ERR_CONTACT);
  rig_close(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(audit_finds_the_error), cmocka_unit_test(directions_count),
      cmocka_unit_test(first_event_is_found),  cmocka_unit_test(runner_falls),
      cmocka_unit_test(options_are_refused),   cmocka_unit_test(checkpoint_comes_back),
      cmocka_unit_test(couplings_are_watched), cmocka_unit_test(nothing_is_watched),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
