/* SPDX-License-Identifier: Apache-2.0 */
/* rolling_sphere.c: a sphere that rolls on a plane without slipping; it may spin about the normal.
   Coordinates are the position of the centre (x, y) and a quaternion, quasi-velocities the angular
   velocity in body axes. Frame at the centre. The body may have any inertia and any centre of mass.
   Theory: docs/theory/wheels.md, 9. */
#include "element/quaternion.h"
#include "element/rolling.h"

#ifndef APL_HOT

static const char* const rolling_sphere_q[] = {"x", "y", "qw", "qx", "qy", "qz"};
static const char* const rolling_sphere_q_unit[] = {"m", "m", "1", "1", "1", "1"};
static const char* const rolling_sphere_t_unit[] = {"m", "m", "rad", "rad", "rad"};
static const double rolling_sphere_neutral[] = {0, 0, 1, 0, 0, 0};

/* A sphere has no heading: forward and left are the axes of the plane. */
static void rolling_sphere_stands(const void* constants, const double* q, apl_footing* out) {
  const rolling_par* par = constants;

  out->to_ground = mat3_of_quat(q + 2);
  out->height = par->radius;
  out->friction = par->friction;
  footing_point(out, 0.0, 0.0);
}

static int rolling_sphere_refuses(const double* q, apl_error* err) {
  return quaternion_refuses(q, 2, err);
}

static const apl_joint_kind rolling_sphere_kind = {
    .word = "rolling-sphere",
    .title = "a sphere that rolls on a plane without slip",
    .field = rolling_fields,
    .param_size = sizeof(rolling_param),
    .nq = 6,
    .nt = 5,
    .nv = 3,
    .npar = APL_NPAR(rolling_par),
    .turning = APL_TURNS_ANY,
    .q_name = rolling_sphere_q,
    .v_name = quaternion_v,
    .q_unit = rolling_sphere_q_unit,
    .v_unit = quaternion_v_unit,
    .t_unit = rolling_sphere_t_unit,
    .neutral = rolling_sphere_neutral,
    .compile = rolling_compile,
    .refuses = rolling_sphere_refuses,
    .stands = rolling_sphere_stands,
};

#else

/* n = R^T z, the normal in body axes: v = w x r n, and n' = -w x n */
static void rolling_sphere_motion(const joint_in* in, joint_out* out) {
  const rolling_par* par = in->par;
  const real o = real_of(0.0), i = real_of(1.0), r = par->radius;
  const vec3 w = {in->v[0], in->v[1], in->v[2]};
  const mat3 R = mat3_of_quat(in->q + 2);
  const vec3 arm = {r * R.zx, r * R.zy, r * R.zz};

  out->X = (pose){R, {in->q[0], in->q[1], r}};
  set_column(out->S, 0, (twist){{i, o, o}, {o, -arm.z, arm.y}});
  set_column(out->S, 1, (twist){{o, i, o}, {arm.z, o, -arm.x}});
  set_column(out->S, 2, (twist){{o, o, i}, {-arm.y, arm.x, o}});
  out->c = (twist){vec3_zero(), cross(w, cross(arm, w))};
}

/* the centre moves at r (w_y, -w_x), w in the axes of the plane */
static void rolling_sphere_place_rate(const joint_in* in, real* rate) {
  const rolling_par* par = in->par;
  const vec3 w = mul(mat3_of_quat(in->q + 2), (vec3){in->v[0], in->v[1], in->v[2]});

  rate[0] = par->radius * w.y;
  rate[1] = -(par->radius * w.x);
}

static void rolling_sphere_rate(const joint_in* in, real* qdot) {
  rolling_sphere_place_rate(in, qdot);
  quat_rate(in->q + 2, (vec3){in->v[0], in->v[1], in->v[2]}, qdot + 2);
}

/* The tangent of q is (displacement in the plane; rotation vector in body axes). */
static void rolling_sphere_tangent_rate(const joint_in* in, real* rate) {
  rolling_sphere_place_rate(in, rate);
  for (int k = 0; k < 3; ++k)
    rate[2 + k] = in->v[k];
}

static void rolling_sphere_add(const real* q, const real* delta, real* out) {
  out[0] = q[0] + delta[0];
  out[1] = q[1] + delta[1];
  quaternion_add(q + 2, delta + 2, out + 2);
}

static void rolling_sphere_subtract(const real* to, const real* from, real* delta) {
  delta[0] = to[0] - from[0];
  delta[1] = to[1] - from[1];
  quaternion_subtract(to + 2, from + 2, delta + 2);
}

/* a force on the centre acts as a moment about the contact: r z x f, in body axes */
static void rolling_sphere_pull(const joint_in* in, const real* delta, const real* f, real* Q,
                                real* QP) {
  const rolling_par* par = in->par;
  const vec3 moment = {-(par->radius * f[1]), par->radius * f[0], real_of(0.0)};
  const vec3 n = mul_t(mat3_of_quat(in->q + 2), moment);

  quaternion_pull(in, delta + 2, f + 2, Q, QP);
  Q[0] += n.x, Q[1] += n.y, Q[2] += n.z;
}

static const joint_ops rolling_sphere_ops = {
    .motion = rolling_sphere_motion,
    .rate = rolling_sphere_rate,
    .tangent_rate = rolling_sphere_tangent_rate,
    .add = rolling_sphere_add,
    .subtract = rolling_sphere_subtract,
    .pull = rolling_sphere_pull,
};

#endif
