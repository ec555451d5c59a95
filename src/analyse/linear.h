/* linear.h: a robot near a balance, M x'' + D x' + K x = 0 (docs/modes.md, 1). x counts in
   quasi-velocities from the balance, for the freedoms that may move. Matrices are n*n, column by
   column. */
#pragma once

#include "appell/modes.h"

#include "base/pool.h"

typedef struct linear {
  int n;
  int* velocity;       /* [n] which freedoms                                                      */
  double *M, *D, *K;   /* inertia, damping without dry friction, stiffness                        */
  double *unit, *work; /* [n] size of x; of the energy x works against [J]                        */
  apl_pool pool;       /* owns the above                                                          */
} linear;

/* At the present q of a scalar state, which is left as it was. */
apl_status apl_linear_open(linear* l, const apl_model* model, apl_state* state,
                           const apl_modes_options* options, apl_error* err);
void apl_linear_close(linear* l);
