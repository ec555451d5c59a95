/* SPDX-License-Identifier: Apache-2.0 */
/* continuum_chain.c: the effect of more elements: the chain of the continuum paper against
   theory. */
#include "appell/analyse.h"

#include "papers/cantilever.h"
#include "papers/continuum.h"
#include "papers/rig.h"
#include "papers/small_motion.h"

#include <math.h>

/* --------------------------------------------------------------------------- frequencies ---- */

enum { MODES = 3, CHAINS = 7, MOST_ELEMENTS = 64 };
static const int chain[CHAINS] = {1, 2, 3, 4, 8, 16, 64};

/* (omega / sqrt(EI / (rho A L^4)))^(1/2) of the first modes */
static apl_status chain_modes(const rod_numbers* rod, int n, double mu, double beta[MODES],
                              apl_error* err) {
  double omega[MOST_ELEMENTS] = {0};
  rig r;

  apl_status st =
      apl_rig_open(&r, err, "paper-continuum-rod",
                   "rod.body.elements=%d; rod.body.rotary-inertia=0; gravity=[0, 0, 0]; "
                   "weight.body.mass=%.17g",
                   n, mu * rod->mass);
  if (st == APL_OK) st = apl_natural_frequencies(r.model, apl_system_state(r.system), omega, err);
  apl_rig_close(&r);
  const double unit = sqrt(rod->stiffness / (rod->mass * pow(rod->length, 3)));
  for (int k = 0; k < MODES; ++k)
    beta[k] = st == APL_OK && k < n ? sqrt(omega[k] / unit) : nan("");
  return st;
}

static void put_beta(apl_paper* paper, int n, double beta) {
  apl_put_ours(
      paper,
      apl_put_text(paper, "n = %d, no weight: beta^2 = omega sqrt(rho A L^4 / EI), mode 1", n),
      beta * beta, "1", n == 1 ? "a single arc has sqrt(20) = 4.472135955 exactly" : "");
}

/* One tip weight: rows of all chains and modes, one curve per mode. */
static apl_status put_frequencies(apl_paper* paper, const rod_numbers* rod, double mu,
                                  apl_error* err) {
  double exact[MODES], beta[MODES], error[MODES][CHAINS], x[CHAINS];

  apl_cantilever_modes(mu, MODES, exact);
  for (int c = 0; c < CHAINS; ++c) {
    const apl_status st = chain_modes(rod, chain[c], mu, beta, err);
    if (st != APL_OK) return st;
    if (mu == 0.0 && chain[c] <= 2) put_beta(paper, chain[c], beta[0]);
    for (int k = 0; k < MODES && k < chain[c]; ++k) {
      error[k][c] = 100.0 * (beta[k] * beta[k] / (exact[k] * exact[k]) - 1.0);
      apl_put_ours(paper,
                   apl_put_text(paper, "n = %d, %s: mode %d above Euler-Bernoulli", chain[c],
                                mu == 0.0 ? "no weight" : "weight of the rod's mass", k + 1),
                   error[k][c], "%", c == 0 ? apl_put_text(paper, "beta_1 = %.10f", exact[0]) : "");
    }
    x[c] = chain[c];
  }
  for (int k = 0; k < MODES; ++k) {
    int first = 0;
    while (chain[first] <= k)
      ++first;
    apl_put_curve(paper, apl_put_text(paper, "mode %d%s", k + 1, mu == 0.0 ? "" : ", weight"),
                  CHAINS - first, x + first, error[k] + first, true, mu != 0.0);
  }
  return APL_OK;
}

apl_status apl_continuum_frequencies(apl_paper* paper, apl_error* err) {
  rod_numbers rod;

  apl_put_group(
      paper, "Convergence in n: frequencies of the straight rod",
      "Against the Euler-Bernoulli cantilever, rotary inertia left out. The error falls as "
      "1/n^2, from above.");
  apl_status st = apl_continuum_rod("paper-continuum-rod", &rod, err);
  if (st == APL_OK) {
    apl_put_figure(paper, (paper_axes){.title = "Frequencies above Euler-Bernoulli",
                                       .right = "number of elements n",
                                       .up = "relative error [%]",
                                       .log_x = true,
                                       .log_y = true});
    st = put_frequencies(paper, &rod, 0.0, err);
  }
  return st == APL_OK ? put_frequencies(paper, &rod, 1.0, err) : st;
}

/* ------------------------------------------------------------------------------ elastica ---- */

enum { LOADS = 5, ELASTICA_CHAINS = 6 };

/* Deflection of the tip over L under the dead load P. */
static apl_status deflection(int n, double P, double length, double* y, apl_error* err) {
  double pose[12] = {0};
  rig r;

  apl_status st = apl_rig_open(&r, err, "paper-continuum-elastica", "rod.body.elements=%d", n);
  if (st == APL_OK) {
    apl_state* s = apl_system_state(r.system);
    apl_u(s)[0] = P;
    st = apl_equilibrium(r.model, s, NULL, NULL, err);
    if (st == APL_OK) st = apl_port_pose(r.model, s, r.tip, pose);
    *y = -pose[11] / length;
  }
  apl_rig_close(&r);
  return st;
}

apl_status apl_continuum_elastica(apl_paper* paper, apl_error* err) {
  static const double alpha[LOADS] = {0.5, 1.0, 2.0, 5.0, 10.0};
  static const double n[ELASTICA_CHAINS] = {1, 2, 4, 8, 16, 32};
  double error[ELASTICA_CHAINS], y = nan("");
  rod_numbers rod;

  apl_put_group(paper, "Convergence in n: Euler's elastica",
                "Static shape under a dead load P across the tip, alpha = P L^2 / EI, against the "
                "elliptic integrals.");
  apl_status st = apl_continuum_rod("paper-continuum-elastica", &rod, err);
  apl_put_figure(paper, (paper_axes){.title = "Elastica: error of the tip's deflection",
                                     .right = "number of elements n",
                                     .up = "error of y / L, absolute value",
                                     .log_x = true,
                                     .log_y = true});
  for (int i = 0; i < LOADS && st == APL_OK; ++i) {
    const beam_shape exact = apl_cantilever_elastica(alpha[i]);
    const double P = alpha[i] * rod.stiffness / (rod.length * rod.length);
    for (int c = 0; c < ELASTICA_CHAINS && st == APL_OK; ++c) {
      st = deflection((int)n[c], P, rod.length, &y, err);
      apl_put_ours(paper,
                   apl_put_text(paper, "alpha = %g, n = %g: deflection y / L less the exact one",
                                alpha[i], n[c]),
                   y - exact.y, "1",
                   c == 0 ? apl_put_text(paper, "exact: x / L = %.9f, y / L = %.9f, slope %.9f rad",
                                         exact.x, exact.y, exact.slope)
                          : "");
      error[c] = fabs(y - exact.y);
    }
    apl_put_curve(paper, apl_put_text(paper, "alpha = %g", alpha[i]), ELASTICA_CHAINS, n, error,
                  true, false);
  }
  return st;
}

/* ------------------------------------------------------------------------------- release ---- */

enum { FINE = 8, COARSE = 4 };

static apl_status released(int n, double mass, rig_path* path, apl_error* err) {
  rig r;
  apl_status st = apl_rig_open(&r, err, "paper-continuum-rod",
                               "rod.body.elements=%d; weight.body.mass=%g; run.to=0.6; "
                               "run.output-every=1e-3; run.tolerance=1e-8",
                               n, mass);
  if (st == APL_OK) st = apl_rig_run(&r, path, err);
  apl_rig_close(&r);
  return st;
}

/* Range of the tip's height [m]. */
static double range(const rig_path* p) {
  double low = HUGE_VAL, high = -HUGE_VAL;

  for (int i = 0; i < p->n; ++i) {
    low = fmin(low, p->z[i]);
    high = fmax(high, p->z[i]);
  }
  return high - low;
}

static void put_claim(apl_paper* paper, double distance, double whole) {
  apl_put_row(
      paper, "more elements than two: effect on the tip over its range", nan(""),
      100.0 * distance / whole, "%", distance < 0.02 * whole ? APL_REPRODUCED : APL_NOT_REPRODUCED,
      "the paper: no considerable effect on accuracy. It identified E on the same rod, which "
      "hides a frequency that is a few per cent too high");
}

/* path[n - 1] for n = 1 to COARSE, path[COARSE] for n = FINE */
static void put_rows(apl_paper* paper, double mass, const rig_path* path) {
  const rig_path* fine = &path[COARSE];
  const double whole = range(fine);

  for (int n = 1; n <= COARSE; ++n) {
    const double d = apl_rig_distance(&path[n - 1], fine);
    apl_put_ours(
        paper,
        apl_put_text(paper, "%g g released, n = %d: tip against n = 8 in 0.6 s", 1e3 * mass, n),
        1e3 * d, "mm", n == 1 ? apl_put_text(paper, "the tip falls by %.0f mm", 1e3 * whole) : "");
    if (n == 2 && mass > 0.0) put_claim(paper, d, whole);
  }
}

static void put_figures(apl_paper* paper, double mass, const rig_path* path) {
  const rig_path* fine = &path[COARSE];

  apl_put_figure(paper, (paper_axes){.title = apl_put_text(
                                         paper, "Release with %g g: height of the tip", 1e3 * mass),
                                     .right = "time [s]",
                                     .up = "height [m]"});
  for (int k = 0; k <= COARSE; ++k) {
    apl_put_curve(paper, apl_put_text(paper, "n = %d", k < COARSE ? k + 1 : FINE), path[k].n,
                  path[k].t, path[k].z, false, k == COARSE);
  }
  apl_put_figure(
      paper, (paper_axes){.title = apl_put_text(
                              paper, "Release with %g g: distance of the tip to n = 8", 1e3 * mass),
                          .right = "time [s]",
                          .up = "distance [mm]"});
  for (int k = 0; k < COARSE; ++k) {
    double* distance = apl_put_numbers(paper, fine->n);
    for (int i = 0; distance != NULL && i < fine->n; ++i)
      distance[i] = 1e3 * hypot(path[k].x[i] - fine->x[i], path[k].z[i] - fine->z[i]);
    if (distance == NULL) return;
    apl_put_curve(paper, apl_put_text(paper, "n = %d", k + 1), fine->n, fine->t, distance, false,
                  false);
  }
}

static apl_status put_release(apl_paper* paper, double mass, bool figures, apl_error* err) {
  rig_path path[COARSE + 1] = {{0}};
  apl_status st = APL_OK;

  for (int k = 0; k <= COARSE && st == APL_OK; ++k)
    st = released(k < COARSE ? k + 1 : FINE, mass, &path[k], err);
  if (st == APL_OK) put_rows(paper, mass, path);
  if (st == APL_OK && figures) put_figures(paper, mass, path);
  for (int k = 0; k <= COARSE; ++k)
    apl_rig_path_free(&path[k]);
  return st;
}

apl_status apl_continuum_release(apl_paper* paper, apl_error* err) {
  apl_put_group(paper, "Convergence in n: the released rod",
                "The motion of few elements against that of eight, from straight and at rest.");
  const apl_status st = put_release(paper, 0.0, false, err);
  return st == APL_OK ? put_release(paper, 0.02, true, err) : st;
}
