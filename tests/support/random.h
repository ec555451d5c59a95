/* SPDX-License-Identifier: Apache-2.0 */
/* random.h: the seeded numbers of the tests. splitmix64: same seed, same numbers, everywhere. */
#pragma once

#include "appell/math.h"

#include <stdint.h>

typedef struct rng {
  uint64_t state;
} rng;

rng rng_seed(uint64_t seed);

/* In [lo, hi). */
double rng_between(rng* r, double lo, double hi);

/* In [0, n). */
int rng_below(rng* r, int n);

/* x[n], each in [-size, size). */
void rng_fill(rng* r, double* x, int n, double size);

/* A direction, uniform on the sphere. */
apl_vec3 rng_direction(rng* r);

/* A rotation by up to `angle` about a random axis. */
apl_quat rng_rotation(rng* r, double angle);

/* A position with entries up to `size` and any rotation. */
apl_pose rng_pose(rng* r, double size);

/* Inertia xx yy zz xy xz yz of a body that exists: principal moments of a cuboid of this mass and
   about this size, turned at random. Strictly inside the triangle inequality. */
void rng_inertia(rng* r, double mass, double size, double inertia[6]);
