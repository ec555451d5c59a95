/* SPDX-License-Identifier: Apache-2.0 */
/* given.h: which coordinates stay unchanged, bit for bit, while loops are closed, and along which
   directions of the tangent of q the others may move.

   Coordinates are plain on the tangent (q_i + delta_i), except that some joints end with a
   quaternion (qw qx qy qz), which has three directions. With some of its four components given,

     dq = 1/2 q (0, w),     w in the null space of the rows of the given components. */
#pragma once

#include "appell/dynamics.h"

#include "base/arena.h"
#include "model/model_impl.h"

/* A unit vector of the tangent: `count` numbers from t0 on. */
typedef struct given_direction {
  int t0, count;
  double e[3];
  double size; /* range of interest: half a turn, or the size of the robot */
} given_direction;

typedef struct apl_given {
  const apl_model* model;
  bool* held;                 /* [nq] must not change */
  double* value;              /* [nq] its value */
  given_direction* direction; /* [nt] those that may move                                         */
  int ndirection;
} apl_given;

void apl_given_place(apl_given* g, const apl_model* model, apl_arena* arena);

/* Hold the prescribed coordinates and those with keep[nq] (may be NULL) in 1 .. level at their
   values in q. */
void apl_given_hold(apl_given* g, const int* keep, int level, const double* q);

/* Directions that are free at q; translations get the size `length`. */
void apl_given_directions(apl_given* g, const double* q, double length);

/* delta[nt] = sum of the directions times x[ndirection]; and the inverse, x from delta. */
void apl_given_spread(const apl_given* g, const double* x, double* delta);
void apl_given_gather(const apl_given* g, const double* delta, double* x);

/* Restore held components of q; the free components of a quaternion are scaled to length 1. */
void apl_given_restore(const apl_given* g, double* q);

/* If three components of a quaternion are held, the sign of the fourth is free. Choice k of all
   signs: bit j of k flips the one of quaternion j. */
void apl_given_signs(const apl_given* g, int k, double* q);
