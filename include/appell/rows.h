/* rows.h: the mass matrix as an operator. apl_factor() does the inward half of forward dynamics
   once; after that any number of right-hand sides cost a small part of it, and no matrix is formed.

   A row is a wrench on one or two ports, or an effort on a velocity: a direction in which something
   pushes or holds the robot. With J the matrix of rows (row velocity = J v),

     apl_solve()         A^-1 (tau + J^T p)          A = M + g C + g^2 K
     apl_row_inertia()   J A^-1 J^T                  what contacts, loops and impacts need
     apl_spread()        A^-1 J^T p

   K and C are stiffness and damping: of joints (springs, stops that are pressed, dampers, the slope
   of dry friction) and of bodies that deform. g = 0 gives the mass matrix, g > 0 the matrix of an
   implicit step. Prescribed freedoms do not give way; what they must bear comes out as efforts.

   Factors last until q changes, which the caller knows, or another pass needs their room: then
   functions that work from them return APL_ERR_ARGUMENT. Passes that only look at positions,
   velocities or contacts leave them in place. None allocates. Numbers are state-width as in
   dynamics.h, but rows themselves are plain doubles, the same in all lanes. */
#pragma once

#include "appell/state.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct apl_row {
  int port[2];   /* -1: none. Two ports with opposite wrenches: a relative motion            */
  apl_axes axes; /* of both wrenches, and of the motion they are tied to                     */
  double wrench[2][6]; /* moment, force at the origin of each port */
  int velocity;  /* -1: none                                                                 */
  double effort; /* on that velocity                                                         */
} apl_row;

/* Factor M + g C + g^2 K for the present q (and v, which stops and dry friction look at). */
APL_API apl_status apl_factor(const apl_model* model, apl_state* state, double g);

/* Factors of M for the q of the last apl_forward(), which has done most of the work already. */
APL_API apl_status apl_factor_last(const apl_model* model, apl_state* state);

/* Kv[nv] = K v and Cv[nv] = C v for any v[nv], at the present q and v of the state; either result
   may be NULL. Needs no factors. */
APL_API apl_status apl_stiffness(const apl_model* model, apl_state* state, const double* v,
                                 double* Kv, double* Cv);

/* Accelerations a[nv] for efforts tau[nv] (NULL: none) and n rows with forces p[n], without weight,
   velocity products and passive forces: the change that a push makes, or a jump of velocities for
   impulses. Prescribed freedoms take a as it is, and effort[nv] (unless NULL) says what they bear;
   it is 0 elsewhere. */
APL_API apl_status apl_solve(const apl_model* model, apl_state* state, const double* tau,
                             const apl_row* row, const double* p, int n, double* a, double* effort);

/* The inward half of a solution for each of n rows: z[n*nv], innovations. Linear in the rows; their
   order is the engine's own. */
APL_API apl_status apl_row_half(const apl_model* model, apl_state* state, const apl_row* row, int n,
                                double* z);

/* G[n*n] = J A^-1 J^T from the halves of n rows; symmetric. */
APL_API apl_status apl_row_inertia(const apl_model* model, apl_state* state, const apl_row* row,
                                   int n, const double* z, double* G);

/* The outward half: a[nv] = A^-1 J^T p from z[nv] = sum of p_j z_j. Prescribed freedoms keep their
   motion, a = 0; effort as in apl_solve(). */
APL_API apl_status apl_spread(const apl_model* model, apl_state* state, const double* z, double* a,
                              double* effort);

/* velocity[n] = J v and acceleration[n] = J a + J' v for the present q, v, a, wrenches being
   constant in their axes; either may be NULL. Needs no factors. */
APL_API apl_status apl_row_motion(const apl_model* model, apl_state* state, const apl_row* row,
                                  int n, double* velocity, double* acceleration);

#ifdef __cplusplus
}
#endif
