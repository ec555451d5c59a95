/* rows.h: rows of a robot by their frames, for couplings. A row is a wrench on one or two frames,
   or an effort on one or two velocities; J_i is what a unit of it does on the velocities. Structure
   (integers) and numbers stand apart, as in a model. Functions of whole rows: factor.h; theory:
   docs/theory/passes.md, 8.

   After apl_factor() or apl_factor_last(), and until another pass takes the factors away
   (APL_ERR_ARGUMENT then), each row needs one half of a solution, its innovations z[nv]:

     J_i M^-1 J_j^T = sum_k z_ik d_k z_jk         over the freedoms on both ways to the world
     M^-1 sum_j J_j^T p_j = one sweep outwards from sum_j z_j p_j

   All memory is the caller's. Numbers are as wide as those of the state. */
#pragma once

#include "appell/state.h"

#include "model/model_impl.h"

/* Where a row acts. */
typedef struct apl_way {
  int frame[2];    /* 0: none, or the world                                                       */
  int velocity[2]; /* -1: none; two in couplings of coordinates                                   */
} apl_way;

/* The numbers of a row: a wrench (moment, force) per frame, in its axes at its origin, and an
   effort per velocity. */
enum { ROW_WRENCH = 6, ROW_EFFORT = 12, ROW_NUMBERS = 14 };

/* A list of rows; neighbours that act on the same frames are treated together. */
typedef struct apl_ways {
  const apl_way* way; /* [n]    */
  const double* z;    /* [n*nv] */
  int n;
} apl_ways;

/* z[n*nv] of n rows with numbers[n*ROW_NUMBERS]. z is in the order of elimination: good for sums
   and for the functions below only. */
apl_status apl_ways_halve(const apl_model* model, apl_state* state, const apl_way* way,
                          const double* number, int n, double* z);

/* G[a.n * ld] of rows against rows, J_a M^-1 J_b^T; of a list against itself (b = NULL) one half is
   computed and mirrored. */
apl_status apl_ways_inertia(const apl_model* model, apl_state* state, const apl_ways* a,
                            const apl_ways* b, double* G, int ld);

/* z[nv] = sum_j z_j p_j */
apl_status apl_ways_combine(const apl_model* model, apl_state* state, const apl_ways* a,
                            const double* p, double* z);

/* Where frames are and how they move for the present q, v, and a if asked for. What the two
   functions below work from; apl_forward() of a robot that is not flat leaves accelerations, but
   true twists only where something asked for them. */
apl_status apl_frames_move(const apl_model* model, apl_state* state, bool accelerations);

/* Twists for the present v of frames that stand where the last pass has placed them. */
apl_status apl_frames_speed(const apl_model* model, apl_state* state);

/* Pose X[12] in the world, twist V[6] and acceleration A[6] (angular; of the origin) of a frame in
   its own axes; each may be NULL. */
void apl_frame_motion(const apl_model* model, apl_state* state, int frame, double* X, double* V,
                      double* A);

/* velocity[n] = J v and acceleration[n] = J a + J' v of rows whose numbers are constant; either may
   be NULL. */
apl_status apl_ways_motion(const apl_model* model, apl_state* state, const apl_way* way,
                           const double* number, int n, double* velocity, double* acceleration);

/* J[n*nv] of rows; places frames. */
apl_status apl_ways_jacobian(const apl_model* model, apl_state* state, const apl_way* way,
                             const double* number, int n, double* J);

/* J[ntendon*nv]: rates of the lengths of tendons are J v. Places frames. */
apl_status apl_tendon_jacobian(const apl_model* model, apl_state* state, double* J);

/* A solution for efforts and for rows with forces p[n]: clear, add any number of times, solve as
   apl_solve() does. */
void apl_push_clear(const apl_model* model, apl_state* state);
apl_status apl_push_add(const apl_model* model, apl_state* state, const apl_way* way,
                        const double* number, const double* p, int n);
/* Right after a solution with apl_push_solve(): what it does along n rows, out[n] = J a, from the
   halves z[n*nv] of the rows. Scalar states only. */
apl_status apl_push_along(const apl_model* model, apl_state* state, const apl_way* way,
                          const double* z, int n, double* out);
apl_status apl_push_solve(const apl_model* model, apl_state* state, const double* tau, double* a,
                          double* effort);

/* Innovations z[nv] of the last apl_push_solve(). */
const double* apl_innovations(apl_state* state);
