/* SPDX-License-Identifier: Apache-2.0 */
/* linear.h: a robot near an equilibrium, M x'' + D x' + K x = 0 (docs/modes.md, 1). x is a
   displacement in quasi-velocities, for the freedoms that may move. Matrices are n*n, by columns.
   With loops, M, D and K are those of all freedoms, K includes the loop forces, and x = Z y are the
   motions that keep loops closed. */
#pragma once

#include "appell/modes.h"

#include "base/pool.h"

#include <stdbool.h>

typedef struct linear {
  int n;
  int* velocity;       /* [n] which freedoms                                                      */
  double *M, *D, *K;   /* inertia, damping without dry friction, stiffness                        */
  double *unit, *work; /* [n] scale of x; scale of the energy of x [J] */
  int m;               /* number of motions y; n without loops */
  double* Z;           /* [n*m], NULL without loops                                               */
  apl_pool pool;       /* owns the above                                                          */
} linear;

/* At the present q of a scalar state, which is left as it was. */
apl_status apl_linear_open(linear* l, const apl_model* model, apl_state* state,
                           const apl_modes_options* options, apl_error* err);
void apl_linear_close(linear* l);

/* The same matrices in y, from the pool of l; l itself without loops. False without memory. */
bool apl_linear_closed(linear* l, linear* out);
