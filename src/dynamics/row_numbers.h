/* SPDX-License-Identifier: Apache-2.0 */
/* row_numbers.h: reads the numbers of a row (rows.h): the wrench on one of its two frames, and the
   frame to which a quasi-velocity belongs. */
#pragma once

#include "dynamics/rows.h"
#include "dynamics/state_hot.h"

HOT_INLINE wrench row_wrench(const real* number, int k) {
  wrench W;
  memcpy(&W, number + ROW_WRENCH * k, sizeof W);
  return W;
}

/* The frame that a velocity moves. A deformation moves every port of its body; the first port
   stands for all. */
HOT_INLINE int velocity_frame(const apl_model* m, int k) {
  const apl_node* n = &m->node[m->velocity_node[k]];
  return k >= n->v0 && k < n->v0 + n->nv ? n->frame : n->port0;
}
