/* SPDX-License-Identifier: Apache-2.0 */
/* rotation.h: quaternions over `real`. Theory: docs/theory/joints.md. */
#pragma once

#include "math/algebra.h"

/* R of a quaternion (w x y z) of any nonzero length: R depends on its direction only, so drift of
   the length is harmless. */
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
