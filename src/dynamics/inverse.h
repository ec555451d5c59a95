/* SPDX-License-Identifier: Apache-2.0 */
/* inverse.h: inverse dynamics and a part of it, for other passes (inverse.c). */
#pragma once

#include "dynamics/motion.h"

static void inverse_of(const apl_model* m, state* s, const real* a, real* tau);

/* Satellites (wheels, rotors): effort = sum J row^T spin'; those of slaved joints also give a
   wrench on the frame above. */
static void satellite_efforts(const apl_model* m, state* s, const apl_node* n, const real* a,
                              real* tau);
