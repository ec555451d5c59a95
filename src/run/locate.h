/* locate.h: find the first event inside the last step and land on it. */
#pragma once

#include "appell/run.h"

/* g of an event at (t, y). */
double apl_event_value(apl_system* system, const apl_event* event, double t, const double* y);

/* A step that has just been taken. */
typedef struct step_taken {
  apl_system* system;
  apl_stepper* stepper;
  double t_start;
  const double* y_start; /* where it began                                                        */
  double* scratch;       /* as long as y                                                          */
  double *near, *values; /* [2 * events], [events] room for values near and at the ends           */
} step_taken;

/* `g` holds the values at the start of the step that ended at (*t, y). If an event lies inside, *t
   and y become its place, *event its index, and the stepper stands there; otherwise *event is -1.
   `g` becomes the values at the end. */
apl_status apl_locate(const step_taken* step, const apl_event* list, int n, double* g, double* t,
                      double* y, int* event);
