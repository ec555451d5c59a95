/* spherical.c: free rotation about a point. Coordinates are a quaternion (w x y z), normalised
   where it is used; quasi-velocities are the angular velocity in body axes. */
#include "element/axis.h"

#ifndef APL_HOT

static const apl_field spherical_fields[] = {APL_FIELD_END};

static apl_status spherical_compile(const void* param, double* par, double* inertia, mat3* turn,
                                    apl_error* err) {
  (void)param, (void)par, (void)inertia, (void)turn, (void)err;
  return APL_OK;
}

static const char* const spherical_q[] = {"qw", "qx", "qy", "qz"};
static const char* const spherical_v[] = {"wx", "wy", "wz"};
static const char* const spherical_q_unit[] = {"1", "1", "1", "1"};
static const char* const spherical_v_unit[] = {"rad/s", "rad/s", "rad/s"};
static const char* const spherical_t_unit[] = {"rad", "rad", "rad"};
static const double spherical_neutral[] = {1, 0, 0, 0};

/* A quaternion of any length is a rotation, but zero is none. `at`: where it begins in q. */
static int quaternion_refuses(const double* q, int at, apl_error* err) {
  const double* e = q + at;

  if (e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + e[3] * e[3] > 1e-20) return -1;
  apl_fail(err, APL_ERR_MODEL,
           "the quaternion qw, qx, qy, qz is zero, which does not describe a rotation");
  return at;
}

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
    .v_name = spherical_v,
    .q_unit = spherical_q_unit,
    .v_unit = spherical_v_unit,
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

static void spherical_add(const real* q, const real* delta, real* out) {
  real e[4];

  quat_exp((vec3){delta[0], delta[1], delta[2]}, e);
  quat_mul(q, e, out);
}

static void spherical_subtract(const real* to, const real* from, real* delta) {
  const real inverse[4] = {from[0], -from[1], -from[2], -from[3]};
  real e[4];

  quat_mul(inverse, to, e);
  const vec3 d = quat_log(e);
  delta[0] = d.x, delta[1] = d.y, delta[2] = d.z;
}

static void spherical_pull(const joint_in* in, const real* delta, const real* f, real* Q,
                           real* QP) {
  (void)in, (void)QP;
  const vec3 g = log_pull((vec3){delta[0], delta[1], delta[2]}, (vec3){f[0], f[1], f[2]});
  Q[0] = g.x, Q[1] = g.y, Q[2] = g.z;
}

static void spherical_tangent_rate(const joint_in* in, real* rate) {
  for (int k = 0; k < 3; ++k)
    rate[k] = in->v[k];
}

/* delta turns about body axes, as the velocities do */
static void spherical_tangent(const joint_in* in, real* T) {
  (void)in;
  for (int i = 0; i < 18; ++i)
    T[i] = real_of(i % 7 == 0 ? 1.0 : 0.0);
}

static const joint_ops spherical_ops = {
    .motion = spherical_motion,
    .rate = spherical_rate,
    .tangent_rate = spherical_tangent_rate,
    .add = spherical_add,
    .subtract = spherical_subtract,
    .pull = spherical_pull,
    .tangent = spherical_tangent,
};

#endif
