/* SPDX-License-Identifier: Apache-2.0 */
/* analyse.h: static equilibrium, and systems made from files. Theory: docs/statics.md. */
#pragma once

#include "appell/run.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How each velocity was treated in the search for an equilibrium. */
typedef enum apl_balance {
  APL_BALANCED,    /* its efforts add up to zero                                         */
  APL_INDIFFERENT, /* no force acts on it: it keeps its start value */
  APL_PRESCRIBED,  /* keeps its given value; the effort for this is in tau               */
  APL_HELD         /* wheels and coupled vehicles: kept at their start values            */
} apl_balance;

/* How to search; begin with apl_equilibrium_options_default(). */
typedef struct apl_equilibrium_options {
  double tolerance; /* remaining efforts, relative to the sum of their terms                    */
  int iterations;   /* most iterations of one attempt of Newton's method                        */
  bool stable;      /* search for a stable equilibrium, downhill in energy from the guess        */
} apl_equilibrium_options;

/* Defaults: tolerance 1e-11, 50 iterations, the equilibrium near the guess whether it is stable or
   not. */
APL_API apl_equilibrium_options apl_equilibrium_options_default(void);

/* What was found, and how. */
typedef struct apl_equilibrium_report {
  int iterations;       /* of Newton's method, in all attempts together                          */
  int steps;            /* of the continuation; 0 if Newton's method did not need it             */
  int relaxations;      /* steps downhill; 0 if they were not needed                             */
  double residual;      /* largest remaining effort [N m or N] ... */
  int worst;            /* ... and its velocity; -1 when there is no freedom to balance          */
  int nbalanced;        /* freedoms whose efforts were balanced                                  */
  int nindifferent;     /* independent motions without stiffness */
  bool stable;          /* true if no motion lowers the energy: no stiffness is negative */
  double stiffness;     /* lowest nonzero stiffness [N m/rad, N length/m], 0 if there is none */
  int softest;          /* velocity with the largest share in that motion, -1 if there is none */
  double length;        /* [m] length that scales metres to radians in `stiffness`               */
  apl_balance* freedom; /* memory for [nv], or NULL: how each velocity was treated               */
} apl_equilibrium_report;

/* The static shape under gravity, springs, elasticity, inputs, loads and efforts: q for which the
   efforts tau keep v = a = 0. The scalar state gives the first guess q, and u, loads and tau; it
   takes the result: q, v = a = 0, and tau of prescribed freedoms. If none is found it is
   unchanged, the status is APL_ERR_EQUILIBRIUM and err names the freedom and its remaining effort.
   Options and report may be NULL. Allocates memory: do not call it inside runs. */
APL_API apl_status apl_equilibrium(const apl_model* model, apl_state* state,
                                   const apl_equilibrium_options* options,
                                   apl_equilibrium_report* report, apl_error* err);

/* A system with the `inputs`, `motion`, `signals` and `start` of its file. Its state has the inputs
   and prescribed freedoms of time 0. Errors have their position in the file. The model must outlive
   the system. */
enum {
  APL_SETTLED = 1, /* at equilibrium if the file says so; otherwise at its first guess          */
  APL_DRIVEN = 2,  /* prescribed freedoms without motion are refused; otherwise they rest       */
  APL_READY = APL_SETTLED | APL_DRIVEN /* ready to run: everything a run would refuse is checked */
};
APL_API apl_status apl_file_system(const apl_file* file, const apl_model* model, unsigned how,
                                   apl_system** out, apl_report* report);

#ifdef __cplusplus
}
#endif
