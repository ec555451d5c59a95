/* SPDX-License-Identifier: Apache-2.0 */
/* close.h: closing the loops of a model: inverse dynamics and accelerations; forward dynamics and
 * assembly: appell/loop.h. */
#pragma once

#include "appell/loop.h"
#include "appell/run.h"

/* Inverse dynamics with loops closed, apl_system_inverse() for any state. */
apl_status apl_closing_inverse(apl_closing* closing, apl_state* state, bool joints,
                               apl_actuation* report, apl_error* err);

/* Accelerations that keep the loops closed at the present q and v, by the smallest change of the
   accelerations that keep[nv] (may be NULL) does not fix. */
apl_status apl_closing_accelerate(apl_closing* closing, apl_state* state, const int* keep,
                                  apl_error* err);

/* A sentence in text[size] on what an assembly has moved and by how much; "" if only round-off. */
const char* apl_assembly_text(const apl_model* model, const apl_assembly* found, char* text,
                              size_t size);
