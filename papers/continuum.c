/* SPDX-License-Identifier: Apache-2.0 */
/* continuum.c: M. Dehghani, S. A. A. Moosavian: a planar continuum robot as a chain of elements of
   constant curvature. The list of its parts, and of results that are lost. */
#include "papers/continuum.h"

#include <math.h>

/* Results that cannot be recomputed. */
static apl_status lost(apl_paper* paper, apl_error* err) {
  static const struct {
    const char *quantity, *note;
  } rows[] = {
      {"figures 8 to 10: height of the tip over time, measured and computed",
       "the curves are lost, and no frequency or amplitude is printed in the text that survives: "
       "no "
       "agreement with the experiment can be claimed"},
      {"modulus of elasticity of the rod",
       "identified as in reference [19] of the paper; lost. Ours is a choice, in "
       "models/paper-continuum-nitinol.yaml"},
      {"diameter of the rod", "lost; the steps of Table 1 only bracket it. Ours is a choice too"},
      {"weights at the tip", "three of the tests are shown, each with another weight; lost"},
      {"shape from which the rod is released", "lost; ours starts straight and at rest"},
      {"equation (22), integrals of the element's inertia",
       "lost: fifth order may mean p5 (products kept in full) or t5 (truncated); both are above"},
      {"why n = 4 needs a step of 0.5 ms",
       "stability does not ask for it: see the largest stable steps above"},
  };
  (void)err;

  apl_put_group(paper, "What is lost",
                "The paper survives as scanned text: equations and curves are missing from it.");
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
    apl_put_ours(paper, rows[i].quantity, nan(""), "1", rows[i].note);
  return APL_OK;
}

static apl_status work(apl_paper* paper, apl_error* err) {
  static apl_status (*const part[])(apl_paper*, apl_error*) = {
      apl_continuum_table,       apl_continuum_coefficients, apl_continuum_taylor,
      apl_continuum_frequencies, apl_continuum_elastica,     apl_continuum_release,
      apl_continuum_experiment,  apl_continuum_steps,        lost};
  apl_status st = APL_OK;

  for (size_t i = 0; i < sizeof part / sizeof *part && st == APL_OK; ++i)
    st = part[i](paper, err);
  return st;
}

const paper_kind apl_paper_continuum = {
    .word = "continuum",
    .title = "a continuum robot of constant-curvature elements: Table 1, Taylor-5, the nitinol rod",
    .about =
        "M. Dehghani, S. A. A. Moosavian: dynamics of a planar continuum robot as a chain of "
        "circular elements, Modares Mechanical Engineering 14(15), 2015 (in Persian). A clamped "
        "nitinol rod of 60 cm with weights at its tip is modelled by one to four elements of "
        "constant curvature, expanded to the fifth power of the bending angle, and integrated "
        "with the classical Runge-Kutta method.",
    .work = work,
};
