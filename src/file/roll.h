/* SPDX-License-Identifier: Apache-2.0 */
/* roll.h: velocities and accelerations of a joint from its coordinates over time, for joints
   whose velocities are not the rates of the coordinates (bases on wheels, discs, floating
   bodies). Theory: docs/theory/wheels.md, 12. */
#pragma once

#include "appell/state.h"

#include "element/element.h"

typedef struct roll roll;

/* The data of a table about the joint of a link: n times, and n values of each coordinate;
   value[k] is NULL if coordinate k is not given. */
typedef struct roll_table {
  int n;
  const double* t;
  const double* value[APL_MAX_NQ];
} roll_table;

/* Can the motion of the joint be found from its coordinates, and must coordinate k (counted from
   its first) be among them? Headings and steering angles of bases need not. */
bool apl_roll_can(const apl_model* model, int link);
bool apl_roll_needs(const apl_model* model, int link, int k);

/* Make splines (not-a-knot) through the coordinates. Quaternions must be continuous
   (attitude.h). Missing headings and steering angles follow from x and y; `standing` is the
   heading before the base moves. */
apl_status apl_roll_new(const apl_model* model, int link, const roll_table* table, double standing,
                        roll** out, apl_error* err);
void apl_roll_free(roll* r); /* accepts NULL */

/* Coordinates, velocities and accelerations of the joint at time t, into a scalar state. Fails
   where the joint would have to slip. */
apl_status apl_roll_set(roll* r, apl_state* state, double t, apl_error* err);
