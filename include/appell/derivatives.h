/* derivatives.h: how efforts and accelerations change with the state of a robot.

   Directions of q are those of its tangent (apl_add()), so that quaternions have three and rolling
   joints as many as they can be placed in. All forces of the state are in: springs, dampers, stops,
   friction, servos, inputs, loads, air, tendons, contacts that give way, with grounds and between
   shapes (those that apl_touch_shapes() or a run has found), loops closed by springs. Forces that
   somebody else has found (rows of loops, supports of contacts) are taken as constant;
   apl_linearize() takes their changes into account.

   Rigid trees take an analytic recursion, O(n depth). Other joints, bodies and forces take complex
   steps, which are exact to round-off too and cost a pass per direction. Theory:
   docs/theory/derivatives.md. */
#pragma once

#include "appell/state.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Room for derivatives of one model: allocate it once, then nothing allocates. One per thread. */
typedef struct apl_derivatives apl_derivatives;
APL_API apl_status apl_derivatives_new(const apl_model* model, apl_derivatives** out);
APL_API void apl_derivatives_free(apl_derivatives* room); /* accepts NULL */

/* Of the efforts tau(q, v, a, u) of inverse dynamics, at the q, v, a, u of a scalar state:
   dq[nv*nt], dv[nv*nv], du[nv*nu], row-major; each may be NULL. That by a is the mass matrix. */
APL_API apl_status apl_inverse_derivatives(const apl_model* model, apl_state* state,
                                           apl_derivatives* room, double* dq, double* dv,
                                           double* du);

/* Of the accelerations a(q, v, tau, u) of forward dynamics, which are left in the state: dq[nv*nt],
   dv[nv*nv], dtau[nv*nv] (the inverse of the mass matrix), du[nv*nu]; each may be NULL. Prescribed
   freedoms keep their motion: their rows, and their columns of dtau, are zero. */
APL_API apl_status apl_forward_derivatives(const apl_model* model, apl_state* state,
                                           apl_derivatives* room, double* dq, double* dv,
                                           double* dtau, double* du);

#ifdef __cplusplus
}
#endif
