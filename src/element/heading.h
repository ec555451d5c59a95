/* SPDX-License-Identifier: Apache-2.0 */
/* heading.h: bases that move along their heading and turn but do not slip sideways
   (differential-drive, knife-edge). Three coordinates (x, y, heading), two quasi-velocities
   (forward speed, yaw rate): q' = N v is a nonholonomic constraint, solved without multipliers.
   Frame: x forward, y left, z along the ground's normal. Theory: docs/theory/wheels.md. */
#pragma once

#include "element/axis.h"
#include "element/require.h"

#ifndef APL_HOT

static const char* const heading_q[] = {"x", "y", "heading"};
static const char* const heading_v[] = {"speed", "turn"};
static const char* const heading_q_unit[] = {"m", "m", "rad"};
static const char* const heading_v_unit[] = {"m/s", "rad/s"};

/* Fields common to all kinds of such bases. */
#define HEADING_KIND                                                                               \
  .nq = 3, .nt = 3, .nv = 2, .nangle = 1, .angle = {2}, .turning = APL_TURNS_ABOUT_Z,              \
  .q_name = heading_q, .v_name = heading_v, .q_unit = heading_q_unit, .v_unit = heading_v_unit

#else

/* S is constant in the body's own frame: w_z = turn, v_x = speed */
static void heading_motion(const joint_in* in, joint_out* out) {
  const real o = real_of(0.0), i = real_of(1.0);

  out->X = (pose){mat3_turn_z(mat3_identity(), in->sc[0], in->sc[1]), {in->q[0], in->q[1], o}};
  set_column(out->S, 0, (twist){{o, o, o}, {i, o, o}});
  set_column(out->S, 1, (twist){{o, o, i}, {o, o, o}});
  out->c = twist_zero();
}

/* x' = speed cos, y' = speed sin, heading' = turn */
static void heading_rate(const joint_in* in, real* qdot) {
  qdot[0] = in->v[0] * in->sc[1];
  qdot[1] = in->v[0] * in->sc[0];
  qdot[2] = in->v[1];
}

static void heading_pull(const joint_in* in, const real* delta, const real* f, real* Q, real* QP) {
  (void)delta, (void)QP;
  Q[0] = in->sc[1] * f[0] + in->sc[0] * f[1];
  Q[1] = f[2];
}

/* Table common to them; only the wheel spins differ. */
#define HEADING_OPS                                                                                \
  .motion = heading_motion, .rate = heading_rate, .tangent_rate = heading_rate, .pull = heading_pull

#endif
