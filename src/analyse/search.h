/* search.h: one search for an equilibrium. */
#pragma once

#include "analyse/balance.h"

typedef struct search {
  balance b;
  apl_equilibrium_options o;
  apl_equilibrium_report* report;
  double *x, *r, *J;
  double* goal;      /* [n] of a step of the continuation: r = goal                            */
  double* fallen;    /* [nq] where relaxation ended */
  double *first, *s; /* [n] r at the guess; a step, or singular values                         */
  double* vectors;   /* [n*n]                                                                  */
  double* motion;    /* [n] in units                                                           */
  double* Z;         /* [n*n] with loops: motions that keep them closed                        */
} search;

/* relax.c: all work at the base point and leave x there, but for apl_search_unbalanced(). */

/* What stiffness is measured against [J]: the largest force_i unit_i. */
double apl_search_work(const search* a);

/* Stiffness in joules, H_ik = unit_i J_ik unit_k, column by column. */
apl_status apl_search_stiffness(search* a, double* H);

/* Downhill to a place where r = 0. */
apl_status apl_search_relax(search* a);

/* The part of the efforts that no motion changes: along left null vectors w of dr/dx. Its largest
   entry [J] and where that is; 0 when all can be balanced. Spoils x. */
double apl_search_unbalanced(search* a, int* worst);
