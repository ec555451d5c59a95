/* SPDX-License-Identifier: Apache-2.0 */
/* rows.h: constraint rows of a robot by frames, for couplings. A row is a wrench on one or two
   frames, or an effort on one or two velocities; J_i is the generalized force of a unit of it.
   Where a row acts (integers, apl_way) and its numbers are stored separately, as in a model. Rows
   by ports: factor.h; theory: docs/theory/passes.md, 8.

   Valid after apl_factor() or apl_factor_last() until another pass overwrites the factors (then
   APL_ERR_ARGUMENT). Each row needs the inward half of a solution, its innovations z[nv]:

     J_i M^-1 J_j^T = sum_k z_ik d_k z_jk         over freedoms between both frames and the world
     M^-1 sum_j J_j^T p_j = one sweep outwards from sum_j z_j p_j

   All memory is the caller's. Numbers have the width of the state's numbers. */
#pragma once

#include "appell/state.h"

#include "model/model_impl.h"

/* The frames and velocities on which a row acts. */
typedef struct apl_way {
  int frame[2];    /* 0: none, or the world                                                       */
  int velocity[2]; /* -1: none; two in couplings of coordinates                                   */
} apl_way;

/* The numbers of a row: a wrench (moment, force) per frame, in the frame's axes at its origin, and
   an effort per velocity. */
enum { ROW_WRENCH = 6, ROW_EFFORT = 12, ROW_NUMBERS = 14 };

/* A list of rows; neighbours that act on the same frames are treated together. */
typedef struct apl_ways {
  const apl_way* way; /* [n]    */
  const double* z;    /* [n*nv] */
  int n;
} apl_ways;

/* z[n*nv] of n rows with numbers[n*ROW_NUMBERS]. z is in the order of elimination, for the
   functions below only. */
apl_status apl_ways_halve(const apl_model* model, apl_state* state, const apl_way* way,
                          const double* number, int n, double* z);

/* G[a.n * ld] = J_a M^-1 J_b^T. With b = NULL, list a with itself: one half is computed and
   mirrored. */
apl_status apl_ways_inertia(const apl_model* model, apl_state* state, const apl_ways* a,
                            const apl_ways* b, double* G, int ld);

/* z[nv] = sum_j z_j p_j */
apl_status apl_ways_combine(const apl_model* model, apl_state* state, const apl_ways* a,
                            const double* p, double* z);

/* Compute poses and twists of frames for the present q and v, and accelerations for a if asked for.
   The two functions below need them. apl_forward() of a robot that is not planar leaves
   accelerations, but true twists only if some force needed them. */
apl_status apl_frames_move(const apl_model* model, apl_state* state, bool accelerations);

/* Compute twists for the present v; poses stay as the last pass has placed them. */
apl_status apl_frames_speed(const apl_model* model, apl_state* state);

/* Pose X[12] in the world, twist V[6] and acceleration A[6] (angular; of the origin) of a frame in
   its own axes; each may be NULL. */
void apl_frame_motion(const apl_model* model, apl_state* state, int frame, double* X, double* V,
                      double* A);

/* velocity[n] = J v and acceleration[n] = J a + J' v of rows whose numbers are constant; either may
   be NULL. */
apl_status apl_ways_motion(const apl_model* model, apl_state* state, const apl_way* way,
                           const double* number, int n, double* velocity, double* acceleration);

/* J[n*nv] of rows. Computes poses of frames. */
apl_status apl_ways_jacobian(const apl_model* model, apl_state* state, const apl_way* way,
                             const double* number, int n, double* J);

/* J[ntendon*nv] with l' = J v for the tendon lengths l. Computes poses of frames. */
apl_status apl_tendon_jacobian(const apl_model* model, apl_state* state, double* J);

/* One solution for efforts and for rows with forces p[n]: clear, add any number of times, then
   solve as apl_solve() does. */
void apl_push_clear(const apl_model* model, apl_state* state);
apl_status apl_push_add(const apl_model* model, apl_state* state, const apl_way* way,
                        const double* number, const double* p, int n);
/* Right after apl_push_solve(): the acceleration along n rows, out[n] = J a, from the innovations
   z[n*nv] of the rows. Scalar states only. */
apl_status apl_push_along(const apl_model* model, apl_state* state, const apl_way* way,
                          const double* z, int n, double* out);
apl_status apl_push_solve(const apl_model* model, apl_state* state, const double* tau, double* a,
                          double* effort);

/* Innovations z[nv] of the last apl_push_solve(). */
const double* apl_innovations(apl_state* state);
