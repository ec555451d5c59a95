/* SPDX-License-Identifier: Apache-2.0 */
/* continuum_rod.c: the experiment of the continuum paper, with assumed parameters: a nitinol rod of
   2 mm with four weights. */
#include "appell/analyse.h"

#include "papers/cantilever.h"
#include "papers/continuum.h"
#include "papers/rig.h"
#include "papers/small_motion.h"

#include <math.h>

enum { WEIGHTS = 4, MOST_ELEMENTS = 4 };
static const double weight[WEIGHTS] = {0.0, 0.01, 0.02, 0.05};
static const double pi = 3.14159265358979323846;

/* the field of view of the paper's camera [m] */
static const double WINDOW = 0.20;

typedef struct rod_answer {
  double straight, sagged, sag; /* frequencies [Hz], [m] */
  double beam;                  /* Euler-Bernoulli, straight [Hz] */
  double across, along;         /* size of the tip's path [m] */
} rod_answer;

/* First frequency [Hz] about the present shape. */
static apl_status frequency(rig* r, double* f, apl_error* err) {
  double omega[MOST_ELEMENTS] = {0};
  const apl_status st = apl_natural_frequencies(r->model, apl_system_state(r->system), omega, err);

  *f = omega[0] / (2.0 * pi);
  return st;
}

/* One element, straight, without gravity: its stiffness is EI / L. */
apl_status apl_continuum_rod(const char* model, rod_numbers* out, apl_error* err) {
  double pose[12] = {0}, K = nan("");
  rig r;

  apl_status st = apl_rig_open(&r, err, model, "rod.body.elements=1; gravity=[0, 0, 0]");
  if (st != APL_OK) return st;
  st = apl_port_pose(r.model, apl_system_state(r.system), r.tip, pose);
  if (st == APL_OK) st = apl_stiffness_matrix(r.model, apl_system_state(r.system), &K, err);
  out->length = hypot(pose[9], pose[11]);
  out->mass = apl_model_link_info(r.model, apl_model_find(r.model, APL_LINKS, "rod")).mass;
  out->stiffness = K * out->length;
  apl_rig_close(&r);
  return st;
}

/* First frequency of the straight Euler-Bernoulli rod [Hz]. */
static apl_status beam_frequency(double mass, double* f, apl_error* err) {
  rod_numbers rod = {0};
  double beta;
  const apl_status st = apl_continuum_rod("paper-continuum-nitinol", &rod, err);

  if (st != APL_OK) return st;
  apl_cantilever_modes(mass / rod.mass, 1, &beta);
  *f = beta * beta * sqrt(rod.stiffness / (rod.mass * pow(rod.length, 3))) / (2.0 * pi);
  return APL_OK;
}

static void box(const rig_path* p, double* across, double* along) {
  double x[2] = {HUGE_VAL, -HUGE_VAL}, z[2] = {HUGE_VAL, -HUGE_VAL};

  for (int i = 0; i < p->n; ++i) {
    x[0] = fmin(x[0], p->x[i]), x[1] = fmax(x[1], p->x[i]);
    z[0] = fmin(z[0], p->z[i]), z[1] = fmax(z[1], p->z[i]);
  }
  *across = z[1] - z[0];
  *along = x[1] - x[0];
}

static apl_status ask(double mass, rod_answer* a, rig_path* path, apl_error* err) {
  double pose[12] = {0};
  rig r;

  apl_status st = beam_frequency(mass, &a->beam, err);
  if (st == APL_OK) {
    st = apl_rig_open(&r, err, "paper-continuum-nitinol", "weight.body.mass=%g; run.to=1.5", mass);
  }
  if (st != APL_OK) return st;
  apl_state* s = apl_system_state(r.system);
  st = frequency(&r, &a->straight, err);
  if (st == APL_OK) st = apl_equilibrium(r.model, s, NULL, NULL, err);
  if (st == APL_OK) st = frequency(&r, &a->sagged, err);
  if (st == APL_OK) st = apl_port_pose(r.model, s, r.tip, pose);
  a->sag = -pose[11];
  if (st == APL_OK) st = apl_rig_run(&r, path, err);
  apl_rig_close(&r);
  box(path, &a->across, &a->along);
  return st;
}

static void put_weight(apl_paper* paper, double mass, const rod_answer* a) {
  const double g = 1e3 * mass;

  apl_put_ours(paper, apl_put_text(paper, "%g g: first frequency, n = 2, straight", g), a->straight,
               "Hz", apl_put_text(paper, "Euler-Bernoulli: %.4g Hz", a->beam));
  apl_put_ours(
      paper, apl_put_text(paper, "%g g: first frequency, n = 2, about the sagged shape", g),
      a->sagged, "Hz",
      mass > 0.04 ? "sagging stiffens the rod: straight beams are no comparison here" : "");
  apl_put_ours(paper, apl_put_text(paper, "%g g: sag of the tip at rest, n = 2", g), a->sag, "m",
               "");
  const bool fits = fmax(a->across, a->along) <= WINDOW;
  apl_put_ours(
      paper, apl_put_text(paper, "%g g: larger side of the tip's path, released straight", g),
      fmax(a->across, a->along), "m",
      fits ? "fits into the 20 x 20 cm in which the paper saw the tip"
           : "does not fit into the 20 x 20 cm in which the paper saw the tip: its rod was "
             "thicker, its weight lighter, or it was let go from nearer its rest");
}

static void put_paths(apl_paper* paper, const rig_path* path) {
  /* the camera's field of view, attached to the straight tip */
  const double x0 = path[0].x[0], z0 = path[0].z[0];
  const double x[5] = {x0 - WINDOW, x0, x0, x0 - WINDOW, x0 - WINDOW};
  const double z[5] = {z0, z0, z0 - WINDOW, z0 - WINDOW, z0};

  apl_put_figure(paper, (paper_axes){.title = "Path of the tip, released straight, 1.5 s, n = 2",
                                     .right = "x [m]",
                                     .up = "z [m]",
                                     .equal = true});
  /* the longest first: the paths nearly coincide */
  for (int i = WEIGHTS - 1; i >= 0; --i) {
    apl_put_curve(paper, apl_put_text(paper, "%g g", 1e3 * weight[i]), path[i].n, path[i].x,
                  path[i].z, false, false);
  }
  apl_put_curve(paper, "20 x 20 cm", 5, x, z, false, true);
  apl_put_figure(paper,
                 (paper_axes){.title = "Height of the tip, what the lost figures 8 to 10 showed",
                              .right = "time [s]",
                              .up = "height [m]"});
  for (int i = WEIGHTS - 1; i >= 0; --i) {
    apl_put_curve(paper, apl_put_text(paper, "%g g", 1e3 * weight[i]), path[i].n, path[i].t,
                  path[i].z, false, false);
  }
}

static void put_frequencies(apl_paper* paper, const rod_answer* answer) {
  double f[3][WEIGHTS], grams[WEIGHTS];

  for (int i = 0; i < WEIGHTS; ++i) {
    grams[i] = 1e3 * weight[i];
    f[0][i] = answer[i].beam, f[1][i] = answer[i].straight, f[2][i] = answer[i].sagged;
  }
  apl_put_figure(paper, (paper_axes){.title = "First frequency of the nitinol rod",
                                     .right = "weight at the tip [g]",
                                     .up = "frequency [Hz]"});
  apl_put_curve(paper, "Euler-Bernoulli, straight", WEIGHTS, grams, f[0], true, true);
  apl_put_curve(paper, "n = 2, straight", WEIGHTS, grams, f[1], true, false);
  apl_put_curve(paper, "n = 2, sagged", WEIGHTS, grams, f[2], true, false);
}

static apl_status put_weights(apl_paper* paper, apl_error* err) {
  rod_answer answer[WEIGHTS];
  rig_path path[WEIGHTS] = {{0}};
  apl_status st = APL_OK;

  for (int i = 0; i < WEIGHTS && st == APL_OK; ++i) {
    st = ask(weight[i], &answer[i], &path[i], err);
    if (st == APL_OK) put_weight(paper, weight[i], &answer[i]);
  }
  if (st == APL_OK) {
    put_paths(paper, path);
    put_frequencies(paper, answer);
  }
  for (int i = 0; i < WEIGHTS; ++i)
    apl_rig_path_free(&path[i]);
  return st;
}

apl_status apl_continuum_experiment(apl_paper* paper, apl_error* err) {
  apl_put_group(
      paper, "The experiment: a nitinol rod with weights",
      "60 cm of nitinol survive in the text; 2 mm, 67.5 GPa, 6450 kg/m^3 and the weights are "
      "our choice, so nothing here can be compared.");
  return put_weights(paper, err);
}
