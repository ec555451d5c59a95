/* SPDX-License-Identifier: Apache-2.0 */
/* asks.h: what a model file requests for a run. */
#pragma once

#include "appell/analyse.h"

/* Does `start` of the file say {equilibrium: true}, or `stable`? The other values of the block,
   which apl_file_start() reads, are then the first guess and the initial velocities. `stable` may
   be NULL. */
bool apl_file_wants_equilibrium(const apl_file* file, bool* stable);

/* Number of waves of the first gait of a file that has one; 0 if there is none. */
double apl_file_waves(const apl_file* file);
