/* SPDX-License-Identifier: Apache-2.0 */
/* gliding.h: bases that move in any direction of the plane (mecanum, omni3, omni4). Three
   coordinates (x, y, heading), three quasi-velocities in body axes (forward, left, turn). Frame in
   the middle of the wheels: x forward, y left, z along the normal of the ground. */
#pragma once

#include "element/axis.h"
#include "element/require.h"

#ifndef APL_HOT

static const char* const gliding_q[] = {"x", "y", "heading"};
static const char* const gliding_v[] = {"forward", "left", "turn"};
static const char* const gliding_q_unit[] = {"m", "m", "rad"};
static const char* const gliding_v_unit[] = {"m/s", "m/s", "rad/s"};

/* Fields common to all kinds of such bases. */
#define GLIDING_KIND                                                                               \
  .nq = 3, .nt = 3, .nv = 3, .nangle = 1, .angle = {2}, .turning = APL_TURNS_ABOUT_Z,              \
  .q_name = gliding_q, .v_name = gliding_v, .q_unit = gliding_q_unit, .v_unit = gliding_v_unit

#else

/* S is constant in body axes */
static void gliding_motion(const joint_in* in, joint_out* out) {
  const real o = real_of(0.0), i = real_of(1.0);

  out->X = (pose){mat3_turn_z(mat3_identity(), in->sc[0], in->sc[1]), {in->q[0], in->q[1], o}};
  set_column(out->S, 0, (twist){{o, o, o}, {i, o, o}});
  set_column(out->S, 1, (twist){{o, o, o}, {o, i, o}});
  set_column(out->S, 2, (twist){{o, o, i}, {o, o, o}});
  out->c = twist_zero();
}

/* (x', y') = Rz(heading) (forward, left), heading' = turn */
static void gliding_rate(const joint_in* in, real* qdot) {
  qdot[0] = in->sc[1] * in->v[0] - in->sc[0] * in->v[1];
  qdot[1] = in->sc[0] * in->v[0] + in->sc[1] * in->v[1];
  qdot[2] = in->v[2];
}

static void gliding_pull(const joint_in* in, const real* delta, const real* f, real* Q, real* QP) {
  (void)delta, (void)QP;
  Q[0] = in->sc[1] * f[0] + in->sc[0] * f[1];
  Q[1] = in->sc[1] * f[1] - in->sc[0] * f[0];
  Q[2] = f[2];
}

/* Table common to them; only the wheel spins differ. */
#define GLIDING_OPS                                                                                \
  .motion = gliding_motion, .rate = gliding_rate, .tangent_rate = gliding_rate, .pull = gliding_pull

#endif
