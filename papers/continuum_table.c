/* SPDX-License-Identifier: Apache-2.0 */
/* continuum_table.c: Table 1 of the continuum paper: one second of the rod with one to four
   elements, by the classical Runge-Kutta method at the published steps. */
#include "papers/continuum.h"
#include "papers/rig.h"
#include "papers/small_motion.h"

#include <math.h>

enum { MOST_ELEMENTS = 4, STEPS = 5 };

static const struct {
  double step, time; /* [s] */
} table[MOST_ELEMENTS] = {{0.01, 0.05}, {0.01, 0.12}, {0.005, 0.41}, {0.0005, 6.5}};

double apl_continuum_published_step(int n) {
  return table[n - 1].step;
}

static apl_status open_rk4(rig* r, int elements, double step, double every, apl_error* err) {
  return apl_rig_open(
      r, err, "paper-continuum-rod",
      "rod.body.elements=%d; run.integrator=rk4; run.step=%.17g; run.output-every=%.17g", elements,
      step, every);
}

/* omega h < 2 sqrt 2 for the fastest motion about the straight rod */
static apl_status largest_step(rig* r, double* h, apl_error* err) {
  double omega[MOST_ELEMENTS] = {0};
  const apl_status st = apl_natural_frequencies(r->model, apl_system_state(r->system), omega, err);

  *h = st == APL_OK ? sqrt(8.0) / omega[apl_model_nv(r->model) - 1] : nan("");
  return st;
}

static void put_times(apl_paper* paper, int n, double wall, long steps, bool stable) {
  const double step_wall = wall / (double)steps;
  const double step_published = table[n - 1].time * table[n - 1].step;
  const char* note = apl_put_text(
      paper,
      "%.3g times shorter, in C on this machine against MATLAB on 2.8 GHz: not like for like. "
      "Reproduced means: stable at this step, and not slower",
      table[n - 1].time / wall);

  apl_put_row(paper, apl_put_text(paper, "n = %d: computing time of 1 s of motion", n),
              table[n - 1].time, wall, "s",
              stable && wall <= table[n - 1].time ? APL_REPRODUCED : APL_NOT_REPRODUCED, note);
  apl_put_row(paper, apl_put_text(paper, "n = %d: computing time of one RK4 step", n),
              1e3 * step_published, 1e3 * step_wall, "ms",
              stable && step_wall <= step_published ? APL_REPRODUCED : APL_NOT_REPRODUCED,
              "published: time over number of steps; not like for like, as above");
}

/* A note on whether stability explains the step, as the paper says. */
static const char* step_note(apl_paper* paper, int n, double limit) {
  const double step = table[n - 1].step, larger = n > 1 ? table[n - 2].step : step;
  const char* stable = "reproduced means: the published step is stable";

  if (larger <= limit) return stable;
  stable = apl_put_text(paper, "%s; that of n = %d, %g s, would not be", stable, n - 1, larger);
  if (limit < 4.0 * step) return stable;
  return apl_put_text(paper,
                      "%s, but why it is %.2g times smaller than need be the model does not say",
                      stable, limit / step);
}

/* Error and energy of the published run against the same run to round-off. */
static apl_status put_accuracy(apl_paper* paper, int n, rig* r, double limit, bool* stable,
                               apl_error* err) {
  const double step = table[n - 1].step;
  rig_path rk4 = {0}, exact = {0};
  rig reference = {0};

  apl_status st = apl_rig_run(r, &rk4, err);
  if (st == APL_OK) {
    st = apl_rig_open(&reference, err, "paper-continuum-rod",
                      "rod.body.elements=%d; run.tolerance=1e-13; run.output-every=%.17g", n, step);
  }
  if (st == APL_OK) st = apl_rig_run(&reference, &exact, err);
  if (st == APL_OK) {
    const double error = apl_rig_distance(&rk4, &exact), energy = rk4.drift / rk4.kinetic;
    *stable = error < 0.01 && step < limit;
    apl_put_row(
        paper, apl_put_text(paper, "n = %d: step of the paper; ours: largest stable one", n), step,
        limit, "s", *stable ? APL_REPRODUCED : APL_NOT_REPRODUCED, step_note(paper, n, limit));
    apl_put_ours(paper,
                 apl_put_text(paper, "n = %d: largest error of the tip in 1 s at that step", n),
                 error, "m", "against the same elements integrated to 1e-13");
    apl_put_ours(paper, apl_put_text(paper, "n = %d: energy error over largest kinetic energy", n),
                 energy, "1", "");
  }
  apl_rig_path_free(&rk4);
  apl_rig_path_free(&exact);
  apl_rig_close(&reference);
  return st;
}

/* One row of Table 1; step_wall: ours, of one step [s]. */
static apl_status put_elements(apl_paper* paper, int n, double* step_wall, apl_error* err) {
  double limit = nan(""), wall = nan("");
  bool stable = false;
  long steps = 0;
  rig r;

  apl_status st = open_rk4(&r, n, table[n - 1].step, table[n - 1].step, err);
  if (st == APL_OK) st = apl_rig_time(&r, &wall, &steps, err);
  if (st == APL_OK) {
    apl_state_reset(apl_system_state(r.system));
    st = largest_step(&r, &limit, err);
  }
  if (st == APL_OK) st = put_accuracy(paper, n, &r, limit, &stable, err);
  if (st == APL_OK) put_times(paper, n, wall, steps, stable);
  *step_wall = wall / (double)steps;
  apl_rig_close(&r);
  return st;
}

/* Error of the tip for ever smaller steps: error[STEPS] at step[STEPS]. */
static apl_status refine(int n, double first, double* step, double* error, apl_error* err) {
  const double every = first;
  rig_path exact = {0};
  rig r;

  apl_status st =
      apl_rig_open(&r, err, "paper-continuum-rod",
                   "rod.body.elements=%d; run.tolerance=1e-13; run.output-every=%.17g", n, every);
  if (st == APL_OK) st = apl_rig_run(&r, &exact, err);
  apl_rig_close(&r);
  for (int k = 0; k < STEPS && st == APL_OK; ++k) {
    rig_path rk4 = {0};
    step[k] = first / (double)(1 << k);
    st = open_rk4(&r, n, step[k], every, err);
    if (st == APL_OK) st = apl_rig_run(&r, &rk4, err);
    error[k] = apl_rig_distance(&rk4, &exact);
    apl_rig_path_free(&rk4);
    apl_rig_close(&r);
  }
  apl_rig_path_free(&exact);
  return st;
}

static apl_status put_order(apl_paper* paper, apl_error* err) {
  /* the largest round steps that are stable */
  static const double first[MOST_ELEMENTS] = {0.04, 0.02, 0.005, 0.0025};
  double step[STEPS], error[STEPS], order = nan("");

  apl_put_figure(paper,
                 (paper_axes){.title = "RK4: largest error of the tip in 1 s against the step",
                              .right = "step [s]",
                              .up = "error of the tip [m]",
                              .log_x = true,
                              .log_y = true});
  for (int n = 1; n <= MOST_ELEMENTS; ++n) {
    const apl_status st = refine(n, first[n - 1], step, error, err);
    if (st != APL_OK) return st;
    apl_put_curve(paper, apl_put_text(paper, "n = %d", n), STEPS, step, error, true, false);
    if (n == 2) order = log2(error[2] / error[3]);
  }
  apl_put_row(paper, "n = 2: order of convergence of RK4", 4, order, "1",
              fabs(order - 4.0) < 0.25 ? APL_REPRODUCED : APL_NOT_REPRODUCED,
              "from halving a step of 5 ms; the paper only names the method, which has order 4");
  return APL_OK;
}

static void put_time_figure(apl_paper* paper, const double* step_wall) {
  double n[MOST_ELEMENTS], published[MOST_ELEMENTS], ours[MOST_ELEMENTS];

  for (int i = 0; i < MOST_ELEMENTS; ++i) {
    n[i] = i + 1;
    published[i] = 1e3 * table[i].time * table[i].step;
    ours[i] = 1e3 * step_wall[i];
  }
  apl_put_figure(paper, (paper_axes){.title = "Computing time of one RK4 step",
                                     .right = "number of elements n",
                                     .up = "time [ms]",
                                     .log_y = true});
  apl_put_curve(paper, "published", MOST_ELEMENTS, n, published, true, true);
  apl_put_curve(paper, "ours, other hardware", MOST_ELEMENTS, n, ours, true, false);
}

apl_status apl_continuum_table(apl_paper* paper, apl_error* err) {
  double step_wall[MOST_ELEMENTS];
  apl_status st = APL_OK;

  apl_put_group(paper, "Table 1: one second of motion with RK4",
                "The rod with round numbers (EI 0.05 N m^2, 20 g/m, 20 g at the tip), released "
                "straight; times with the energy ledger, without files, on the machine that wrote "
                "this.");
  for (int n = 1; n <= MOST_ELEMENTS && st == APL_OK; ++n)
    st = put_elements(paper, n, &step_wall[n - 1], err);
  if (st != APL_OK) return st;
  put_time_figure(paper, step_wall);
  return put_order(paper, err);
}
