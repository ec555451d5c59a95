/* SPDX-License-Identifier: Apache-2.0 */
/* rotvec.h: rotation vectors: exp and log of quaternions and the transformation of forces, without
   branches on data and without a singularity at zero. Theory: docs/theory/joints.md. */
#pragma once

#include "math/rotation.h"
#include "math/sincos.h"

/* sin(h)/h and cos(h) with h^2 = y, entire in y: the series up to y = 1 (exact to round-off with
   nine terms), sine and cosine beyond. */
static inline void sinc_cos(real y, real* sinc, real* cosine) {
  const mask small = real_less(y, real_of(1.0));
  const real x = real_select(small, y, real_of(0.0));
  const real h = real_sqrt(real_select(small, real_of(1.0), y));
  real s = real_of(1.0), c = real_of(1.0), sin_h, cos_h;

  for (int k = 8; k >= 1; --k) {
    s = 1.0 - x * s / (2.0 * k * (2.0 * k + 1.0));
    c = 1.0 - x * c / (2.0 * k * (2.0 * k - 1.0));
  }
  real_sincos(&h, &sin_h, &cos_h);
  *sinc = real_select(small, s, sin_h / h);
  *cosine = real_select(small, c, cos_h);
}

/* exp(d): quaternion (cos |d|/2, sin |d|/2 d/|d|) */
static inline void quat_exp(vec3 d, real* q) {
  real sinc, cosine;

  sinc_cos(dot(d, d) / 4.0, &sinc, &cosine);
  const vec3 u = scale(0.5 * sinc, d);
  q[0] = cosine, q[1] = u.x, q[2] = u.y, q[3] = u.z;
}

/* log(q): rotation vector of length at most pi of a quaternion of any length */
static inline vec3 quat_log(const real* q) {
  /* of q and -q, which are the same rotation, take the one with the smaller angle */
  const mask flip = real_less(q[0], real_of(0.0));
  const real w = real_select(flip, -q[0], q[0]);
  const vec3 u = {real_select(flip, -q[1], q[1]), real_select(flip, -q[2], q[2]),
                  real_select(flip, -q[3], q[3])};

  /* d = 2 atan2(|u|, w) u/|u|; near zero 2/w u (1 - |u|^2/(3 w^2)), exact to round-off below 1e-5
   */
  const real uu = dot(u, u), ww = w * w;
  const mask small = real_less(uu, 1e-10 * ww);
  const real safe = real_sqrt(real_select(small, real_of(1.0), uu));
  const real w_safe = real_select(small, w, real_of(1.0));
  const real k = real_select(small, 2.0 / w_safe * (1.0 - uu / (3.0 * w_safe * w_safe)),
                             2.0 * real_atan2(safe, w) / safe);
  return scale(k, u);
}

/* Transform a force f on d = log R to a moment on the body rate w. With d' = Jr^-1(d) w and Jr^-1 =
   1 + 1/2 [d] + g [d]^2, g = 1/|d|^2 - cot(|d|/2)/(2 |d|), it is
     Jr^-T f = f - 1/2 d x f + g d x (d x f) */
static inline vec3 log_pull(vec3 d, vec3 f) {
  const real y = dot(d, d);
  const mask small = real_less(y, real_of(1e-2));
  const real ys = real_select(small, real_of(1.0), y);
  real sinc, cosine;

  /* cot(h)/(2 |d|) = cos h / (4 h sin h) = cos h / (|d|^2 sinc h), h = |d|/2 */
  sinc_cos(ys / 4.0, &sinc, &cosine);
  const real large = (1.0 - cosine / sinc) / ys;
  const real series = (1.0 + y / 60.0 * (1.0 + y / 42.0 * (1.0 + y / 40.0))) / 12.0;
  const real g = real_select(small, series, large);

  const vec3 df = cross(d, f);
  return add(add(f, scale(real_of(-0.5), df)), scale(g, cross(d, df)));
}
