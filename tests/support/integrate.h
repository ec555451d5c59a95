/* SPDX-License-Identifier: Apache-2.0 */
/* integrate.h: the tests' own integrator, of high order so that its error is round-off and a
   comparison with a closed form tests the dynamics alone. */
#pragma once

#include "appell/appell.h"

/* Advance q and v of a scalar state by `time` in `steps` equal macro steps of Gragg-Bulirsch-Stoer
   extrapolation of order 12. tau, u, loads and the accelerations of prescribed freedoms stay as
   they are. Fails the running test when a pass fails. */
void integrate(const apl_model* model, apl_state* state, double time, int steps);
