/* derive.h: what derivatives of passes are kept in.

   Slots: the freedoms of a rigid tree, from the world outwards. A joint has as many as the larger
   of its nv and nt; slot k stands for its velocity k and for direction k of its tangent, where
   there are such. */
#pragma once

#include "math/inertia.h"

/* Two numbers at once: one for q, one for v. */
typedef double slope_pair __attribute__((vector_size(16)));

/* What slot k hands to all that hangs on it, in world axes at the root of its tree. */
typedef struct slope_slot {
  slope_pair S[6];    /* twist of a unit velocity, twice                                          */
  slope_pair far[6];  /* accelerations that a change of (q, v) makes further out ...              */
  slope_pair near[3]; /* ... and angular velocities                                               */
  double T[6];        /* twist of a unit displacement                                             */
} slope_slot;

/* Motion of a frame and the composite of all that it carries: inertia I, wrench f, and how f
   changes with velocity, 2B dV = (N dw ; -2 p x dw). */
typedef struct slope_frame {
  twist V, A;
  rigid_inertia I;
  mat3 N;
  vec3 p;
  wrench f;
} slope_frame;

typedef struct slope_index {
  int v, t; /* -1: none                                                                          */
  int next; /* next slot on the way to the world, -1: none                                       */
} slope_index;

typedef struct slope_room {
  int nslot;
  bool square;        /* every slot has a velocity and a direction                               */
  slope_index* index; /* [nslot]                                                                 */
  int* first;         /* [nnode + 1] slots of a node                                             */
  int* above;         /* [nnode] last slot above it, -1                                          */
  slope_slot* slot;   /* [nslot]                                                                 */
  slope_frame* frame; /* [nframe]                                                                */
  double* M;          /* [nv*nv] to be filled with the mass matrix without wheels and rotors, as
                         seen from the tips: row i, columns on its way to the world; or NULL     */
  int* at;            /* [nnode] where its joint's own derivatives stand, -1: S is constant      */
  double* local;      /* of joint frames in body axes: per direction T[6], dS[6*nv], dc[6]; then
                         per velocity dc[6]                                                      */
} slope_room;

static inline int local_direction(int nv, int k) {
  return k * (12 + 6 * nv);
}
static inline int local_velocity(int nv, int nt, int k) {
  return local_direction(nv, nt) + 6 * k;
}
