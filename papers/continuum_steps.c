/* SPDX-License-Identifier: Apache-2.0 */
/* continuum_steps.c: which rod fits the steps of Table 1. The paper chose them "by trial and error,
   to avoid numerical instability"; the largest stable step of RK4 depends on the diameter, which is
   lost. */
#include "papers/continuum.h"
#include "papers/rig.h"
#include "papers/small_motion.h"

#include <math.h>

enum { MOST_ELEMENTS = 4, CURVE = 31 };

/* Largest stable RK4 step of a nitinol rod of 65 GPa: omega h < 2 sqrt 2 for its fastest motion. */
static apl_status stable_step(double diameter, double mass, int n, double* h, apl_error* err) {
  double omega[MOST_ELEMENTS] = {0};
  rig r;

  apl_status st =
      apl_rig_open(&r, err, "paper-continuum-nitinol",
                   "rod.body.elements=%d; rod.body.diameter=%.17g; weight.body.mass=%g; "
                   "rod.body.young-modulus=65 GPa",
                   n, diameter, mass);
  if (st == APL_OK) st = apl_natural_frequencies(r.model, apl_system_state(r.system), omega, err);
  apl_rig_close(&r);
  *h = sqrt(8.0) / omega[n - 1];
  return st;
}

static apl_status put_steps(apl_paper* paper, apl_error* err) {
  static const struct {
    double diameter, mass;
  } rod[] = {{1.5e-3, 0.02}, {2e-3, 0.0},  {2e-3, 0.02},
             {2.5e-3, 0.02}, {3e-3, 0.02}, {3.5e-3, 0.02}};
  double h = nan("");

  for (size_t i = 0; i < sizeof rod / sizeof *rod; ++i) {
    for (int n = 1; n <= MOST_ELEMENTS; ++n) {
      const apl_status st = stable_step(rod[i].diameter, rod[i].mass, n, &h, err);
      if (st != APL_OK) return st;
      apl_put_ours(paper,
                   apl_put_text(paper, "d = %g mm, %g g, n = %d: largest stable RK4 step",
                                1e3 * rod[i].diameter, 1e3 * rod[i].mass, n),
                   h, "s", "");
    }
  }
  return APL_OK;
}

static apl_status put_figure(apl_paper* paper, apl_error* err) {
  double d[CURVE], h[CURVE];

  apl_put_figure(paper,
                 (paper_axes){.title = "Largest stable RK4 step, 20 g, 65 GPa; dashed: published "
                                       "steps of n = 2 and n = 3",
                              .right = "diameter of the rod [mm]",
                              .up = "step [s]",
                              .log_y = true});
  for (int n = 2; n <= MOST_ELEMENTS; ++n) {
    for (int i = 0; i < CURVE; ++i) {
      d[i] = 1.0 + 3.0 * i / (CURVE - 1);
      const apl_status st = stable_step(1e-3 * d[i], 0.02, n, &h[i], err);
      if (st != APL_OK) return st;
    }
    apl_put_curve(paper, apl_put_text(paper, "n = %d", n), CURVE, d, h, false, false);
  }
  for (int n = 2; n <= 3; ++n) {
    const double step = apl_continuum_published_step(n);
    apl_put_curve(paper, apl_put_text(paper, "%g s", step), 2, (double[]){d[0], d[CURVE - 1]},
                  (double[]){step, step}, false, true);
  }
  return APL_OK;
}

/* The diameter at which a step is just stable for n elements with 20 g. */
static apl_status diameter_of(double step, int n, double* d, apl_error* err) {
  double low = 0.5e-3, high = 10e-3, h = nan("");
  apl_status st = APL_OK;

  for (int k = 0; k < 40 && st == APL_OK; ++k) {
    *d = 0.5 * (low + high);
    st = stable_step(*d, 0.02, n, &h, err);
    *(h > step ? &low : &high) = *d;
  }
  return st;
}

static apl_status put_diameter(apl_paper* paper, apl_error* err) {
  double thin = nan(""), thick = nan("");
  apl_status st = diameter_of(apl_continuum_published_step(2), 3, &thin, err);

  if (st == APL_OK) st = diameter_of(apl_continuum_published_step(3), 3, &thick, err);
  if (st != APL_OK) return st;
  apl_put_ours(paper, "diameter of the rod, at least", 1e3 * thin, "mm",
               "an inference: n = 3 needs a smaller step than n = 2 only if the rod is thicker (65 "
               "GPa, 20 g)");
  apl_put_ours(
      paper, "diameter of the rod, at most", 1e3 * thick, "mm",
      "an inference: n = 3 is stable at its step only if the rod is thinner (65 GPa, 20 g)");
  return APL_OK;
}

apl_status apl_continuum_steps(apl_paper* paper, apl_error* err) {
  apl_put_group(paper, "Which rod the steps of Table 1 fit",
                "If the steps were halved only where the larger one diverged, they bracket the "
                "diameter of the rod; limits of the straight rod, scaling with 1/sqrt(E).");
  apl_status st = put_diameter(paper, err);
  if (st == APL_OK) st = put_steps(paper, err);
  return st == APL_OK ? put_figure(paper, err) : st;
}
