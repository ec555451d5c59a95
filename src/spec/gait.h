/* SPDX-License-Identifier: Apache-2.0 */
/* gait.h: motions of the joints of snakes and worms, as one signal per joint. Theory:
   docs/theory/gaits.md. */
#pragma once

#include "appell/signal.h"

/* amplitude sin(2 pi frequency t + (j - 1) step + phase) + offset at joint j = 1, 2, ..; for
   type alternating with j step instead of (j - 1) step, as in the literature. */
typedef struct apl_gait_wave {
  double amplitude, frequency, step, phase, offset; /* [unit of the joint], Hz, rad, rad          */
} apl_gait_wave;

/* Each type uses its own members only. The caller keeps its reference to the signals. */
typedef struct apl_gait {
  const char* type; /* serpenoid, wave, alternating, concertina                                   */

  double winding, waves, length; /* serpenoid: winding angle, number of waves on the body,
                                    length of the body [m] ...                                    */
  apl_signal* travel;            /* ... and displacement s(t) of the curve along the body [m]     */
  apl_gait_wave pitch;           /* wave, concertina: of all joints; alternating: of the odd ones */
  apl_gait_wave yaw;             /* alternating: of the even joints                               */
  double period, anchor;         /* concertina: cycle [s]; fraction of the joints in each anchor */

  double envelope;                    /* z: amplitude of joint j of n is times 1 - z + z j/n      */
  double ramp_up, stop_at, ramp_down; /* [s] fade-in and fade-out of the gait; stop_at
                                         HUGE_VAL: never                                          */
  apl_signal* offset;                 /* added to every joint, for steering; NULL: none           */
} apl_gait;

/* A wave over all joints, without ramps. */
apl_gait apl_gait_default(void);
