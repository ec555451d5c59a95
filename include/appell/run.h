/* SPDX-License-Identifier: Apache-2.0 */
/* run.h: simulate a model over time, with a check of its energy balance.

   A system is a model with signals for inputs and for prescribed freedoms. Its vector is
   y = [q, v, bristles and integrals of servos, angles of wheels and rotors, impulses of contacts,
   ledger]. Every run checks the ledger: kinetic plus potential energy minus all accounts must stay
   constant. */
#pragma once

#include "appell/dynamics.h"
#include "appell/file.h"
#include "appell/signal.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A robot that is driven. */
typedef struct apl_system apl_system;

/* The model must outlive the system. Its state begins at rest, inputs at zero. */
APL_API apl_status apl_system_new(const apl_model* model, apl_system** out, apl_error* err);
APL_API void apl_system_free(apl_system* system); /* accepts NULL */

/* The state the system works on: set q and v here before a run; read everything here afterwards. */
APL_API apl_state* apl_system_state(apl_system* system);

/* Connect an input to a signal, which the system then owns. NULL: back to the value in apl_u(). */
APL_API apl_status apl_system_input(apl_system* system, int input, apl_signal* signal,
                                    apl_error* err);

/* Motion of a prescribed freedom: a coordinate of a joint whose velocities are the rates of its
   coordinates (or a deformation), one whose velocity has the same name (the steering of a car, the
   lean of a disc), or any velocity. The signal and its derivative must be continuous. */
APL_API apl_status apl_system_motion(apl_system* system, int coordinate, apl_signal* signal,
                                     apl_error* err);

/* End the present run with this message: for callbacks (controllers, events, outputs) that cannot
   continue. apl_run() returns APL_ERR_STOPPED, and err has the time and the message; a recorded
   result says "failed" with both. */
APL_API void apl_system_stop(apl_system* system, const char* sentence);

/* Hold a velocity at zero from now on, or release it: a constraint with the effort that
   apl_system_held() returns. */
APL_API apl_status apl_system_hold(apl_system* system, int velocity, bool on, apl_error* err);
APL_API double apl_system_held(const apl_system* system, int velocity); /* effort; 0 if not held  */

/* The ledger: energies, account totals, and their sum T + V - accounts. */
typedef struct apl_ledger {
  double kinetic, potential;
  double account[APL_NACCOUNT];
  double sum;
  bool has_momentum; /* false if it is not checked, as with slaved joints, whose ground forces are
                        not known */
  double momentum[6], impulse[6]; /* momentum, and the impulse from outside since the start      */
} apl_ledger;

/* ----------------------------------------------------------------------------------- loops ---- */

/* How loops are closed while a system moves. */
typedef struct apl_loop_options {
  const char* method; /* multipliers, reduced or springs; NULL: multipliers                       */
  double stabilise;   /* multipliers: rate of Baumgarte stabilisation [1/s]                       */
  double frequency;   /* springs without a given stiffness: natural frequency [rad/s]             */
  double ratio;       /* ... and its damping ratio                                                */
  double stiffness, damping; /* springs: of all rows, instead of the model's; 0: the model's      */
  bool slow;  /* springs: start with preloaded springs, so that they do not vibrate */
  bool go_on; /* springs: continue with the springs of the previous run, for apl_step() */
} apl_loop_options;

/* Limits of an input; infinite where there is none. */
APL_API void apl_system_input_bounds(const apl_system* system, int input, double* least,
                                     double* greatest);

/* Result of inverse dynamics with loops. */
typedef struct apl_actuation {
  bool unique;        /* the efforts of actuators are unique; otherwise they are the smallest     */
  bool unique_forces; /* the same for the loop forces                                             */
} apl_actuation;

/* Inverse dynamics with loops closed, for q, v, a of the state: the inputs that produce this
   motion, and the loop forces. Actuators are the inputs of the model, or, if it has none or
   `joints` is set, efforts on all velocities that are not prescribed. Afterwards u (or tau), the
   loop forces and the efforts tau of prescribed freedoms are in the state, so that apl_reactions()
   gives the joint reactions. Fails with a sentence if the inputs cannot produce the motion. */
APL_API apl_status apl_system_inverse(apl_system* system, bool joints, apl_actuation* report,
                                      apl_error* err);

/* ------------------------------------------------------------------------------------ runs ---- */

/* An event: a zero of g, located between steps. direction: +1 rising, -1 falling, 0 both. The
   action may change the velocities of the state and returns whether to continue. */
typedef enum apl_action { APL_GO_ON, APL_STOP_HERE } apl_action;
typedef struct apl_event {
  const char* name;
  double (*g)(double t, apl_system* system, void* user);
  apl_action (*action)(double t, apl_system* system, void* user);
  int direction;
  bool twice;   /* also search for two crossings within one step, with two more evaluations */
  double reach; /* > 0: a force has a kink where g = 0; a step may pass it by at most this much in
                   g */
  bool rounded; /* a smoothed kink: `reach` limits steps, but the zero is not located and has no
                   action */
  void* user;
} apl_event;

/* A contact that has ended; with the law `restitution` it begins and ends at the same time. */
typedef struct apl_impact {
  int contact;                /* apl_model_name(.., APL_CONTACTS, ..)                             */
  int shape[2];               /* the two of APL_SHAPES that touched; -1: a ground                 */
  double start, end;          /* [s]                                                              */
  double speed_in, speed_out; /* normal speed of the point when it closed and when it opened
                                 [m/s] */
  double slip_in[2];          /* along the two directions of the ground, when it closed ...       */
  double slip_out[2];         /* ... and when it opened [m/s]                                     */
  double impulse;             /* of the normal force [N s]                                        */
  double peak;                /* largest normal force [N], 0 for an impact without duration */
} apl_impact;

/* Progress of a run. */
typedef struct apl_progress {
  double t, to; /* [s]                                                                            */
  long steps, evaluations;
  double step;         /* mean length of the last steps [s] */
  double left;         /* estimated number of steps until the end */
  const char* limit;   /* coordinate or velocity that limits the step length; NULL: not known yet */
  const char* contact; /* a contact that is closed, NULL: none                                    */
  bool rigid;          /* ... and is rigid, or one that sticks                                    */
  double slides;       /* ... and slides with this coefficient of friction, 0: it does not       */
  const char* settling; /* velocity with a very short time constant of friction, NULL: none ... */
  double settles;       /* ... its time constant [s]                                              */
  const char* method;   /* in use                                                                 */
  bool chosen;          /* ... by auto                                                            */
} apl_progress;

/* Methods by name:

     auto           dop853 or stiff, chosen during the run by counts of steps
     rkf45          explicit, adaptive, Fehlberg 4(5)
     rkf78          explicit, adaptive, Fehlberg 7(8), for reference accuracy
     dop853         explicit, adaptive, Dormand-Prince 8(5,3)
     adams          explicit, adaptive, multistep                   CVODE
     stiff          implicit, adaptive, orders 1 to 5
     bdf            implicit, adaptive, orders 1 to 5               CVODE
     rk4            explicit, fixed step, order 4
     semi-implicit  fixed step, order 1: velocities first, then coordinates with the new ones
     moreau         time stepping for any number of contacts, fixed step
     gen-alpha      generalised alpha for stiff loops without contacts, fixed step

   Whether a method chooses its steps; false: fixed steps, or no such method. */
APL_API bool apl_method_adapts(const char* method);

/* The method that `auto` uses at present, and its changes. For other methods only their own
   name. */
typedef struct apl_switching {
  const char* method; /* the one in use                                                           */
  long changes;       /* from one method to the other                                             */
  double first;       /* time of the first of them [s]                                            */
  double held;        /* step length at the limit of stability then [s]; 0: explicit steps became
                         too small */
  double implicit;    /* simulated time with the implicit method [s]                              */
} apl_switching;

/* How to simulate; begin with apl_run_options_default() or apl_file_options(). */
typedef struct apl_run_options {
  double from, to;     /* [s]                                                              */
  double output_every; /* [s]; 0: only the ends                                            */
  const char* method;  /* one of the names above                                           */
  double tolerance;
  double absolute;        /* absolute tolerance; 0: equal to tolerance */
  double step;            /* fixed-step methods: step length; others: first step, 0: automatic */
  double max_step;        /* 0: no limit */
  double spectral_radius; /* gen-alpha: spectral radius at infinite frequency, 0 to 1 */
  double memory_limit; /* for matrices of contacts, constraints and bdf [GB]; 0: the default, 2 */
  apl_loop_options loops;
  bool energy_only; /* do not check momentum: about 10 % faster */
  const apl_event* event;
  int nevent;

  /* called at every output, state up to date; anything but APL_OK ends the run there */
  apl_status (*output)(double t, const double* y, const apl_ledger* ledger, apl_system* system,
                       void* user);

  /* called after every poll_every-th evaluation of the rates (0: each), inside steps too; anything
     but APL_OK ends the run there with APL_ERR_STOPPED. It must not change the system. */
  apl_status (*poll)(const apl_progress* progress, void* user);
  int poll_every;

  /* called when an impact is over */
  void (*impact)(const apl_impact* impact, apl_system* system, void* user);

  /* Checkpoints, after every checkpoint_every outputs (0: never), at the end of the next step at
     which the method can be interrupted: y and the memory of the run besides y. A resumed run makes
     the same steps and gives the same bytes. Checkpoints do not change the motion. The recorder
     (recorder.h) writes and reads them; other callers leave these three members unset. */
  apl_status (*checkpoint)(double t, const double* y, const double* memory, void* user);
  int checkpoint_every;
  const struct apl_resume* resume; /* NULL: from the beginning                                   */

  /* a sampled controller: called every control_every seconds (0: at every step of a method whose
     steps are fixed), may write apl_u() and apl_tau() */
  void (*control)(double t, apl_system* system, void* user);
  double control_every;
  void* user;
} apl_run_options;

/* Defaults: auto with tolerance 1e-8 from 0 to 1 s, output every 10 ms. */
APL_API apl_run_options apl_run_options_default(void);

/* The options of the `run` block of a file. */
APL_API apl_run_options apl_file_options(const apl_file* file);

/* What a run did, and how well energy and momentum were kept. */
typedef struct apl_run_report {
  double t; /* where it ended                                                   */
  long steps, evaluations, events, outputs, impacts;
  double error;      /* largest |T + V - accounts - start| at ends of steps [J]          */
  double scale;      /* largest T + |dV| + sum of |accounts| [J]                         */
  double relative;   /* error / scale                                                    */
  double mean;       /* mean of the error over these ends of steps, relative             */
  double momentum;   /* largest |momentum - impulse - start|, relative to the largest momentum that
                        is possible with that energy; the worse of angular and linear */
  double promise;    /* limit of `relative` and `momentum`: 100 times the tolerance of an adaptive
                        method, 1e-3 with fixed steps, 1e-2 with moreau                         */
  bool audited;      /* the ledgers were evaluated at least twice, so that they could be compared */
  bool has_momentum; /* momentum was checked too: not with unknown ground forces or energy_only */
  double opened_from, opened_to; /* the outputs between which the energy error grew most [s] */
  int opened_account;            /* the account that changed most there, -1: none            */

  bool discretisation; /* integrator moreau: `error` is its discretisation error */
  long merged; /* fixed steps: outputs inside a step, which have no row                           */
  double contact_residual; /* largest relative residual of the contact solver */
  long contact_rough;      /* steps whose residual is above the solver's tolerance */
  long contact_shared;     /* steps whose contact forces are not unique, among those examined (with
                              moreau every 16th) */
  double contact_gain;     /* largest energy that restitution added in a step [J], and when       */
  double contact_gain_at;
  double contact_stiffest; /* largest h sqrt(k/m) of contacts and stops; above 1 the rebound depends
                              on the step length */
  int contact_stiffest_of; /* the contact, or -1 - coordinate of the stop, that it is of          */

  apl_switching switching; /* integrator auto: which method it ended with, and since when */
  bool undamped; /* integrator stiff on a model without damping, to which it adds numerical damping
                  */
} apl_run_report;

/* Simulate from the present state of the system to options->to. Contacts and events are
   located between steps, but with the methods `moreau` (time stepping with fixed steps
   options->step for any number of contacts) and `gen-alpha` (fixed steps for robots with stiff
   loops and without contacts) events and outputs are handled at the ends of steps. On failure err
   says when and why, the state is the last good one, and all outputs until then have been made. */
APL_API apl_status apl_run(apl_system* system, const apl_run_options* options,
                           apl_run_report* report, apl_error* err);

/* Simulate one control period with the method of options, from time t; inputs and efforts are
   constant. The integrator continues from one call to the next (it is kept in the system, until
   apl_run() or apl_system_free()) if t, options and state are those that the last call left. New
   inputs cost one more evaluation; after any other change the integrator starts again. */
APL_API apl_status apl_step(apl_system* system, double t, double period,
                            const apl_run_options* options, apl_error* err);

#ifdef __cplusplus
}
#endif
