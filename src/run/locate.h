/* SPDX-License-Identifier: Apache-2.0 */
/* locate.h: finds the first event inside the last step and steps to it. */
#pragma once

#include "appell/run.h"

#include "step/steppers.h"
#include "system/event_side.h"

#include <stdbool.h>

/* g of an event at (t, y). */
double apl_event_value(apl_system* system, const apl_event* event, double t, const double* y);

/* A list of events: the caller's first, then those of the model, which only read the state. */
typedef struct event_list {
  const apl_event* event;
  int n, callers;
} event_list;

/* g[n] of all events at (t, y); with `twice` only those that may cross zero twice in a step. The
   state is unpacked and contacts are evaluated once, not for each event. */
void apl_event_values(apl_system* system, event_list list, bool twice, double t, const double* y,
                      double* g);

/* True if g crosses zero, in a direction that counts, from this side to the value `after`. */
bool apl_event_crosses(const apl_event* event, event_side before, double after);

/* A step that has just been taken. */
typedef struct step_taken {
  apl_system* system;
  apl_stepper* stepper;
  double t_start;
  const double* y_start; /* where it began                                                        */
  double* scratch;       /* as long as y                                                          */
  double *near, *values; /* [2 * events], [events] room for values near and at the ends           */
} step_taken;

/* g[n] are the places of the events at the start of the step that ended at (*t, y). If an event
   lies inside, *t and y become its time and state, *event its index, and the stepper is there;
   otherwise *event is -1. g becomes that of the end. */
apl_status apl_locate(const step_taken* step, event_list list, event_place* g, double* t, double* y,
                      int* event);
