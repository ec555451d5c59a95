/* SPDX-License-Identifier: Apache-2.0 */
/* controlled_arm.c: a sampled controller in C. The seven-axis arm of models/arm7.yaml, with
   gravity, dry friction and geared motors, is moved by a computer that works every millisecond:

     u = efforts that hold the arm where it is (bias of a second state) + Kp (q_d - q) - Kd v

   usage: appell-controlled-arm MODEL [SECONDS] */
#define _POSIX_C_SOURCE 199309L /* clock_gettime */
#include <appell/appell.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct controller {
  const apl_model* model;
  apl_state* ideal; /* what the computer thinks with: its own state of the same model */
  double* hold; /* [nv]                                                                        */
} controller;

/* Where joint i should be: from rest by a smooth step of 2 s to alternating 0.6 rad. */
static double desired(double t, int i) {
  const double x = t < 2.0 ? t / 2.0 : 1.0;
  return (i % 2 == 0 ? 0.6 : -0.6) * x * x * x * (10.0 + x * (-15.0 + 6.0 * x));
}

static void control(double t, apl_system* system, void* user) {
  controller* c = user;
  const int n = apl_model_nv(c->model);
  const double *q = apl_q(apl_system_state(system)), *v = apl_v(apl_system_state(system));
  double* u = apl_u(apl_system_state(system));

  memcpy(apl_q(c->ideal), q, sizeof *q * (size_t)n);
  memset(apl_v(c->ideal), 0, sizeof *v * (size_t)n);
  if (apl_bias(c->model, c->ideal, c->hold) != APL_OK) return; /* the run itself will say why */
  for (int i = 0; i < n; ++i)
    u[i] = c->hold[i] + 400.0 * (desired(t, i) - q[i]) - 40.0 * v[i];
}

static int complain(const char* what, const char* sentence) {
  fprintf(stderr, "%s: %s\n", what, sentence);
  return 1;
}

static double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Run, then look: the arm must be where it was asked to go. */
static int move(const apl_model* model, apl_system* system, controller* c, double to) {
  apl_run_options o = apl_run_options_default();
  apl_run_report report;
  apl_error err;
  double worst = 0.0;

  o.to = to;
  o.control = control;
  o.control_every = 1e-3;
  o.user = c;
  const double start = seconds();
  if (apl_run(system, &o, &report, &err) != APL_OK) return complain("controlled arm", err.text);
  const double wall = seconds() - start;
  for (int i = 0; i < apl_model_nv(model); ++i) {
    worst = fmax(worst, fabs(apl_q(apl_system_state(system))[i] - desired(to, i)));
  }
  printf("controlled arm: %g s in %.3f s, energy error %.2e of %.4g J, momentum %.2e; at the end "
         "%.1e rad from where it should be\n",
         report.t, wall, report.relative, report.scale, report.momentum, worst);

  /* dry friction of 0.4 N m against 400 N m/rad leaves a milliradian */
  return worst < 2e-3 && report.relative < 1e-6 ? 0 : complain("controlled arm", "missed its mark");
}

int main(int argc, char** argv) {
  apl_file* file = NULL;
  apl_model* model = NULL;
  apl_system* system = NULL;
  apl_report report = {0};
  apl_error err;
  controller c = {0};
  int code = 1;

  if (argc < 2 || argc > 3) {
    fprintf(stderr, "usage: appell-controlled-arm MODEL [SECONDS]\n");
    return 2;
  }
  if (apl_file_load(argv[1], NULL, &file, &report) != APL_OK ||
      apl_file_model(file, &model, &report) != APL_OK) {
    fprintf(stderr, "%s:%d:%d: %s\n", argv[1], report.item[0].line, report.item[0].column,
            report.item[0].text);
  } else if (apl_model_nu(model) != apl_model_nv(model)) {
    complain(argv[1], "this controller wants one input per joint");
  } else if (apl_system_new(model, &system, &err) != APL_OK ||
             apl_state_new(model, APL_SCALAR, &c.ideal) != APL_OK ||
             (c.hold = calloc((size_t)apl_model_nv(model), sizeof *c.hold)) == NULL) {
    complain(argv[1], "out of memory");
  } else {
    c.model = model;
    code = move(model, system, &c, argc == 3 ? strtod(argv[2], NULL) : 4.0);
  }
  free(c.hold);
  apl_state_free(c.ideal);
  apl_system_free(system);
  apl_model_free(model);
  apl_file_free(file);
  return code;
}
