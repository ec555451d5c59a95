/* SPDX-License-Identifier: Apache-2.0 */
/* prismatic.c: one translation along the axis. With a rigid body the passes use their dedicated
   path; this file is for all other cases. */
#include "element/axis.h"

#ifndef APL_HOT

static const char* const prismatic_name[] = {"position"};
static const char* const prismatic_q_unit[] = {"m"};
static const char* const prismatic_v_unit[] = {"m/s"};

static const apl_joint_kind prismatic_kind = {
    .word = "prismatic",
    .title = "translation along an axis",
    .field = axis_fields,
    .param_size = sizeof(axis_param),
    APL_PLAIN_JOINT(prismatic, 1),
    .path = PATH_PRISMATIC,
    .turning = APL_TURNS_NOT,
    .flat = APL_FLAT_ALONG_Z,
    .compile = axis_compile,
};

#else

static void prismatic_motion(const joint_in* in, joint_out* out) {
  const real o = real_of(0.0);

  out->X = (pose){mat3_identity(), {o, o, in->q[0]}};
  set_column(out->S, 0, (twist){{o, o, o}, {o, o, real_of(1.0)}});
  out->c = twist_zero();
}

static void prismatic_tangent(const joint_in* in, real* T) {
  const real o = real_of(0.0);
  (void)in;

  set_column(T, 0, (twist){{o, o, o}, {o, o, real_of(1.0)}});
}

static const joint_ops prismatic_ops = {.motion = prismatic_motion, .tangent = prismatic_tangent};

#endif
