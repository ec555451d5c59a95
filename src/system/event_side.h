/* SPDX-License-Identifier: Apache-2.0 */
/* event_side.h: on which side of zero the function g of an event stands where a step begins. Where
   an event has just happened its g is round-off, so that its sign says nothing; the run then
   decides on a side and remembers that it did. */
#pragma once

#include <float.h>
#include <math.h>
#include <stdbool.h>

typedef enum event_side { SIDE_BELOW = -1, SIDE_ZERO = 0, SIDE_ABOVE = 1 } event_side;

typedef enum side_source {
  SIDE_BY_VALUE,  /* the sign of g                                                                */
  SIDE_BY_MEMORY, /* what a coupling remembers: an open contact is above the ground               */
  SIDE_BY_EVENT   /* the event has just happened, and g has gone to this side                     */
} side_source;

/* g is the distance from zero, in units of the event; it has a meaning with SIDE_BY_VALUE only.
   SIDE_ZERO: the event has just happened and happens again if g comes back. */
typedef struct event_place {
  double g;
  event_side side;
  side_source by;
} event_place;

/* A function g that knows its side but not how far it is from zero returns this number, or this
   number with a minus sign. */
#define APL_SIDE_ONLY (2.0 * DBL_MIN)

static inline event_side apl_side_of(double g) {
  return g > 0.0 ? SIDE_ABOVE : g < 0.0 ? SIDE_BELOW : SIDE_ZERO;
}

/* The place of an event whose function has returned g. */
static inline event_place apl_place_of(double g) {
  const bool known = g == 0.0 || fabs(g) > APL_SIDE_ONLY;
  return (event_place){g, apl_side_of(g), known ? SIDE_BY_VALUE : SIDE_BY_MEMORY};
}

/* A place that is decided on. */
static inline event_place apl_place_at(event_side side, side_source by) {
  return (event_place){0.0, side, by};
}

/* In checkpoints a place is one number: g, or one that no g of a model has. */
static inline double apl_place_number(event_place p) {
  if (p.by == SIDE_BY_EVENT) return (int)p.side * DBL_MIN;
  return p.by == SIDE_BY_MEMORY && p.side != SIDE_ZERO ? (int)p.side * APL_SIDE_ONLY : p.g;
}

static inline event_place apl_place_from(double number) {
  return fabs(number) == DBL_MIN ? apl_place_at(apl_side_of(number), SIDE_BY_EVENT)
                                 : apl_place_of(number);
}
