/* SPDX-License-Identifier: Apache-2.0 */
/* road.h: the path of a base on wheels, given by points: time, x, y and perhaps heading, with
   splines through them. Computes missing headings and the steering angles of a car, and checks
   that the base can follow the path. Theory: docs/theory/wheels.md, 12. */
#pragma once

#include "appell/model.h"
#include "appell/signal.h"

/* What the velocities of a joint mean. */
typedef enum road_gait { ROAD_NONE, ROAD_ROLLS, ROAD_GLIDES, ROAD_STEERS } road_gait;

typedef struct road {
  road_gait gait;
  const char* joint; /* its word                                                                 */
  double wheelbase;  /* of a car                                                                 */
  const char* shape; /* of the splines                                                           */
  double standing;   /* heading before the base begins to move */
  int n;
  double *t, *x, *y, *heading, *steering; /* [n]                                                  */
  apl_signal *sx, *sy, *sh, *ss;          /* splines through them                                 */
  apl_error* err;
} road;

/* Gait, joint and wheelbase of a link. */
void apl_road_know(road* r, const apl_model* model, int link);

/* Room for n points, all zero. */
apl_status apl_road_allocate(road* r, int n);

/* Given t, x, y (and heading and steering, if known), compute the rest and the splines. Fails if
   the base would have to move sideways or to turn on the spot. */
apl_status apl_road_find(road* r, bool has_heading, bool has_steering);

void apl_road_free(road* r);
