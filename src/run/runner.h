/* SPDX-License-Identifier: Apache-2.0 */
/* runner.h: the data of a run, shared by its files:

     options.c      defaults, and options that make no sense
     open.c         the integrator, the events and the memory, before the first step
     loop.c         control, advance, record; start and end
     advance.c      the driver with located events
     events.c       what happens at an event
     peaks.c        largest forces inside a step
     run_moreau.c   the driver of time steps
     outputs.c      outputs and checks of the ledgers
     explain.c      why a run has failed */
#pragma once

#include "appell/run.h"

#include "run/audit.h"
#include "run/progress.h"
#include "step/methods.h"
#include "system/system_impl.h"

typedef struct runner {
  apl_system* system;
  const apl_run_options* o;
  apl_run_report* report;
  const apl_method* method; /* NULL: there is none with the name in the options                  */
  apl_stepper* stepper;     /* NULL with ...                                                     */
  apl_time_steps* time;     /* ... time steps of the robot                                       */
  apl_event* event;   /* the caller's events, then those of couplings: corners of forces, ...     */
  apl_event* watched; /* (those of couplings alone)                                              */
  int nevent, first_change; /* ... then those that change what couplings remember                */
  double t, *y;
  event_place* g;          /* where each event stands at (t, y) ...                         */
  event_place* before;     /* ... and stood at the start of the last step                   */
  double *start, *scratch; /* y before the step, and room for one more                      */
  double step_start;       /* time at the start of the last step ...                        */
  double last;             /* ... and its length, 0 after an event                          */
  double* at_output;       /* y at an output inside a step                                  */
  double horizon;          /* couplings that come and go are known for this time from t on [s] */
  double *near, *values;   /* room for values of events: locate.h                           */
  double* force;           /* forces whose peaks are reported, at PEAK_LOOKS times of the step */
  double* memory;          /* [nmemory] the numbers of a checkpoint besides y               */
  int nmemory;
  run_audit audit;
  double t_event; /* time of the last event ...                                                 */
  long returns;   /* ... and how many more events there were at this time                       */
  double t_break; /* the next time at which a signal has a jump or a corner                     */
  long next;   /* the number of the next output: it is at from + next * output_every            */
  bool closed; /* the last output has been made                                                 */
  bool ending; /* the end of the run has influenced a step: a longer run would move differently
                  from there, so there are no more checkpoints */
  long places; /* the number of the period of the last checkpoint                               */
  long steps, evaluations; /* of the run before it was resumed                              */
  const char* crowded;     /* the event that happens again and again at one time; or NULL   */
  bool stop;
  run_progress progress;
  bool hopeless; /* `progress` found that the end cannot be reached                              */
  bool silent; /* apl_step(): ledgers are not checked                                            */
  bool fixed;  /* a stepper with steps of one length                                              */
} runner;

/* outputs.c: times that differ by less than this are treated as equal [s]. */
double apl_run_near(const runner* r, double t);

/* outputs.c: the time of the next output. outputs_inside: make the outputs inside the step that
   ends at r->t, before events at r->t change the state. output_here: make an output that is due at
   r->t, after these events. output: make one output. */
double apl_run_next_output(const runner* r);
apl_status apl_run_outputs_inside(runner* r);
apl_status apl_run_output_here(runner* r);
apl_status apl_run_output(runner* r, double t, const double* y);

/* outputs.c: check the ledgers at the end of a step. `untouched`: nothing has changed the state
   since the step ended, so that the energies of its last evaluation can be used. */
apl_status apl_run_verdict(runner* r, bool start, bool untouched);

/* options.c: refuses options that make no sense. */
apl_status apl_run_check_options(const apl_run_options* o, apl_error* err);

/* open.c: prepare a run from the present state of the system, or from a checkpoint. loop.c: run
   until the end that the options give; `from_start`: this is a new run, with an output at its
   start. apl_runner_close() must be called in any case, also after a failure. */
apl_status apl_runner_open(runner* r, apl_error* err);
apl_status apl_runner_go(runner* r, bool from_start, apl_error* err);
void apl_runner_close(runner* r);

/* advance.c: steps up to t_end, or to where an event stops the run. */
apl_status apl_runner_advance(runner* r, double t_end);

/* explain.c: the sentence for a run that failed with `st` at r->t; returns st. */
apl_status apl_run_explain(const runner* r, apl_status st, apl_error* err);

/* peaks.c: the largest forces of impacts in the step from `from` to r->t. */
enum { PEAK_LOOKS = 5 }; /* times of a step at which forces are evaluated                         */
apl_status apl_runner_peaks(runner* r, double from);

/* events.c: do couplings have events that change their memory? */
bool apl_runner_has_changes(const runner* r);

/* events.c: refuses a state in which a joint is singular. */
apl_status apl_runner_check_place(const runner* r);

/* events.c: the integrator continues from (t, y) without its history. restart_steps: the same for
   time steps alone. */
apl_status apl_runner_restart(runner* r);
void apl_runner_restart_steps(runner* r);

/* events.c: values and sides of all events at (t, y). */
void apl_runner_look(runner* r);

/* events.c: a failure during the evaluation of events, whose functions return values only. */
apl_status apl_runner_looks_failed(runner* r);

/* events.c: count events at one time; fail if there are too many. */
apl_status apl_runner_count_returns(runner* r, const char* name);

/* events.c: couplings update their memory: because of their event e, or (NULL) for any reason. */
apl_status apl_runner_meet(runner* r, const apl_event* e);

/* events.c: act: call the action of the caller's event. go_on: after any event, prepare the next
 * step.
 */
apl_status apl_runner_act(runner* r, int event);
apl_status apl_runner_go_on(runner* r, int event);

/* events.c: book the change of energy and momentum by a jump, so that the ledgers stay balanced. */
apl_status apl_runner_book(runner* r, const apl_ledger* before, apl_account account);

/* run_moreau.c: time steps up to t_end, or to where an event of the caller stops the run; the last
   one may end beyond it. */
apl_status apl_run_steps(runner* r, double t_end);
