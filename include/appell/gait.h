/* gait.h: motions of the joints of snakes and worms, as one signal per joint. Theory:
   docs/theory/gaits.md. */
#pragma once

#include "appell/signal.h"

#ifdef __cplusplus
extern "C" {
#endif

/* amplitude sin(2 pi frequency t + (j - 1) step + phase) + offset at joint j = 1, 2, ..; where axes
   alternate with j step, as the literature writes it. */
typedef struct apl_gait_wave {
  double amplitude, frequency, step, phase, offset; /* [unit of the joint], Hz, rad, rad          */
} apl_gait_wave;

/* What a type does not speak of, it does not look at. Signals are borrowed; what needs them takes a
   share. */
typedef struct apl_gait {
  const char* type; /* serpenoid, wave, alternating, concertina                                   */

  double winding, waves, length; /* serpenoid: largest angle against the axis, waves on the body,
                                    length of the body [m] ...                                    */
  apl_signal* travel;            /* ... and the way s(t) of the curve along the body [m]          */
  apl_gait_wave pitch;           /* wave, concertina: of all joints; alternating: of the odd ones */
  apl_gait_wave yaw;             /* alternating: of the even joints                               */
  double period, anchor; /* concertina: of a cycle [s]; share of the joints in each anchor */

  double envelope;                    /* z: amplitudes are 1 - z + z j/n of it, n joints          */
  double ramp_up, stop_at, ramp_down; /* [s] blends of the whole gait from and to zero; stop_at
                                         HUGE_VAL: never                                          */
  apl_signal* offset;                 /* added to every joint: it steers; NULL: nothing           */
} apl_gait;

/* A wave over all joints, without ramps. */
APL_API apl_gait apl_gait_default(void);

/* The signal of joint j = 1 .. n. A serpenoid takes n + 1 links of length / (n + 1) for its body.
   The signal is C2 wherever travel and offset are. */
APL_API apl_status apl_gait_signal(const apl_gait* gait, int j, int n, apl_signal** out,
                                   apl_error* err);

/* Largest departure of joint j from zero, `offset` not counted. */
APL_API double apl_gait_reach(const apl_gait* gait, int j, int n);

#ifdef __cplusplus
}
#endif
