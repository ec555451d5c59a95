/* loops.h: how the rows of closed loops push. The rows themselves: appell/loop.h. */
#pragma once

#include "appell/loop.h"

/* Close all rows by springs and dampers of their stiffness and damping, force = -(k c + d c'); or,
   with false, by the forces in the rows. The energy of the springs is potential energy. */
void apl_loops_springs(apl_state* state, bool on);
