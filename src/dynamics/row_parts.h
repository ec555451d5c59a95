/* row_parts.h: what loops.c tells of the rows of loops and couplings, beside their efforts
 * (efforts.h).
 */
#pragma once

#include "dynamics/motion.h"

/* All rows after positions() and velocities(); accelerations where A of the frames is known. */
static void row_motions(const apl_model* m, state* s, bool accelerated);

/* Forces of all rows, which stand where they are now, into F and Q; returns their power, less what
   springs keep. */
static real apply_rows(const apl_model* m, state* s);

/* Energy of springs, after positions() and velocities(). */
static real loop_energy(const apl_model* m, state* s);
