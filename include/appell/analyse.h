/* analyse.h: questions about a robot that need no run. Theory: docs/statics.md. */
#pragma once

#include "appell/run.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What became of each velocity in the search for an equilibrium. */
typedef enum apl_balance {
  APL_BALANCED,    /* what acts on it adds up to zero                                    */
  APL_INDIFFERENT, /* nothing acts on it, wherever it is: left where it starts           */
  APL_PRESCRIBED,  /* stays where it is given; the effort that takes is in tau           */
  APL_HELD         /* wheels and what follows them: held where they start, as by a brake */
} apl_balance;

typedef struct apl_equilibrium_options {
  double tolerance; /* efforts left over, relative to the terms that make them up               */
  int iterations;   /* most iterations of one attempt of Newton's method                        */
  bool stable;      /* go downhill from the guess, to a shape that holds by itself               */
} apl_equilibrium_options;

/* 1e-11, 50 iterations, the equilibrium near the guess whether it is stable or not. */
APL_API apl_equilibrium_options apl_equilibrium_options_default(void);

typedef struct apl_equilibrium_report {
  int iterations;       /* of Newton's method, in all attempts together                          */
  int steps;            /* of the continuation; 0 when Newton's method did without it            */
  int relaxations;      /* steps downhill; 0 when continuation did without them                  */
  double residual;      /* largest effort left over ...                                          */
  int worst;            /* ... and its velocity; -1 when there is no freedom to balance          */
  int nbalanced;        /* freedoms that were asked                                              */
  int nindifferent;     /* motions of them that nothing resists                                  */
  bool stable;          /* no motion lowers the energy: no stiffness below is negative           */
  double stiffness;     /* lowest one that is not zero [N m/rad, N length/m], 0 without any      */
  int softest;          /* velocity with the largest share in that motion, -1 without any        */
  double length;        /* [m] what a metre is compared with to be weighed against a radian      */
  apl_balance* freedom; /* room for [nv], or NULL: what became of each velocity                  */
} apl_equilibrium_report;

/* The static shape under gravity, springs, elasticity, inputs, loads and efforts: q for which the
   efforts tau keep v = a = 0. The scalar state gives the first guess q, and u, loads and tau; it
   takes the result: q, v = a = 0, and tau of prescribed freedoms. Without an equilibrium it is left
   as it was, the status is APL_ERR_EQUILIBRIUM and err names the freedom and what is left over.
   Options and report may be NULL. Allocates: not for the inside of runs. */
APL_API apl_status apl_equilibrium(const apl_model* model, apl_state* state,
                                   const apl_equilibrium_options* options,
                                   apl_equilibrium_report* report, apl_error* err);

/* Does `start` of the file say {equilibrium: true}, or `stable`? The values beside it, which
   apl_file_start() reads, are then a first guess, and velocities a push. `stable` may be NULL. */
APL_API bool apl_file_wants_equilibrium(const apl_file* file, bool* stable);

/* A system as its file drives it and starts it: `inputs`, `motion`, `signals` and `start`. What is
   wrong is told with its place in the file. The model must outlive the system. */
enum {
  APL_SETTLED = 1, /* at equilibrium where the file says so; else its first guess               */
  APL_DRIVEN = 2,  /* prescribed freedoms without motion are refused; else they stand           */
  APL_READY = APL_SETTLED | APL_DRIVEN /* to run: all that a run would refuse is told           */
};
APL_API apl_status apl_file_system(const apl_file* file, const apl_model* model, unsigned how,
                                   apl_system** out, apl_report* report);

#ifdef __cplusplus
}
#endif
