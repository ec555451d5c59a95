/* SPDX-License-Identifier: Apache-2.0 */
/* flexible_energy.c: work and energy of the flexible paper, (31); figures 13 and 14. */
#include "papers/flexible.h"

#include <math.h>

/* Mean of the errors at the even samples [%]. */
static double mean_error(const flexible_run* run) {
  double sum = 0.0;
  int n = 0;

  for (int i = 0; i < run->n; ++i) {
    const double error = run->at[AT_NUMBERS * i + AT_ERROR];
    if (isnan(error)) continue;
    sum += error;
    ++n;
  }
  return sum / n;
}

/* A correct program at a small tolerance has much smaller errors: the published ones are upper
   bounds. */
static void put_errors(apl_paper* paper, const flexible_run* run) {
  const double mean = mean_error(run), largest = apl_flexible_most(run, AT_ERROR);
  const char* word = run->is->word;

  apl_put_row(paper, apl_put_text(paper, "%s: mean error of the energy", word), run->is->mean_error,
              mean, "%", mean <= run->is->mean_error ? APL_REPRODUCED : APL_NOT_REPRODUCED,
              "a bound, not a target: dop853 at 1e-12 is many orders below");
  if (run->is == &apl_flexible_cases[0]) {
    apl_put_row(paper, apl_put_text(paper, "%s: largest error of the energy", word), 0.75, largest,
                "%", largest <= 0.75 ? APL_REPRODUCED : APL_NOT_REPRODUCED, "likewise a bound");
  } else {
    apl_put_ours(paper, apl_put_text(paper, "%s: largest error of the energy", word), largest, "%",
                 "");
  }
}

/* ---------------------------------------------------------------------------------- order ---- */

/* The paper's method at a tolerance loose enough to show its errors. */
static apl_status put_order(apl_paper* paper, apl_error* err) {
  double mean[FLEXIBLE_CASES];
  int kept = 0;

  for (int i = 0; i < FLEXIBLE_CASES; ++i) {
    const flexible_case* is = &apl_flexible_cases[i];
    flexible_impacts impacts;
    flexible_errors e = {0};
    const apl_status st = apl_flexible_impacts(
        is->model, "run.integrator=rkf45; run.tolerance=1e-4", &impacts, &e, err);
    if (st != APL_OK) return st;
    mean[i] = e.mean;
    apl_put_ours(paper, apl_put_text(paper, "%s: mean error with rkf45 at 1e-4", is->word), e.mean,
                 "%", apl_put_text(paper, "largest %.2g %%, %d impacts", e.largest, impacts.n));
  }

  /* number of pairs of cases in the published order, out of six */
  for (int i = 0; i < FLEXIBLE_CASES; ++i) {
    for (int j = 0; j < i; ++j) {
      kept += (mean[i] > mean[j]) ==
              (apl_flexible_cases[i].mean_error > apl_flexible_cases[j].mean_error);
    }
  }
  apl_put_row(paper, "\"the more constrained, the smaller the error\": pairs in that order", 6.0,
              kept, "1", kept == 6 ? APL_REPRODUCED : APL_NOT_REPRODUCED,
              "with rkf45 at 1e-4; the order changes with the tolerance and says nothing about the "
              "shapes");
  return APL_OK;
}

/* -------------------------------------------------------------------------------- figures ---- */

static void put_energies(apl_paper* paper, const flexible_run* run) {
  static const struct {
    const char* name;
    int number;
  } curve[] = {{"kinetic", AT_KINETIC},       {"potential", AT_POTENTIAL},
               {"- normal work", AT_PUSHED},  {"- friction work", AT_RUBBED},
               {"- damping work", AT_DAMPED}, {"sum", AT_SUM}};

  for (int i = 0; i < FLEXIBLE_CASES; ++i) {
    apl_put_figure(paper, (paper_axes){.title = apl_put_text(paper, "Figure 13: energies, %s",
                                                             run[i].is->word),
                                       .right = "time [s]",
                                       .up = "energy [J]"});
    for (size_t k = 0; k < sizeof curve / sizeof *curve; ++k) {
      apl_flexible_curve(paper, curve[k].name, &run[i], curve[k].number,
                         (flexible_span){0.0, 1.5, 2e-3}, curve[k].number == AT_SUM);
    }
  }
}

/* Logarithmic, because our errors and the paper's differ by orders of magnitude. */
static void put_error_curves(apl_paper* paper, const flexible_run* run) {
  const double t[2] = {0.0, 1.5};

  for (int i = 0; i < FLEXIBLE_CASES; ++i) {
    const double mean = mean_error(&run[i]), theirs = run[i].is->mean_error;
    apl_put_figure(paper, (paper_axes){.title = apl_put_text(paper, "Figure 14: energy error, %s",
                                                             run[i].is->word),
                                       .right = "time [s]",
                                       .up = "error [%]",
                                       .log_y = true});
    apl_flexible_curve(paper, "error", &run[i], AT_ERROR, (flexible_span){0.0, 1.5, 2e-3}, false);
    apl_put_curve(paper, "its mean", 2, t, (double[2]){mean, mean}, false, true);
    apl_put_curve(paper, "the paper's mean", 2, t, (double[2]){theirs, theirs}, false, true);
  }
}

apl_status apl_flexible_energy(apl_paper* paper, const flexible_run* run, apl_error* err) {
  apl_put_group(paper, "Energy",
                "T + V - W_D - W_FN - W_FT must stay 36.297 J. Errors are over that number, at "
                "moments 0.25 ms apart.");
  for (int i = 0; i < FLEXIBLE_CASES; ++i)
    put_errors(paper, &run[i]);
  put_energies(paper, run);
  put_error_curves(paper, run);
  return put_order(paper, err);
}
