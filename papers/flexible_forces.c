/* SPDX-License-Identifier: Apache-2.0 */
/* flexible_forces.c: ground forces on the nodes of the flexible paper; figures 11 and 12. */
#include "papers/flexible.h"

#include <math.h>

/* ------------------------------------------------------------------------------- friction ---- */

/* |F_T| / F_N of O1 and O4 while they touch. */
typedef struct ratio {
  double largest;
  double share; /* percentage of contact samples at which it is at its maximum, to six digits */
} ratio;

static ratio look_at(const flexible_run* run) {
  const double kinetic = 0.1; /* mu_k */
  ratio r = {0.0, 0.0};
  int touching = 0, full = 0;

  for (int i = 0; i < run->n; ++i) {
    for (int k = 0; k < FLEXIBLE_NODES; k += FLEXIBLE_NODES - 1) {
      const double* at = run->at + AT_NUMBERS * i;
      if (at[AT_NORMAL + k] <= 0.0) continue;
      const double now = fabs(at[AT_FRICTION + k]) / at[AT_NORMAL + k];
      r.largest = fmax(r.largest, now);
      ++touching;
      full += now > kinetic * (1.0 - 1e-6);
    }
  }
  r.share = 100.0 * full / fmax(touching, 1);
  return r;
}

/* Largest sum of the friction at O1 and O4, over the largest friction. */
static double unequal(const flexible_run* run) {
  double most = 0.0;

  for (int i = 0; i < run->n; ++i) {
    const double* f = run->at + AT_NUMBERS * i + AT_FRICTION;
    most = fmax(most, fabs(f[0] + f[FLEXIBLE_NODES - 1]));
  }
  return most / apl_flexible_most(run, AT_FRICTION);
}

static void put_friction(apl_paper* paper, const flexible_run* run) {
  const ratio r = look_at(run);
  const char* word = run->is->word;
  const double inner =
      fmax(apl_flexible_most(run, AT_FRICTION + 1), apl_flexible_most(run, AT_FRICTION + 2));
  const double off = unequal(run);

  apl_put_row(paper, apl_put_text(paper, "%s: F_T/F_N at O1 and O4", word), 0.1, r.largest, "1",
              fabs(r.largest - 0.1) < 1e-9 && r.share > 90.0 ? APL_REPRODUCED : APL_NOT_REPRODUCED,
              apl_put_text(paper,
                           "the largest, and that in %.1f %% of the time of contact; less only "
                           "where the slip is below 1 mm/s: when the chain lands, and where the "
                           "slip turns round",
                           r.share));
  apl_put_row(paper, apl_put_text(paper, "%s: largest friction at O2 and O3", word), 0.0, inner,
              "N", inner == 0.0 ? APL_REPRODUCED : APL_NOT_REPRODUCED,
              "they hit straight on; Ambrosio's law ignores slips below 0.1 mm/s");
  apl_put_row(paper, apl_put_text(paper, "%s: friction at O1 plus that at O4", word), 0.0, off, "1",
              off < 1e-3 ? APL_REPRODUCED : APL_NOT_REPRODUCED,
              "over the largest friction: opposite, and equal but for round-off");
}

static void put_peaks(apl_paper* paper, const flexible_run* run) {
  const flexible_impacts* all = &run->impacts;
  double peak[FLEXIBLE_NODES] = {0}, longest = 0.0, shortest = HUGE_VAL;

  for (int i = 0; i < all->n; ++i) {
    const apl_impact* x = &all->list[i];
    peak[x->contact] = fmax(peak[x->contact], x->peak);
    longest = fmax(longest, x->end - x->start);
    shortest = fmin(shortest, x->end - x->start);
  }
  for (int k = 0; k < 2; ++k) {
    apl_put_ours(paper,
                 apl_put_text(paper, "%s: largest normal force at O%d", run->is->word, k + 1),
                 peak[k], "N", "");
  }
  apl_put_ours(paper, apl_put_text(paper, "%s: longest contact", run->is->word), 1e3 * longest,
               "ms", apl_put_text(paper, "the shortest takes %.3g ms", 1e3 * shortest));
}

/* -------------------------------------------------------------------------------- figures ---- */

static void put_forces(apl_paper* paper, const flexible_run* run, const char* what, int number) {
  for (int i = 0; i < FLEXIBLE_CASES; ++i) {
    apl_put_figure(paper,
                   (paper_axes){.title = apl_put_text(paper, "%s, %s", what, run[i].is->word),
                                .right = "time [s]",
                                .up = "force [N]"});
    apl_flexible_nodes(paper, &run[i], number, (flexible_span){0.4, 1.5, 2e-5});
  }
}

static void put_first(apl_paper* paper, const flexible_run* run, const char* title, int number) {
  const flexible_span first = {0.427, 0.439, 0.0};

  apl_put_figure(paper, (paper_axes){.title = title, .right = "time [s]", .up = "force [N]"});
  apl_flexible_curve(paper, "O1", run, number, first, false);
  apl_flexible_curve(paper, "O4", run, number + 3, first, true);
}

void apl_flexible_forces(apl_paper* paper, const flexible_run* run) {
  apl_put_group(paper, "Forces of the ground",
                "Normal forces by Hu and Guo's law, friction by Ambrosio's. The paper finds a "
                "tenth of the normal force at O1 and O4, with opposite signs, and no friction at "
                "O2 and O3.");
  for (int i = 0; i < FLEXIBLE_CASES; ++i) {
    put_friction(paper, &run[i]);
    put_peaks(paper, &run[i]);
  }
  put_forces(paper, run, "Figure 11: normal forces", AT_NORMAL);
  put_forces(paper, run, "Figure 12: friction", AT_FRICTION);
  put_first(paper, &run[0], "Figure 11, enlarged: three forces in the first impact, ss-ss-ss",
            AT_NORMAL);
  put_first(paper, &run[0], "Figure 12, enlarged: friction in the first impact, ss-ss-ss",
            AT_FRICTION);
}
