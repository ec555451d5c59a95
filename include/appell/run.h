/* run.h: simulate a model over time, with a check of its energy balance.

   A system is a model with signals for inputs and for prescribed freedoms. Its vector is
   y = [q, v, bristles and integrals of servos, angles of wheels and rotors, impulses of contacts,
   ledger]. Every run checks the ledger: kinetic plus potential energy minus all accounts must stay
   constant. */
#pragma once

#include "appell/dynamics.h"
#include "appell/file.h"
#include "appell/integrate.h"
#include "appell/loop.h"
#include "appell/record.h"
#include "appell/signal.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct apl_system apl_system;

/* The model must outlive the system. Its state begins at rest, inputs at zero. */
APL_API apl_status apl_system_new(const apl_model* model, apl_system** out, apl_error* err);
APL_API void apl_system_free(apl_system* system); /* accepts NULL */

APL_API const apl_model* apl_system_model(const apl_system* system);

/* The state the system works on: set q and v here before a run; read everything here afterwards. */
APL_API apl_state* apl_system_state(apl_system* system);

/* Connect an input to a signal, which the system then owns. NULL: back to the value in apl_u(). */
APL_API apl_status apl_system_input(apl_system* system, int input, apl_signal* signal,
                                    apl_error* err);

/* Limits of an input; values beyond them are clipped. */
APL_API apl_status apl_system_input_limit(apl_system* system, int input, double least,
                                          double greatest, apl_error* err);
APL_API void apl_system_input_bounds(const apl_system* system, int input, double* least,
                                     double* greatest);

/* The limits of an input fall linearly to zero at `speed` while it drives this velocity (negative
   if a positive input drives backwards), as those of a motor; while it brakes they are constant.
 */
APL_API apl_status apl_system_input_speed(apl_system* system, int input, int velocity, double speed,
                                          apl_error* err);

/* Motion of a prescribed freedom: a coordinate of a joint whose velocities are the rates of its
   coordinates (or a deformation), one whose velocity has the same name (the steering of a car, the
   lean of a disc), or any velocity. The signal and its derivative must be continuous. */
APL_API apl_status apl_system_motion(apl_system* system, int coordinate, apl_signal* signal,
                                     apl_error* err);
/* For a joint whose servo has damping only, this is the aim of its velocity control. */
APL_API apl_status apl_system_velocity(apl_system* system, int velocity, apl_signal* signal,
                                       apl_error* err);

/* Drive a base that rolls, with a prescribed joint, along a path: a table with the columns time, x
   and y, and perhaps heading, in SI or in the units of the table. Splines through the points give
   the velocities; the state is put where the path is at time 0. Without headings a base that cannot
   move sideways points along the path, any other keeps the heading of the state. A path that would
   need sideways slip is refused. */
APL_API apl_status apl_system_path(apl_system* system, int link, const apl_table* table,
                                   apl_error* err);

/* Number of waves of the first gait of a file that has one; 0 if there is none. */
APL_API double apl_file_waves(const apl_file* file);

/* Check that every prescribed freedom has a motion; err names one that has none. */
APL_API apl_status apl_system_check(const apl_system* system, apl_error* err);

/* y and y': sizes, pack from the state, unpack into it, rates (an apl_rate with the system as its
   context). n_error: how many of them count in the error norm of an integrator. */
APL_API int apl_system_size(const apl_system* system);
APL_API int apl_system_error_size(const apl_system* system);

/* Accounts through which nothing can flow need not be integrated. apl_system_activate() sorts the
   ledger of y so that the first apl_system_active_size() numbers of y are those that change: with
   `all` all accounts (as in the beginning), else those that the present drives and efforts can
   change; with `momentum` the impulse too. apl_run() does so at its start, all of them when a
   controller or events may act too. apl_system_unpack() reads the active numbers only,
   apl_system_restore() all. */
APL_API void apl_system_activate(apl_system* system, bool all, bool momentum);
APL_API int apl_system_active_size(const apl_system* system);
APL_API void apl_system_restore(apl_system* system, double t, const double* y);
APL_API void apl_system_pack(apl_system* system, double* y);
APL_API void apl_system_unpack(apl_system* system, double t, const double* y);
APL_API apl_status apl_system_rate(double t, const double* y, double* rate, void* system);

/* The next time after t at which a signal has a jump or a corner. */
APL_API double apl_system_break(const apl_system* system, double t);

/* End the present run with this sentence: for callbacks (controllers, events, outputs) that cannot
   continue. apl_run() returns APL_ERR_STOPPED, err has the time and the sentence; a recorded result
   says "failed" with both. */
APL_API void apl_system_stop(apl_system* system, const char* sentence);

/* Hold a velocity at zero from now on, or release it: a constraint with the effort that
   apl_system_held() returns. */
APL_API apl_status apl_system_hold(apl_system* system, int velocity, bool on, apl_error* err);
APL_API double apl_system_held(const apl_system* system, int velocity); /* effort; 0 if not held  */

/* Depths, slips and forces of all contacts for the present state, for apl_contact_get(), including
   constraint forces of rigid contacts at rest and of stiction. */
APL_API apl_status apl_system_contacts(apl_system* system);

/* The discrete state of contacts (closed or not, since when, impact speed, sticking) is kept beside
   y: copy it out [apl_system_memory_size] and back. */
APL_API int apl_system_memory_size(const apl_system* system);
APL_API void apl_system_remember(apl_system* system, double* memory);
APL_API void apl_system_recall(apl_system* system, const double* memory);

/* Add to the ledger the energy that an event added or removed, and the impulse [6] with it. */
APL_API void apl_system_deposit(apl_system* system, double energy, const double* impulse);

/* The ledger at (t, y): energies, account totals, and their sum T + V - accounts. */
typedef struct apl_ledger {
  double kinetic, potential;
  double account[APL_NACCOUNT];
  double sum;
  bool has_momentum; /* false if it is not checked, as with slaved joints, whose ground forces are
                        not known */
  double momentum[6], impulse[6]; /* momentum, and the impulse from outside since the start      */
} apl_ledger;
APL_API apl_status apl_system_audit(apl_system* system, double t, const double* y, apl_ledger* out);

/* ----------------------------------------------------------------------------------- loops ---- */

/* How loops are closed while a system moves. */
typedef struct apl_loop_options {
  const char* method; /* a word of apl_loop_method_word(); NULL: multipliers                      */
  double stabilise;   /* multipliers: rate of Baumgarte stabilisation [1/s]                       */
  double frequency;   /* springs without a given stiffness: natural frequency [rad/s]             */
  double ratio;       /* ... and its damping ratio                                                */
  double stiffness, damping; /* springs: of all rows, instead of the model's; 0: the model's      */
  bool slow; /* springs: start under load, so that they do not vibrate                            */
  bool go_on; /* springs: continue with those of the previous run, for apl_step()                */
} apl_loop_options;

/* Multipliers without Baumgarte; springs of 1000 rad/s, ratio 1. */
APL_API apl_loop_options apl_loop_options_default(void);
APL_API const char* apl_loop_method_word(int i);

/* What the run block of a file says about loops. */
APL_API apl_loop_options apl_file_loops(const apl_file* file);

/* Choose the method for the present state at time t; options may be NULL. apl_run() does so with
   the options of the run. */
APL_API apl_status apl_system_loops(apl_system* system, double t, const apl_loop_options* options,
                                    apl_error* err);

/* apl_closing_assemble() for the state of a system. apl_run() does so where loops are open. */
APL_API apl_status apl_system_assemble(apl_system* system, const int* keep, const int* keep_rates,
                                       apl_assembly* report, apl_error* err);

/* What the last of these found; zeros before any. `redundant` is not kept. */
APL_API apl_assembly apl_system_assembly(const apl_system* system);

/* What has happened to the loops of a system in its last run. */
typedef struct apl_drift_report {
  double gap, rate; /* largest ones at the ends of steps, before they were projected away         */
  long choices;     /* of independent coordinates, method reduced                                 */
} apl_drift_report;
APL_API apl_drift_report apl_system_drift(const apl_system* system);

/* apl_closing_inverse() and apl_closing_accelerate() for the state of a system. */
APL_API apl_status apl_system_inverse(apl_system* system, bool joints, apl_actuation* report,
                                      apl_error* err);
APL_API apl_status apl_system_accelerate(apl_system* system, const int* keep, apl_error* err);

/* ------------------------------------------------------------------------------------ runs ---- */

/* An event: a zero of g, located between steps. direction: +1 rising, -1 falling, 0 both. The
   action may change the velocities of the state (q, v are packed again) and returns whether to
   continue. */
typedef enum apl_action { APL_GO_ON, APL_STOP_HERE } apl_action;
typedef struct apl_event {
  const char* name;
  double (*g)(double t, apl_system* system, void* user);
  apl_action (*action)(double t, apl_system* system, void* user);
  int direction;
  bool twice; /* also search for two crossings inside one step, with two more evaluations         */
  double reach; /* > 0: a force is not smooth here; steps pass it by at most this much in g */
  bool rounded; /* a smoothed corner: `reach` limits steps, but it is not located and has no action
                 */
  void* user;
} apl_event;

/* A contact that has ended; with the law `restitution` it begins and ends at the same time. */
typedef struct apl_impact {
  int contact;                /* apl_model_contact_name()                                         */
  int shape[2];               /* apl_model_shape_name() of the two that touched; -1: a ground     */
  double start, end;          /* [s]                                                              */
  double speed_in, speed_out; /* of the point into and out of the ground [m/s]                    */
  double slip_in[2];          /* along the two directions of the ground, when it closed ...       */
  double slip_out[2];         /* ... and when it opened [m/s]                                     */
  double impulse;             /* of the normal force [N s]                                        */
  double peak;                /* largest normal force [N], 0 when it took no time                 */
} apl_impact;

/* "arm.1, peg": the shapes that touched, or the name of the contact with a ground, in text. */
APL_API const char* apl_impact_name(const apl_impact* impact, const apl_model* model, char* text,
                                    size_t size);

/* Where to continue; `from` of the options remains that of the first run. */
typedef struct apl_resume {
  double t;
  const double* y;      /* [apl_system_size]                                                     */
  const double* memory; /* [apl_run_memory_size]                                                 */
} apl_resume;

/* Progress of a run. */
typedef struct apl_progress {
  double t, to; /* [s]                                                                            */
  long steps, evaluations;
  double step;         /* length of the last steps on average [s]                                 */
  double left;         /* steps of that length until the end                                      */
  const char* limit;   /* coordinate or velocity that keeps the steps short; NULL: not known yet  */
  const char* contact; /* a contact that is closed, NULL: none                                    */
  bool rigid;          /* ... and is rigid, or one that sticks                                    */
  double slides;       /* ... and slides with this coefficient of friction, 0: it does not       */
  const char* settling; /* velocity with very fast friction, NULL: none ...                */
  double settles;       /* ... its time constant [s]                                              */
  const char* method;   /* in use                                                                 */
  bool chosen;          /* ... by auto                                                            */
} apl_progress;

/* One sentence: length of the steps, what limits them, what to use instead. */
APL_API void apl_progress_text(const apl_progress* progress, char* text, size_t size);

typedef struct apl_run_options {
  double from, to;     /* [s]                                                              */
  double output_every; /* [s]; 0: only the ends                                            */
  const char* method;  /* integrate.h                                                      */
  double tolerance;
  double absolute; /* 0: as tolerance                                                  */
  double step; /* of methods with a fixed step; first step of others, 0: they choose           */
  double max_step;        /* 0: no limit */
  double spectral_radius; /* gen-alpha: spectral radius at infinite frequency, 0 to 1 */
  apl_loop_options loops;
  bool energy_only; /* do not check momentum: about a tenth faster                              */
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
     which the method can be interrupted: y and the state beside it,
     memory[apl_run_memory_size()]. A resumed run makes the same steps and gives the same bytes.
     Checkpoints do not change the motion. */
  apl_status (*checkpoint)(double t, const double* y, const double* memory, void* user);
  int checkpoint_every;
  const struct apl_resume* resume; /* NULL: from the beginning                                   */

  /* a sampled controller: called every control_every seconds (0: at every step of a method whose
     steps are fixed), may write apl_u() and apl_tau() */
  void (*control)(double t, apl_system* system, void* user);
  double control_every;
  void* user;
} apl_run_options;

/* How many numbers a checkpoint of such a run stores beside y: those of the run, its method, and
   the discrete state of contacts and loops. */
APL_API int apl_run_memory_size(apl_system* system, const apl_run_options* options);

/* auto at 1e-8 from 0 to 1 s, output every 10 ms. */
APL_API apl_run_options apl_run_options_default(void);

/* As the `run` block of a file says. */
APL_API apl_run_options apl_file_options(const apl_file* file);

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
  bool audited;      /* looked at twice or more: the ledgers could be compared               */
  bool has_momentum; /* momentum too: not with unknown ground forces, or energy_only         */
  double opened_from, opened_to; /* the outputs between which the energy error grew most [s] */
  int opened_account;            /* the account that changed most there, -1: none            */

  bool discretisation; /* integrator moreau: `error` is its discretisation error */
  long merged; /* fixed steps: outputs inside a step, which have no row                           */
  double contact_residual; /* largest of the solver, relative                                     */
  long contact_rough;      /* steps whose residual is above its tolerance                         */
  long contact_shared;     /* steps whose contact forces are not unique, of those examined (with
                              moreau every 16th)                                                 */
  double contact_gain;     /* largest energy that restitution added in a step [J], and when       */
  double contact_gain_at;
  double contact_stiffest; /* largest h sqrt(k/m) of contacts and stops; above 1 the rebound
                              depends on the step */
  int contact_stiffest_of; /* the contact, or -1 - coordinate of the stop, that it is of          */

  apl_switching switching; /* integrator auto: which method it ended with, and since when */
  bool undamped; /* integrator stiff on a model without damping: dop853 is better                 */
} apl_run_report;

/* One sentence about the choice of auto; "" if it took explicit steps only. */
APL_API void apl_switching_text(const apl_switching* switching, char* text, size_t size);

/* Simulate from the present state of the system to options->to. The method is one of integrate.h,
   with contacts and events located between its steps; or `moreau`, time stepping with fixed steps
   options->step for any number of contacts; or `gen-alpha`, fixed steps for robots with stiff
   loops and without contacts. With the last two, events and outputs are handled at the ends of
   steps. On failure err says when and why, the state is the last good one, and all outputs until
   then have been made. */
APL_API apl_status apl_run(apl_system* system, const apl_run_options* options,
                           apl_run_report* report, apl_error* err);

/* Simulate one control period with the method of options, from time t; inputs and efforts are
   constant. The integrator continues from one call to the next (it is kept in the system, until
   apl_run() or apl_system_free()) if t, options and state are those that the last call left. New
   inputs cost one more evaluation; after any other change the integrator starts again. */
APL_API apl_status apl_step(apl_system* system, double t, double period,
                            const apl_run_options* options, apl_error* err);

/* ----------------------------------------------------------------------------- trajectories ----
 */

/* A motion given by a table, for inverse dynamics:

     for (int i = 0; i < apl_trajectory_rows(t); ++i)
       if (apl_trajectory_set(t, i, &err) == APL_OK && apl_inverse(model, state) == APL_OK) ...

   Columns by name: `time`, coordinates (arm.joint.angle), velocities (arm.joint.angle.rate), their
   rates (arm.joint.angle.rate.rate) and inputs, in SI or in the units of the table. Missing rates
   of coordinates come from a cubic spline (not-a-knot). Joints whose velocities are not the rates
   of their coordinates: bases on wheels and discs take coordinates alone, too (headings and
   steering angles may be missing), or both; floating and spherical joints, and spheres, need both.
   The end of a name (`heading`) is enough where one coordinate ends so. Coordinates without a
   column keep the value in the state of the system and must not move, or follow the signals of the
   system. Columns ledger.*, *.effort and ground forces are ignored. System and table must outlive
   the trajectory. */
typedef struct apl_trajectory apl_trajectory;
APL_API apl_status apl_trajectory_new(apl_system* system, const apl_table* table,
                                      apl_trajectory** out, apl_report* report);
APL_API void apl_trajectory_free(apl_trajectory* trajectory); /* accepts NULL */
APL_API int apl_trajectory_rows(const apl_trajectory* trajectory);
APL_API double apl_trajectory_time(const apl_trajectory* trajectory, int row); /* [s] */

/* Set q, v, a and u of a row in the state of the system. */
APL_API apl_status apl_trajectory_set(apl_trajectory* trajectory, int row, apl_error* err);

/* Ground forces of rolling joints and their wheels (torques, tractions, loads, friction needed):
   the channels of runs, and their values for the row that is set. None if the robot has no wheels.
 */
APL_API int apl_trajectory_nground(const apl_trajectory* trajectory);
APL_API const apl_channel* apl_trajectory_ground(const apl_trajectory* trajectory, int i);
APL_API apl_status apl_trajectory_ground_row(apl_trajectory* trajectory, double* row);

#ifdef __cplusplus
}
#endif
