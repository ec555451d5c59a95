/* SPDX-License-Identifier: Apache-2.0 */
/* conecases.h: problems of many contacts with friction, made from rows and masses written out here:
   W = J M^-1 J^T, q = J v. The same families as the study behind the solver; tests and the
   benchmark share them. */
#pragma once

#include "random.h"

typedef enum cone_family {
  CONE_QUADRUPED, /* a trunk on four legs of three joints: 12 rows, rank 12                    */
  CONE_BOX,       /* a box on its four corners: 12 rows, rank 6                                */
  CONE_CHAIN,     /* 16 links in a vertical plane, 17 points: 51 rows, 17 of them idle, rank 18 */
  CONE_SNAKE,     /* the same chain lying flat: 51 rows, rank 21                               */
  CONE_RANDOM,    /* 5 to 30 contacts, any rank                                                */
  CONE_SIXTY,     /* 60 contacts on 140 freedoms                                               */
  CONE_FAMILIES
} cone_family;

extern const char* const cone_family_name[CONE_FAMILIES];

typedef struct cone_case {
  int contacts, n, nv;
  int down;      /* the freedom against gravity, -1 for none                    */
  double *W, *q; /* [n*n], [n]                                          */
  double *J, *v; /* [n*nv], [nv]                                        */
  double* mu;    /* [contacts]; all arrays freed with cone_case_free()  */
} cone_case;

/* From rows J[3*contacts*nv], which it keeps, and masses M[nv*nv], which it overwrites. The
   coefficients are zero. */
cone_case cone_case_of(int contacts, int nv, double* J, double* M, const double* v);

cone_case cone_case_new(cone_family family, rng* r);
void cone_case_free(cone_case* c);

/* v := falling, without any other motion, and its q. */
void cone_case_fall(cone_case* c);

/* Another v, changed by `share` of its size, and its q. */
void cone_case_shake(cone_case* c, rng* r, double share);

/* Natural map of exact Coulomb friction in De Saxce's form, written without the solver's means:
     |r - P_K(r - (u + mu |u_T| n))| / |q|,   r scaled by the mean diagonal of W. */
double cone_case_residual(const cone_case* c, const double* r);
