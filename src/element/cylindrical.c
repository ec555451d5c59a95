/* SPDX-License-Identifier: Apache-2.0 */
/* cylindrical.c: rotation about and translation along the same axis, independent of each other. */
#include "element/axis.h"

#ifndef APL_HOT

static const char* const cylindrical_name[] = {"angle", "position"};
static const char* const cylindrical_q_unit[] = {"rad", "m"};
static const char* const cylindrical_v_unit[] = {"rad/s", "m/s"};

static const apl_joint_kind cylindrical_kind = {
    .word = "cylindrical",
    .title = "rotation about and translation along an axis",
    .field = axis_fields,
    .param_size = sizeof(axis_param),
    APL_PLAIN_JOINT(cylindrical, 2),
    .nangle = 1,
    .angle = {0},
    .turning = APL_TURNS_ABOUT_Z,
    .compile = axis_compile,
};

#else

static void cylindrical_motion(const joint_in* in, joint_out* out) {
  const real o = real_of(0.0), i = real_of(1.0);

  out->X = (pose){mat3_turn_z(mat3_identity(), in->sc[0], in->sc[1]), {o, o, in->q[1]}};
  set_column(out->S, 0, (twist){{o, o, i}, {o, o, o}});
  set_column(out->S, 1, (twist){{o, o, o}, {o, o, i}});
  out->c = twist_zero();
}

static const joint_ops cylindrical_ops = {.motion = cylindrical_motion};

#endif
