/* SPDX-License-Identifier: Apache-2.0 */
/* quaternion.h: joints whose rotation is a quaternion (w x y z), normalised where it is used, and
   whose quasi-velocities are the angular velocity in body axes. The tangent space of the quaternion
   is the rotation vector in body axes. */
#pragma once

#include "element/element.h"

#ifndef APL_HOT

static const char* const quaternion_v[] = {"wx", "wy", "wz"};
static const char* const quaternion_v_unit[] = {"rad/s", "rad/s", "rad/s"};

/* A quaternion of any length except zero gives a rotation. `at`: its offset in q. */
static inline int quaternion_refuses(const double* q, int at, apl_error* err) {
  const double* e = q + at;

  if (e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + e[3] * e[3] > 1e-20) return -1;
  apl_fail(err, APL_ERR_MODEL,
           "the quaternion qw, qx, qy, qz is zero, which does not describe a rotation");
  return at;
}

#else

static void quaternion_add(const real* q, const real* delta, real* out) {
  real e[4];

  quat_exp((vec3){delta[0], delta[1], delta[2]}, e);
  quat_mul(q, e, out);
}

static void quaternion_subtract(const real* to, const real* from, real* delta) {
  const real inverse[4] = {from[0], -from[1], -from[2], -from[3]};
  real e[4];

  quat_mul(inverse, to, e);
  const vec3 d = quat_log(e);
  delta[0] = d.x, delta[1] = d.y, delta[2] = d.z;
}

static void quaternion_pull(const joint_in* in, const real* delta, const real* f, real* Q,
                            real* QP) {
  (void)in, (void)QP;
  const vec3 g = log_pull((vec3){delta[0], delta[1], delta[2]}, (vec3){f[0], f[1], f[2]});
  Q[0] = g.x, Q[1] = g.y, Q[2] = g.z;
}

/* delta is a rotation vector in body axes, like the velocities */
static void quaternion_tangent(const joint_in* in, real* T) {
  (void)in;
  for (int i = 0; i < 18; ++i)
    T[i] = real_of(i % 7 == 0 ? 1.0 : 0.0);
}

#endif
