/* road.h: the way of a base that rolls, given by points: time, x, y and perhaps heading. Splines go
   through the points; here one finds where the base heads, how a car steers, and whether it can go
   that way at all. Theory: docs/theory/wheels.md, 12. */
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
  double standing;   /* heading before the base has moved                                        */
  int n;
  double *t, *x, *y, *heading, *steering; /* [n]                                                  */
  apl_signal *sx, *sy, *sh, *ss;          /* splines through them                                 */
  apl_error* err;
} road;

/* Gait, joint and wheelbase of a link. */
void apl_road_know(road* r, const apl_model* model, int link);

/* Room for n points, all zero. */
apl_status apl_road_allocate(road* r, int n);

/* With t, x, y (and heading, steering where they are given): the others, and the splines. Fails
   where the base would have to go sideways or to turn on a point of the way. */
apl_status apl_road_find(road* r, bool has_heading, bool has_steering);

void apl_road_free(road* r);
