/* SPDX-License-Identifier: Apache-2.0 */
/* widen.h: a complex copy of a state, for complex steps. */
#pragma once

#include "appell/state.h"

/* derive.c: copy everything that a pass reads from a scalar state to a complex state of the same
   model; imaginary parts become zero. */
void apl_state_widen(const apl_model* model, apl_state* from, apl_state* wide);
