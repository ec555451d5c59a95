/* SPDX-License-Identifier: Apache-2.0 */
/* continuum.h: the parts of the continuum paper, each a group of rows and its figures. */
#pragma once

#include "papers/paper.h"

/* Properties of a rod, from its model. */
typedef struct rod_numbers {
  double length, mass, stiffness; /* [m], [kg], EI [N m^2] */
} rod_numbers;
apl_status apl_continuum_rod(const char* model, rod_numbers* out, apl_error* err);

apl_status apl_continuum_coefficients(apl_paper* paper,
                                      apl_error* err);             /* continuum_coefficients.c */
apl_status apl_continuum_taylor(apl_paper* paper, apl_error* err); /* continuum_taylor.c */
apl_status apl_continuum_table(apl_paper* paper, apl_error* err);  /* continuum_table.c  */
apl_status apl_continuum_frequencies(apl_paper* paper, apl_error* err); /* continuum_chain.c  */
apl_status apl_continuum_elastica(apl_paper* paper, apl_error* err);
apl_status apl_continuum_release(apl_paper* paper, apl_error* err);
apl_status apl_continuum_experiment(apl_paper* paper, apl_error* err); /* continuum_rod.c    */
apl_status apl_continuum_steps(apl_paper* paper, apl_error* err);      /* continuum_steps.c  */

/* The step of Table 1 for n elements [s]; continuum_table.c. */
double apl_continuum_published_step(int n);
