/* loops.h: the rows of closed loops in a state: gaps, rates, forces. Theory: docs/theory/loops.md.
 */
#pragma once

#include "appell/dynamics.h"

/* Numbers of each row in a state, [nrow * APL_LOOP] of the state's width: apl_loop_row(). The force
   acts on `to` in the positive direction of the row and on `from` against it. Every pass applies
   it. With springs (below) a pass finds the force itself. */
enum {
  APL_LOOP_FORCE = 0, /* [N] or [N m]                                                            */
  APL_LOOP_GAP = 1,   /* c; apl_loops() writes it and what follows                               */
  APL_LOOP_RATE = 2,  /* c' = J v                                                                */
  APL_LOOP_ACCEL = 3, /* c'' = J a + (dJ/dt) v for the accelerations in the state                */
  APL_LOOP_STIFFNESS = 4,
  APL_LOOP_DAMPING = 5,
  APL_LOOP = 6
};
double* apl_loop_row(apl_state* state);

/* Gaps, rates and accelerations of all rows for the present q, v, a. */
apl_status apl_loops(const apl_model* model, apl_state* state);

/* J[nrow * nv], row-major: c' = J v. */
apl_status apl_loops_jacobian(const apl_model* model, apl_state* state, double* J);

/* Close all rows by springs and dampers of their stiffness and damping, force = -(k c + d c'); or,
   with false, by the forces in the rows. The energy of the springs is potential energy. */
void apl_loops_springs(apl_state* state, bool on);
