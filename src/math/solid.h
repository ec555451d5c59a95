/* solid.h: solids that may touch each other, and the geometry of two of them: how deep they are in
   each other, along which normal and where. No memory, no decisions about contact. Theory:
   docs/theory/shapes.md.

   Geometry is written over `real` and compiled twice, for doubles and, under names that end in
   _complex, for complex numbers, whose imaginary parts carry derivatives.

   All axes are those of the solid's own frame, whose origin is its centre; long solids lie along z.
 */
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
  SOLID_PIPE,     /* inner radius, half the length: all but the inside is solid                  */
  SOLIDS
} solid_kind;

typedef struct solid {
  solid_kind kind;
  double size[3];
} solid;

/* One place where solid a touches solid b, in the world. The surfaces meet a half of the depth
   before and behind x: a's point is x - n depth/2, b's is x + n depth/2. */
typedef struct touch_point {
  vec3 n;     /* unit, out of b into a                                                           */
  vec3 x;     /* half way between the two surfaces                                               */
  real depth; /* negative: the distance                                                          */
} touch_point;

/* ... with the directions of friction: axis[0] is n. */
typedef struct touch_place {
  vec3 axis[3], x;
  real depth;
} touch_place;

/* Places that one pair may have, and the depth of one that is not there just now. */
enum { TOUCH_MOST = 8 };
#define TOUCH_NONE (-1e9)

/* "sphere", ...: the words of model files. */
const char* apl_solid_word(solid_kind kind);

/* The kind of a word; SOLIDS when there is none. */
solid_kind apl_solid_find(const char* word);

/* Places of a pair of kinds; 0: there is no closed form for it. */
int apl_touch_count(solid_kind a, solid_kind b);

/* All places of a pair, apl_touch_count() many. Place k is the same from one moment to the next as
   far as shapes allow; the deepest one tells the distance. */
void apl_touch_measure(const solid* a, const pose* A, const solid* b, const pose* B,
                       touch_point* out);

/* Box along the world's axes about a solid. */
void apl_solid_bound(const solid* a, const pose* A, vec3* low, vec3* high);

/* Distance of its farthest point from its centre. */
double apl_solid_reach(const solid* a);

/* Two directions e[1], e[2] that make a right-handed frame with the unit vector e[0]. They turn
   smoothly with it, but where it points nearly against z. */
void apl_touch_axes(vec3 e[3]);

/* All places as touch_place of solids with the poses A and B, in the numbers of the build: [12],
   out [13] for each place, or twice as many doubles. Returns how many there are. */
int apl_touch_places(const solid* a, const double* A, const solid* b, const double* B, double* out);
int apl_touch_places_complex(const solid* a, const double* A, const solid* b, const double* B,
                             double* out);
