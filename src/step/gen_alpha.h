/* SPDX-License-Identifier: Apache-2.0 */
/* gen_alpha.h: one time step of a smooth system by the generalised-alpha method, with its loops in
   compliance form. The cost does not depend on the stiffness of loop springs; infinite stiffness
   (1/k = 0) gives exact loops. Theory: docs/theory/loops.md, 7.

     M v' + b - J^T p = 0            c + (d/k) c' + p/k = 0
     (1 - m) a+ + m a = (1 - f) v'+ + f v'
     v+ = v + h ((1 - g) a + g a+)       q+ = q + h N (v + h ((1/2 - e) a + e a+))

   where a is an auxiliary acceleration of the method, and m, f, g, e follow from its spectral
   radius at infinite frequency: vibrations that a step does not resolve are damped by that factor
   per step. A step whose equations are not solved by Newton's method is made in two halves. */
#pragma once

#include "step/methods.h"
#include "system/system_impl.h"

typedef struct apl_gen_alpha {
  apl_time_steps base; /* first */
  apl_system* system;
  double m, f, g, e;
  bool begun;
  bool plain;              /* v are the rates of q                                               */
  double *q, *v, *vd, *a;  /* [nq], [nv] at the start of the step                                */
  double *vd1, *a1;        /* [nv] at its end                                                    */
  double *tau, *r, *y;     /* [nv] efforts of the caller, residual, A^-1 r                       */
  int rows;                /* of couplings in this step ...                                      */
  coupling_pass pass;      /* ... the request to the couplings ... */
  coupling_end* end;       /* [rows] ... their derivatives with respect to v'+ ... */
  double *p, *fed;         /* [rows] ... their forces, J A^-1 r                                  */
  double *start, *p_start; /* packed state and forces at the start, for a step that is repeated */
  long switched;           /* the system's count of switched couplings at the start */
  double *delta, *middle;  /* [nt], [nq] room                                                    */
  double *sum, *error;     /* [nintegral] of servos at the start of the step, and their rates    */
  double power[NLEDGER];   /* at the start of the step; the wrench behind it is not used */
  void* memory;
} apl_gen_alpha;

/* gen_alpha_solve.c. Give the forces of the step to the couplings; some add them to tau as efforts.
 */
void apl_gen_alpha_give(apl_gen_alpha* m);

/* Newton's method on v'+ and p for the end of the step from t to t + h; counts its iterations.
   APL_ERR_INTEGRATOR: no convergence. */
apl_status apl_gen_alpha_solve(apl_gen_alpha* m, double t, double h, long* rounds);

/* gen_alpha_memory.c: the method's memory between steps, for checkpoints. */
int apl_gen_alpha_memory_size(const apl_system* system);
void apl_gen_alpha_memory(apl_time_steps* steps, apl_store* memory);
