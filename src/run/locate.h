/* locate.h: find the first event inside the last step and land on it. */
#pragma once

#include "appell/run.h"

#include "step/steppers.h"

#include <stdbool.h>

/* g of an event at (t, y). */
double apl_event_value(apl_system* system, const apl_event* event, double t, const double* y);

/* A list of events: the caller's first, then those of the model, which only look at the state. */
typedef struct event_list {
  const apl_event* event;
  int n, callers;
} event_list;

/* g[n] of all events at (t, y); only those that may cross zero twice in a step where `twice`. The
   state is unpacked and contacts are looked at once, not for each event. */
void apl_event_values(apl_system* system, event_list list, bool twice, double t, const double* y,
                      double* g);

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
apl_status apl_locate(const step_taken* step, event_list list, double* g, double* t, double* y,
                      int* event);
