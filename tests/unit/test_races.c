/* SPDX-License-Identifier: Apache-2.0 */
/* test_races.c [ROUNDS]: threads that share files and models, each with its own system: runs by
   several methods, records in memory, linearization, modes, equilibrium. All threads must get the
   same bytes. `make tsan` builds it with ThreadSanitizer, which sees races that happen to do no
   harm. */
#include "near.h"
#include "systems.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 4, ROOM = 64 };

static int rounds = 1;

/* A rigid arm with a motor, a servo, a coupling and a contact that closes. */
static const char ARM[] =
    "appell: 1\nlinks:\n"
    "  - {name: a, joint: {type: revolute, axis: y, damping: 0.1, servo: {stiffness: 5, damping: "
    "1}}, body: {mass: 1, com: [0, 0, -0.5], inertia: {xx: 0.1, yy: 0.1, zz: 0.1}}, ports: {tip: "
    "{at: [0, 0, -1]}}}\n"
    "  - {name: b, on: a.tip, joint: {type: revolute, axis: y, damping: 0.1}, body: {mass: 1, com: "
    "[0, 0, -0.5], inertia: {xx: 0.1, yy: 0.1, zz: 0.1}}, ports: {tip: {at: [0, 0, -1]}}}\n"
    "inputs: {motor: {on: b.joint.angle, value: {sine: {amplitude: 1, frequency: 1}}}}\n"
    "grounds: {floor: {point: [0, 0, -1.9], law: {normal: hunt-crossley, stiffness: 1e4, "
    "restitution: 0.5}}}\ncontacts: [{on: b.tip, with: floor}]\n"
    "start: {a.joint.angle: 0.6, b.joint.angle: 0.4}\n"
    "run: {to: 0.3, output-every: 0.05, tolerance: 1e-7}\n";

/* A beam and an arc: bodies whose derivatives are complex steps. */
static const char SOFT[] =
    "appell: 1\nlinks:\n"
    "  - {name: beam, joint: {type: revolute, axis: y, damping: 0.1, stiffness: 1}, body: {type: "
    "beam, directions: [bend-x], modes: 2, length: 0.5, width: 0.02, height: 0.01, density: 1000, "
    "young-modulus: 1e8, kelvin-voigt-time: 1e-3}}\n"
    "  - {name: arc, on: beam.tip, joint: {type: fixed}, body: {type: arc, elements: 2, strains: "
    "[bend-x, bend-y], length: 0.3, diameter: 0.01, density: 1000, young-modulus: 1e7, "
    "kelvin-voigt-time: 1e-3}}\n"
    "run: {to: 0.1, output-every: 0.05, tolerance: 1e-6}\n";

typedef struct job {
  rig* shared;
  const char* const* method; /* ends with NULL */
  bool small_motions;        /* also equilibrium, modes and linearization */
  double out[ROOM];
  int n;
} job;

static void keep(job* j, const double* x, int n) {
  for (int i = 0; i < n && j->n < ROOM; ++i)
    j->out[j->n++] = x[i];
}

/* A recorded run by one method; its last row. */
static void record(job* j, const char* method) {
  apl_system* s = NULL;
  apl_recorder* r = NULL;
  apl_recorder_options o = apl_recorder_options_default();
  apl_run_options run = apl_file_options(j->shared->file);

  o.keep = true;
  run.method = method;
  if (!apl_method_adapts(method)) run.step = 1e-3;
  if (apl_file_system(j->shared->file, j->shared->model, APL_READY, &s, NULL) == APL_OK &&
      apl_recorder_new(j->shared->file, s, &run, &o, &r, NULL) == APL_OK &&
      apl_recorder_run(r, NULL, NULL) == APL_OK) {
    const int n = apl_recorder_channels(r);
    keep(j, apl_recorder_rows(r) + (apl_recorder_nrow(r) - 1) * n, n < 6 ? n : 6);
  }
  apl_recorder_free(r);
  apl_system_free(s);
}

static void look_closely(job* j) {
  const apl_model* m = j->shared->model;
  apl_system* s = NULL;
  apl_linear_system* l = NULL;
  apl_modes* modes = NULL;

  if (apl_file_system(j->shared->file, m, APL_READY, &s, NULL) == APL_OK &&
      apl_equilibrium(m, apl_system_state(s), NULL, NULL, NULL) == APL_OK) {
    keep(j, apl_q(apl_system_state(s)), apl_model_nq(m));
    if (apl_modes_new(m, apl_system_state(s), NULL, &modes, NULL) == APL_OK) {
      const apl_mode first = apl_modes_at(modes, 0);
      keep(j, &first.omega, 1);
    }
    if (apl_linearize(s, 0.0, NULL, &l, NULL) == APL_OK) keep(j, l->A, l->n);
  }
  apl_linear_system_free(l);
  apl_modes_free(modes);
  apl_system_free(s);
}

static void* work(void* argument) {
  job* j = argument;
  for (int i = 0; j->method[i] != NULL; ++i)
    record(j, j->method[i]);
  if (j->small_motions) look_closely(j);
  return NULL;
}

static void share(const char* text, const char* const* method, bool small_motions, int least) {
  for (int round = 0; round < rounds; ++round) {
    rig g = rig_text(text, APL_READY);
    static job jobs[THREADS];
    pthread_t thread[THREADS];

    for (int i = 0; i < THREADS; ++i) {
      jobs[i] = (job){.shared = &g, .method = method, .small_motions = small_motions};
      assert_int_equal(pthread_create(&thread[i], NULL, work, &jobs[i]), 0);
    }
    for (int i = 0; i < THREADS; ++i)
      assert_int_equal(pthread_join(thread[i], NULL), 0);
    CHECK_TRUE(jobs[0].n >= least, "only %d numbers: something failed", jobs[0].n);
    for (int i = 1; i < THREADS; ++i) {
      assert_int_equal(jobs[i].n, jobs[0].n);
      assert_memory_equal(jobs[i].out, jobs[0].out, sizeof(double) * (size_t)jobs[0].n);
    }
    rig_close(&g);
  }
}

static void rigid(void** unused) {
  static const char* const method[] = {"auto", "dop853", "stiff", "bdf", "rk4", "moreau", NULL};
  (void)unused;
  share(ARM, method, false, 36);
}

static void soft(void** unused) {
  static const char* const method[] = {"stiff", "bdf", NULL};
  (void)unused;
  share(SOFT, method, true, 16);
}

int main(int argc, char** argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(rigid), cmocka_unit_test(soft)};

  if (argc > 1) rounds = atoi(argv[1]);
  return cmocka_run_group_tests_name("races", tests, NULL, NULL);
}
