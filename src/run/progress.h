/* SPDX-License-Identifier: Apache-2.0 */
/* progress.h: whether a run will reach its end. A run that will not is ended by counts of steps,
   never by clock time, so that the same input gives the same bytes. Callers may watch the clock in
   their poll function. */
#pragma once

#include "appell/run.h"

#include "step/methods.h"
#include "step/steppers.h"

typedef struct run_progress {
  const apl_run_options* o;
  const apl_method* method;
  apl_system* system;
  const apl_stepper* stepper; /* NULL with time steps, which the report counts                   */
  const apl_run_report* report;
  int n;           /* numbers of y that the error norm knows                                   */
  double* rate;    /* [n] (y1 - y0) / h of one step in every LOOK                               */
  bool has_rate;   /* `rate` is that of the previous step                                       */
  long count;      /* steps since the start of the window                                       */
  double window_t; /* time at the start of the window                                           */
  double look_t;   /* time of the last comparison of rates                                      */
  double step;     /* mean length of the steps since then                                       */
  double t;        /* end of the last step                                                      */
  double pace;     /* mean length of the steps before they became very short ...                */
  int crawls;      /* ... and the number of windows since then                                  */
  long polled;     /* evaluations since the last poll                                           */
  long steps, evaluations; /* before this stepper                                                 */
  int votes; /* looks that found it, less those that found another, at most VOTES              */
  int limit; /* which number of y keeps the steps short, -1: not known                    */
  const char* settling; /* velocity that friction stops far faster than anything moves, or NULL   */
  double settles;       /* ... within this time                                                  */
  bool asked;           /* `settling` was determined; only runs with many steps need it           */
} run_progress;

/* The velocity that friction and dampers of its joint stop within the shortest time, if it is too
   short to follow; NULL: there is none. */
const char* apl_settling_joint(const apl_system* system, double* time);

/* Start a new window at t. */
void apl_progress_restart(run_progress* p, double t);

/* To be called after each step. APL_ERR_INTEGRATOR: the end of the run cannot be reached. */
apl_status apl_progress_step(run_progress* p, double t0, const double* y0, double t1,
                             const double* y1);

/* The numbers of a checkpoint, for n numbers of y at most: how many, then they are written or read.
 */
int apl_progress_memory_size(int n);
void apl_progress_memory(run_progress* p, apl_store* memory);

/* The poll function of steppers: calls that of the caller with the progress. */
apl_status apl_progress_poll(double t, void* progress);

/* The present progress, for a poll or for the sentence of a failure. */
void apl_progress_now(const run_progress* p, apl_progress* out);
