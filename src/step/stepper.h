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

  /* one step from (s->t, s->y), not beyond t_end; leaves the new place in s->t, s->y */
  apl_status (*step)(apl_stepper* s, double t_end);

  /* inside the last step: cheaply, for a look; and as exactly as the method steps, NULL: it cannot,
     and whoever wants an output must land on it */
  apl_status (*inside)(apl_stepper* s, double t, double* y);
  apl_status (*read)(apl_stepper* s, double t, double* y);

  /* s->y has been changed a little; NULL: restart */
  apl_status (*adjust)(apl_stepper* s);

  /* what acts has changed at once, s->y has not: the step stays; NULL: restart */
  apl_status (*jolt)(apl_stepper* s);

  /* s->t, s->y are where one of the last steps began; NULL: restart */
  apl_status (*rewind)(apl_stepper* s);

  /* What it takes to go on from (s->t, s->y) as if nothing had happened: how many numbers, for y of
     n; all NULL: none. A method that cannot tell begins anew every renew_every steps. */
  int (*memory_size)(int n);
  void (*remember)(const apl_stepper* s, double* out);
  apl_status (*recall)(apl_stepper* s, const double* in);
  int renew_every;

  /* the next step, at least as long as the way that is left where t_end has changed it; NULL: t_end
     changes none but the last */
  double (*next)(const apl_stepper* s);

  /* the length of the last step over that at which the method becomes unstable; NULL: not known */
  double (*limited)(const apl_stepper* s);

  /* which method is in use; NULL: there is one only */
  apl_switching (*switching)(const apl_stepper* s);
} stepper_ops;

/* A first step is chosen for a motion of this length [s], whatever lies ahead: where a run is to
   end must not change how it begins. */
#define APL_FIRST_SPAN 1.0

/* Room behind the last number of y and y0, whatever stands there. */
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
  int since; /* steps since it began anew                                                         */
  apl_status cause; /* what the rate function said when it failed                                 */
  char reason[200];
};

/* Call the rate function, counting and keeping its status. */
apl_status apl_stepper_rate(apl_stepper* s, double t, const double* y, double* rate);

/* The same where only the first n_error rates are asked for. */
apl_status apl_stepper_motion(apl_stepper* s, double t, const double* y, double* rate);

/* All of them where a step has ended. */
apl_status apl_stepper_landed(apl_stepper* s, double t, const double* y, double* rate);

/* Count an evaluation at time t that ended with `st` and ask whether to go on; returns the status
   from there on. */
apl_status apl_stepper_evaluated(apl_stepper* s, double t, apl_status st);

/* y at t by the cubic through the ends of the last step, with the rates f0, f1 there. */
void apl_stepper_cubic(const apl_stepper* s, double t, const double* f0, const double* f1,
                       double* y);

/* May a smaller step do? A model that is singular or not finite somewhere may be fine nearer. What
   else a rate function says is final. */
static inline bool apl_stepper_may_retry(apl_status st) {
  return st == APL_ERR_SINGULAR || st == APL_ERR_NOT_FINITE || st == APL_ERR_CONTACT;
}

extern const stepper_ops apl_stepper_fixed;
extern const stepper_ops apl_stepper_pair;
extern const stepper_ops apl_stepper_pair_landing;
extern const stepper_ops apl_stepper_multistep;
extern const stepper_ops apl_stepper_stiff;
extern const stepper_ops apl_stepper_auto;
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
