/* SPDX-License-Identifier: Apache-2.0 */
/* helical.c: a screw: rotation about the axis and, in proportion, translation along it. */
#include "element/axis.h"

typedef struct helical_par {
  real advance; /* metres per radian */
} helical_par;

#ifndef APL_HOT

typedef struct helical_param {
  double axis[3];
  double pitch;
} helical_param;

static const apl_field helical_fields[] = {
    APL_FIELD_AXIS(helical_param, axis, "axis",
                   "direction of the joint axis, in the frame of the joint", 0, 0, 1),
    APL_FIELD_REQUIRED(helical_param, pitch, "pitch", "m",
                       "translation along the axis per full turn"),
    APL_FIELD_END,
};

static apl_status helical_compile(const void* param, void* constants, double* inertia, mat3* turn,
                                  apl_error* err) {
  const helical_param* p = param;
  helical_par* par = constants;
  (void)inertia;

  par->advance = p->pitch / 6.283185307179586476925286766559;
  return turn_to_axis(p->axis, "axis", turn, err);
}

static const char* const helical_name[] = {"angle"};
static const char* const helical_q_unit[] = {"rad"};
static const char* const helical_v_unit[] = {"rad/s"};

static const apl_joint_kind helical_kind = {
    .word = "helical",
    .title = "screw motion: rotation about an axis and a proportional translation along it",
    .field = helical_fields,
    .param_size = sizeof(helical_param),
    APL_PLAIN_JOINT(helical, 1),
    .npar = APL_NPAR(helical_par),
    .nangle = 1,
    .angle = {0},
    .turning = APL_TURNS_ABOUT_Z,
    .compile = helical_compile,
};

#else

static void helical_motion(const joint_in* in, joint_out* out) {
  const helical_par* par = in->par;
  const real o = real_of(0.0), advance = par->advance;

  out->X = (pose){mat3_turn_z(mat3_identity(), in->sc[0], in->sc[1]), {o, o, advance * in->q[0]}};
  set_column(out->S, 0, (twist){{o, o, real_of(1.0)}, {o, o, advance}});
  out->c = twist_zero();
}

static const joint_ops helical_ops = {.motion = helical_motion};

#endif
