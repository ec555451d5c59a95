/* SPDX-License-Identifier: Apache-2.0 */
/* targets_loops.c: what loops cost: the paper's 3RRR (models/paper-3rrr.yaml), its rose of 6 s with
   springs in compliance form and exactly, its constrained forward dynamics, and how both grow with
   the tree and with the loops. */
#define _POSIX_C_SOURCE 200809L
#include "clock.h"

#include "couple/close.h"
#include "targets.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROUNDS = 12, BATCHES = 120 };

/* ----------------------------------------------------------------------------------- rose ---- */

typedef struct rose {
  apl_file* file;
  apl_model* model;
  double off; /* [m] from the rose, at outputs */
} rose;

static apl_status look(double t, const double* y, const apl_ledger* ledger, apl_system* system,
                       void* user) {
  rose* r = user;
  const double h = 3.14159265358979323846 * t, size = 0.05 * cos(2 * h);
  (void)ledger, (void)system;
  r->off = fmax(r->off, hypot(y[6] - size * cos(h), y[7] - size * sin(h)));
  return APL_OK;
}

/* Shortest time of some runs [ms], and how far they leave the rose. */
static double rose_time(const char* method, double step, const char* loops, double stiffness,
                        double* off) {
  rose r = {0};
  apl_report report = {0};
  apl_error err = {0};
  double least = HUGE_VAL;

  if (apl_file_load(APPELL_SOURCE "/models/paper-3rrr.yaml", NULL, &r.file, &report) != APL_OK ||
      apl_file_model(r.file, &r.model, &report) != APL_OK)
    return (double)NAN;
  for (int i = 0; i < ROUNDS; ++i) {
    apl_system* system;
    if (apl_file_system(r.file, r.model, APL_READY, &system, &report) != APL_OK) return (double)NAN;
    apl_run_options o = apl_file_options(r.file);
    o.method = method;
    o.step = step;
    o.loops.method = loops;
    o.loops.stiffness = stiffness;
    o.output_every = 0.02;
    o.output = look;
    o.user = &r;
    const double t0 = cpu_seconds();
    const apl_status st = apl_run(system, &o, NULL, &err);
    least = st == APL_OK ? fmin(least, cpu_seconds() - t0) : (double)NAN;
    apl_system_free(system);
  }
  *off = r.off;
  apl_model_free(r.model);
  apl_file_free(r.file);
  return 1e3 * least;
}

double target_rose_soft(void) {
  double off;
  return rose_time("gen-alpha", 5e-3, "springs", 1e6, &off);
}
double target_rose_stiff(void) {
  double off;
  return rose_time("gen-alpha", 5e-3, "springs", 1e12, &off);
}
double target_rose_off(void) {
  double off[2];
  (void)rose_time("gen-alpha", 5e-3, "springs", 1e6, &off[0]);
  (void)rose_time("gen-alpha", 5e-3, "springs", 1e12, &off[1]);
  return fmax(off[0], off[1]);
}
double target_rose_exact(void) {
  double off;
  return rose_time("rk4", 10e-3, "multipliers", 0, &off);
}
double target_rose_exact_off(void) {
  double off;
  (void)rose_time("rk4", 10e-3, "multipliers", 0, &off);
  return off;
}

/* -------------------------------------------------------------------------------- forward ---- */

/* Constrained forward dynamics of a robot at its start [us]. */
static double forward_time(apl_model* m, const double* q) {
  apl_state* s;
  apl_closing* c;
  double least = HUGE_VAL;

  if (m == NULL || apl_state_new(m, APL_SCALAR, &s) != APL_OK) return (double)NAN;
  if (apl_closing_new(m, &c) != APL_OK) return (double)NAN;
  for (int i = 0; q != NULL && i < apl_model_nq(m); ++i)
    apl_q(s)[i] = q[i];
  for (int i = 0; i < BATCHES; ++i) {
    const int calls = 200;
    const double t0 = cpu_seconds();
    for (int k = 0; k < calls; ++k) {
      if (apl_closing_forward(c, s, 0.0) != APL_OK) return (double)NAN;
    }
    least = fmin(least, (cpu_seconds() - t0) / calls);
  }
  apl_closing_free(c);
  apl_state_free(s);
  return 1e6 * least;
}

double target_3rrr_forward(void) {
  static const double q[9] = {-0.958219919565,
                              2.15357637462,
                              0.915439661187,
                              2.37030528008,
                              -2.99114517175,
                              2.25709805143,
                              0.05,
                              0,
                              0};
  apl_report report = {0};
  apl_file* file;
  apl_model* m;

  if (apl_file_load(APPELL_SOURCE "/models/paper-3rrr.yaml", NULL, &file, &report) != APL_OK ||
      apl_file_model(file, &m, &report) != APL_OK)
    return (double)NAN;
  const double t = forward_time(m, q);
  apl_model_free(m);
  apl_file_free(file);
  return t;
}

/* A ladder in a plane: `cells` loops in a row between chains of `length` links. */
static apl_model* ladder(int cells, int length) {
  apl_spec* spec;
  apl_model* m;
  apl_error err;
  char name[32], on[32];
  if (apl_spec_new(&spec) != APL_OK) return NULL;

  for (int i = 0; i <= cells; ++i) {
    for (int k = 0; k < length; ++k) {
      (void)snprintf(name, sizeof name, "l%d_%d", i, k);
      (void)snprintf(on, sizeof on, k == 0 ? "world" : "l%d_%d", i, k - 1);
      const int link = apl_spec_link(spec, name, on, "revolute", "rigid");
      const double inertia[6] = {0.01, 0.01, 0.01, 0, 0, 0};
      apl_spec_vec3(spec, link, "joint.axis", 0, 0, 1);
      apl_spec_number(spec, link, "body.mass", 1);
      apl_spec_vec3(spec, link, "body.com", 0.05, 0.02 * (k % 2), 0);
      apl_spec_put(spec, link, "body.inertia", inertia, 6);
      apl_spec_place(spec, link,
                     (apl_pose){.rotation = {1, 0, 0, 0},
                                .position = {k == 0 ? 0.3 * i : 0.1, k == 0 ? 0 : 0.01, 0}});
    }
  }
  for (int i = 0; i < cells; ++i) {
    apl_closure c = apl_closure_default();
    char from[32], to[32];
    (void)snprintf(from, sizeof from, "l%d_%d", i, length - 1);
    (void)snprintf(to, sizeof to, "l%d_%d", i + 1, length - 1);
    c.from = from;
    c.to = to;
    c.type = "distance";
    c.length = 0.3;
    (void)apl_spec_loop(spec, &c);
  }
  if (apl_model_new(spec, &m, &err) != APL_OK) {
    (void)fprintf(stderr, "targets: %s\n", err.text);
    m = NULL;
  }
  apl_spec_free(spec);
  return m;
}

static double ladder_time(int cells, int length) {
  apl_model* m = ladder(cells, length);
  const double t = forward_time(m, NULL);
  apl_model_free(m);
  return t;
}

/* Four loops, trees of 200 links over five times that of 40. */
double target_loops_tree(void) {
  return ladder_time(4, 40) / (5.0 * ladder_time(4, 8));
}

/* A tree of 100 links or so with 24 and 48 loops: the exponent of what the rows cost. */
double target_loops_rows(void) {
  return log(ladder_time(48, 2) / ladder_time(24, 4)) / log(2.0);
}
