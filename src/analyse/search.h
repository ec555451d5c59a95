/* SPDX-License-Identifier: Apache-2.0 */
/* search.h: one search for an equilibrium. */
#pragma once

#include "analyse/balance.h"

typedef struct search {
  balance b;
  apl_equilibrium_options o;
  apl_equilibrium_report* report;
  double *x, *r, *J;
  double* goal;      /* [n] right-hand side of a continuation step: r = goal */
  double* fallen;    /* [nq] where relaxation ended */
  double *first, *s; /* [n] r at the guess; a step, or singular values                         */
  double* vectors;   /* [n*n]                                                                  */
  double* motion;    /* [n] a motion in units */
  double* Z;         /* [n*n] with loops: motions that keep them closed                        */
} search;

/* relax.c: all functions work at the base point and set x = 0, except apl_search_unbalanced(). */

/* Energy scale of the stiffness [J]: the largest force_i unit_i. */
double apl_search_work(const search* a);

/* Stiffness in joules, H_ik = unit_i J_ik unit_k, column by column. */
apl_status apl_search_stiffness(search* a, double* H);

/* Relax downhill to a point with r = 0. */
apl_status apl_search_relax(search* a);

/* The part of the efforts that no motion can balance: along left null vectors w of dr/dx. Its
   largest entry [J] and index; 0 if all can be balanced. Overwrites x. */
double apl_search_unbalanced(search* a, int* worst);
