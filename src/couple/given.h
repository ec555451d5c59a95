/* given.h: which coordinates stay as they are while loops are closed, bit for bit, and along which
   directions of the tangent of q the others may move.

   Coordinates are plain on the tangent (q_i + delta_i), except that some joints end with a
   quaternion (qw qx qy qz), which has three directions. With some of its four numbers given,

     dq = 1/2 q (0, w),     w in the null space of the rows of the given numbers. */
#pragma once

#include "appell/dynamics.h"

#include "base/arena.h"
#include "model/model_impl.h"

/* A unit vector of the tangent: `count` numbers from t0 on. */
typedef struct given_direction {
  int t0, count;
  double e[3];
  double size; /* how far it may be of interest: half a turn, or the size of the robot           */
} given_direction;

typedef struct apl_given {
  const apl_model* model;
  bool* held;    /* [nq] stays                                                                   */
  double* value; /* [nq] at this number                                                          */
  given_direction* direction; /* [nt] those that may move                                         */
  int ndirection;
} apl_given;

void apl_given_place(apl_given* g, const apl_model* model, apl_arena* arena);

/* What is prescribed is held, and what keep[nq] (may be NULL) has at 1 .. level, at the values of
   q. */
void apl_given_hold(apl_given* g, const int* keep, int level, const double* q);

/* Directions that are free at q. Lengths have the given size. */
void apl_given_directions(apl_given* g, const double* q, double length);

/* delta[nt] = sum of the directions times x[ndirection]; and x for a delta. */
void apl_given_spread(const apl_given* g, const double* x, double* delta);
void apl_given_gather(const apl_given* g, const double* delta, double* x);

/* Held numbers of q become what they were; of a quaternion the others are scaled to the length 1.
 */
void apl_given_restore(const apl_given* g, double* q);

/* Where three numbers of a quaternion are held, the fourth has two signs. The k-th choice of all
   signs: bit j of k turns that of quaternion j. */
void apl_given_signs(const apl_given* g, int k, double* q);
