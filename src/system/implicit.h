/* SPDX-License-Identifier: Apache-2.0 */
/* implicit.h: memory of the implicit steps of a system: factors of W = M + c C + c^2 K in a state
   of their own, and rows that are treated beside W.

   A soft row (a contact that gives way, an elastic tendon, a loop closed by springs) adds s J^T J
   to W, s = c d + c^2 k. A hard row (a loop, a contact at rest, a velocity that is held) keeps its
   rate at zero. Both are one formula, a hard row is one with 1/s = 0 (Woodbury):

     dv = W^-1 r - X (G + diag(1/s))^-1 (J W^-1 r + rate)        X = W^-1 J^T,  G = J X          */
#pragma once

#include "appell/run.h"

#include "couple/solve/equal.h"
#include "dynamics/rows.h"
#include "system/kind.h"

/* A row; `of` and `axis` are for the kind that provides it. */
typedef struct implicit_row {
  int of, axis;
  bool skewed; /* its force is already in F                                                      */
} implicit_row;

typedef struct system_implicit {
  apl_state* wide; /* complex state for the Jacobian; NULL: not open                              */
  double *moved, *base; /* [size of y] difference quotients: y with one number moved; rates at y  */
  double* rate;         /* [2 nq] complex rates of q                                              */
  void* jacobian;       /* memory of these three                                                  */
  apl_state* twin; /* holds the factors; NULL: not open                                          */
  int n, most;     /* rows, and room for them ...                                                */
  size_t bytes;    /* ... in a memory of this size                                               */
  bool skewed;     /* forces of some rows act along other directions than their rates            */
  implicit_row* row;
  double* soft; /* [most] 1 / s of each row                                                      */
  coupling_span span[NKIND]; /* where the rows of each kind stand                               */
  apl_way* way;        /* [most] room for kinds                                                  */
  double *number, *in; /* [most * ROW_NUMBERS] of their rates and of their forces                */
  double *J, *F;       /* [most * nv] rates and forces of rows, as vectors                       */
  double* X;           /* [most * nv] W^-1 F                                                     */
  double* G;           /* [most * most]                                                          */
  double *u, *p;       /* [most] residual rates, and forces                                      */
  double* tension;     /* [ntendon]                                                              */
  apl_equal equal;
  void* memory;
} system_implicit;

/* implicit_rows.c: the rows that act at the present state, for psi of bristles and c; then X, G and
   its factors. W must be factored. */
apl_status apl_implicit_rows(apl_system* s, double c, const double* psi_z);

/* implicit_rows.c: dv[nv] = W^-1 r, corrected for the rows. */
apl_status apl_implicit_correct(apl_system* s, double c, double* dv);

/* implicit_rows.c: one more row of a kind, which fills J; soft = 1 / s, 0: hard. */
int apl_implicit_add(system_implicit* w, double soft);

apl_status apl_implicit_reserve(apl_system* s);
void apl_implicit_free(apl_system* s);
