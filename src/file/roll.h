/* roll.h: the motion of a joint whose velocities are not the rates of its coordinates (a base on
   wheels, a disc, a body that floats), from its coordinates alone. Theory:
   docs/theory/wheels.md, 12. */
#pragma once

#include "appell/state.h"

#include "element/element.h"

typedef struct roll roll;

/* What a table says about the joint of a link: n rows of times, and of the coordinates that it has;
   value[k] is NULL where there is none of coordinate k. */
typedef struct roll_table {
  int n;
  const double* t;
  const double* value[APL_MAX_NQ];
} roll_table;

/* Can the motion of the joint be found from its coordinates, and must coordinate k (counted from
   its first) be among them? Headings and steering angles of bases need not. */
bool apl_roll_can(const apl_model* model, int link);
bool apl_roll_needs(const apl_model* model, int link, int k);

/* Splines (not-a-knot) through the coordinates; quaternions must be a path (attitude.h). Missing
   headings and steering angles follow from x and y; `standing` is the heading before anything
   moves. */
apl_status apl_roll_new(const apl_model* model, int link, const roll_table* table, double standing,
                        roll** out, apl_error* err);
void apl_roll_free(roll* r); /* accepts NULL */

/* Coordinates, velocities and accelerations of the joint at time t, into a scalar state. Fails
   where the joint would have to slip. */
apl_status apl_roll_set(roll* r, apl_state* state, double t, apl_error* err);
