/* runner.h: what a run carries along, shared by its loop (run.c) and its two drivers: located
   events (run.c) and time steps (run_moreau.c). */
#pragma once

#include "appell/run.h"

#include "run/audit.h"
#include "run/progress.h"
#include "step/methods.h"
#include "system/system_impl.h"

/* What the loop carries along. */
typedef struct runner {
  apl_system* system;
  const apl_run_options* o;
  apl_run_report* report;
  const apl_method* method; /* NULL: no such one                                                 */
  apl_stepper* stepper;     /* NULL with ...                                                     */
  apl_time_steps* time;     /* ... time steps of the robot                                       */
  apl_event* event;   /* the caller's events, then those of couplings: corners of forces, ...     */
  apl_event* watched; /* (those of couplings alone)                                              */
  int nevent, first_change; /* ... then those that change what couplings remember                */
  double t, *y, *g;         /* g: values of the events                                       */
  double *start, *scratch;  /* y before the step, and room for one more                      */
  double* before;           /* g at the start of the last step                               */
  double step_start;        /* time there                                                    */
  double* at_output;        /* y at an output inside a step                                  */
  double last;              /* its length, 0 after an event                                  */
  double *near, *values;    /* room for values of events: locate.h                           */
  double* force;            /* of each contact during the last step, PEAK_LOOKS of them      */
  double* memory;           /* room for what a checkpoint remembers beside y                 */
  run_audit audit;
  double t_event; /* time of the last event, and how often it has come back there   */
  long returns;
  double t_break; /* where the next signal breaks                                               */
  long next;   /* output: the number of its period                                              */
  bool closed; /* the last one has been given                                                   */
  bool ending; /* it is too near the end for more places to resume from                         */
  long places; /* periods of checkpoints that have one                                          */
  long steps, evaluations; /* before this stepper                                           */
  const char* crowded;     /* the event that accumulates                                    */
  bool stop;
  run_progress progress;
  bool hopeless; /* it said that the end is out of reach                                         */
  bool silent; /* nobody asks what the ledgers say                                               */
  bool fixed;  /* a stepper with steps of one length                                              */
} runner;

/* outputs.c: times closer than that are one time. */
double apl_run_near(const runner* r, double t);

/* outputs.c: the time of the next output; then outputs that are due inside the step that ends
   at r->t, before anything happens there; and one that is due at r->t, when everything has. */
double apl_run_next_output(const runner* r);
apl_status apl_run_outputs_inside(runner* r);
apl_status apl_run_output_here(runner* r);
apl_status apl_run_output(runner* r, double t, const double* y);

/* outputs.c: the ledgers are looked at, where a step has ended; `untouched`: nothing but the
   step has happened, and what its last pass has found counts. */
apl_status apl_run_verdict(runner* r, bool start, bool untouched);

/* run.c: everything that a run needs, which starts where the system is; then on to where the
   options say, from the start or from where it was; and its end, which is always to be called. */
apl_status apl_runner_open(runner* r, apl_error* err);
apl_status apl_runner_go(runner* r, bool from_start, apl_error* err);
void apl_runner_close(runner* r);

/* The next time step begins from the state alone. */
void apl_runner_restart_steps(runner* r);

/* What a jump did to energy and momentum is booked, so that the ledgers go on closing. */
apl_status apl_runner_book(runner* r, const apl_ledger* before, apl_account account);

/* run_moreau.c: time steps up to t_end, or to where an event of the caller stops the run; the last
   one may end beyond it. */
apl_status apl_run_steps(runner* r, double t_end);
