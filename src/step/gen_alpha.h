/* gen_alpha.h: one time step of a smooth system by the generalised-alpha method, with its loops in
   compliance form. Springs of any stiffness cost the same, and no stiffness (1/k = 0) are exact
   loops. Theory: docs/theory/loops.md, 7.

     M v' + b - J^T p = 0            c + (d/k) c' + p/k = 0
     (1 - m) a+ + m a = (1 - f) v'+ + f v'
     v+ = v + h ((1 - g) a + g a+)       q+ = q + h N (v + h ((1/2 - e) a + e a+))

   with a an acceleration of the method itself, and m, f, g, e from its spectral radius at infinity:
   what a step does not resolve is damped by that factor in each step. */
#pragma once

#include "step/methods.h"
#include "system/system_impl.h"

typedef struct apl_gen_alpha {
  apl_time_steps base; /* first */
  apl_system* system;
  double m, f, g, e;
  bool begun;
  bool plain;             /* v are the rates of q                                               */
  double *q, *v, *vd, *a; /* [nq], [nv] at the start of the step                                */
  double *vd1, *a1;       /* [nv] at its end                                                    */
  double *tau, *r, *y;    /* [nv] efforts of the caller, residual, A^-1 r                       */
  int rows;               /* of couplings in this step ...                                      */
  coupling_pass pass;     /* ... what they are asked ...                                        */
  coupling_end* end;      /* [rows] ... how they answer to v'+ ...                              */
  double *p, *fed;        /* [rows] ... their forces, J A^-1 r                                  */
  long switched;          /* of the system when it began                                        */
  double *delta, *middle; /* [nt], [nq] room                                                    */
  double *sum, *error;    /* [nintegral] of servos at the start of the step, and their rates    */
  double power[NLEDGER];  /* at the start of the step; the wrench behind it is not used */
  void* memory;
} apl_gen_alpha;

/* gen_alpha_memory.c: what it remembers from step to step, for runs that are left and resumed. */
int apl_gen_alpha_memory_size(const apl_system* system);
void apl_gen_alpha_remember(const apl_time_steps* steps, double* out);
void apl_gen_alpha_recall(apl_time_steps* steps, const double* in);
