/* rotation.h: quaternions and rotation vectors over `real`. Theory: docs/theory/joints.md. */
#pragma once

#include "math/algebra.h"

/* R of a quaternion (w x y z) of any length but zero: drift of the length is harmless because R
   depends on the direction of the quaternion only. */
static inline mat3 mat3_of_quat(const real* q) {
  const real w = q[0], x = q[1], y = q[2], z = q[3];
  const real s = 2.0 / (w * w + x * x + y * y + z * z);

  return (mat3){1.0 - s * (y * y + z * z), s * (x * y - w * z),       s * (x * z + w * y),
                s * (x * y + w * z),       1.0 - s * (x * x + z * z), s * (y * z - w * x),
                s * (x * z - w * y),       s * (y * z + w * x),       1.0 - s * (x * x + y * y)};
}

/* q' = 1/2 q (0, w), w in body axes; keeps |q| */
static inline void quat_rate(const real* q, vec3 w, real* rate) {
  rate[0] = 0.5 * (-q[1] * w.x - q[2] * w.y - q[3] * w.z);
  rate[1] = 0.5 * (q[0] * w.x + q[2] * w.z - q[3] * w.y);
  rate[2] = 0.5 * (q[0] * w.y + q[3] * w.x - q[1] * w.z);
  rate[3] = 0.5 * (q[0] * w.z + q[1] * w.y - q[2] * w.x);
}

/* a b */
static inline void quat_mul(const real* a, const real* b, real* out) {
  const real w = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
  const real x = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
  const real y = a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1];
  const real z = a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0];
  out[0] = w, out[1] = x, out[2] = y, out[3] = z;
}

/* sin(h)/h and cos(h) with h^2 = y: entire in y, so no square root of zero. Horner series for
   small y, where it is exact to round-off with nine terms up to y = 1; halving above. */
static inline void half_angle_series(real y, real* sinc, real* cosine) {
  const real s =
      1.0 -
      y / 6.0 *
          (1.0 -
           y / 20.0 *
               (1.0 -
                y / 42.0 *
                    (1.0 -
                     y / 72.0 *
                         (1.0 -
                          y / 110.0 * (1.0 - y / 156.0 * (1.0 - y / 210.0 * (1.0 - y / 272.0)))))));
  const real c =
      1.0 -
      y / 2.0 *
          (1.0 -
           y / 12.0 *
               (1.0 -
                y / 30.0 *
                    (1.0 -
                     y / 56.0 *
                         (1.0 -
                          y / 90.0 * (1.0 - y / 132.0 * (1.0 - y / 182.0 * (1.0 - y / 240.0)))))));
  *sinc = s;
  *cosine = c;
}

/* exp(d): quaternion of the rotation vector d. The angle is divided by 8 for the series and the
   quaternion squared three times: no branch, exact for |d| up to 4 pi. */
static inline void quat_exp(vec3 d, real* q) {
  const real y = dot(d, d) / 256.0; /* (|d|/2 / 8)^2 */
  real sinc, cosine;

  half_angle_series(y, &sinc, &cosine);
  const real k = sinc / 16.0;
  q[0] = cosine, q[1] = k * d.x, q[2] = k * d.y, q[3] = k * d.z;
  for (int i = 0; i < 3; ++i)
    quat_mul(q, q, q);
}

/* log(q): rotation vector of length at most pi of a quaternion of any length */
static inline vec3 quat_log(const real* q) {
  /* the shorter of the two ways round */
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

/* The force on w = body rate that belongs to a force f on d = log R: d' = Jr^-1(d) w, so it is
   Jr^-T f = f + 1/2 d x f... with Jr^-1 = 1 + 1/2 [d] + g(|d|) [d]^2,
   g = 1/|d|^2 - (1 + cos)/(2 |d| sin). Transposed: 1 - 1/2 [d] + g [d]^2. */
static inline vec3 log_pull(vec3 d, vec3 f) {
  const real y = dot(d, d);
  const mask small = real_less(y, real_of(1e-2));
  const real ys = real_select(small, real_of(1.0), y);
  const real a = real_sqrt(ys);
  real sinc, cosine, g;

  /* half angle h = a/2: (1 + cos a)/(2 a sin a) = cos h / (2 a sin h) = cot(h)/(2a); sine and
     cosine of a/8 by series, then the angle doubled twice */
  half_angle_series(ys / 64.0, &sinc, &cosine);
  real s = sinc * a / 8.0, c = cosine;
  for (int i = 0; i < 2; ++i) {
    const real s2 = 2.0 * s * c;
    c = c * c - s * s;
    s = s2;
  }
  g = 1.0 / ys - c / (2.0 * a * s);
  g = real_select(small, (1.0 + y / 60.0 * (1.0 + y / 42.0 * (1.0 + y / 40.0))) / 12.0, g);

  const vec3 df = cross(d, f);
  return add(add(f, scale(real_of(-0.5), df)), scale(g, cross(d, df)));
}
