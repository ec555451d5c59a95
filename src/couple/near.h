/* SPDX-License-Identifier: Apache-2.0 */
/* near.h: the broad phase: which solids are near each other. Bounding boxes of all solids, enlarged
   by the distance that they may move in a given time, are sorted along the axis of largest spread
   and swept once; overlapping pairs that may touch are measured. Only the order is kept, which
   makes the next sort fast: the same state gives the same list. */
#pragma once

#include "dynamics/contact_state.h"
#include "model/model_impl.h"

/* A contact point of two solids (counted from 0) that are near each other. */
typedef struct near_place {
  int solid[2], place, group;
  double depth;
} near_place;

typedef struct apl_near {
  int* order; /* [nsolid] along the axis                                                       */
  double *low, *high, *pose; /* [3 nsolid], [3 nsolid], [12 nsolid]                              */
  double* margin;            /* [nsolid] distance that each may move */
  near_place* list;          /* [most]                                                           */
  int most, n;
  long compared, measured; /* statistics of the last search: compared boxes, measured pairs */
  void* memory;
} apl_near;

apl_status apl_near_new(const apl_model* model, apl_near* out);
void apl_near_free(apl_near* near);

/* list[n] of contact points that may touch within `horizon` [s]. Returns -1, or the group that has
   more points than slots. */
int apl_near_find(apl_near* near, const apl_model* model, apl_state* state, double horizon);

/* touch.c: give each pair of shapes that overlap now an active contact, in a scalar state outside
   of runs; all other slots become empty. Returns as above. */
int apl_near_fill(apl_near* near, const apl_model* model, apl_state* state);

/* The same for points deeper than `least` that have no contact yet; given[nslot], which may be
   NULL, becomes true for the new ones. apl_near_part() removes these, or all. */
int apl_near_join(apl_near* near, const apl_model* model, apl_state* state, double least,
                  bool* given);
void apl_near_part(const apl_model* model, apl_state* state, const bool* given);

/* The deepest overlap of all pairs beyond the start-depth of its law; false if there is none. */
bool apl_near_overlap(apl_near* near, const apl_model* model, apl_state* state, near_place* out);
