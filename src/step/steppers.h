/* SPDX-License-Identifier: Apache-2.0 */
/* steppers.h: integration of y' = f(t, y). appell/run.h has the names of the methods; `moreau` and
   `gen-alpha` are not steppers. `stiff` needs apl_implicit.

   A stepper makes one step at a time; its caller handles events between the steps. */
#pragma once

#include "appell/run.h"

#include "base/store.h"
#include "system/equations.h"

typedef struct apl_stepper apl_stepper;

typedef struct apl_stepper_options {
  const char* method;
  int n;       /* numbers in y                                                             */
  int n_error; /* the first n_error of them are in the error norm; no rate may depend on the rest,
                  so methods may skip the rest in their stages */
  /* The first n_error rates only, for stages without weight in the rest; NULL: all rates. */
  apl_rate motion;
  /* The rates at the end of a step, where the caller will look next: methods use this function
     there; NULL: the same as `rate`. */
  apl_rate landed;
  int n_first; /* y = [coordinates (n_first), velocities (n_second), rest]: semi-implicit, auto */
  int n_second;
  double tolerance; /* relative; adaptive methods                                               */
  double absolute;  /* absolute tolerance; 0 means the relative one                             */
  double absolute_rate; /* the same for the n_second velocities; 0: `absolute`. For `stiff`       */
  double step;     /* fixed-step methods: the step; adaptive: the first step, 0 chooses        */
  double max_step; /* 0: no limit                                                              */
  const apl_implicit* implicit; /* of the system; NULL: none, which `stiff` refuses             */

  /* called after every evaluation of the rates, may be NULL; anything but APL_OK ends the step */
  apl_status (*poll)(double t, void* user);
  void* poll_user;
} apl_stepper_options;

apl_status apl_stepper_new(const apl_stepper_options* options, apl_rate rate, void* context,
                           apl_stepper** out, apl_error* err);
void apl_stepper_free(apl_stepper* stepper); /* accepts NULL */

/* Start, or start again, at (t, y): forget all history. */
apl_status apl_stepper_restart(apl_stepper* stepper, double t, const double* y);

/* Go back to (t, y), where one of the last steps began, to take another step from there. Methods
   that have kept their history of that time continue with it; others start again. */
apl_status apl_stepper_rewind(apl_stepper* stepper, double t, const double* y);

/* Continue from y[n] at the present time after a small change of y, such as a projection onto
   constraints. One-step methods keep their step; others start again. */
apl_status apl_stepper_adjust(apl_stepper* stepper, const double* y);

/* Continue from the present y after a jump of the rates (a new input, say). One-step methods keep
   their step; others start again. */
apl_status apl_stepper_jolt(apl_stepper* stepper);

/* Whether apl_stepper_adjust() is cheap; multistep methods have to start again. */
bool apl_stepper_adjusts(const apl_stepper* stepper);

/* Drift of constraints is to be corrected by the smallest change in the norm of M + c C + c^2 K:
   this is c [s]; 0: the mass norm. */
double apl_stepper_norm(const apl_stepper* stepper);

/* One step, landing at t_end exactly if that comes first; *t and y[n] are where it ended. */
apl_status apl_stepper_step(apl_stepper* stepper, double t_end, double* t, double* y);

/* y[n] at a time inside the last step, from apl_stepper_start() to apl_stepper_end(). _inside() is
   cheap and good enough to search for events; _read() is as accurate as the step itself and may
   need evaluations. Where apl_stepper_lands() is true the method has no such interpolation: end a
   step at each output. */
double apl_stepper_start(const apl_stepper* stepper);
double apl_stepper_end(const apl_stepper* stepper);
apl_status apl_stepper_inside(apl_stepper* stepper, double t, double* y);
apl_status apl_stepper_read(apl_stepper* stepper, double t, double* y);
bool apl_stepper_lands(const apl_stepper* stepper);

/* Save a stepper and continue later with exactly the same steps: its internal state beside (t, y),
   [apl_method_memory_size()] for at most n numbers in y. Methods whose history cannot be saved
   restart after a fixed number of steps, and can be saved only there. */
int apl_method_memory_size(const char* method, int n);
bool apl_stepper_can_be_left(const apl_stepper* stepper);

/* True if t_end of the last call of apl_stepper_step() has influenced this step or the next one,
   also where that call has failed: with a later t_end they would be other steps. */
bool apl_stepper_shaped(const apl_stepper* stepper);

/* Writes; or begins at (t, y) with what is read. APL_ERR_ARGUMENT: a number was out of range, which
   the store names. */
void apl_stepper_remember(apl_stepper* stepper, apl_store* memory);
apl_status apl_stepper_recall(apl_stepper* stepper, double t, const double* y, apl_store* memory);

/* The length of the last step over that at which the method becomes unstable, estimated from its
   stages (docs/theory/integrators.md). Many steps of about 1 are a stiff system. 0 if a method
   has no estimate. */
double apl_stepper_limited(const apl_stepper* stepper);

/* The methods that a stepper has used. */
apl_switching apl_stepper_switching(const apl_stepper* stepper);

/* Why the last call failed, as one sentence; "" after a success. */
const char* apl_stepper_reason(const apl_stepper* stepper);

/* True for methods with a fixed step length. */
bool apl_stepper_is_fixed(const apl_stepper* stepper);

/* Calls of the rate function so far, and steps. */
long apl_stepper_evaluations(const apl_stepper* stepper);
long apl_stepper_steps(const apl_stepper* stepper);

/* The names above, one after the other; NULL beyond the last. */
const char* apl_method_word(int i);

bool apl_method_steps_time(const char* method); /* moreau, gen-alpha: no stepper has them */
