/* SPDX-License-Identifier: Apache-2.0 */
/* planar.c: two translations in a plane and the rotation about its normal. Quasi-velocities are the
   rates of the coordinates, so the axes of translation do not turn with the body. */
#include "element/axis.h"

#ifndef APL_HOT

typedef struct planar_param {
  double normal[3];
} planar_param;

static const apl_field planar_fields[] = {
    APL_FIELD_AXIS(planar_param, normal, "normal",
                   "normal of the plane of motion, in the frame of the joint", 0, 0, 1),
    APL_FIELD_END,
};

static apl_status planar_compile(const void* param, void* constants, double* inertia, mat3* turn,
                                 apl_error* err) {
  (void)constants, (void)inertia;
  return turn_to_axis(((const planar_param*)param)->normal, "normal", turn, err);
}

static const char* const planar_name[] = {"x", "y", "angle"};
static const char* const planar_q_unit[] = {"m", "m", "rad"};
static const char* const planar_v_unit[] = {"m/s", "m/s", "rad/s"};

static const apl_joint_kind planar_kind = {
    .word = "planar",
    .title = "two translations in a plane and rotation about its normal",
    .field = planar_fields,
    .param_size = sizeof(planar_param),
    APL_PLAIN_JOINT(planar, 3),
    .nangle = 1,
    .angle = {2},
    .turning = APL_TURNS_ABOUT_Z,
    .flat = APL_FLAT_ABOUT_Z,
    .compile = planar_compile,
};

#else

static void planar_motion(const joint_in* in, joint_out* out) {
  const real o = real_of(0.0), s = in->sc[0], c = in->sc[1], w = in->v[2];
  const real vx = c * in->v[0] + s * in->v[1], vy = c * in->v[1] - s * in->v[0];

  out->X = (pose){mat3_turn_z(mat3_identity(), s, c), {in->q[0], in->q[1], o}};
  set_column(out->S, 0, (twist){{o, o, o}, {c, -s, o}});
  set_column(out->S, 1, (twist){{o, o, o}, {s, c, o}});
  set_column(out->S, 2, (twist){{o, o, real_of(1.0)}, {o, o, o}});

  /* the translation columns are fixed in the plane: d/dt (Rz^T e) = -w z x (Rz^T e) */
  out->c = (twist){{o, o, o}, {w * vy, -w * vx, o}};
}

static const joint_ops planar_ops = {.motion = planar_motion};

#endif
