/* SPDX-License-Identifier: Apache-2.0 */
/* snake_slope.c: effect of slope and friction on the torque of joint 9; figures 6 and 7. */
#include "papers/snake.h"

#include <math.h>

static const double DEGREE = 0.017453292519943295;

/* Mean |torque| of joint 9. */
static apl_status mean_torque(apl_support_options o, double* mean, apl_error* err) {
  snake_crawl c;
  const apl_status st = apl_snake_crawl(&c, "paper-snake-flat", "run.output-every=10 ms", o, err);
  if (st != APL_OK) return st;

  *mean = apl_snake_joint(&c, 9).mean;
  apl_snake_close(&c);
  return APL_OK;
}

/* Change of the mean from one slope and coefficient to another. */
static apl_status put_change(apl_paper* paper, const char* quantity, double published,
                             apl_support_options o, const double slope[2], const double mu[2],
                             const char* note, apl_error* err) {
  double mean[2];
  apl_status st = APL_OK;

  for (int k = 0; k < 2 && st == APL_OK; ++k) {
    o.slope = slope[k] * DEGREE;
    o.coefficient = mu[k];
    st = mean_torque(o, &mean[k], err);
  }
  if (st != APL_OK) return st;
  const double change = mean[1] / mean[0] - 1.0;
  apl_put_row(paper, quantity, published, change, "1",
              fabs(change - published) < 0.02 ? APL_REPRODUCED : APL_NOT_REPRODUCED, note);
  return APL_OK;
}

static const struct {
  const char* word;
  apl_support_friction friction;
  bool stiff;
} rules[] = {{"contacts stick", APL_SUPPORT_STICKS, false},
             {"friction full forwards", APL_SUPPORT_PUSHES, false},
             {"friction full backwards", APL_SUPPORT_DRAGS, false},
             {"friction opposed, inwards", APL_SUPPORT_SQUEEZES, false},
             {"friction opposed, outwards", APL_SUPPORT_SPREADS, false},
             {"stiff body, contacts stick", APL_SUPPORT_STICKS, true}};
enum { RULES = sizeof rules / sizeof *rules };

static apl_status put_changes(apl_paper* paper, apl_error* err) {
  static const double level[2] = {0, 5}, same_mu[2] = {0.3, 0.3}, tilted[2] = {5, 5},
                      mu[2] = {0.3, 0.5};
  apl_status st = APL_OK;

  for (int i = 0; i < RULES && st == APL_OK; ++i) {
    apl_support_options o = apl_support_options_default();
    o.friction = rules[i].friction;
    o.stiff = rules[i].stiff;
    st = put_change(
        paper, apl_put_text(paper, "mean |torque| of joint 9, slope 0 to 5 deg, %s", rules[i].word),
        0.22, o, level, same_mu,
        i == 0 ? "both contacts stick: 31 % of the friction there is, so that torques "
                 "do not depend on it"
               : "",
        err);
    if (st == APL_OK) {
      st = put_change(
          paper,
          apl_put_text(paper, "mean |torque| of joint 9, friction 0.3 to 0.5, %s", rules[i].word),
          0.15, o, tilted, mu,
          i == 3 || i == 4 ? "a bound: one contact would have to slide each way" : "", err);
    }
  }
  return st;
}

/* Mean torque against slope and against friction, by two rules each. */
static const struct mean_sweep {
  const char *title, *right;
  double from, step; /* of x                                                                      */
  bool friction;     /* x is the coefficient, on 5 deg; else the slope in degrees                 */
  struct {
    const char* word;
    apl_support_friction friction;
    bool stiff;
  } rule[2];
} sweeps[] = {
    {"Mean |torque| of joint 9 against slope",
     "slope [deg]",
     0,
     2,
     false,
     {{"two contacts", APL_SUPPORT_STICKS, false}, {"stiff body", APL_SUPPORT_STICKS, true}}},
    {"Mean |torque| of joint 9 against friction, 5 deg",
     "coefficient of friction",
     0.2,
     0.1,
     true,
     {{"contacts stick", APL_SUPPORT_STICKS, false},
      {"opposed, inwards (a bound)", APL_SUPPORT_SQUEEZES, false}}}};

static apl_status put_sweep(apl_paper* paper, const struct mean_sweep* s, apl_error* err) {
  enum { N = 6 };
  double x[N], y[2][N];
  apl_status st = APL_OK;

  for (int i = 0; i < N; ++i)
    x[i] = s->from + s->step * i;
  for (int k = 0; k < 2 * N && st == APL_OK; ++k) {
    apl_support_options o = apl_support_options_default();
    o.slope = (s->friction ? 5.0 : x[k / 2]) * DEGREE;
    if (s->friction) o.coefficient = x[k / 2];
    o.friction = s->rule[k % 2].friction;
    o.stiff = s->rule[k % 2].stiff;
    st = mean_torque(o, &y[k % 2][k / 2], err);
  }
  if (st != APL_OK) return st;
  apl_put_figure(paper,
                 (paper_axes){.title = s->title, .right = s->right, .up = "mean |torque| [N m]"});
  apl_put_curve(paper, s->rule[0].word, N, x, y[0], true, false);
  apl_put_curve(paper, s->rule[1].word, N, x, y[1], true, true);
  return APL_OK;
}

static apl_status put_figures(apl_paper* paper, apl_error* err) {
  static const struct {
    const char *title, *name[2];
    double slope[2], mu[2];
    apl_support_friction friction;
  } figure[] = {{"Figure 6: torque of joint 9 and friction, 5 deg, opposed friction (a bound)",
                 {"mu = 0.3", "mu = 0.5"},
                 {5, 5},
                 {0.3, 0.5},
                 APL_SUPPORT_SQUEEZES},
                {"Figure 7: torque of joint 9 and slope, contacts stick",
                 {"0 deg", "5 deg"},
                 {0, 5},
                 {0.3, 0.3},
                 APL_SUPPORT_STICKS}};
  apl_status st = APL_OK;

  for (int f = 0; f < 2 && st == APL_OK; ++f) {
    apl_put_figure(
        paper, (paper_axes){.title = figure[f].title, .right = "time [s]", .up = "torque [N m]"});
    for (int k = 0; k < 2 && st == APL_OK; ++k) {
      apl_support_options o = apl_support_options_default();
      snake_crawl c;
      o.slope = figure[f].slope[k] * DEGREE;
      o.coefficient = figure[f].mu[k];
      o.friction = figure[f].friction;
      st = apl_snake_crawl(&c, "paper-snake-flat", "", o, err);
      if (st != APL_OK) break;
      apl_snake_curve(paper, figure[f].name[k], &c, 9, k == 1);
      apl_snake_close(&c);
    }
  }
  return st;
}

apl_status apl_snake_slope(apl_paper* paper, apl_error* err) {
  apl_put_group(paper, "Slope and friction",
                "Figures 6 and 7. The paper finds that the mean |torque| of joint 9 grows by 22 % "
                "from 0 to 5 deg, and by 15 % from mu = 0.3 to 0.5. No model that agrees with "
                "itself does so; a drift of phi_1 (eq. 40) has this size.");
  apl_status st = put_changes(paper, err);
  if (st == APL_OK) st = put_figures(paper, err);
  for (int i = 0; i < 2 && st == APL_OK; ++i)
    st = put_sweep(paper, &sweeps[i], err);
  return st;
}
