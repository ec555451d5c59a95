/* SPDX-License-Identifier: Apache-2.0 */
/* snake_table.c: Table 3 of the snake's paper, figures 8 to 10, and the phases of a cycle. */
#include "papers/snake.h"

#include <math.h>
#include <string.h>

enum { JOINTS = 3, LAGRANGE = 0, NEWTON = 1 };

/* Table 3: joints 1, 3 and 9; columns L_max, N_max, L_min, N_min [N m]. */
static const struct {
  int number, point;
  double most[2], least[2];
} table[JOINTS] = {{1, 2, {0.53, 0.50}, {-0.37, -0.42}},
                   {3, 4, {1.49, 1.49}, {-0.47, -0.69}},
                   {9, 9, {2.83, 3.69}, {-0.11, -0.74}}};

/* A number of the table counts as reproduced if its difference is below this fraction of the
   printed range. */
static const double CLOSE = 0.05;

static void put_number(apl_paper* paper, int row, int method, bool most, double ours) {
  static const char* const by[] = {"Lagrange", "Newton"};
  const double range = table[row].most[method] - table[row].least[method];
  const double published = most ? table[row].most[method] : table[row].least[method];
  const bool close = fabs(ours - published) <= CLOSE * range;
  const char* note =
      row == 2 ? (method == LAGRANGE ? "weight times distance of the supports over 4 is the most "
                                       "that statics allows, 2.928 N m; nothing pulls the other way"
                                     : "beyond statics by 0.75 N m both ways; impacts can do that, "
                                       "see below")
               : "a thin rod of 0.1 kg gives no more; an inertia about a thousand times larger "
                 "would, or a force of 9 N on the head, or impacts: the cause is not in the paper";

  apl_put_row(paper,
              apl_put_text(paper, "Table 3: joint %d, %s, %s", table[row].number, by[method],
                           most ? "maximum" : "minimum"),
              published, ours, "N m", close ? APL_REPRODUCED : APL_NOT_REPRODUCED, note);
}

static void put_table(apl_paper* paper, const snake_crawl* exact, const snake_crawl* simple) {
  for (int i = 0; i < JOINTS; ++i) {
    for (int method = 0; method < 2; ++method) {
      const apl_support_joint j =
          apl_snake_joint(method == LAGRANGE ? exact : simple, table[i].point);
      put_number(paper, i, method, true, j.most);
      put_number(paper, i, method, false, j.least);
    }
  }
  const double L = apl_snake_joint(exact, 9).most, N = apl_snake_joint(simple, 9).most;
  /* R_max of eq. 46 */
  const double excess = (N - L) / N;
  apl_put_row(paper, "joint 9: sign of Newton's maximum less Lagrange's", 1.0, N > L ? 1.0 : -1.0,
              "1", N > L ? APL_REPRODUCED : APL_NOT_REPRODUCED,
              "z'' = 0 leaves a downward acceleration out");
  apl_put_row(paper, "Table 3: joint 9, R_max: Newton's maximum above Lagrange's", 0.235, excess,
              "1", fabs(excess - 0.235) < 0.02 ? APL_REPRODUCED : APL_NOT_REPRODUCED,
              "grows with the square of the speed, which is not published: of Lagrange's 4 % at "
              "0.3, 12 % at 0.5, 26 % at 0.7 m/s");
}

/* The joint with the largest torque. */
static void put_largest(apl_paper* paper, const snake_crawl* two, const snake_crawl* stiff) {
  int best[2] = {2, 2};

  for (int p = 2; p <= 16; ++p) {
    if (apl_snake_joint(two, p).most > apl_snake_joint(two, best[0]).most) best[0] = p;
    if (apl_snake_joint(stiff, p).most > apl_snake_joint(stiff, best[1]).most) best[1] = p;
  }
  apl_put_row(paper, "point with the largest torque, two contacts", 9.0, best[0], "1",
              best[0] == 9 ? APL_REPRODUCED : APL_NOT_REPRODUCED, "the centre of the body");
  apl_put_ours(paper, "point with the largest torque, stiff body", best[1], "1",
               "while P_1 is lowest P_1, P_9 and P_17 touch together; a stiff body lets all three "
               "carry");
  apl_put_ours(paper, "largest torque at P_9, stiff body", apl_snake_joint(stiff, 9).most, "N m",
               "the two-contact rule of the paper gives the number of Table 3 instead");
}

/* The pairs of supports that occur in the run. */
static void put_phases(apl_paper* paper, const snake_crawl* c) {
  bool seen[18][18] = {{false}};
  int pairs = 0;

  for (int i = 0; i < apl_support_nrow(c->support); ++i) {
    const apl_support_row* row = apl_support_row_at(c->support, i);
    bool* was = &seen[row->support[0]][row->support[1]];
    pairs += !*was;
    *was = true;
  }
  apl_put_row(paper, "phases of a cycle: pairs of contacts", 9.0, pairs, "1",
              pairs == 9 ? APL_REPRODUCED : APL_NOT_REPRODUCED,
              "(1,9) (9,17) (2,10) .. (8,16); on a slope (9,17) may vanish");
}

static void put_impacts(apl_paper* paper, const snake_crawl* c) {
  const apl_support_summary a = apl_support_summarise(c->support);
  double lift = 0.0;

  for (int k = 0; k < apl_support_nswitch(c->support); ++k)
    lift = fmax(lift, apl_support_switch_at(c->support, k)->lift);
  apl_put_row(paper, "peaks when a link lands: jump of the centre's velocity", nan(""), lift, "m/s",
              lift > 0.0 ? APL_REPRODUCED : APL_NOT_REPRODUCED,
              "the paper lays the peaks to impacts; l alpha (2 k_n pi/L) |s'| = 0.1234 m/s");
  apl_put_ours(
      paper, "largest impulse of a joint when a link lands", a.impulse, "N m s",
      "a rigid body has impulses; a height of peaks belongs to a time step or a stiffness");
  apl_put_ours(paper, "joint 9, maximum with impulses spread over 10 ms",
               apl_snake_peak(c, 9, 0.01), "N m", "");
  apl_put_ours(paper, "joint 9, maximum with impulses spread over 50 ms",
               apl_snake_peak(c, 9, 0.05), "N m", "3.69 of Table 3 lies between");
}

static void put_figures(apl_paper* paper, const snake_crawl* exact, const snake_crawl* simple) {
  for (int i = 0; i < JOINTS; ++i) {
    apl_put_figure(paper, (paper_axes){.title = apl_put_text(paper,
                                                             "Figure %d: joint %d, Newton and "
                                                             "Lagrange",
                                                             8 + i, table[i].number),
                                       .right = "time [s]",
                                       .up = "torque [N m]"});
    apl_snake_curve(paper, "exact (Lagrange)", exact, table[i].point, false);
    apl_snake_curve(paper, "simplified (Newton)", simple, table[i].point, true);
  }
}

apl_status apl_snake_table(apl_paper* paper, apl_error* err) {
  apl_support_options o = apl_support_options_default();
  snake_crawl exact = {0}, simple = {0}, stiff = {0};
  apl_status st = apl_snake_crawl(&exact, "paper-snake-flat", "", o, err);

  o.variant = APL_SUPPORT_SIMPLIFIED;
  if (st == APL_OK) st = apl_snake_crawl(&simple, "paper-snake-flat", "", o, err);
  o.variant = APL_SUPPORT_EXACT;
  o.stiff = true;
  if (st == APL_OK) st = apl_snake_crawl(&stiff, "paper-snake-flat", "", o, err);
  if (st == APL_OK) {
    apl_put_group(paper, "Joint torques on the level",
                  "Table 3 and figures 8 to 10. \"Lagrange\" stands beside the exact model, "
                  "\"Newton\" beside the paper's simplifications; impulses at switches are not in "
                  "these numbers. Reproduced: within 5 % of the printed range.");
    put_table(paper, &exact, &simple);
    put_largest(paper, &exact, &stiff);
    put_phases(paper, &exact);
    put_impacts(paper, &exact);
    put_figures(paper, &exact, &simple);
  }
  apl_snake_close(&exact);
  apl_snake_close(&simple);
  apl_snake_close(&stiff);
  return st;
}
