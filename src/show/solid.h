/* SPDX-License-Identifier: Apache-2.0 */
/* solid.h: the box, cylinder or ball with given mass, centre and inertia; and rotations. */
#pragma once

#include "appell/math.h"

#include "math/algebra.h"

#include <stdbool.h>

typedef enum solid_type { SOLID_BOX, SOLID_CYLINDER, SOLID_BALL } solid_type;

/* edge: of a box; radius, radius, length of a cylinder along z; radius of a ball. */
typedef struct solid {
  solid_type type;
  vec3 at; /* its middle */
  mat3 R;  /* its axes in columns */
  vec3 edge;
} solid;

/* p: m, m c (3), inertia xx yy zz xy xz yz about the origin. False if no such body exists: without
   mass, flat in more than one direction, or with moments that violate the triangle inequality. */
bool apl_solid_of(const double p[10], solid* out);

/* Its diagonal or diameter. */
double apl_solid_size(const solid* s);

/* A rotation that takes z to this direction; any rotation if it has zero length. */
mat3 apl_solid_axis(vec3 direction);

/* The inverse rotation. */
mat3 apl_solid_back(mat3 R);

/* Distance of a point from the segment from the origin to `end`. */
double apl_solid_distance(vec3 point, vec3 end);
