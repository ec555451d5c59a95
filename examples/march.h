/* SPDX-License-Identifier: Apache-2.0 */
/* march.h: advance a robot in time and audit its energy. */
#pragma once

#include "robot.h"

/* Run a robot over its time with the classical Runge-Kutta method and keep a sample now and then.
   On failure the sentence is in err and there is nothing to free. */
apl_status march(const robot* r, const apl_model* model, apl_state* state, record* out,
                 apl_error* err);
void record_free(record* run);

/* The sample at time t, which must be a multiple of the sample time. */
int record_at(const record* run, double t);

/* Put a sample back into a state. */
void record_restore(const record* run, int sample, apl_state* state);

/* Origin of a port at a sample. */
apl_vec3 record_place(const record* run, int sample, int port);
