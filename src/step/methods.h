/* SPDX-License-Identifier: Apache-2.0 */
/* methods.h: the table of integrators: names, abilities, functions. A method is one line in
   methods.c and its functions: either those of a stepper of y' = f(t, y) (stepper.h), or those of
   time steps of a robot, below. How to add one: docs/extend/new-method.md. */
#pragma once

#include "step/stepper.h"
#include "system/kind.h"

/* Largest values over a run with time steps, for its report; doubles only, so that a checkpoint can
   store them. */
typedef struct step_worst {
  double gain;     /* largest energy added by restitution in a step [J] ... */
  double gain_at;  /* ... when                                                                   */
  double residual; /* largest residual of the contact solver */
  double rough;    /* number of steps whose residual is above the solver's tolerance */
  double stiffest; /* largest h sqrt(k W) of compliant rows; there are 2 pi over it steps per
                      period */
} step_worst;
enum { WORST_NUMBERS = 5 };
APL_STORED(step_worst, WORST_NUMBERS);

/* What all time steps share; each method has it as its first member. */
typedef struct apl_time_steps {
  bool asks; /* this step also finds out whether its forces are unique, at extra cost */
  step_worst worst;
  int stiffest_of;  /* contact, or -1 - coordinate of a stop, with worst.stiffest */
  char reason[120]; /* why the last step failed, if the status alone does not tell */
} apl_time_steps;

/* A method that steps a robot from t to t + h. Functions that it does not need are NULL. */
typedef struct time_ops {
  apl_status (*open)(apl_system* system, const apl_run_options* o, apl_time_steps** out,
                     apl_error* err);
  void (*close)(apl_time_steps* m);
  apl_status (*step)(apl_time_steps* m, double t, double h, coupling_news* news, long* evaluations);

  /* the next step starts from the state alone, without memory */
  void (*restart)(apl_time_steps* m);

  /* memory between steps, for checkpoints */
  int (*memory_size)(const apl_system* system);
  void (*memory)(apl_time_steps* m, apl_store* memory); /* writes or reads                        */
} time_ops;

/* Abilities beside those that couplings need (NEED_ of system/kind.h). */
enum {
  METHOD_ADAPTS = 1 << 8,    /* chooses its steps by an estimate of their error                   */
  METHOD_CHOOSES = 1 << 9,   /* ... and between an explicit and an implicit method                */
  METHOD_IMPLICIT = 1 << 10, /* by factors of the robot itself (system/implicit.h)              */
  METHOD_IMPULSES = 1 << 11, /* contacts act by impulses of steps, never by forces in a pass */
  METHOD_RADIUS = 1 << 12    /* has a spectral radius                                             */
};

typedef struct apl_method {
  const char* word;
  unsigned can;
  double balance;         /* largest relative energy error; 0: given by the tolerance */
  const stepper_ops* ops; /* a stepper of y' = f(t, y) ...                                       */
  int table;              /* ... with this table of its own; or ...                              */
  const time_ops* time;   /* ... time steps of a robot                                           */
} apl_method;

/* NULL if there is no method of this name. */
const apl_method* apl_method_find(const char* word);

/* True if the method has one of these abilities; false if there is no such method. */
bool apl_method_can(const char* word, unsigned ability);

/* The names of all methods with one of these abilities (`able`) or with none of them, as part of a
   sentence: "auto, rkf45 or moreau". `last` is the word before the last name. */
void apl_method_list(unsigned ability, bool able, const char* last, char* list, size_t size);

/* "there is no integrator 'x' among ..." */
apl_status apl_method_unknown(const char* word, apl_error* err);

/* Error if couplings of the system need an ability that the method lacks; the message names methods
   that have it. */
apl_status apl_method_refuse(const apl_method* method, const apl_system* system,
                             const apl_run_options* o, apl_error* err);

/* Size of the largest memory of all time-stepping methods. */
int apl_method_time_memory(const apl_system* system);
