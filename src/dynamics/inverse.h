/* inverse.h: inverse dynamics for others than its pass. */
#pragma once

#include "dynamics/motion.h"

static void inverse_of(const apl_model* m, state* s, const real* a, real* tau);
