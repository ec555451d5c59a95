/* methods.h: the table of integrators: names, abilities, functions. A method is one line in
   methods.c and its functions: either those of a stepper of y' = f(t, y) (stepper.h), or those of
   time steps of a robot, below. How to add one: docs/extend/new-method.md. */
#pragma once

#include "step/stepper.h"
#include "system/kind.h"

/* What is worth telling when a run by time steps is over; doubles only, a checkpoint carries them.
 */
typedef struct step_worst {
  double gain;     /* largest energy that restitution gave instead of taking it [J] ...          */
  double gain_at;  /* ... when                                                                   */
  double residual; /* largest of the solver                                                      */
  double rough;    /* steps whose forces are less exact than the solver's tolerance              */
  double stiffest; /* largest h sqrt(k W) of rows that give way: steps per period are 2 pi over it
                    */
} step_worst;
enum { WORST_NUMBERS = sizeof(step_worst) / sizeof(double) };

/* What all time steps share; each method has it as its first member. */
typedef struct apl_time_steps {
  bool asks; /* whether this step finds out if its forces are unique, which is not free          */
  step_worst worst;
  int stiffest_of; /* contact, or -1 - coordinate of a stop, that worst.stiffest is of           */
} apl_time_steps;

/* A method that steps a robot from t to t + h. What it does not need is NULL. */
typedef struct time_ops {
  apl_status (*open)(apl_system* system, const apl_run_options* o, apl_time_steps** out,
                     apl_error* err);
  void (*close)(apl_time_steps* m);
  apl_status (*step)(apl_time_steps* m, double t, double h, coupling_news* news, long* evaluations);

  /* the next step begins from the state alone */
  void (*restart)(apl_time_steps* m);

  /* what it remembers from step to step, for runs that are left and resumed */
  int (*memory_size)(const apl_system* system);
  void (*remember)(const apl_time_steps* m, double* out);
  void (*recall)(apl_time_steps* m, const double* in);
} time_ops;

/* Abilities beside those that couplings need (NEED_ of system/kind.h). */
enum {
  METHOD_ADAPTS = 1 << 8,    /* chooses its steps by an estimate of their error                   */
  METHOD_CHOOSES = 1 << 9,   /* ... and between an explicit and an implicit method                */
  METHOD_IMPLICIT = 1 << 10, /* by factors of the robot itself (system/implicit.h)              */
  METHOD_IMPULSES = 1 << 11, /* contacts push by impulses of steps, never inside a pass           */
  METHOD_RADIUS = 1 << 12    /* has a spectral radius                                             */
};

typedef struct apl_method {
  const char* word;
  unsigned can;
  double balance;         /* largest share of energy that may be lost; 0: as the tolerance says  */
  const stepper_ops* ops; /* a stepper of y' = f(t, y) ...                                       */
  int table;              /* ... with this table of its own; or ...                              */
  const time_ops* time;   /* ... time steps of a robot                                           */
} apl_method;

/* NULL: there is none of this name. */
const apl_method* apl_method_find(const char* word);

/* One of these abilities; false: no such method. */
bool apl_method_can(const char* word, unsigned ability);

/* "there is no integrator 'x' among ..." */
apl_status apl_method_unknown(const char* word, apl_error* err);

/* Refuses what couplings of the system need and the method cannot do, by one sentence that names
   those who can. */
apl_status apl_method_refuse(const apl_method* method, const apl_system* system,
                             const apl_run_options* o, apl_error* err);

/* Room for what any of the time steps remembers. */
int apl_method_time_memory(const apl_system* system);

extern const time_ops apl_time_moreau;
extern const time_ops apl_time_gen_alpha;
