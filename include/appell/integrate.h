/* integrate.h: y' = f(t, y) forward in time. Methods by name:

     auto           dop853 or stiff, chosen during the run by counts of steps
     rkf45          explicit, adaptive, Fehlberg 4(5)
     rkf78          explicit, adaptive, Fehlberg 7(8), for reference accuracy
     dop853         explicit, adaptive, Dormand-Prince 8(5,3)
     adams          explicit, adaptive, multistep                   CVODE
     stiff          implicit, adaptive, orders 1 to 5; needs apl_implicit
     bdf            implicit, adaptive, any stiff y' = f(t, y)      CVODE
     rk4            explicit, fixed step, order 4
     semi-implicit  fixed step, order 1: velocities first, then coordinates with the new ones

   The integrators `moreau` and `gen-alpha` of runs are not steppers, see run.h.

   A stepper makes one step at a time; its caller handles events between the steps. */
#pragma once

#include "appell/base.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct apl_stepper apl_stepper;

/* Fill rate[n] at (t, y). APL_ERR_SINGULAR and APL_ERR_NOT_FINITE make the method try a smaller
   step, if it can; any other status but APL_OK ends the step with this status. */
typedef apl_status (*apl_rate)(double t, const double* y, double* rate, void* context);

/* Functions that `stiff` needs in addition to the rates. One step is the equation y = psi + c y'(t,
   y) for the first n_error numbers of y, with c [s] and psi given. Statuses as in apl_rate. */
typedef struct apl_implicit {
  /* Called once, before the run; memory is allocated here only. */
  apl_status (*open)(void* context, apl_error* err);

  /* y is a guess: prepare the Newton matrix there, once a step. May improve y. */
  apl_status (*begin)(double t, double c, const double* psi, double* y, void* context);

  /* One iteration: y comes closer. */
  apl_status (*iterate)(double t, double c, const double* psi, double* y, void* context);

  /* y is solved: fill rate[n] there. Only what follows the first n_error numbers is used. */
  apl_status (*finish)(double t, double c, const double* psi, const double* y, double* rate,
                       void* context);

  /* Of y'(t, y), for `bdf`: open it once, then fill J[n*n], d y'_i / d y_k at J[k*n + i]. Columns
     beyond the first n_error are zero: the rest of y is integrated along. NULL: differences. */
  apl_status (*open_jacobian)(void* context, apl_error* err);
  apl_status (*jacobian)(double t, const double* y, int n, double* J, void* context);
} apl_implicit;

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

APL_API apl_status apl_stepper_new(const apl_stepper_options* options, apl_rate rate, void* context,
                                   apl_stepper** out, apl_error* err);
APL_API void apl_stepper_free(apl_stepper* stepper); /* accepts NULL */

/* Start, or start again, at (t, y): forget all history. */
APL_API apl_status apl_stepper_restart(apl_stepper* stepper, double t, const double* y);

/* Go back to (t, y), where one of the last steps began, to take another step from there. Methods
   that have kept their history of that time continue with it; others start again. */
APL_API apl_status apl_stepper_rewind(apl_stepper* stepper, double t, const double* y);

/* Continue from y[n] at the present time after a small change of y, such as a projection onto
   constraints. One-step methods keep their step; others start again. */
APL_API apl_status apl_stepper_adjust(apl_stepper* stepper, const double* y);

/* Continue from the present y after a jump of the rates (a new input, say). One-step methods keep
   their step; others start again. */
APL_API apl_status apl_stepper_jolt(apl_stepper* stepper);

/* Whether apl_stepper_adjust() is cheap; multistep methods have to start again. */
APL_API bool apl_stepper_adjusts(const apl_stepper* stepper);

/* One step, landing at t_end exactly if that comes first; *t and y[n] are where it ended. */
APL_API apl_status apl_stepper_step(apl_stepper* stepper, double t_end, double* t, double* y);

/* y[n] at a time inside the last step, from apl_stepper_start() to apl_stepper_end(). _inside() is
   cheap and good enough to search for events; _read() is as accurate as the step itself and may
   need evaluations. Where apl_stepper_lands() is true the method has no such interpolation: end a
   step at each output. */
APL_API double apl_stepper_start(const apl_stepper* stepper);
APL_API double apl_stepper_end(const apl_stepper* stepper);
APL_API apl_status apl_stepper_inside(apl_stepper* stepper, double t, double* y);
APL_API apl_status apl_stepper_read(apl_stepper* stepper, double t, double* y);
APL_API bool apl_stepper_lands(const apl_stepper* stepper);

/* Save a stepper and continue later with exactly the same steps: its internal state beside (t, y),
   [apl_method_memory_size()] for at most n numbers in y. Methods whose history cannot be saved
   restart after a fixed number of steps, and can be saved only there. */
APL_API int apl_method_memory_size(const char* method, int n);
APL_API bool apl_stepper_can_be_left(const apl_stepper* stepper);

/* The next step, if it may depend on t_end; 0: it does not. */
APL_API double apl_stepper_next(const apl_stepper* stepper);
APL_API void apl_stepper_remember(const apl_stepper* stepper, double* memory);
APL_API apl_status apl_stepper_recall(apl_stepper* stepper, double t, const double* y,
                                      const double* memory);

/* The length of the last step over that at which the method becomes unstable, estimated from its
   stages (docs/theory/integrators.md). Many steps of about 1 are a stiff system. 0 if a method
   has no estimate. */
APL_API double apl_stepper_limited(const apl_stepper* stepper);

/* Which method `auto` has in use, and what it did; of other methods only their own name. */
typedef struct apl_switching {
  const char* method; /* the one in use                                                           */
  long changes;       /* from one method to the other                                             */
  double first;       /* time of the first of them [s]                                            */
  double held;        /* step that stability allowed then; 0: explicit steps became too small [s] */
  double implicit;    /* simulated time with the implicit method [s]                              */
} apl_switching;
APL_API apl_switching apl_stepper_switching(const apl_stepper* stepper);

/* Why the last call failed, as one sentence; "" after a success. */
APL_API const char* apl_stepper_reason(const apl_stepper* stepper);

/* Does the method take steps of the length it was given? */
APL_API bool apl_stepper_is_fixed(const apl_stepper* stepper);

/* Calls of the rate function so far, and steps. */
APL_API long apl_stepper_evaluations(const apl_stepper* stepper);
APL_API long apl_stepper_steps(const apl_stepper* stepper);

/* The names above, one after the other; NULL beyond the last. */
APL_API const char* apl_method_word(int i);
APL_API bool apl_method_adapts(const char* method);     /* false: fixed steps, or no such method */
APL_API bool apl_method_steps_time(const char* method); /* moreau, gen-alpha: no stepper has them */

#ifdef __cplusplus
}
#endif
