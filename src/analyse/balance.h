/* balance.h: the statics of a robot as equations r(x) = 0, one per freedom that may move.

   x counts in quasi-velocities from a base point: q = base + N(base) x, with the joint's own sum.
   So r_i and x_i belong to one velocity, and dr/dx is symmetric at x = 0 where forces have a
   potential. Loops add their forces p to the unknowns and their gaps to the equations,

     tau(q) - J^T p - tau = 0,     c(q) = 0. */
#pragma once

#include "appell/analyse.h"

#include "couple/near.h"

typedef struct balance {
  const apl_model* model;
  apl_state* state; /* the user's                                                              */
  apl_state* wide;  /* for derivatives                                                         */
  bool springs;     /* closed its loops in the user's state: they do again afterwards          */
  int nq, nt, nv;
  int nfree;            /* freedoms that may move                                                 */
  int n;                /* they, and the rows of loops                                            */
  int* velocity;        /* [nfree] which they are                                                 */
  double* push;         /* [n - nfree] forces of the rows at the base point                       */
  bool* still;          /* [nt] tangents that stay                                                */
  apl_balance* verdict; /* [nv]                                                                  */
  double* base;         /* [nq]                                                                   */
  double* tau;          /* [nv] efforts that act                                                  */
  double *unit, *force; /* [n] sizes of x and r: what their departures are measured in           */
  double length;        /* of the robot [m]                                                       */
  double stride;        /* longest step downhill, in units: none leaps over a shape               */
  double *delta, *q, *bias; /* scratch, wide enough for complex numbers                          */
  double* zero;             /* [n] zeros                                                          */
  apl_near near;            /* shapes that may touch, where the model has any                     */
} balance;

/* The state gives base point, inputs, loads and efforts. Rolling: wheels and what follows them may
   move too; their verdict stays APL_HELD, for nothing says that they are in balance. */
apl_status apl_balance_open(balance* b, const apl_model* model, apl_state* state, bool rolling);
void apl_balance_close(balance* b);

/* r[n] = efforts needed to keep still, less those that act. */
apl_status apl_balance_residual(balance* b, const double* x, double* r);

/* J[n*n] = dr/dx by complex steps, column by column: J[k*n + i] = dr_i/dx_k, of the shapes that
   touch at x, too. */
apl_status apl_balance_jacobian(balance* b, const double* x, double* J);

/* D[nfree*nfree] = d tau / dv at the base point and v = 0, alike. */
apl_status apl_balance_damping(balance* b, double* D);

/* x becomes the base point, and zero. */
apl_status apl_balance_rebase(balance* b, double* x);

/* Units from the size of the robot, forces from r and J at the base point and beside it; r[n] and
   J[n*n] are scratch. */
apl_status apl_balance_scale(balance* b, double* r, double* J);

/* max |r_i| / force_i, and which freedom has most of it. */
double apl_balance_size(const balance* b, const double* r, int* worst);
