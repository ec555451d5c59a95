/* footing.h: where a joint that rolls stands on the ground, for those who ask what the ground must
   give (dynamics/footing.c). Cold: the passes never look here. Theory: docs/theory/wheels.md, 11.
 */
#pragma once

#include "base/field.h"
#include "math/algebra.h"

#include <math.h>
#include <stdbool.h>

typedef struct apl_footing apl_footing;

#ifndef APL_HOT

/* Contacts of one joint. */
enum { FOOTING_CONTACTS = 4 };

/* A place where the ground pushes. Directions and places are in the axes of the ground, x forward,
   y left, z its normal, from the origin of the body frame. */
typedef struct apl_foothold {
  int wheel;      /* satellite of the joint that rolls here, -1 when none does                    */
  int shaft;      /* satellite whose torque reaches this wheel by half, -1                        */
  double x, y;    /* place                                                                        */
  double radius;  /* of the wheel                                                                 */
  vec3 along;     /* where the wheel drives to                                                    */
  vec3 push;      /* along which the wheel's torque pushes: `along`, or the axis of the roller    */
  double steer;   /* how fast it is steered per rate of the last quasi-velocity                   */
  bool hold;      /* the ground also holds across `along`                                         */
  bool hold_both; /* ... and along it, without a wheel                                            */
} apl_foothold;

struct apl_footing {
  mat3 to_ground;  /* from the body frame to the axes of the ground                              */
  double height;   /* of the body frame above the ground                                         */
  double friction; /* the stated coefficient, zero when there is none                            */
  int fork;        /* satellite that turns about the normal, -1                                  */
  bool hitched;    /* a hitch carries, too                                                       */
  double ahead;    /* of the body frame: where it is                                             */
  int count;
  apl_foothold contact[FOOTING_CONTACTS];
};

#define APL_FIELD_GROUND_NORMAL(t)                                                                 \
  APL_FIELD_AXIS(t, normal, "normal", "normal of the ground, in the frame of the joint", 0, 0, 1)

#define APL_FIELD_GROUND_FRICTION(t)                                                               \
  APL_FIELD(t, ground_friction, "ground-friction", "1",                                            \
            "coefficient of friction between wheels and ground; a run warns if rolling needs "     \
            "more. 0: not checked",                                                                \
            0)

static inline apl_foothold* footing_add(apl_footing* f, double x, double y) {
  apl_foothold* c = &f->contact[f->count++];
  *c = (apl_foothold){.wheel = -1, .shaft = -1, .x = x, .y = y, .along = {1, 0, 0}};
  return c;
}

/* A wheel that heads for the angle `heading` from forward to left and does not slip sideways. */
static inline apl_foothold* footing_wheel(apl_footing* f, int wheel, double x, double y,
                                          double heading, double radius) {
  apl_foothold* c = footing_add(f, x, y);

  c->wheel = wheel;
  c->radius = radius;
  c->along = c->push = (vec3){cos(heading), sin(heading), 0};
  c->hold = true;
  return c;
}

/* ... with rollers: the ground pushes along the axis of the one that touches, and nowhere else. */
static inline void footing_roller(apl_foothold* c, double x, double y) {
  c->push = (vec3){x / hypot(x, y), y / hypot(x, y), 0};
  c->hold = false;
}

/* A castor carries and does not push. */
static inline void footing_castor(apl_footing* f, double x, double y) {
  footing_add(f, x, y);
}

/* A runner pushes sideways only, a rim or a ball in both directions. */
static inline void footing_runner(apl_footing* f, double x, double y) {
  footing_add(f, x, y)->hold = true;
}
static inline void footing_point(apl_footing* f, double x, double y) {
  apl_foothold* c = footing_add(f, x, y);
  c->hold = c->hold_both = true;
}

#endif
