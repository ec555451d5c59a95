/* implicit.h: what implicit steps of a system keep: factors of W = M + c C + c^2 K in a state of
   their own, and rows that stand beside W.

   A soft row (a contact that gives way, an elastic tendon, a loop closed by springs) adds s J^T J
   to W, s = c d + c^2 k. A hard row (a loop, a contact at rest, a velocity that is held) keeps its
   rate at zero. Both are one formula, hard rows being those of no softness (Woodbury):

     dv = W^-1 r - X (G + diag(1/s))^-1 (J W^-1 r + rate)        X = W^-1 J^T,  G = J X          */
#pragma once

#include "appell/run.h"

#include "couple/solve/equal.h"
#include "dynamics/rows.h"
#include "system/kind.h"

/* A row; `of` and `axis` are for the kind that provides it. */
typedef struct implicit_row {
  double soft; /* 1 / s                                                                          */
  int of, axis;
  bool skewed; /* its force is in F already                                                      */
} implicit_row;

typedef struct system_implicit {
  apl_state* wide; /* complex, for Jacobians; NULL: not open ...                                  */
  double *y, *rate; /* ... and room beside it: numbers of y, twice, and complex rates of q        */
  apl_state* twin;  /* holds the factors; NULL: not open                                          */
  int n, most;      /* rows, and room for them                                                    */
  bool skewed;      /* forces of some rows act along other directions than their rates            */
  implicit_row* row;
  coupling_span span[NKIND]; /* where the rows of each kind stand                               */
  apl_way* way;        /* [most] room for kinds                                                  */
  double *number, *in; /* [most * ROW_NUMBERS] of their rates and of their forces                */
  double *J, *F;       /* [most * nv] rates and forces of rows, as vectors                       */
  double* X;           /* [most * nv] W^-1 F                                                     */
  double* G;           /* [most * most]                                                          */
  double *u, *p;       /* [most] rates that are left, and forces                                 */
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

/* kind/contact_implicit.c: bristles z[nz] = psi + c z' for the present slip of their contacts. */
apl_status apl_implicit_bristles(apl_system* s, double c, const double* psi, double* z);

apl_status apl_implicit_reserve(apl_system* s);
void apl_implicit_free(apl_system* s);
