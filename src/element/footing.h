/* SPDX-License-Identifier: Apache-2.0 */
/* footing.h: the contacts of a rolling joint with the ground, used to compute ground forces
   (dynamics/footing.c). Cold code: the passes do not use it. Theory: docs/theory/wheels.md, 11. */
#pragma once

#include "base/field.h"
#include "math/algebra.h"

#include <math.h>
#include <stdbool.h>

typedef struct apl_footing apl_footing;

#ifndef APL_HOT

/* Most contacts of one joint. */
enum { FOOTING_CONTACTS = 4 };

/* A contact with the ground. Directions and positions are in the axes of the ground (x forward, y
   left, z normal), from the origin of the body frame. */
typedef struct apl_foothold {
  int wheel;      /* satellite of the joint that rolls here, -1: none */
  int shaft;      /* satellite that gives half of its torque to this wheel, -1: none */
  double x, y;    /* place                                                                        */
  double radius;  /* of the wheel                                                                 */
  vec3 along;     /* rolling direction of the wheel */
  vec3 push;      /* direction of the force from the wheel's torque: `along`, or the roller's
                     axis */
  double steer;   /* steering rate of the wheel per unit of the last quasi-velocity */
  bool hold;      /* the ground also exerts a force normal to `along` */
  bool hold_both; /* ... and along it, without a wheel */
} apl_foothold;

struct apl_footing {
  mat3 to_ground;  /* from the body frame to the axes of the ground                              */
  double height;   /* of the body frame above the ground                                         */
  double friction; /* the stated coefficient, zero when there is none                            */
  int fork;        /* satellite that turns about the normal, -1                                  */
  bool hitched;    /* a hitch also carries part of the weight */
  double ahead;    /* distance of the hitch in front of the body frame */
  int count;
  apl_foothold contact[FOOTING_CONTACTS];
};

#define APL_FIELD_GROUND_NORMAL(t)                                                                 \
  APL_FIELD_AXIS(t, normal, "normal", "normal of the ground, in the frame of the joint", 0, 0, 1)

#define APL_FIELD_GROUND_FRICTION(t)                                                               \
  APL_FIELD_NOT_NEGATIVE(                                                                          \
      t, ground_friction, "ground-friction", "1",                                                  \
      "coefficient of friction between wheels and ground; a run warns if rolling needs "           \
      "more. 0: not checked",                                                                      \
      0)

static inline apl_foothold* footing_add(apl_footing* f, double x, double y) {
  apl_foothold* c = &f->contact[f->count++];
  *c = (apl_foothold){.wheel = -1, .shaft = -1, .x = x, .y = y, .along = {1, 0, 0}};
  return c;
}

/* A wheel at angle `heading` from forward towards left that does not slip sideways. */
static inline apl_foothold* footing_wheel(apl_footing* f, int wheel, double x, double y,
                                          double heading, double radius) {
  apl_foothold* c = footing_add(f, x, y);

  c->wheel = wheel;
  c->radius = radius;
  c->along = c->push = (vec3){cos(heading), sin(heading), 0};
  c->hold = true;
  return c;
}

/* The same with rollers: the ground's force is along the axis of the touching roller only. */
static inline void footing_roller(apl_foothold* c, double x, double y) {
  c->push = (vec3){x / hypot(x, y), y / hypot(x, y), 0};
  c->hold = false;
}

/* A castor carries a normal force only. */
static inline void footing_castor(apl_footing* f, double x, double y) {
  footing_add(f, x, y);
}

/* A runner resists sideways motion only; a rim or a ball resists both directions. */
static inline void footing_runner(apl_footing* f, double x, double y) {
  footing_add(f, x, y)->hold = true;
}
static inline void footing_point(apl_footing* f, double x, double y) {
  apl_foothold* c = footing_add(f, x, y);
  c->hold = c->hold_both = true;
}

#endif
