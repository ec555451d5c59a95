/* SPDX-License-Identifier: Apache-2.0 */
/* modes.h: a state displaced along a mode, for pictures. */
#pragma once

#include "appell/modes.h"

/* Put the state at size * Re(shape e^(i phase)) from the equilibrium. */
apl_status apl_modes_place(const apl_modes* modes, int mode, double size, double phase,
                           apl_state* state);
