/* SPDX-License-Identifier: Apache-2.0 */
/* balance.h: statics of a robot as equations r(x) = 0, one per freedom that may move.

   x is a displacement in quasi-velocities from a base point: q = base + N(base) x, with the joint's
   own addition. So r_i and x_i belong to one velocity, and dr/dx is symmetric at x = 0 if the
   forces have a potential. Loops add their forces p to the unknowns and their gaps to the
   equations,

     tau(q) - J^T p - tau = 0,     c(q) = 0. */
#pragma once

#include "appell/analyse.h"

#include "couple/near.h"

typedef struct balance {
  const apl_model* model;
  apl_state* state; /* the user's                                                              */
  apl_state* wide;  /* complex, for derivatives */
  bool springs;     /* the user's state closed its loops by springs; restored at the end */
  int nq, nt, nv;
  int nfree;            /* freedoms that may move                                                 */
  int n;                /* nfree plus the rows of loops */
  int* velocity;        /* [nfree] their velocities */
  double* push;         /* [n - nfree] forces of the rows at the base point                       */
  bool* still;          /* [nt] tangents that do not move */
  apl_balance* verdict; /* [nv]                                                                  */
  double* base;         /* [nq]                                                                   */
  double* tau;          /* [nv] applied efforts */
  double *unit, *force; /* [n] scales of x and r */
  double length;        /* of the robot [m]                                                       */
  double stride;        /* longest step downhill, in units, so that no step jumps over a shape */
  double *delta, *q, *bias; /* scratch, wide enough for complex numbers                          */
  double* zero;             /* [n] zeros                                                          */
  apl_near near;            /* shapes that may touch, if the model has any */
} balance;

/* The state gives base point, inputs, loads and efforts. rolling: wheels and trailers may move too;
   their verdict stays APL_HELD, because nothing balances them. */
apl_status apl_balance_open(balance* b, const apl_model* model, apl_state* state, bool rolling);
void apl_balance_close(balance* b);

/* r[n] = efforts needed for rest minus the applied ones. */
apl_status apl_balance_residual(balance* b, const double* x, double* r);

/* J[n*n] = dr/dx by complex steps, column by column: J[k*n + i] = dr_i/dx_k, including the shapes
   that touch at x. */
apl_status apl_balance_jacobian(balance* b, const double* x, double* J);

/* D[nfree*nfree] = d tau / dv at the base point and v = 0, in the same layout. */
apl_status apl_balance_damping(balance* b, double* D);

/* Make x the new base point, and set x to zero. */
apl_status apl_balance_rebase(balance* b, double* x);

/* Set units from the size of the robot, and force scales from r and J at the base point and near
   it; r[n] and J[n*n] are scratch. */
apl_status apl_balance_scale(balance* b, double* r, double* J);

/* max |r_i| / force_i, and the freedom of the maximum. */
double apl_balance_size(const balance* b, const double* r, int* worst);
