/* SPDX-License-Identifier: Apache-2.0 */
/* newton.h: f(x) = 0 by Newton's method with a line search (KINSOL). */
#pragma once

#include "appell/base.h"

typedef struct newton_problem {
  int n;
  /* f[n] at x[n]; J[n*n] = df/dx there, column by column */
  apl_status (*residual)(void* user, const double* x, double* f);
  apl_status (*jacobian)(void* user, const double* x, double* J);
  void* user;
  const double *unit, *force; /* [n] sizes of x and f                                            */
  double tolerance;           /* max |f_i| / force_i at which x is a solution                    */
  double longest;             /* longest step, in units                                          */
  int iterations;             /* largest number of iterations */
} newton_problem;

/* Stiffness below this fraction of the largest belongs to motions without stiffness; Newton's
   method does not move along them. */
#define NEWTON_RANK 1e-11

/* From x to a solution. APL_ERR_EQUILIBRIUM when none is found: x is then where the search ended.
 *used counts iterations. */
apl_status apl_newton(const newton_problem* p, double* x, int* used);
