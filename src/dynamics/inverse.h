/* inverse.h: inverse dynamics and a part of it, for other passes (inverse.c). */
#pragma once

#include "dynamics/motion.h"

static void inverse_of(const apl_model* m, state* s, const real* a, real* tau);

/* Satellites: effort = sum J row^T spin'; slaved ones also push the frame above. */
static void satellite_efforts(const apl_model* m, state* s, const apl_node* n, const real* a,
                              real* tau);
