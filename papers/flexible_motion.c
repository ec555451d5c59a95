/* SPDX-License-Identifier: Apache-2.0 */
/* flexible_motion.c: paths of the nodes of the flexible paper and oscillations of the links;
   figures 4 to 6 and 8 to 10. */
#include "papers/flexible.h"

#include <math.h>

static const flexible_span SLOW = {0.0, 1.5, 2e-3}, FAST = {0.0, 1.5, 1e-3};

/* -------------------------------------------------------------------------------- symmetry ---- */

/* Largest |a + sign b| of two numbers over the run. */
static double mismatch(const flexible_run* run, int a, int b, double sign) {
  double most = 0.0;

  for (int i = 0; i < run->n; ++i) {
    const double* at = run->at + AT_NUMBERS * i;
    most = fmax(most, fabs(at[a] + sign * at[b]));
  }
  return most;
}

/* X1 of O1, O2 is minus that of O4, O3; X2 is the same. */
static double asymmetry(const flexible_run* run) {
  double most = 0.0;

  for (int k = 0; k < 2; ++k) {
    most = fmax(most, mismatch(run, AT_X + k, AT_X + 3 - k, 1.0));
    most = fmax(most, mismatch(run, AT_Z + k, AT_Z + 3 - k, -1.0));
  }
  return most;
}

static void put_symmetry(apl_paper* paper, const flexible_run* run) {
  /* a twentieth of the width of a line in the figures */
  const double nodes = asymmetry(run), still = 1e-4;
  const double weights = mismatch(run, AT_D1, AT_D3, -1.0);
  const double inner = fmax(apl_flexible_most(run, AT_VX + 1), apl_flexible_most(run, AT_VX + 2));
  const char* word = run->is->word;

  apl_put_row(paper, apl_put_text(paper, "%s: largest asymmetry of the nodes", word), 0.0, nodes,
              "m", nodes < still ? APL_REPRODUCED : APL_NOT_REPRODUCED,
              "the motion is symmetric; what is seen is round-off, multiplied by every impact");
  apl_put_row(paper, apl_put_text(paper, "%s: largest difference of delta11 and delta31", word),
              0.0, weights, "m", weights < still ? APL_REPRODUCED : APL_NOT_REPRODUCED, "likewise");
  apl_put_row(paper, apl_put_text(paper, "%s: largest X1 speed of O2 and O3", word), 0.0, inner,
              "m/s", inner < 1e-3 ? APL_REPRODUCED : APL_NOT_REPRODUCED,
              "W = 0 at both ends keeps their distance, symmetry the rest");
}

/* ----------------------------------------------------------------------------------- shape ---- */

/* The moment nearest to t. */
static const double* moment(const flexible_run* run, double t) {
  const double* best = run->at;

  for (int i = 0; i < run->n; ++i) {
    const double* at = run->at + AT_NUMBERS * i;
    if (fabs(at[AT_TIME] - t) < fabs(best[AT_TIME] - t)) best = at;
  }
  return best;
}

/* r = O_i + eta e1 + size w e2, e1 along the chord, since W = 0 at both ends */
static apl_status put_shape(apl_paper* paper, const flexible_run* run, double t, double size,
                            apl_error* err) {
  enum { N = 31 };
  const double* at = moment(run, t);
  double x[FLEXIBLE_LINKS * N], z[FLEXIBLE_LINKS * N];

  for (int i = 0; i < FLEXIBLE_LINKS; ++i) {
    const double x0 = at[AT_X + i], z0 = at[AT_Z + i];
    const double c = at[AT_X + i + 1] - x0, s = at[AT_Z + i + 1] - z0;
    beam_mode mode;
    const apl_status st = apl_flexible_mode(run->is->ends[i], &mode, err);
    if (st != APL_OK) return st;
    for (int k = 0; k < N; ++k) {
      const double eta = k / (N - 1.0);
      const double w = size * at[AT_D1 + 2 * i] * apl_beam_mode_at(&mode, eta).W;
      x[N * i + k] = x0 + eta * c - w * s;
      z[N * i + k] = z0 + eta * s + w * c;
    }
  }
  apl_put_curve(paper, run->is->word, FLEXIBLE_LINKS * N, x, z, false, false);
  return APL_OK;
}

static apl_status put_shapes(apl_paper* paper, const flexible_run* run, bool soft, apl_error* err) {
  apl_status st = APL_OK;

  apl_put_figure(paper, (paper_axes){.title = soft ? "Figure 4: at 0.7 s, deflections tenfold, "
                                                     "the two soft cases"
                                                   : "Figure 4: the same of the two stiff cases",
                                     .right = "X1 [m]",
                                     .up = "X2 [m]",
                                     .equal = true});
  for (int i = 0; i < FLEXIBLE_CASES && st == APL_OK; ++i) {
    if (run[i].is->soft == soft) st = put_shape(paper, &run[i], 0.7, 10.0, err);
  }
  return st;
}

/* --------------------------------------------------------------------------------- figures ---- */

static void put_nodes(apl_paper* paper, const flexible_run* run, const char* what, const char* up,
                      int number, flexible_span span) {
  for (int i = 0; i < FLEXIBLE_CASES; ++i) {
    const char* title = apl_put_text(paper, "%s, %s", what, run[i].is->word);
    apl_put_figure(paper, (paper_axes){.title = title, .right = "time [s]", .up = up});
    apl_flexible_nodes(paper, &run[i], number, span);
  }
}

apl_status apl_flexible_motion(apl_paper* paper, const flexible_run* run, apl_error* err) {
  apl_put_group(paper, "Motion of the nodes",
                "The chain is symmetric and must stay so: X1 of O1 and O2 is minus that of O4 and "
                "O3, X2 is the same, and O2 and O3 go straight up and down. Dashed curves are "
                "mirror images.");
  for (int i = 0; i < FLEXIBLE_CASES; ++i)
    put_symmetry(paper, &run[i]);
  apl_status st = put_shapes(paper, run, true, err);
  if (st == APL_OK) st = put_shapes(paper, run, false, err);
  if (st != APL_OK) return st;
  put_nodes(paper, run, "Figure 5: X1 of the nodes", "X1 [m]", AT_X, SLOW);
  put_nodes(paper, run, "Figure 6: X2 of the nodes", "X2 [m]", AT_Z, SLOW);
  put_nodes(paper, run, "Figure 6, enlarged: X2 from 0.5 to 0.6 s", "X2 [m]", AT_Z,
            (flexible_span){0.5, 0.6, 2e-4});
  put_nodes(paper, run, "Figure 8: X1 speed of the nodes", "X1' [m/s]", AT_VX, FAST);
  put_nodes(paper, run, "Figure 9: X2 speed of the nodes", "X2' [m/s]", AT_VZ, FAST);
  return APL_OK;
}

/* ----------------------------------------------------------------------------------- swing ---- */

/* After the first impacts: how a weight swings. */
typedef struct swing {
  double largest, range, rms; /* [m]                                                             */
  double turns;               /* per second                                                      */
} swing;

static swing look_at(const flexible_run* run, int weight) {
  const double after = 0.53;
  double least = HUGE_VAL, most = -HUGE_VAL, squares = 0.0, began = nan(""), ended = nan("");
  int n = 0, turns = 0;

  for (int i = 0; i + 1 < run->n; ++i) {
    const double* at = run->at + AT_NUMBERS * i;
    const double* next = at + AT_NUMBERS;
    const double now = at[AT_TIME], x = at[weight];
    const int rate = weight - AT_Q + AT_V;
    if (now < after || isnan(at[AT_SUM])) continue;
    if (n++ == 0) began = now;
    ended = now;
    least = fmin(least, x), most = fmax(most, x);
    squares += x * x; /* samples with energies are evenly spaced */
    turns += at[rate] * next[rate] < 0.0;
  }
  return (swing){apl_flexible_most(run, weight), most - least, sqrt(squares / n),
                 turns / (ended - began)};
}

/* Ratios of a soft case to a stiff one, both weights. */
typedef struct extent {
  double least, largest;
  double logs; /* sum of their logarithms */
  int n;
} extent;

static void include(extent* e, double ratio) {
  e->least = fmin(e->least, ratio);
  e->largest = fmax(e->largest, ratio);
  e->logs += log(ratio);
  ++e->n;
}

typedef struct comparison {
  extent largest, range, rms, turns;
} comparison;

static comparison compare(const flexible_run* run, swing s[FLEXIBLE_CASES][2]) {
  const extent none = {HUGE_VAL, -HUGE_VAL, 0.0, 0};
  comparison c = {none, none, none, none};

  for (int i = 0; i < FLEXIBLE_CASES; ++i) {
    for (int j = 0; j < FLEXIBLE_CASES; ++j) {
      if (!run[i].is->soft || run[j].is->soft) continue;
      for (int k = 0; k < 2; ++k) {
        include(&c.largest, s[i][k].largest / s[j][k].largest);
        include(&c.range, s[i][k].range / s[j][k].range);
        include(&c.rms, s[i][k].rms / s[j][k].rms);
        include(&c.turns, s[j][k].turns / s[i][k].turns);
      }
    }
  }
  return c;
}

static void put_claims(apl_paper* paper, const comparison* c) {
  const bool three = c->range.least > 2.0 && c->range.largest < 4.0;

  apl_put_row(paper, "amplitudes, ss-ss-ss and cs-ss-sc over the other two: least ratio", nan(""),
              c->largest.least, "1", c->largest.least > 1.0 ? APL_REPRODUCED : APL_NOT_REPRODUCED,
              apl_put_text(paper, "softer shapes swing more; largest |delta|: ratios %.2f to %.2f",
                           c->largest.least, c->largest.largest));
  apl_put_row(paper, "amplitudes: \"about three times\"; ours: mean ratio of ranges", 3.0,
              exp(c->range.logs / c->range.n), "1", three ? APL_REPRODUCED : APL_NOT_REPRODUCED,
              apl_put_text(paper,
                           "only roughly: ranges after 0.53 s %.2f to %.2f, rms %.2f to %.2f, "
                           "largest %.2f to %.2f, over two weights and four pairs of cases",
                           c->range.least, c->range.largest, c->rms.least, c->rms.largest,
                           c->largest.least, c->largest.largest));
  apl_put_row(paper, "frequencies, cc-cc-cc and sc-cc-cs over the other two: least ratio", nan(""),
              c->turns.least, "1", c->turns.least > 1.0 ? APL_REPRODUCED : APL_NOT_REPRODUCED,
              apl_put_text(paper,
                           "stiffer shapes swing faster; counted turning points: ratios "
                           "%.2f to %.2f",
                           c->turns.least, c->turns.largest));
}

static void put_swing(apl_paper* paper, const char* word, const char* weight, const swing* s) {
  apl_put_ours(paper, apl_put_text(paper, "%s: largest |%s|", word, weight), s->largest, "m", "");
  apl_put_ours(paper, apl_put_text(paper, "%s: range of %s after 0.53 s", word, weight), s->range,
               "m", "");
  apl_put_ours(paper, apl_put_text(paper, "%s: rms of %s after 0.53 s", word, weight), s->rms, "m",
               "");
  apl_put_ours(paper, apl_put_text(paper, "%s: turning points of %s per second", word, weight),
               s->turns, "s^-1", "after 0.53 s; two for every swing");
}

static void put_weights(apl_paper* paper, const flexible_run* run) {
  for (int i = 0; i < FLEXIBLE_CASES; ++i) {
    apl_put_figure(paper,
                   (paper_axes){.title = apl_put_text(paper, "Figure 10: weights of the modes, %s",
                                                      run[i].is->word),
                                .right = "time [s]",
                                .up = "delta [m]"});
    apl_flexible_curve(paper, "delta11", &run[i], AT_D1, (flexible_span){0.4, 1.5, 1e-3}, false);
    apl_flexible_curve(paper, "delta21", &run[i], AT_D2, (flexible_span){0.4, 1.5, 1e-3}, false);
    apl_flexible_curve(paper, "delta31", &run[i], AT_D3, (flexible_span){0.4, 1.5, 1e-3}, true);
  }
}

void apl_flexible_swing(apl_paper* paper, const flexible_run* run) {
  swing s[FLEXIBLE_CASES][2];

  apl_put_group(paper, "Swinging of the links",
                "delta is the weight of a link's mode, zero until the first impact. The paper says "
                "that it is about three times as large with ss-ss-ss and cs-ss-sc as with "
                "cc-cc-cc and sc-cc-cs, and that the latter two swing faster.");
  for (int i = 0; i < FLEXIBLE_CASES; ++i) {
    s[i][0] = look_at(&run[i], AT_D1);
    s[i][1] = look_at(&run[i], AT_D2);
  }
  const comparison c = compare(run, s);
  put_claims(paper, &c);
  for (int i = 0; i < FLEXIBLE_CASES; ++i) {
    put_swing(paper, run[i].is->word, "delta11", &s[i][0]);
    put_swing(paper, run[i].is->word, "delta21", &s[i][1]);
  }
  put_weights(paper, run);
}
