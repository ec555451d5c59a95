/* row_numbers.h: what the numbers of a row mean (rows.h): the wrench on one of its two frames, and
   the frame that a quasi-velocity belongs to. */
#pragma once

#include "dynamics/rows.h"
#include "dynamics/state_hot.h"

HOT_INLINE wrench row_wrench(const real* number, int k) {
  wrench W;
  memcpy(&W, number + ROW_WRENCH * k, sizeof W);
  return W;
}

/* A deformation stands on the way of every port of its body. */
HOT_INLINE int velocity_frame(const apl_model* m, int k) {
  const apl_node* n = &m->node[m->velocity_node[k]];
  return k >= n->v0 && k < n->v0 + n->nv ? n->frame : n->port0;
}
