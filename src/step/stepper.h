/* SPDX-License-Identifier: Apache-2.0 */
/* stepper.h: what a method for y' = f(t, y) provides; methods.c has the list of methods. */
#pragma once

#include "appell/base.h"
#include "appell/run.h"

#include "step/steppers.h"

#include <stdbool.h>

typedef struct stepper_ops {
  apl_status (*open)(apl_stepper* s, apl_error* err);
  void (*close)(apl_stepper* s);
  apl_status (*restart)(apl_stepper* s);

  /* one step from (s->t, s->y), not beyond t_end; sets the new s->t, s->y, and s->shaped if t_end
     has changed the length of any attempt */
  apl_status (*step)(apl_stepper* s, double t_end);

  /* interpolation inside the last step: cheap, to search for events; and as accurate as the step,
     NULL: not available, steps must end at outputs */
  apl_status (*inside)(apl_stepper* s, double t, double* y);
  apl_status (*read)(apl_stepper* s, double t, double* y);

  /* s->y has been changed a little; NULL: restart */
  apl_status (*adjust)(apl_stepper* s);

  /* rates have jumped but s->y has not: the step length is kept; NULL: restart */
  apl_status (*jolt)(apl_stepper* s);

  /* s->t, s->y are the start of one of the last steps; NULL: restart */
  apl_status (*rewind)(apl_stepper* s);

  /* Memory to continue from (s->t, s->y) with exactly the same steps: its size for n components of
     y; all NULL: none. A method whose history cannot be saved restarts every renew_every steps. */
  int (*memory_size)(int n);
  apl_status (*memory)(apl_stepper* s, apl_store* memory); /* writes or reads them               */
  int renew_every;

  /* c of the norm in which the drift of constraints is corrected; NULL: 0, the mass norm */
  double (*norm)(const apl_stepper* s);

  /* length of the last step over the stability limit; NULL: unknown */
  double (*limited)(const apl_stepper* s);

  /* the method in use; NULL: there is only one */
  apl_switching (*switching)(const apl_stepper* s);
} stepper_ops;

/* An initial step is chosen for a motion of this length [s], so that the end time of a run does not
   change its start. */
#define APL_FIRST_SPAN 1.0

/* Padding after the last component of y and y0. */
enum { APL_STEPPER_ROOM = 4 };

struct apl_stepper {
  const stepper_ops* ops;
  const char* word;
  apl_stepper_options options;
  int table; /* which of the method's tables                                               */
  apl_rate rate;
  void* context;
  double t, *y;   /* where it is                                                                */
  double t0, *y0; /* where the last step began                                                  */
  void* data;     /* the method's own                                                           */
  long evaluations, steps;
  int since;        /* steps since the last restart */
  bool shaped;      /* with a later t_end the last step would have been another one */
  apl_status cause; /* status of the failed rate function */
  char reason[200];
};

/* Call the rate function, counting and keeping its status. */
apl_status apl_stepper_rate(apl_stepper* s, double t, const double* y, double* rate);

/* The same for the first n_error rates only. */
apl_status apl_stepper_motion(apl_stepper* s, double t, const double* y, double* rate);

/* All rates at the end of a step. */
apl_status apl_stepper_landed(apl_stepper* s, double t, const double* y, double* rate);

/* Count an evaluation at time t with status `st` and call the poll function; returns the resulting
   status. */
apl_status apl_stepper_evaluated(apl_stepper* s, double t, apl_status st);

/* y at t by the cubic through the ends of the last step, with the rates f0, f1 there. */
void apl_stepper_cubic(const apl_stepper* s, double t, const double* f0, const double* f1,
                       double* y);

/* True if a smaller step may succeed: a model that is singular or not finite at one point may be
   regular nearby. All other errors are final. */
static inline bool apl_stepper_may_retry(apl_status st) {
  return st == APL_ERR_SINGULAR || st == APL_ERR_NOT_FINITE || st == APL_ERR_CONTACT;
}

/* Variants of methods that share a file: apl_stepper.table. */
enum {
  TABLE_RK4,
  TABLE_SEMI_IMPLICIT,
  TABLE_RKF45,
  TABLE_RKF78,
  TABLE_DOP853,
  TABLE_ADAMS,
  TABLE_BDF,
  TABLE_STIFF,
  TABLE_AUTO
};
