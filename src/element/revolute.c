/* SPDX-License-Identifier: Apache-2.0 */
/* revolute.c: one rotation about the axis. With a rigid body the passes use their dedicated path;
   this file is for all other cases. */
#include "element/axis.h"

#ifndef APL_HOT

static const char* const revolute_name[] = {"angle"};
static const char* const revolute_q_unit[] = {"rad"};
static const char* const revolute_v_unit[] = {"rad/s"};

static const apl_joint_kind revolute_kind = {
    .word = "revolute",
    .title = "rotation about an axis",
    .field = axis_fields,
    .param_size = sizeof(axis_param),
    APL_PLAIN_JOINT(revolute, 1),
    .nangle = 1,
    .angle = {0},
    .path = PATH_REVOLUTE,
    .turning = APL_TURNS_ABOUT_Z,
    .flat = APL_FLAT_ABOUT_Z,
    .compile = axis_compile,
};

#else

static void revolute_motion(const joint_in* in, joint_out* out) {
  const real o = real_of(0.0);

  out->X = (pose){mat3_turn_z(mat3_identity(), in->sc[0], in->sc[1]), vec3_zero()};
  set_column(out->S, 0, (twist){{o, o, real_of(1.0)}, {o, o, o}});
  out->c = twist_zero();
}

static void revolute_tangent(const joint_in* in, real* T) {
  const real o = real_of(0.0);
  (void)in;

  set_column(T, 0, (twist){{o, o, real_of(1.0)}, {o, o, o}});
}

static const joint_ops revolute_ops = {.motion = revolute_motion, .tangent = revolute_tangent};

#endif
