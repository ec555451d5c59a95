/* SPDX-License-Identifier: Apache-2.0 */
/* touch_impl.h: shared by the files of pairs. A round solid (ball, capsule) is a segment with a
   radius, expressed in the frame of the other solid.

   These files are compiled for doubles and for complex numbers. Branches depend on real parts, so
   that imaginary parts carry the derivative of the branch taken. */
#pragma once

#include "math/solid.h"

typedef struct segment {
  vec3 c, d; /* centre, unit direction */
  double h;  /* half its length        */
  double r;
} segment;

static inline vec3 along_segment(const segment* g, real s) {
  return add(g->c, scale(s, g->d));
}

static inline real clamp_to(real x, double most) {
  const double at = real_part(x);
  return at <= -most ? real_of(-most) : at >= most ? real_of(most) : x;
}

/* -1 or 1: the sign of the real part */
static inline double side_of(real x) {
  return copysign(1.0, real_part(x));
}

static inline bool is_less(real a, real b) {
  return real_part(a) < real_part(b);
}

static inline real length_of(vec3 a) {
  return real_root(dot(a, a));
}

/* A capsule parallel to the surface below it touches along a line. Up to this sine of the angle the
   ends of that line are additional contact points beside the nearest one. */
#define TOUCH_PARALLEL 0.02
enum { ROUND_PLACES = 3 };

/* touch_box.c, touch_cylinder.c: a round solid against a solid at the origin of its frame. Unused
   points have depth TOUCH_NONE. */
void apl_touch_box(const segment* a, const double half[3], touch_point out[ROUND_PLACES]);
void apl_touch_cylinder(const segment* a, double radius, double half,
                        touch_point out[ROUND_PLACES]);

/* touch_boxes.c: a box with pose A against one at the origin, TOUCH_MOST points. */
void apl_touch_boxes(const pose* A, const double a[3], const double b[3], touch_point* out);

/* Contact point at parameter s of a round solid's core, at this distance from the other solid. */
static inline touch_point touch_at(const segment* a, real s, vec3 n, real distance) {
  const real depth = a->r - distance;
  return (touch_point){n, sub(along_segment(a, s), scale(a->r - 0.5 * depth, n)), depth};
}

static inline touch_point touch_none(void) {
  return (touch_point){{0.0, 0.0, 1.0}, {0.0, 0.0, 0.0}, TOUCH_NONE};
}

/* The nearest point only. */
static inline void touch_only(touch_point at, touch_point out[ROUND_PLACES]) {
  out[0] = at;
  out[1] = out[2] = touch_none();
}

/* Which ends of the line from range[0] to range[1] become contact points beside the nearest one at
   s, the farther one first; returns their number. A line shorter than a tenth of the radius is
   treated as a point. */
static inline int touch_ends(const real range[2], real s, double r, real end[2]) {
  const double length = real_part(range[1] - range[0]);
  const bool low = is_less(range[1] - s, s - range[0]);

  end[0] = low ? range[0] : range[1];
  end[1] = low ? range[1] : range[0];
  if (!(length > 0.1 * r)) return 0;
  return real_part(real_abs(end[1] - s)) > 1e-3 * length ? 2 : 1;
}
