/* modes.h: small motions of a whole robot about a balance. Theory: docs/modes.md. */
#pragma once

#include "appell/analyse.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What becomes of a small motion of this shape. */
typedef enum apl_mode_kind {
  APL_MODE_RIGID,    /* nothing resists it: it stays where it is put                              */
  APL_MODE_SWINGS,   /* to and fro, dying away or for ever                                        */
  APL_MODE_CREEPS,   /* overdamped: back without swinging                                         */
  APL_MODE_FALLS,    /* unstable: away without swinging                                           */
  APL_MODE_FLUTTERS, /* unstable: swings, farther each time                                       */
} apl_mode_kind;
APL_API const char* apl_mode_word(apl_mode_kind kind);

/* x(t) = Re(shape e^(lambda t)) */
typedef struct apl_mode {
  apl_mode_kind kind;
  double real, imag; /* lambda [1/s]; imag is not negative                                       */
  double omega;      /* |lambda|, the natural angular frequency [rad/s]; 0 when rigid            */
  double damping;    /* ratio to the critical one, -real/omega; 0 when rigid                     */
  double time;       /* in which it changes by a factor e, 1/|real| [s]; infinite when it keeps   */
} apl_mode;

typedef struct apl_modes_options {
  double tolerance; /* largest effort left over that still counts as balance, relative          */
  bool brakes;      /* wheels and what follows them are held, as apl_equilibrium() holds them    */
  int exact;        /* so many of the slowest modes are made exact to round-off                  */
} apl_modes_options;

/* 1e-6, wheels roll, 64. */
APL_API apl_modes_options apl_modes_options_default(void);

typedef struct apl_modes apl_modes;

/* Small motions about a scalar state, which must be in balance, its velocities taken as zero:
   inputs, loads and the efforts that hold it stay as they are, prescribed freedoms stay still, dry
   friction is left out. Rigid modes come first, then the others by |lambda|. A pair of complex
   lambda is one mode; real ones are one each. Options and err may be NULL. Allocates. */
APL_API apl_status apl_modes_new(const apl_model* model, apl_state* state,
                                 const apl_modes_options* options, apl_modes** out, apl_error* err);
APL_API void apl_modes_free(apl_modes* modes); /* accepts NULL */

APL_API int apl_modes_count(const apl_modes* modes);
APL_API apl_mode apl_modes_at(const apl_modes* modes, int mode);

/* The shape of a mode in velocities: real[nv] and imag[nv], either may be NULL. Its kinetic energy
   is that of unit inertia: shape* M shape = 1; the freedom with the largest share is real and not
   negative. */
APL_API void apl_modes_shape(const apl_modes* modes, int mode, double* real, double* imag);

/* How much each velocity takes part: share[nv] = M_ii |shape_i|^2 over the sum of all. */
APL_API void apl_modes_share(const apl_modes* modes, int mode, double* share);

/* Put the state where the mode has it: size * Re(shape e^(i phase)) from the balance. */
APL_API apl_status apl_modes_place(const apl_modes* modes, int mode, double size, double phase,
                                   apl_state* state);

#ifdef __cplusplus
}
#endif
