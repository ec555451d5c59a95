/* SPDX-License-Identifier: Apache-2.0 */
/* row_parts.h: functions of loops.c for the rows of loops and couplings, besides their efforts
   (efforts.h). */
#pragma once

#include "dynamics/motion.h"

/* All rows, after positions() and velocities(). Accelerations need A of the frames. */
static void row_motions(const apl_model* m, state* s, bool accelerated);

/* Add the forces of all rows at the present poses to F and Q. Returns their power without the part
   that springs store. */
static real apply_rows(const apl_model* m, state* s);

/* Potential energy of loop springs, after positions() and velocities(). */
static real loop_energy(const apl_model* m, state* s);
