/* SPDX-License-Identifier: Apache-2.0 */
/* appell.h: dynamics of robots that bend, roll, slither and close on themselves.

   A pendulum, its acceleration when released from horizontal:

     apl_spec* spec;
     apl_model* model;
     apl_state* state;
     apl_error err;

     apl_spec_new(&spec);
     int arm = apl_spec_link(spec, "arm", "world", "revolute", "rigid");
     apl_spec_vec3(spec, arm, "joint.axis", 0, 1, 0);
     apl_spec_number(spec, arm, "body.mass", 1.0);
     apl_spec_vec3(spec, arm, "body.com", 0.5, 0, 0);
     if (apl_model_new(spec, &model, &err)) { puts(err.text); return 1; }
     apl_spec_free(spec);
     apl_state_new(model, APL_SCALAR, &state);
     apl_forward(model, state);
     printf("%g rad/s^2\n", apl_a(state)[0]);      // 19.62

   Wrong arguments (NULL where it is not permitted, an index out of range, a negative length) are
   refused with APL_ERR_ARGUMENT or APL_ERR_MODEL, and with a sentence where the function has an
   apl_error or apl_report. Functions without a status then return NULL, "", 0, -1 or default
   values, or do nothing. An array that is shorter than its length cannot be noticed. */
#pragma once

#include "appell/base.h"
#include "appell/math.h"
#include "appell/spec.h"
#include "appell/beam.h"
#include "appell/model.h"
#include "appell/state.h"
#include "appell/derivatives.h"
#include "appell/dynamics.h"
#include "appell/footing.h"
#include "appell/loop.h"
#include "appell/signal.h"
#include "appell/run.h"
#include "appell/file.h"
#include "appell/result.h"
#include "appell/recorder.h"
#include "appell/analyse.h"
#include "appell/linearize.h"
#include "appell/modes.h"
