/* SPDX-License-Identifier: Apache-2.0 */
/* factor.h: the mass matrix as an operator. apl_factor() does the inward half of the
   articulated-body algorithm once; each right-hand side then costs a small part of it, and no
   matrix is formed.

   A row is one constraint direction: a wrench on one or two ports, or an effort on a velocity. With
   J the matrix of rows (row velocity = J v),

     apl_solve()         A^-1 (tau + J^T p)          A = M + g C + g^2 K
     apl_row_inertia()   J A^-1 J^T                  for contacts, loops and impacts
     apl_spread()        A^-1 J^T p

   K and C are stiffness and damping: of joints (springs, stops that are pressed, dampers, the slope
   of dry friction) and of bodies that deform. g = 0 gives the mass matrix, g > 0 the matrix of an
   implicit step. Prescribed freedoms do not move; their efforts are returned.

   Factors are valid until q changes, which is the responsibility of the caller, or until another
   pass uses their memory: then functions that need them return APL_ERR_ARGUMENT. Passes that
   compute only positions, velocities or contacts keep them. None allocates. Numbers are state-width
   as in dynamics.h, but rows themselves are plain doubles, the same in all lanes. */
#pragma once

#include "appell/state.h"

typedef struct apl_row {
  int port[2];         /* -1: none. Two ports with opposite wrenches describe a relative motion */
  apl_axes axes;       /* axes of both wrenches, and of the row's velocity */
  double wrench[2][6]; /* moment, force at the origin of each port */
  int velocity;  /* -1: none                                                                 */
  double effort; /* effort per unit force of the row, on that velocity */
} apl_row;

/* Factor M + g C + g^2 K for the present q (and v, for stops and dry friction). */
apl_status apl_factor(const apl_model* model, apl_state* state, double g);

/* Factors of M for the q of the last apl_forward(), which has done most of the work already. */
apl_status apl_factor_last(const apl_model* model, apl_state* state);

/* Kv[nv] = K v and Cv[nv] = C v for any v[nv], at the present q and v of the state; either result
   may be NULL. Needs no factors. */
apl_status apl_stiffness(const apl_model* model, apl_state* state, const double* v, double* Kv,
                         double* Cv);

/* Accelerations a[nv] for efforts tau[nv] (NULL: none) and n rows with forces p[n], without weight,
   velocity products and passive forces: the change caused by these forces, or the velocity jump
   caused by impulses. Prescribed freedoms keep their given a, and effort[nv] (unless NULL) returns
   their efforts; it is 0 elsewhere. */
apl_status apl_solve(const apl_model* model, apl_state* state, const double* tau,
                     const apl_row* row, const double* p, int n, double* a, double* effort);

/* The inward half of a solution for each of n rows: z[n*nv], the innovations. z is linear in the
   rows; its entries are in the order of elimination, not of velocities. */
apl_status apl_row_half(const apl_model* model, apl_state* state, const apl_row* row, int n,
                        double* z);

/* G[n*n] = J A^-1 J^T from the halves of n rows; symmetric. */
apl_status apl_row_inertia(const apl_model* model, apl_state* state, const apl_row* row, int n,
                           const double* z, double* G);

/* The outward half: a[nv] = A^-1 J^T p from z[nv] = sum of p_j z_j. Prescribed freedoms have a = 0;
   effort as in apl_solve(). */
apl_status apl_spread(const apl_model* model, apl_state* state, const double* z, double* a,
                      double* effort);

/* velocity[n] = J v and acceleration[n] = J a + J' v for the present q, v, a, with wrenches that
   are constant in their axes; either may be NULL. Needs no factors. */
apl_status apl_row_motion(const apl_model* model, apl_state* state, const apl_row* row, int n,
                          double* velocity, double* acceleration);
