/* SPDX-License-Identifier: Apache-2.0 */
/* vec2.h: vectors of two numbers over `real`: for planar robots, and for components of bending arcs
   normal to their axis. */
#pragma once

#include "math/algebra.h"

typedef struct vec2 {
  real x, y;
} vec2;

HOT_INLINE vec2 add2(vec2 a, vec2 b) {
  return (vec2){a.x + b.x, a.y + b.y};
}
HOT_INLINE vec2 scale2(real k, vec2 a) {
  return (vec2){k * a.x, k * a.y};
}
HOT_INLINE real dot2(vec2 a, vec2 b) {
  return a.x * b.x + a.y * b.y;
}
/* w n x a */
HOT_INLINE vec2 turn2(real w, vec2 a) {
  return (vec2){-(w * a.y), w * a.x};
}
HOT_INLINE real cross2(vec2 a, vec2 b) {
  return a.x * b.y - a.y * b.x;
}
/* R a and R^T a */
HOT_INLINE vec2 rotate2(real c, real s, vec2 a) {
  return (vec2){c * a.x - s * a.y, s * a.x + c * a.y};
}
HOT_INLINE vec2 back2(real c, real s, vec2 a) {
  return (vec2){c * a.x + s * a.y, c * a.y - s * a.x};
}
