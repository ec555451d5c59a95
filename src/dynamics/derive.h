/* SPDX-License-Identifier: Apache-2.0 */
/* derive.h: memory for derivatives of the passes.

   A slot is a freedom of a rigid tree; slots are numbered from the world outwards. A joint has
   max(nv, nt) of them: slot k stands for its velocity k and for direction k of its coordinates'
   tangent space, where these exist. */
#pragma once

#include "math/inertia.h"

/* A pair of numbers computed together: the derivative by q and the derivative by v. */
typedef double slope_pair __attribute__((vector_size(16)));

/* Quantities of slot k that all links further out need, in world axes at the root of the tree. */
typedef struct slope_slot {
  slope_pair S[6];    /* twist of a unit velocity, the same number twice */
  slope_pair far[6];  /* change of acceleration of the links further out per unit (q, v) ... */
  slope_pair near[3]; /* ... and change of their angular velocity */
  double T[6];        /* twist of a unit displacement                                             */
} slope_slot;

/* Motion of a frame, and composites of all bodies that it carries: inertia I, wrench f, and the
   change of f with velocity, 2B dV = (N dw ; -2 p x dw). */
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
  bool square;        /* true if every slot has both a velocity and a direction */
  slope_index* index; /* [nslot]                                                                 */
  int* first;         /* [nnode + 1] slots of a node                                             */
  int* above;         /* [nnode] last slot of the joint above, -1: none */
  slope_slot* slot;   /* [nslot]                                                                 */
  slope_frame* frame; /* [nframe]                                                                */
  double* M;          /* [nv*nv] receives the mass matrix without wheels and rotors: row i has the
                         columns of freedoms between i and the world; or NULL */
  int* at;            /* [nnode] offset of the joint's own derivatives in local, -1: S is
                         constant */
  double* local;      /* per joint, in body axes: for each direction T[6], dS[6*nv], dc[6]; then for
                         each velocity dc[6] */
} slope_room;

static inline int local_direction(int nv, int k) {
  return k * (12 + 6 * nv);
}
static inline int local_velocity(int nv, int nt, int k) {
  return local_direction(nv, nt) + 6 * k;
}
