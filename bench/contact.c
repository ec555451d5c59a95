/* SPDX-License-Identifier: Apache-2.0 */
/* contact.c: appell-contact, steps per second of robots in contact with the ground, by the
   integrator moreau and, where it is found, by MuJoCo with elliptic cones: the same robot, the same
   step of 1 ms, a controller called at every step, 2000 steps after 500, best of five, CPU time.
   Models: bench/models and models/quadruped.yaml. */
#define _POSIX_C_SOURCE 200809L
#include "clock.h"
#include "appell/appell.h"

#include "spec/parts.h"

#include <stdio.h>
#ifdef APPELL_MUJOCO
#include <mujoco/mujoco.h>
#endif

enum { BEFORE = 500, STEPS = 2000, TIMES = 5 };

/* A servo that is content: what it costs is that it is asked. */
static void control(double t, apl_system* system, void* user) {
  (void)t, (void)system;
  ++*(long*)user;
}

/* Steps per second of a model file; 0 when it fails. */
static double ours(const char* path) {
  apl_file* file = NULL;
  apl_report report = {0};
  double best = 0.0;
  if (apl_file_load(path, NULL, &file, &report) != APL_OK) {
    (void)fprintf(stderr, "%s: %s\n", path, "it cannot be loaded");
    return 0.0;
  }
  for (int k = 0; k < TIMES; ++k) {
    apl_model* model = NULL;
    apl_system* system = NULL;
    apl_error err = {0};
    long called = 0;

    apl_status st = apl_model_new(apl_file_spec(file), &model, &err);
    if (st == APL_OK) st = apl_system_new(model, &system, &err);
    if (st == APL_OK)
      st = apl_file_start(file, model, apl_q(apl_system_state(system)),
                          apl_v(apl_system_state(system)), &report);
    apl_run_options o = apl_run_options_default();
    o.method = "moreau";
    o.step = o.control_every = 1e-3;
    o.output_every = 0.0;
    o.control = control;
    o.user = &called;
    o.to = BEFORE * o.step;
    if (st == APL_OK) st = apl_run(system, &o, NULL, &err);
    const double start = cpu_seconds();
    o.from = o.to;
    o.to = o.from + STEPS * o.step;
    if (st == APL_OK) st = apl_run(system, &o, NULL, &err);
    const double rate = STEPS / (cpu_seconds() - start);
    if (st != APL_OK) (void)fprintf(stderr, "%s: %s\n", path, err.text);
    if (st == APL_OK && rate > best) best = rate;
    apl_system_free(system);
    apl_model_free(model);
  }
  apl_file_free(file);
  return best;
}

#ifdef APPELL_MUJOCO
static double theirs(const char* path) {
  char error[300] = "";
  mjModel* m = mj_loadXML(path, NULL, error, sizeof error);
  double best = 0.0;
  if (m == NULL) {
    (void)fprintf(stderr, "%s: %s\n", path, error);
    return 0.0;
  }
  for (int k = 0; k < TIMES; ++k) {
    mjData* d = mj_makeData(m);
    for (int i = 0; i < BEFORE; ++i)
      mj_step(m, d);
    const double start = cpu_seconds();
    for (int i = 0; i < STEPS; ++i)
      mj_step(m, d);
    const double rate = STEPS / (cpu_seconds() - start);
    best = rate > best ? rate : best;
    mj_deleteData(d);
  }
  mj_deleteModel(m);
  return best;
}
#else
static double theirs(const char* path) {
  (void)path;
  return 0.0;
}
#endif

int main(void) {
  static const struct {
    const char *what, *ours, *theirs;
  } robots[] = {
      {"quadruped, 18 freedoms, four rigid feet", APPELL_SOURCE "/models/quadruped.yaml",
       APPELL_SOURCE "/bench/models/quadruped.xml"},
      {"planar snake of 16 links, 17 contacts", APPELL_SOURCE "/bench/models/snake16.yaml",
       APPELL_SOURCE "/bench/models/snake16.xml"},
  };

  for (size_t i = 0; i < sizeof robots / sizeof *robots; ++i) {
    const double a = ours(robots[i].ours), b = theirs(robots[i].theirs);
    (void)printf("%-44s %8.0f steps/s", robots[i].what, a);
    if (b > 0.0) {
      (void)printf(", MuJoCo %8.0f, ratio %.2f (target at least 1: %s)", b, a / b,
                   a >= b ? "met" : "MISSED");
    }
    (void)printf("\n");
  }
  return 0;
}
