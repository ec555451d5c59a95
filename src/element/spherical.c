/* SPDX-License-Identifier: Apache-2.0 */
/* spherical.c: free rotation about a point. Coordinates and velocities are those of quaternion.h.
 */
#include "element/quaternion.h"

#ifndef APL_HOT

static const apl_field spherical_fields[] = {APL_FIELD_END};

static apl_status spherical_compile(const void* param, void* constants, double* inertia, mat3* turn,
                                    apl_error* err) {
  (void)param, (void)constants, (void)inertia, (void)turn, (void)err;
  return APL_OK;
}

static const char* const spherical_q[] = {"qw", "qx", "qy", "qz"};
static const char* const spherical_q_unit[] = {"1", "1", "1", "1"};
static const char* const spherical_t_unit[] = {"rad", "rad", "rad"};
static const double spherical_neutral[] = {1, 0, 0, 0};

static int spherical_refuses(const double* q, apl_error* err) {
  return quaternion_refuses(q, 0, err);
}

static const apl_joint_kind spherical_kind = {
    .word = "spherical",
    .title = "free rotation about a point",
    .field = spherical_fields,
    .nq = 4,
    .nt = 3,
    .nv = 3,
    .turning = APL_TURNS_ANY,
    .q_name = spherical_q,
    .v_name = quaternion_v,
    .q_unit = spherical_q_unit,
    .v_unit = quaternion_v_unit,
    .t_unit = spherical_t_unit,
    .neutral = spherical_neutral,
    .compile = spherical_compile,
    .refuses = spherical_refuses,
};

#else

static void spherical_motion(const joint_in* in, joint_out* out) {
  const real o = real_of(0.0), i = real_of(1.0);

  out->X = (pose){mat3_of_quat(in->q), vec3_zero()};
  set_column(out->S, 0, (twist){{i, o, o}, {o, o, o}});
  set_column(out->S, 1, (twist){{o, i, o}, {o, o, o}});
  set_column(out->S, 2, (twist){{o, o, i}, {o, o, o}});
  out->c = twist_zero();
}

static void spherical_rate(const joint_in* in, real* qdot) {
  quat_rate(in->q, (vec3){in->v[0], in->v[1], in->v[2]}, qdot);
}

static void spherical_tangent_rate(const joint_in* in, real* rate) {
  for (int k = 0; k < 3; ++k)
    rate[k] = in->v[k];
}

static const joint_ops spherical_ops = {
    .motion = spherical_motion,
    .rate = spherical_rate,
    .tangent_rate = spherical_tangent_rate,
    .add = quaternion_add,
    .subtract = quaternion_subtract,
    .pull = quaternion_pull,
    .tangent = quaternion_tangent,
};

#endif
