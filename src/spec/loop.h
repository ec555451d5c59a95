/* SPDX-License-Identifier: Apache-2.0 */
/* loop.h: the list of loop closures: the types of joints between two ports, and how many
   translations and rotations each one locks. The model makes constraint rows of them, which
   dynamics/loops.c computes. */
#pragma once

#include <stddef.h>

/* clang-format off */
#define CLOSURE_LIST(X)                                                                            \
  X(CLOSURE_POINT, "point", "ball joint: one point of both frames coincides", 3, 0)                         \
  X(CLOSURE_PLANAR_POINT, "planar-point", "pin in a plane: the points coincide in the two directions of the plane", 2, 0) \
  X(CLOSURE_HINGE, "hinge", "revolute joint: one point and one axis of both coincide", 3, 2)                                \
  X(CLOSURE_UNIVERSAL, "universal", "universal joint: one point coincides, an axis of each is perpendicular to that of the other", 3, 1) \
  X(CLOSURE_SLIDER, "slider", "prismatic joint: relative translation along one axis only", 2, 3)                           \
  X(CLOSURE_CYLINDRICAL, "cylindrical", "cylindrical joint: relative translation along and rotation about one axis", 2, 2)            \
  X(CLOSURE_WELD, "weld", "rigid connection", 3, 3)                                           \
  X(CLOSURE_DISTANCE, "distance", "massless rod: constant distance between two points", 1, 0)                   \
  X(CLOSURE_MASK, "mask", "any of the six relative directions, in the axes of `from`", 0, 0)
/* clang-format on */

typedef enum closure_type {
#define X(name, word, title, along, about) name,
  CLOSURE_LIST(X)
#undef X
      CLOSURES
} closure_type;

typedef struct closure_kind {
  const char* word;
  const char* title;
  int along, about; /* translations and rotations that are locked; 0 for a mask, which is given */
} closure_kind;
extern const closure_kind apl_closure_kinds[CLOSURES];

/* Index of a word among the kinds; -1 if there is none. */
int apl_closure_find(const char* word);
