/* SPDX-License-Identifier: Apache-2.0 */
/* soft_row.h: a compliant contact law in one time step, P = h F(D - h u, -u), as the row

     u + shift + softness P = 0,

   linearised at the velocity that the row would have without other rows. */
#pragma once

#include "law/contact_law.h"

typedef struct soft_step {
  double h, W, free, depth; /* step length, J A^-1 J^T of the row, its free velocity, its depth at
                               the start */
} soft_step;
typedef struct soft_row {
  double shift, softness, k; /* and the stiffness used in the linearisation */
} soft_row;

/* The law is linearised at a depth of at least `touch`. */
soft_row apl_soft_row(const normal_numbers* N, double speed_in, const soft_step* step,
                      double touch);
