/* SPDX-License-Identifier: Apache-2.0 */
/* derivatives.h: derivatives of efforts and accelerations with respect to the state of a robot.

   Derivatives by q are taken along the tangent space of q (apl_add()), so a quaternion has three
   directions. All forces of the state are included: springs, dampers, stops, friction, servos,
   inputs, loads, drag, tendons, compliant contacts with grounds and between shapes (those that
   apl_touch_shapes() or a run has found), and loops closed by springs. Constraint forces that were
   computed elsewhere (multipliers of loops, forces of resting or sticking contacts) are taken as
   constant; apl_linearize() includes their changes.

   Rigid trees use an analytical recursion, O(n depth). Other joints, bodies and forces use complex
   steps, which are also exact to round-off and cost one pass per direction. Theory:
   docs/theory/derivatives.md. */
#pragma once

#include "appell/state.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Memory for derivatives of one model: allocate it once; the functions below do not allocate. One
   per thread. */
typedef struct apl_derivatives apl_derivatives;
APL_API apl_status apl_derivatives_new(const apl_model* model, apl_derivatives** out);
APL_API void apl_derivatives_free(apl_derivatives* room); /* accepts NULL */

/* Derivatives of the efforts tau(q, v, a, u) of inverse dynamics, at the q, v, a, u of a scalar
   state: dq[nv*nt], dv[nv*nv], du[nv*nu], row-major; each may be NULL. The derivative by a is the
   mass matrix. */
APL_API apl_status apl_inverse_derivatives(const apl_model* model, apl_state* state,
                                           apl_derivatives* room, double* dq, double* dv,
                                           double* du);

/* Derivatives of the accelerations a(q, v, tau, u) of forward dynamics, which are also stored in
   the state: dq[nv*nt], dv[nv*nv], dtau[nv*nv] (the inverse of the mass matrix), du[nv*nu]; each
   may be NULL. Prescribed freedoms keep their motion: their rows, and their columns of dtau, are
   zero. */
APL_API apl_status apl_forward_derivatives(const apl_model* model, apl_state* state,
                                           apl_derivatives* room, double* dq, double* dv,
                                           double* dtau, double* du);

#ifdef __cplusplus
}
#endif
