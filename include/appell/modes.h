/* SPDX-License-Identifier: Apache-2.0 */
/* modes.h: small vibrations of a robot about an equilibrium. Theory: docs/modes.md. */
#pragma once

#include "appell/analyse.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Behaviour of a small motion of this shape. */
typedef enum apl_mode_kind {
  APL_MODE_RIGID,    /* no stiffness: a rigid-body motion                                         */
  APL_MODE_SWINGS,   /* an oscillation, damped or undamped                                        */
  APL_MODE_CREEPS,   /* overdamped: returns without oscillation                                   */
  APL_MODE_FALLS,    /* unstable without oscillation (divergence)                                 */
  APL_MODE_FLUTTERS, /* unstable oscillation                                                      */
} apl_mode_kind;
APL_API const char* apl_mode_word(apl_mode_kind kind);

/* x(t) = Re(shape e^(lambda t)) */
typedef struct apl_mode {
  apl_mode_kind kind;
  double real, imag; /* lambda [1/s]; imag is not negative                                       */
  double omega;      /* |lambda|, the natural angular frequency [rad/s]; 0 when rigid            */
  double damping;    /* ratio to the critical one, -real/omega; 0 when rigid                     */
  double time;       /* time constant 1/|real| [s]: the amplitude changes by a factor e; infinite if
                        undamped */
} apl_mode;

/* How modes are computed; begin with apl_modes_options_default(). */
typedef struct apl_modes_options {
  double tolerance; /* largest remaining effort of an equilibrium, relative                     */
  bool brakes;      /* hold wheels and coupled vehicles, as apl_equilibrium() does               */
  int exact;        /* number of the slowest modes that are refined to round-off                 */
} apl_modes_options;

/* Defaults: tolerance 1e-6, wheels roll, 64 refined modes. */
APL_API apl_modes_options apl_modes_options_default(void);

/* The modes of a robot about one state. */
typedef struct apl_modes apl_modes;

/* Small motions about a scalar state, which must be an equilibrium; its velocities are taken as
   zero. Inputs, loads and efforts are constant, prescribed freedoms do not move, dry friction is
   left out. Rigid modes come first, then the others by |lambda|. A pair of complex
   lambda is one mode; real ones are one each. Options and err may be NULL. Allocates. */
APL_API apl_status apl_modes_new(const apl_model* model, apl_state* state,
                                 const apl_modes_options* options, apl_modes** out, apl_error* err);
APL_API void apl_modes_free(apl_modes* modes); /* accepts NULL */

/* How many modes there are, and one of them, counted from 0. */
APL_API int apl_modes_count(const apl_modes* modes);
APL_API apl_mode apl_modes_at(const apl_modes* modes, int mode);

/* The shape of a mode in velocities: real[nv] and imag[nv], either may be NULL. It is
   normalised: shape* M shape = 1; the freedom with the largest share is real and not negative. */
APL_API void apl_modes_shape(const apl_modes* modes, int mode, double* real, double* imag);

/* Participation of each velocity: share[nv] = M_ii |shape_i|^2 over the sum of all. */
APL_API void apl_modes_share(const apl_modes* modes, int mode, double* share);

#ifdef __cplusplus
}
#endif
