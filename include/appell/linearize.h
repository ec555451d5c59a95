/* SPDX-License-Identifier: Apache-2.0 */
/* linearize.h: linearization of a driven robot about a state,

     x' = x0' + A dx + B du          y = y0 + C dx + D du

   for control design. Theory: docs/linearize.md. */
#pragma once

#include "appell/run.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What is asked for; zeros are a good beginning. */
typedef struct apl_linearize_options {
  const char* const* output; /* names of outputs: coordinates, velocities (name.rate), positions and
                                velocities of ports (link.port.position.x, link.port.velocity.x);
                                NULL: all coordinates */
  int noutput;
  const char* const* input; /* names of inputs; NULL: all inputs of the model, or, if it has none,
                               the efforts on all velocities that are not prescribed
                               (name.effort) */
  int ninput;
  const apl_loop_options* loops; /* how a run would close loops, see apl_file_options(): spring
                                    constants are chosen as in a run. NULL: loops are left as they
                                    are */
} apl_linearize_options;

/* Names and units stay valid until it is freed. */
typedef struct apl_linear_system {
  int n, m, p; /* states, inputs, outputs                                                         */
  const char* const* state; /* [n] coordinates (tangent), then velocities, then internal states of
                               laws */
  const char* const* state_unit;
  const char* const* input; /* [m]                                                                */
  const char* const* input_unit;
  const char* const* output; /* [p]                                                               */
  const char* const* output_unit;
  const double *A, *B, *C, *D;  /* [n*n], [n*m], [p*n], [p*m], row-major                          */
  const double *rate, *u0, *y0; /* [n] x0', [m] u0, [p] y0 at the state */
  const double* pole;           /* [2*n] real and imaginary parts, largest real part first */
  const double* zero; /* [2*nzero] transmission zeros, where there are as many outputs as inputs  */
  int nzero;          /* number of zeros; -1: as many outputs as inputs are needed */
} apl_linear_system;

/* Linearize about the present state of a system, with its drives evaluated at `time`. Prescribed
   freedoms follow their motion and are not states. Derivatives are exact to round-off. An error is
   returned if no linear system exists: loops at a singular configuration, contacts that rest or
   stick, velocities that are held. If loops are closed exactly, the state is first assembled if
   they are open, and the states are an independent subset of the coordinates. Penetrating shapes
   act by their contact laws; if no run has examined them, they are taken to have closed slowly.
   Options and err may be NULL. Allocates memory. */
APL_API apl_status apl_linearize(apl_system* system, double time,
                                 const apl_linearize_options* options, apl_linear_system** out,
                                 apl_error* err);
APL_API void apl_linear_system_free(apl_linear_system* linear); /* accepts NULL                   */

#ifdef __cplusplus
}
#endif
