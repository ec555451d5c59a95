/* linearize.h: a driven robot near one of its states as a linear system,

     x' = x0' + A dx + B du          y = y0 + C dx + D du

   for control design. Theory: docs/linearize.md. */
#pragma once

#include "appell/run.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct apl_linearize_options {
  const char* const* output; /* names of outputs: coordinates, velocities (name.rate), places and
                                velocities of ports (link.port.position.x, link.port.velocity.x);
                                NULL: all coordinates                                             */
  int noutput;
  const char* const* input; /* names of inputs; NULL: all of the model, or where it has none the
                               efforts on all velocities that move (name.effort)                  */
  int ninput;
  const apl_loop_options* loops; /* how a run would close loops, apl_file_options(): springs are
                                    chosen as it would. NULL: loops are as they are              */
} apl_linearize_options;

/* Names and units stay valid until it is freed. */
typedef struct apl_linear_system {
  int n, m, p; /* states, inputs, outputs                                                         */
  const char* const* state; /* [n] directions of coordinates, then velocities, then memories      */
  const char* const* state_unit;
  const char* const* input; /* [m]                                                                */
  const char* const* input_unit;
  const char* const* output; /* [p]                                                               */
  const char* const* output_unit;
  const double *A, *B, *C, *D;  /* [n*n], [n*m], [p*n], [p*m], row-major                          */
  const double *rate, *u0, *y0; /* [n] x0', [m], [p] where it was taken                           */
  const double* pole;           /* [2*n] real and imaginary parts, fastest growing first          */
  const double* zero; /* [2*nzero] transmission zeros, where there are as many outputs as inputs  */
  int nzero;          /* -1: there are not                                                        */
} apl_linear_system;

/* About the present state of a system, whose drives are taken at `time`. Prescribed freedoms follow
   their motion and are no states. Derivatives are exact to round-off. Refused with a sentence where
   a linear system does not exist: loops at a singular configuration, contacts that rest or stick,
   velocities that are held, solids that touch. If loops are closed exactly, the state is assembled
   first where they are open, and states are those that remain independent. Options and err may be
   NULL. Allocates. */
APL_API apl_status apl_linearize(apl_system* system, double time,
                                 const apl_linearize_options* options, apl_linear_system** out,
                                 apl_error* err);
APL_API void apl_linear_system_free(apl_linear_system* linear); /* accepts NULL                   */

#ifdef __cplusplus
}
#endif
