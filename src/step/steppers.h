/* steppers.h: y' = f(t, y) forward in time. appell/run.h has the names of the methods;
   `moreau` and `gen-alpha` are no steppers. `stiff` needs apl_implicit.

   A stepper makes one step at a time; its caller handles events between the steps. */
#pragma once

#include "appell/run.h"

#include "system/equations.h"

typedef struct apl_stepper apl_stepper;

typedef struct apl_stepper_options {
  const char* method;
  int n;       /* numbers in y                                                             */
  int n_error; /* the first n_error of them count in the error norm; the rest follow: no
                  rate may depend on them, methods may leave them out of their stages      */
  /* The first n_error rates alone, for stages that do not count for the rest; NULL: all of them. */
  apl_rate motion;
  /* The rates where a step has ended, which is where whoever drives it looks next: methods that ask
     for them there ask this one; NULL: the same as everywhere. */
  apl_rate landed;
  int n_first; /* y = [coordinates (n_first), velocities (n_second), rest]: semi-implicit, auto */
  int n_second;
  double tolerance; /* relative; adaptive methods                                               */
  double absolute;  /* absolute tolerance; 0 means the relative one                             */
  double step;      /* fixed-step methods: the step; adaptive: the first step, 0 chooses        */
  double max_step;  /* 0: no limit                                                              */
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

/* The next step, if it may depend on t_end; 0: it does not. */
double apl_stepper_next(const apl_stepper* stepper);
void apl_stepper_remember(const apl_stepper* stepper, double* memory);
apl_status apl_stepper_recall(apl_stepper* stepper, double t, const double* y,
                              const double* memory);

/* The length of the last step over that at which the method becomes unstable, estimated from its
   stages (docs/theory/integrators.md). Many steps of about 1 are a stiff system. 0 if a method
   has no estimate. */
double apl_stepper_limited(const apl_stepper* stepper);

/* What a stepper did. */
apl_switching apl_stepper_switching(const apl_stepper* stepper);

/* Why the last call failed, as one sentence; "" after a success. */
const char* apl_stepper_reason(const apl_stepper* stepper);

/* Does the method take steps of the length it was given? */
bool apl_stepper_is_fixed(const apl_stepper* stepper);

/* Calls of the rate function so far, and steps. */
long apl_stepper_evaluations(const apl_stepper* stepper);
long apl_stepper_steps(const apl_stepper* stepper);

/* The names above, one after the other; NULL beyond the last. */
const char* apl_method_word(int i);

/* moreau, gen-alpha: no stepper has them. */
bool apl_method_steps_time(const char* method); /* moreau, gen-alpha: no stepper has them */
