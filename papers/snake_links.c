/* SPDX-License-Identifier: Apache-2.0 */
/* snake_links.c: steps of the body, and curved links against flat ones; figure 16. */
#include "papers/snake.h"

#include <math.h>

/* J_0 by its series; alpha is below 2, where twenty terms reach round-off. */
static double bessel_j0(double x) {
  double term = 1.0, sum = 1.0;

  for (int k = 1; k < 20; ++k) {
    term *= -0.25 * x * x / (k * k);
    sum += term;
  }
  return sum;
}

static void put_steps(apl_paper* paper, const snake_crawl* flat, const snake_crawl* curved) {
  const apl_support_summary a = apl_support_summarise(flat->support);
  const apl_support_summary b = apl_support_summarise(curved->support);

  apl_put_ours(paper, "step per cycle, flat links", a.step, "m",
               apl_put_text(paper,
                            "L/k_n minus the distance of the supports; (1 - J_0(alpha)) L/k_n is "
                            "%.6f m",
                            0.8 * (1.0 - bessel_j0(0.5235987755982988))));
  apl_put_ours(paper, "step per cycle, curved links", b.step, "m",
               "they roll: (n/k_n) 2 beta r_c minus the distance of the supports");
  apl_put_row(paper, "curved links lengthen the step by", nan(""), b.step / a.step - 1.0, "1",
              b.step > a.step ? APL_REPRODUCED : APL_NOT_REPRODUCED, "claimed without a number");
  apl_put_row(paper, "largest impulse of a joint, curved over flat links", nan(""),
              b.impulse / a.impulse, "1",
              b.impulse < 1e-3 * a.impulse ? APL_REPRODUCED : APL_NOT_REPRODUCED,
              "claimed: no peaks. With r_c = l/(2 sin(alpha sin(k_n pi/n))) = 0.2512 m velocities "
              "do not jump at all");
  const double torque[2] = {apl_snake_peak(flat, 9, 0.01), apl_snake_peak(curved, 9, 0.01)};
  apl_put_row(paper, "joint 9, maximum with impulses spread over 10 ms, curved over flat", nan(""),
              torque[1] / torque[0], "1",
              torque[1] < torque[0] ? APL_REPRODUCED : APL_NOT_REPRODUCED,
              "claimed: curved links need less torque");
  apl_put_ours(paper, "mean |torque| of joint 9, curved over flat links",
               apl_snake_joint(curved, 9).mean / apl_snake_joint(flat, 9).mean, "1",
               "impulses left out: the mean hardly changes, only the peaks go");
  apl_put_ours(paper, "cost of transport, flat links", a.cost, "1",
               "positive work of the joints "
               "over weight times distance");
  apl_put_ours(paper, "cost of transport, curved links", b.cost, "1", "");
}

/* Torque with the impulse of every switch spread over one row, as in a simulation with steps. */
static void put_spread(apl_paper* paper, const char* name, const snake_crawl* c, bool dashed) {
  const int n = apl_support_nrow(c->support), at = 1 + 9;
  double *t = apl_put_numbers(paper, n), *y = apl_put_numbers(paper, n);
  int k = 0;
  if (t == NULL || y == NULL) return;

  for (int i = 0; i < n; ++i) {
    t[i] = apl_support_row_at(c->support, i)->t;
    y[i] = apl_support_effort(c->support, i)[at];
    for (; k < apl_support_nswitch(c->support) && apl_support_switch_at(c->support, k)->t <= t[i] &&
           i > 0;
         ++k)
      y[i] += apl_support_impulse(c->support, k)[at] / (t[i] - t[i - 1]);
  }
  apl_put_curve(paper, name, n, t, y, false, dashed);
}

apl_status apl_snake_links(apl_paper* paper, apl_error* err) {
  const apl_support_options o = apl_support_options_default();
  snake_crawl flat = {0}, curved = {0};
  apl_status st = apl_snake_crawl(&flat, "paper-snake-flat", "", o, err);

  if (st == APL_OK) st = apl_snake_crawl(&curved, "paper-snake-curved", "", o, err);
  if (st == APL_OK) {
    apl_put_group(paper, "Steps, and the shape of links",
                  "Figures 15 and 16: links with a round underside. The paper simulates them in "
                  "Webots and gives no numbers.");
    put_steps(paper, &flat, &curved);
    apl_put_figure(paper, (paper_axes){.title = "Figure 16: joint 9, flat and curved links, "
                                                "impulses spread over 5 ms",
                                       .right = "time [s]",
                                       .up = "torque [N m]"});
    put_spread(paper, "flat", &flat, false);
    put_spread(paper, "curved", &curved, false);
  }
  apl_snake_close(&flat);
  apl_snake_close(&curved);
  return st;
}
