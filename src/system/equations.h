/* SPDX-License-Identifier: Apache-2.0 */
/* equations.h: what an integrator asks of a system of equations. */
#pragma once

#include "appell/base.h"

/* Fill rate[n] at (t, y). APL_ERR_SINGULAR and APL_ERR_NOT_FINITE make the method try a smaller
   step, if it can; any other status but APL_OK ends the step with this status. */
typedef apl_status (*apl_rate)(double t, const double* y, double* rate, void* context);

/* Functions that `stiff` needs in addition to the rates. One step is the equation y = psi + c y'(t,
   y) for the first n_error numbers of y, with c [s] and psi given. Statuses as in apl_rate. */
typedef struct apl_implicit {
  /* Called once, before the run; later only a larger number of rows than ever before allocates. */
  apl_status (*open)(void* context, apl_error* err);

  /* y is a guess: prepare the Newton matrix there, once a step. May improve y. */
  apl_status (*begin)(double t, double c, const double* psi, double* y, void* context);

  /* One Newton iteration, which improves y. */
  apl_status (*iterate)(double t, double c, const double* psi, double* y, void* context);

  /* y is solved: fill rate[n] there. Only what follows the first n_error numbers is used. */
  apl_status (*finish)(double t, double c, const double* psi, const double* y, double* rate,
                       void* context);

  /* The Jacobian of y'(t, y), for `bdf`: open it once, then fill J[n_error*n], d y'_i / d y_k at
     J[k*n + i]. There are no columns beyond the first n_error: the rest of y is integrated along.
     NULL: differences. */
  apl_status (*open_jacobian)(void* context, apl_error* err);
  apl_status (*jacobian)(double t, const double* y, int n, double* J, void* context);
} apl_implicit;
