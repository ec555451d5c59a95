/* progress.h: does a run get anywhere? Counts of steps end a run that does not; clocks are for
   those who poll, so that the same input gives the same bytes. */
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
  double* rate;    /* [n] (y1 - y0) / h of one step in LOOK                                     */
  bool has_rate;   /* it is that of the step before                                             */
  long count;      /* steps since the start of the window                                       */
  double window_t; /* its time                                                                  */
  double look_t;   /* time of the last look                                                     */
  double step;     /* mean length of the steps between two looks                                */
  double t;        /* end of the last step                                                      */
  double pace;     /* mean length of the steps before they became so short ...                  */
  int crawls;      /* ... and for how many windows they are                                     */
  long polled;     /* evaluations since the last poll                                           */
  long steps, evaluations; /* before this stepper                                                 */
  int votes; /* looks that found it, less those that found another, at most VOTES              */
  int limit; /* which number of y keeps the steps short, -1: not known                    */
  const char* settling; /* velocity that friction stops far faster than anything moves, or NULL   */
  double settles;       /* ... within this time                                                  */
  bool asked;           /* whether there is one: only runs of many steps want to know             */
} run_progress;

/* The velocity that friction and dampers of its joint stop within the shortest time, if it is too
   short to follow; NULL: there is none. */
const char* apl_settling_joint(const apl_system* system, double* time);

/* The windows begin anew. */
void apl_progress_restart(run_progress* p, double t);

/* After each step; APL_ERR_INTEGRATOR when the end is out of reach, with `hopeless` to be told. */
apl_status apl_progress_step(run_progress* p, double t0, const double* y0, double t1,
                             const double* y1);

/* All of it as numbers, for n numbers of y at most. */
int apl_progress_memory_size(int n);
void apl_progress_remember(const run_progress* p, double* out);
void apl_progress_recall(run_progress* p, const double* in);

/* For the stepper: hands the caller's poll what it may know. */
apl_status apl_progress_poll(double t, void* progress);

/* The sentence for the end of a run. */
void apl_progress_now(const run_progress* p, apl_progress* out);
