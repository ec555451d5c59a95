/* soft_row.h: a compliant law in one time step, P = h F(D - h u, -u), as the row

     u + shift + softness P = 0,

   made linear where it would be by itself. */
#pragma once

#include "law/contact_law.h"

typedef struct soft_step {
  double h, W, free, depth; /* A^-1 along the row, its free velocity, its depth at the start     */
} soft_step;
typedef struct soft_row {
  double shift, softness, k; /* and the stiffness that was met                                  */
} soft_row;

/* A depth below `touch` is not yet one. */
soft_row apl_soft_row(const normal_numbers* N, double speed_in, const soft_step* step,
                      double touch);
