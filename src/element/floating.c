/* SPDX-License-Identifier: Apache-2.0 */
/* floating.c: all six freedoms. Coordinates are position and quaternion, quasi-velocities the twist
   in body axes (angular first). */
#include "element/quaternion.h"

#ifndef APL_HOT

static const apl_field floating_fields[] = {APL_FIELD_END};

static apl_status floating_compile(const void* param, void* constants, double* inertia, mat3* turn,
                                   apl_error* err) {
  (void)param, (void)constants, (void)inertia, (void)turn, (void)err;
  return APL_OK;
}

static const char* const floating_q[] = {"x", "y", "z", "qw", "qx", "qy", "qz"};
static const char* const floating_v[] = {"wx", "wy", "wz", "vx", "vy", "vz"};
static const char* const floating_q_unit[] = {"m", "m", "m", "1", "1", "1", "1"};
static const char* const floating_v_unit[] = {"rad/s", "rad/s", "rad/s", "m/s", "m/s", "m/s"};
static const char* const floating_t_unit[] = {"m", "m", "m", "rad", "rad", "rad"};
static const double floating_neutral[] = {0, 0, 0, 1, 0, 0, 0};

static int floating_refuses(const double* q, apl_error* err) {
  return quaternion_refuses(q, 3, err);
}

static const apl_joint_kind floating_kind = {
    .word = "floating",
    .title = "free motion in space: three translations and three rotations",
    .field = floating_fields,
    .nq = 7,
    .nt = 6,
    .nv = 6,
    .turning = APL_TURNS_ANY,
    .q_name = floating_q,
    .v_name = floating_v,
    .q_unit = floating_q_unit,
    .v_unit = floating_v_unit,
    .t_unit = floating_t_unit,
    .neutral = floating_neutral,
    .compile = floating_compile,
    .refuses = floating_refuses,
};

#else

static void floating_motion(const joint_in* in, joint_out* out) {
  out->X = (pose){mat3_of_quat(in->q + 3), {in->q[0], in->q[1], in->q[2]}};
  for (int i = 0; i < 36; ++i)
    out->S[i] = real_of(i % 7 == 0 ? 1.0 : 0.0);
  out->c = twist_zero();
}

/* p' = R v, quaternion by the body rate */
static void floating_rate(const joint_in* in, real* qdot) {
  const vec3 p = mul(mat3_of_quat(in->q + 3), (vec3){in->v[3], in->v[4], in->v[5]});

  qdot[0] = p.x, qdot[1] = p.y, qdot[2] = p.z;
  quat_rate(in->q + 3, (vec3){in->v[0], in->v[1], in->v[2]}, qdot + 3);
}

/* The tangent of q is (translation in parent axes; rotation vector in body axes). */
static void floating_tangent_rate(const joint_in* in, real* rate) {
  const vec3 p = mul(mat3_of_quat(in->q + 3), (vec3){in->v[3], in->v[4], in->v[5]});

  rate[0] = p.x, rate[1] = p.y, rate[2] = p.z;
  for (int k = 0; k < 3; ++k)
    rate[3 + k] = in->v[k];
}

static void floating_add(const real* q, const real* delta, real* out) {
  for (int k = 0; k < 3; ++k)
    out[k] = q[k] + delta[k];
  quaternion_add(q + 3, delta + 3, out + 3);
}

static void floating_subtract(const real* to, const real* from, real* delta) {
  for (int k = 0; k < 3; ++k)
    delta[k] = to[k] - from[k];
  quaternion_subtract(to + 3, from + 3, delta + 3);
}

static void floating_pull(const joint_in* in, const real* delta, const real* f, real* Q, real* QP) {
  quaternion_pull(in, delta + 3, f + 3, Q, QP);
  const vec3 g = mul_t(mat3_of_quat(in->q + 3), (vec3){f[0], f[1], f[2]});
  Q[3] = g.x, Q[4] = g.y, Q[5] = g.z;
}

/* (0 ; R^T e) for translations, which count in parent axes */
static void floating_tangent(const joint_in* in, real* T) {
  const mat3 R = mat3_of_quat(in->q + 3);

  set_column(T, 0, (twist){vec3_zero(), {R.xx, R.xy, R.xz}});
  set_column(T, 1, (twist){vec3_zero(), {R.yx, R.yy, R.yz}});
  set_column(T, 2, (twist){vec3_zero(), {R.zx, R.zy, R.zz}});
  quaternion_tangent(in, T + 18);
}

static const joint_ops floating_ops = {
    .motion = floating_motion,
    .rate = floating_rate,
    .tangent_rate = floating_tangent_rate,
    .add = floating_add,
    .subtract = floating_subtract,
    .pull = floating_pull,
    .tangent = floating_tangent,
};

#endif
