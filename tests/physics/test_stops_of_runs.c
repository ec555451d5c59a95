/* SPDX-License-Identifier: Apache-2.0 */
/* test_stops_of_runs.c: runs that end before their time say when and why, and keep what they have:
   a solver of contact forces that does not get there, and callbacks (events, controllers, outputs)
   that stop a run with a sentence, in both drivers. */
#include "near.h"
#include "system/system_impl.h"
#include "systems.h"

#include <appell/appell.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A box of 1 kg on four rigid corners; the run starts while it slides and spins. */
static apl_model* box(void) {
  static const double corner[4][2] = {{1, 1}, {1, -1}, {-1, 1}, {-1, -1}};
  apl_surface at = apl_surface_default();
  apl_spec* spec;

  CHECK_OK(apl_spec_new(&spec));
  apl_spec_gravity(spec, (apl_vec3){0, 0, -9.81});
  const int link = apl_spec_link(spec, "box", "world", "floating", "rigid");
  apl_spec_number(spec, link, "body.mass", 1.0);
  apl_spec_put(spec, link, "body.inertia", (const double[]){4e-3, 4e-3, 7e-3, 0, 0, 0}, 6);
  at.law = "restitution";
  at.friction = "coulomb-stiction";
  at.coefficient = 0.4;
  apl_spec_ground(spec, "g", &at);
  for (int i = 0; i < 4; ++i) {
    char name[16], port[24];
    snprintf(name, sizeof name, "p%d", i);
    snprintf(port, sizeof port, "box.p%d", i);
    apl_spec_port(spec, link, name, 0, apl_pose_at(0.1 * corner[i][0], 0.1 * corner[i][1], -0.05));
    apl_spec_contact(spec, port, NULL, 0.0);
  }
  return systems_model(spec);
}

static apl_system* sliding_box(const apl_model* model) {
  apl_system* system = systems_new(model);
  double *q = apl_q(apl_system_state(system)), *v = apl_v(apl_system_state(system));

  q[2] = 0.05;
  v[2] = 3.0; /* spin */
  v[3] = 1.0; /* along x */
  return system;
}

typedef struct watch {
  int outputs;
  double until; /* a callback complains from then on */
  double last;  /* time of the last output           */
} watch;

static apl_status count(double t, const double* y, const apl_ledger* ledger, apl_system* system,
                        void* user) {
  watch* w = user;
  (void)y, (void)ledger, (void)system;

  w->outputs += 1;
  w->last = t;
  return APL_OK;
}

static apl_status complain_at_output(double t, const double* y, const apl_ledger* ledger,
                                     apl_system* system, void* user) {
  if (t >= ((watch*)user)->until) apl_system_stop(system, "the output is full");
  return count(t, y, ledger, system, user);
}

static void complain_in_control(double t, apl_system* system, void* user) {
  if (t >= ((watch*)user)->until) apl_system_stop(system, "the controller gives up");
}

static double complain_while_looking(double t, apl_system* system, void* user) {
  if (t >= ((watch*)user)->until) apl_system_stop(system, "the sensor is blind");
  return 1.0;
}

static apl_run_options options_of(bool steps, watch* w) {
  apl_run_options o = apl_run_options_default();

  o.method = steps ? "moreau" : "rkf45";
  o.step = steps ? 1e-3 : 0.0;
  o.to = 0.2;
  o.output_every = 0.01;
  o.output = count;
  o.user = w;
  return o;
}

/* A tolerance below zero is out of reach of any solver. */
static void solver_that_fails(void** state) {
  apl_model* model = box();
  apl_system* system = sliding_box(model);
  watch w = {0};
  apl_run_options o = options_of(true, &w);
  apl_run_report report;
  apl_error err;
  (void)state;

  apl_q(apl_system_state(system))[2] += 0.01; /* it lands after 45 ms: there is something to keep */
  system->solve.tolerance = -1.0;
  const apl_status st = apl_run(system, &o, &report, &err);
  CHECK_TRUE(st == APL_ERR_CONTACT, "status %d, residual %g: %s", (int)st, report.contact_residual,
             st == APL_OK ? "the run went on" : err.text);
  const char* const parts[] = {"at t = 0.0", "contacts (box.p", "the residual is",
                               "use a smaller step or less friction"};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; ++i)
    CHECK_TRUE(strstr(err.text, parts[i]) != NULL, "'%s' is not in: %s", parts[i], err.text);
  CHECK_TRUE(w.outputs >= 2 && report.t >= w.last && report.t < 0.2, "%d outputs, %g s", w.outputs,
             report.t);
  for (int i = 0; i < system->nq; ++i)
    CHECK_TRUE(isfinite(apl_q(apl_system_state(system))[i]), "q[%d] is not finite", i);
  /* without the limit the solver continues from there */
  system->solve.tolerance = 0.0;
  o.from = report.t;
  if (apl_run(system, &o, &report, &err) != APL_OK) fail_msg("%s", err.text);
  apl_system_free(system);
  apl_model_free(model);
}

typedef void set_up(apl_run_options* o, apl_event* event);

static void by_output(apl_run_options* o, apl_event* event) {
  (void)event;
  o->output = complain_at_output;
}

static void by_control(apl_run_options* o, apl_event* event) {
  (void)event;
  o->control = complain_in_control;
  o->control_every = 0.01;
}

static void by_event(apl_run_options* o, apl_event* event) {
  *event = (apl_event){.name = "sensor", .g = complain_while_looking, .user = o->user};
  o->event = event;
  o->nevent = 1;
}

/* Every callback may end the run with a sentence; the outputs until then exist. */
static void callbacks_that_stop(void** state) {
  static const struct {
    set_up* set;
    const char* sentence;
  } list[] = {{by_output, "the output is full"},
              {by_control, "the controller gives up"},
              {by_event, "the sensor is blind"}};
  apl_model* model = box();
  (void)state;

  for (size_t i = 0; i < sizeof list / sizeof *list; ++i) {
    for (int steps = 0; steps < 2; ++steps) {
      apl_system* system = sliding_box(model);
      watch w = {.until = 0.1 - 1e-9};
      apl_run_options o = options_of(steps, &w);
      apl_run_report report;
      apl_event event;
      apl_error err;

      list[i].set(&o, &event);
      CHECK_TRUE(apl_run(system, &o, &report, &err) == APL_ERR_STOPPED, "%s, %s: it goes on",
                 list[i].sentence, o.method);
      CHECK_TRUE(strstr(err.text, list[i].sentence) != NULL, "%s: %s", o.method, err.text);
      CHECK_TRUE(strncmp(err.text, "at t = 0.", 9) == 0, "%s", err.text);
      CHECK_TRUE(w.outputs >= 10 && w.outputs <= 12, "%s, %s: %d outputs", list[i].sentence,
                 o.method, w.outputs);
      apl_system_free(system);
    }
  }
  apl_model_free(model);
}

/* The record of such a run says "failed" and why; "stopped" is for interrupted runs. */
static apl_status ask_to_stop(const apl_progress* now, void* user) {
  return now->t >= ((watch*)user)->until ? APL_ERR_STOPPED : APL_OK;
}

static void what_is_recorded(void** state) {
  apl_model* model = box();
  (void)state;

  for (int steps = 0; steps < 2; ++steps) {
    for (int polled = 0; polled < 2; ++polled) {
      apl_system* system = sliding_box(model);
      watch w = {.until = 0.1 - 1e-9};
      apl_run_options o = options_of(steps, &w);
      apl_recorder_options kept = apl_recorder_options_default();
      apl_recorder* recorder;
      apl_event event;
      apl_error err;

      if (polled) {
        o.poll = ask_to_stop;
      } else {
        by_control(&o, &event);
      }
      CHECK_OK(apl_recorder_new(NULL, system, &o, &kept, &recorder, &err));
      CHECK_TRUE(apl_recorder_run(recorder, NULL, &err) == APL_ERR_STOPPED, "it goes on");
      const char* said = apl_recorder_status(recorder);
      CHECK_TRUE(polled ? strcmp(said, "stopped") == 0
                        : strncmp(said, "failed: at t = 0.", 17) == 0 &&
                              strstr(said, "the controller gives up") != NULL,
                 "%s: %s", o.method, said);
      apl_recorder_free(recorder);
      apl_system_free(system);
    }
  }
  apl_model_free(model);
}

/* Four corners share the weight of a box in many ways, three points do in one: told by both
 * drivers.
 */
static void shares_are_counted(void** state) {
  apl_model* model = box();
  (void)state;

  for (int steps = 0; steps < 2; ++steps) {
    apl_system* system = sliding_box(model);
    watch w = {0};
    const apl_run_options o = options_of(steps, &w);
    apl_run_report report;
    apl_error err;

    if (apl_run(system, &o, &report, &err) != APL_OK) fail_msg("%s", err.text);
    CHECK_TRUE(report.contact_shared > 0, "%s: no step has more shares than one", o.method);
    apl_system_free(system);
  }
  apl_model_free(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(solver_that_fails), cmocka_unit_test(callbacks_that_stop),
      cmocka_unit_test(what_is_recorded), cmocka_unit_test(shares_are_counted)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
