/* near.h: which solids are near each other: the broad phase. Bounds of all solids, made wider by
   how far they may come in a given time, are sorted along the axis on which they are most spread
   out and swept once; what overlaps and may touch is measured. Nothing is remembered but the order,
   which only makes the next sort short: the same state gives the same list. */
#pragma once

#include "dynamics/contact_state.h"
#include "model/model_impl.h"

/* A place of two solids, counted from 0, that is near. */
typedef struct near_place {
  int solid[2], place, group;
  double depth;
} near_place;

typedef struct apl_near {
  int* order; /* [nsolid] along the axis                                                       */
  double *low, *high, *pose; /* [3 nsolid], [3 nsolid], [12 nsolid]                              */
  double* margin;            /* [nsolid] how far each may come                                   */
  near_place* list;          /* [most]                                                           */
  int most, n;
  long compared, measured; /* pairs of bounds, pairs of solids: of the last search               */
  void* memory;
} apl_near;

apl_status apl_near_new(const apl_model* model, apl_near* out);
void apl_near_free(apl_near* near);

/* list[n] of places that may touch within `horizon` [s]. Returns -1, or the group that has more
   than there is room for. */
int apl_near_find(apl_near* near, const apl_model* model, apl_state* state, double horizon);

/* touch.c: a contact that pushes for each place where shapes are in each other now, in a scalar
   state that no run looks after; all other places are free. Returns as above. */
int apl_near_fill(apl_near* near, const apl_model* model, apl_state* state);

/* ... for each such place, deeper than `least`, that has none yet; given[nslot], which may be NULL,
   becomes true where a contact was given. And back again: free those, or all. */
int apl_near_join(apl_near* near, const apl_model* model, apl_state* state, double least,
                  bool* given);
void apl_near_part(const apl_model* model, apl_state* state, const bool* given);

/* The deepest overlap of all pairs beyond the start-depth of its law; false when there is none. */
bool apl_near_overlap(apl_near* near, const apl_model* model, apl_state* state, near_place* out);
