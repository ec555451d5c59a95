/* SPDX-License-Identifier: Apache-2.0 */
/* loops.h: how the rows of closed loops get their forces. The rows themselves: appell/loop.h. */
#pragma once

#include "appell/loop.h"

/* true: the rows act as springs and dampers, force = -(k c + d c'), with each row's stiffness and
   damping; their energy is potential energy. false: the forces stored in the rows act. */
void apl_loops_springs(apl_state* state, bool on);
