/* SPDX-License-Identifier: Apache-2.0 */
/* solid.h: solids that may touch, and the geometry of a pair: penetration depth, normal and contact
   points. No memory, no decisions about contact. Theory: docs/theory/shapes.md.

   The geometry is written over `real` and compiled twice, for doubles and, under names that end in
   _complex, for complex numbers, whose imaginary parts carry derivatives.

   All axes are those of the solid's own frame, whose origin is its centre; long solids lie along
   z. */
#pragma once

#include "math/algebra.h"

#include <stdbool.h>

#ifdef APL_REAL_COMPLEX
#define apl_touch_count apl_touch_count_complex
#define apl_touch_measure apl_touch_measure_complex
#define apl_touch_axes apl_touch_axes_complex
#define apl_touch_places apl_touch_places_complex
#define apl_touch_box apl_touch_box_complex
#define apl_touch_boxes apl_touch_boxes_complex
#define apl_touch_cylinder apl_touch_cylinder_complex
#endif

typedef enum solid_kind {
  SOLID_SPHERE,   /* size: radius                                                                */
  SOLID_CAPSULE,  /* radius, half the length without caps                                        */
  SOLID_CYLINDER, /* radius, half the length                                                     */
  SOLID_BOX,      /* half the edges                                                              */
  SOLID_PIPE,     /* inner radius, half the length: everything except the inside is solid */
  SOLIDS
} solid_kind;

typedef struct solid {
  solid_kind kind;
  double size[3];
} solid;

/* A contact point of solids a and b, in the world. x is half way between the surfaces: the point on
   a is x - n depth/2, the point on b is x + n depth/2. */
typedef struct touch_point {
  vec3 n;     /* unit normal, from b into a */
  vec3 x;     /* half way between the two surfaces */
  real depth; /* penetration; negative: minus the distance */
} touch_point;

/* The same with the tangents of friction: axis[0] is n. */
typedef struct touch_place {
  vec3 axis[3], x;
  real depth;
} touch_place;

/* Most contact points of one pair, and the depth that marks an unused one. */
enum { TOUCH_MOST = 8 };
#define TOUCH_NONE (-1e9)

/* "sphere", ...: the words of model files. */
const char* apl_solid_word(solid_kind kind);

/* The kind of a word; SOLIDS when there is none. */
solid_kind apl_solid_find(const char* word);

/* Number of contact points of a pair of kinds; 0: no closed form exists. */
int apl_touch_count(solid_kind a, solid_kind b);

/* All contact points of a pair, apl_touch_count() many. Point k stays the same physical point over
   time as far as the shapes allow; the deepest one gives the distance. */
void apl_touch_measure(const solid* a, const pose* A, const solid* b, const pose* B,
                       touch_point* out);

/* Box along the world's axes about a solid. */
void apl_solid_bound(const solid* a, const pose* A, vec3* low, vec3* high);

/* Distance of its farthest point from its centre (m). */
double apl_solid_reach(const solid* a);

/* Two tangents e[1], e[2] that form a right-handed frame with the unit vector e[0]. They turn
   smoothly with it, except where it nearly points along -z. */
void apl_touch_axes(vec3 e[3]);

/* All contact points as touch_place, for poses A and B[12], in the number type of the build; out
   has 13 numbers per point (twice as many doubles for complex). Returns their number. */
int apl_touch_places(const solid* a, const double* A, const solid* b, const double* B, double* out);
int apl_touch_places_complex(const solid* a, const double* A, const solid* b, const double* B,
                             double* out);
