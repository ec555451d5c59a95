/* SPDX-License-Identifier: Apache-2.0 */
/* continuum_taylor.c: errors of the paper's fifth-order element against the exact one. */
#include "papers/continuum.h"
#include "papers/rig.h"
#include "papers/small_motion.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

/* ---------------------------------------------------------------------- shape and inertia ---- */

enum { ANGLES = 40 };

static apl_status tip_at(rig* r, double theta, double* x, double* z) {
  apl_state* s = apl_system_state(r->system);
  double pose[12] = {0};

  apl_q(s)[0] = theta;
  const apl_status st = apl_port_pose(r->model, s, r->tip, pose);
  *x = pose[9];
  *z = pose[11];
  return st;
}

/* distance of the tips over L */
static apl_status tip_error(rig* exact, rig* p5, double theta, double* error) {
  double x[2] = {0}, z[2] = {0}, x0, length = 1.0;
  apl_status st = tip_at(exact, 0.0, &x0, &length);

  if (st == APL_OK) st = tip_at(exact, theta, &x[0], &z[0]);
  if (st == APL_OK) st = tip_at(p5, theta, &x[1], &z[1]);
  *error = hypot(x[0] - x[1], z[0] - z[1]) / length;
  return st;
}

static apl_status put_shape(apl_paper* paper, apl_error* err) {
  static const double shown[] = {0.1, 0.5, 1.0, 1.5, 2.0, 3.0, 3.14159265358979323846};
  double angle[ANGLES], error[ANGLES], e = nan("");
  rig exact, p5 = {0};

  apl_status st = apl_rig_open(&exact, err, "paper-continuum-element", "start={}");
  if (st == APL_OK) {
    st = apl_rig_open(&p5, err, "paper-continuum-element", "rod.body.evaluation=p5; start={}");
  }
  for (size_t i = 0; i < sizeof shown / sizeof *shown && st == APL_OK; ++i) {
    st = tip_error(&exact, &p5, shown[i], &e);
    apl_put_ours(paper,
                 apl_put_text(paper, "fifth-order tip at theta = %.4g rad: error over L", shown[i]),
                 e, "1", i == 2 ? "the expansion is fine to about 1 rad per element" : "");
  }
  for (int i = 0; i < ANGLES && st == APL_OK; ++i) {
    angle[i] = 0.1 * pow(pi / 0.1, (double)i / (ANGLES - 1));
    st = tip_error(&exact, &p5, angle[i], &error[i]);
  }
  apl_rig_close(&exact);
  apl_rig_close(&p5);
  if (st != APL_OK) return st;
  apl_put_figure(paper, (paper_axes){.title = "Fifth order: error of the tip of one element",
                                     .right = "theta [rad]",
                                     .up = "error over L",
                                     .log_x = true,
                                     .log_y = true});
  apl_put_curve(paper, "p5 and t5", ANGLES, angle, error, false, false);
  return APL_OK;
}

/* Smallest eigenvalue of the inertia of a free element, over its largest. */
static apl_status definiteness(rig* r, double theta, double* least, apl_error* err) {
  enum { FREEDOMS = 4 };
  apl_state* s = apl_system_state(r->system);
  double value[FREEDOMS] = {0};

  apl_q(s)[apl_model_nq(r->model) - 1] = theta;
  const apl_status st = apl_inertia_values(r->model, s, value, err);
  *least = value[0] / value[FREEDOMS - 1];
  return st;
}

static apl_status open_free(rig* r, const char* evaluation, apl_error* err) {
  return apl_rig_open(r, err, "paper-continuum-element",
                      "rod.joint={type: planar, normal: y}; rod.body.evaluation=%s; "
                      "rod.body.rotary-inertia=0; weight.body.mass=0; start={}",
                      evaluation);
}

static apl_status put_definiteness(apl_paper* paper, apl_error* err) {
  const char* claim = "the paper says that the inertia of an element is always positive definite";
  double low = 1.0, high = 3.0, least = nan(""), worst = 1.0;
  rig t5, p5 = {0};

  apl_status st = open_free(&t5, "t5", err);
  if (st == APL_OK) st = open_free(&p5, "p5", err);
  for (int k = 0; k < 50 && st == APL_OK; ++k) {
    const double middle = 0.5 * (low + high);
    st = definiteness(&t5, middle, &least, err);
    *(least > 0.0 ? &low : &high) = middle;
  }
  for (int k = 0; k <= 100 && st == APL_OK; ++k) {
    st = definiteness(&p5, 0.01 * k * 2.0 * pi, &least, err);
    worst = fmin(worst, least);
  }
  apl_rig_close(&t5);
  apl_rig_close(&p5);
  if (st != APL_OK) return st;
  apl_put_row(paper, "inertia p5: least over largest eigenvalue, theta to 2 pi", nan(""), worst,
              "1", worst > 0.0 ? APL_REPRODUCED : APL_NOT_REPRODUCED,
              apl_put_text(paper, "%s: so it is when products are kept in full", claim));
  apl_put_row(paper, "inertia t5: angle at which it loses definiteness", nan(""), low, "rad",
              low < 2.9 ? APL_NOT_REPRODUCED : APL_REPRODUCED,
              apl_put_text(paper, "%s: not so beyond this angle when it is truncated", claim));
  return APL_OK;
}

/* -------------------------------------------------------------------------------- motion ---- */

enum { AMPLITUDES = 6 };

/* The time from rest to the first zero crossing is a quarter of the period. */
static apl_status period(const char* evaluation, double amplitude, double* T, apl_error* err) {
  rig r;
  apl_status st = apl_rig_open(
      &r, err, "paper-continuum-element",
      "rod.body.evaluation=%s; start.rod.bend-y=%.17g; run.tolerance=1e-13", evaluation, amplitude);
  if (st == APL_OK) st = apl_rig_crossing(&r, 0, T, err);
  apl_rig_close(&r);
  *T *= 4.0;
  return st;
}

static apl_status put_periods(apl_paper* paper, apl_error* err) {
  static const double amplitude[AMPLITUDES] = {0.25, 0.5, 1.0, 1.5, 2.0, 3.0};
  double error[2][AMPLITUDES];

  for (int i = 0; i < AMPLITUDES; ++i) {
    double T[3] = {nan(""), nan(""), nan("")};
    apl_status st = period("exact", amplitude[i], &T[0], err);
    if (st == APL_OK) st = period("p5", amplitude[i], &T[1], err);
    if (st == APL_OK) st = period("t5", amplitude[i], &T[2], err);
    if (st != APL_OK) return st;
    apl_put_ours(paper,
                 apl_put_text(paper, "period of one element, amplitude %g rad", amplitude[i]), T[0],
                 "s", i == 0 ? "10 g at the tip, no gravity" : "");
    for (int k = 0; k < 2; ++k) {
      const double relative = (T[1 + k] - T[0]) / T[0];
      apl_put_ours(paper,
                   apl_put_text(paper, "the same with %s: relative error, amplitude %g rad",
                                k == 0 ? "p5" : "t5", amplitude[i]),
                   relative, "1", "");
      error[k][i] = fabs(relative);
    }
  }
  apl_put_figure(paper, (paper_axes){.title = "Fifth order against exact: period of one element",
                                     .right = "amplitude [rad]",
                                     .up = "relative error, absolute value",
                                     .log_x = true,
                                     .log_y = true});
  apl_put_curve(paper, "p5", AMPLITUDES, amplitude, error[0], true, false);
  apl_put_curve(paper, "t5", AMPLITUDES, amplitude, error[1], true, true);
  return APL_OK;
}

static apl_status release(const char* evaluation, rig_path* path, apl_error* err) {
  rig r;
  apl_status st = apl_rig_open(&r, err, "paper-continuum-rod",
                               "rod.body.evaluation=%s; run.tolerance=1e-12; run.output-every=2e-3",
                               evaluation);
  if (st == APL_OK) st = apl_rig_run(&r, path, err);
  apl_rig_close(&r);
  return st;
}

/* Largest difference of the angles. */
static double angle_distance(const rig_path* a, const rig_path* b) {
  double most = 0.0;

  for (int i = 0; i < a->n * a->nq; ++i)
    most = fmax(most, fabs(a->q[i] - b->q[i]));
  return most;
}

static void put_distance_curve(apl_paper* paper, const char* name, const rig_path* a,
                               const rig_path* b, bool dashed) {
  double* d = apl_put_numbers(paper, a->n);

  for (int i = 0; d != NULL && i < a->n; ++i)
    d[i] = 1e3 * hypot(a->x[i] - b->x[i], a->z[i] - b->z[i]);
  if (d != NULL) apl_put_curve(paper, name, a->n, a->t, d, false, dashed);
}

static apl_status put_release(apl_paper* paper, apl_error* err) {
  rig_path exact = {0}, p5 = {0}, t5 = {0};
  apl_status st = release("exact", &exact, err);
  if (st == APL_OK) st = release("p5", &p5, err);
  if (st == APL_OK) st = release("t5", &t5, err);

  if (st == APL_OK) {
    apl_put_ours(paper, "n = 2, 20 g released: tip of p5 against exact in 1 s",
                 1e3 * apl_rig_distance(&exact, &p5), "mm",
                 "small beside what two elements leave out: see the groups below");
    apl_put_ours(paper, "n = 2, 20 g released: angles of p5 against exact",
                 angle_distance(&exact, &p5), "rad", "");
    apl_put_ours(paper, "n = 2, 20 g released: tip of t5 against exact in 1 s",
                 1e3 * apl_rig_distance(&exact, &t5), "mm", "");
    apl_put_figure(paper,
                   (paper_axes){.title = "Fifth order against exact: the rod with 20 g, n = 2",
                                .right = "time [s]",
                                .up = "distance of the tips [mm]"});
    put_distance_curve(paper, "p5", &exact, &p5, false);
    put_distance_curve(paper, "t5", &exact, &t5, true);
  }
  apl_rig_path_free(&exact);
  apl_rig_path_free(&p5);
  apl_rig_path_free(&t5);
  return st;
}

/* The paper's claim that a straight element needs no special treatment. */
static apl_status put_straight(apl_paper* paper, apl_error* err) {
  rig_path path[2] = {{0}, {0}};
  apl_status st = APL_OK;

  for (int k = 0; k < 2 && st == APL_OK; ++k) {
    rig r;
    st = apl_rig_open(&r, err, "paper-continuum-rod",
                      "start={rod.bend-y.1: %g, rod.bend-y.2: %g}; run.tolerance=1e-13; run.to=0.2",
                      k * 1e-12, k * 1e-12);
    if (st == APL_OK) st = apl_rig_run(&r, &path[k], err);
    apl_rig_close(&r);
  }
  if (st == APL_OK) {
    const double d = angle_distance(&path[0], &path[1]);
    apl_put_row(paper, "start at 0 against start at 1e-12 rad: angles after 0.2 s", nan(""), d,
                "rad", d < 1e-10 ? APL_REPRODUCED : APL_NOT_REPRODUCED,
                "the paper claims that the model is not singular when it is straight");
  }
  apl_rig_path_free(&path[0]);
  apl_rig_path_free(&path[1]);
  return st;
}

apl_status apl_continuum_taylor(apl_paper* paper, apl_error* err) {
  apl_put_group(paper, "Fifth order against exact",
                "The paper expands positions to the fifth power of the angle; Appell evaluates the "
                "element exactly and has the expansion as an option (evaluation: p5 or t5).");
  apl_status st = put_straight(paper, err);
  if (st == APL_OK) st = put_definiteness(paper, err);
  if (st == APL_OK) st = put_shape(paper, err);
  if (st == APL_OK) st = put_periods(paper, err);
  if (st == APL_OK) st = put_release(paper, err);
  return st;
}
