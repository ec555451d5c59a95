/* SPDX-License-Identifier: Apache-2.0 */
/* reduced.h: loops closed by independent coordinates. Some columns of J are dependent,

     J_d v_d + J_i v_i = 0,     v = L v_i,     L = [-J_d^-1 J_i; 1]
     L^T M L a_i = L^T (tau - h - M g),        J_d g_d = -(dJ/dt) v

   chosen by complete pivoting of J M_jj^-1/2, which does not depend on units. The choice is kept
   until it becomes worse by a factor and is then renewed, because any fixed choice is singular at
   some configuration. Theory: docs/theory/loops.md, 4. */
#pragma once

#include "base/store.h"
#include "couple/closing.h"

typedef struct apl_reduced {
  apl_closing* w;
  int n, nv, rank; /* rows, velocities, rows that do not depend on others */
  bool chosen;
  int *row, *dependent, *independent; /* [n], [nv], [nv] rows kept, and the velocities */
  int nfree;             /* independent ones                                          */
  bool* given;           /* [nv] prescribed: neither dependent nor independent */
  double *J, *M, *L;     /* [n * nv], [nv * nv], [rank * nfree]                       */
  apl_lu lu;             /* of J_d                                                    */
  double *R, *f, *g, *x; /* [nv * nv], [nv] ...                                       */
  double growth;         /* largest scaled entry of L when the choice was made        */
  long choices;          /* how often one was made                                    */
  void* memory;
} apl_reduced;

apl_status apl_reduced_open(apl_reduced* r, apl_closing* w);
void apl_reduced_close(apl_reduced* r);

/* Choose the dependent columns, or choose again if the present choice has become bad, at the q of
   the state. */
apl_status apl_reduced_choose(apl_reduced* r, apl_state* state);

/* Dependent coordinates and velocities for the independent ones in the state. */
apl_status apl_reduced_complete(apl_reduced* r, apl_state* state);

/* Forward dynamics; the row forces are stored in the state. */
apl_status apl_reduced_forward(apl_reduced* r, apl_state* state);

/* The choice as numbers of a checkpoint: a resumed run must not make another one. */
int apl_reduced_memory_size(int rows, int nv);
void apl_reduced_memory(apl_reduced* r, apl_store* memory);
