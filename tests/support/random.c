/* SPDX-License-Identifier: Apache-2.0 */
/* random.c: see random.h. */
#include "random.h"

#include "math/pose.h"

#include <math.h>

static uint64_t next(rng* r) {
  uint64_t z = (r->state += UINT64_C(0x9e3779b97f4a7c15));
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return z ^ (z >> 31);
}

rng rng_seed(uint64_t seed) {
  rng r = {seed * UINT64_C(0x2545f4914f6cdd1d) + 1};
  next(&r);
  return r;
}

double rng_between(rng* r, double lo, double hi) {
  return lo + (hi - lo) * ((double)(next(r) >> 11) * 0x1p-53);
}

int rng_below(rng* r, int n) {
  return (int)(next(r) % (uint64_t)n);
}

void rng_fill(rng* r, double* x, int n, double size) {
  for (int i = 0; i < n; i++)
    x[i] = rng_between(r, -size, size);
}

apl_vec3 rng_direction(rng* r) {
  const double z = rng_between(r, -1, 1);
  const double angle = rng_between(r, -3.14159265358979, 3.14159265358979);
  const double s = sqrt(1 - z * z);
  return (apl_vec3){s * cos(angle), s * sin(angle), z};
}

apl_quat rng_rotation(rng* r, double angle) {
  const apl_vec3 axis = rng_direction(r);
  return apl_quat_axis(axis, rng_between(r, -angle, angle));
}

apl_pose rng_pose(rng* r, double size) {
  double p[3];
  rng_fill(r, p, 3, size);
  return (apl_pose){{p[0], p[1], p[2]}, rng_rotation(r, 3.0)};
}

void rng_inertia(rng* r, double mass, double size, double inertia[6]) {
  double edge[3];
  double I[3][3] = {{0}};
  const apl_quat turn = rng_rotation(r, 3.0);
  const apl_vec3 unit[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

  for (int k = 0; k < 3; k++)
    edge[k] = size * rng_between(r, 0.5, 1.5);
  for (int k = 0; k < 3; k++) {
    const double b = edge[(k + 1) % 3];
    const double c = edge[(k + 2) % 3];
    const double moment = mass * (b * b + c * c) / 12;

    /* I += moment e e^T */
    const apl_vec3 v = apl_quat_rotate(turn, unit[k]);
    const double e[3] = {v.x, v.y, v.z};
    for (int i = 0; i < 3; i++) {
      for (int j = 0; j < 3; j++)
        I[i][j] += moment * e[i] * e[j];
    }
  }
  const double six[6] = {I[0][0], I[1][1], I[2][2], I[0][1], I[0][2], I[1][2]};
  for (int i = 0; i < 6; i++)
    inertia[i] = six[i];
}
