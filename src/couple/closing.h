/* closing.h: loops on top of factors. With c the gaps of all rows and J their Jacobian,

     G = J M^-1 J^T,   forces that keep them closed:   G p = -(c'' + 2 w c' + w^2 c)
     projection:       v -= M^-1 J^T G^+ c',           q -= the same with c, as a motion

   Rows that depend on others get the least forces that do it, and are told. Everything is taken by
   apl_closing_open(); nothing else allocates. Theory: docs/theory/loops.md. */
#pragma once

#include "appell/loop.h"

#include "couple/equal.h"
#include "dynamics/rows.h"

struct apl_closing {
  const apl_model* model;
  int n;        /* rows                                                                          */
  apl_way* way; /* [n] where they act; of couplings both ends, for sums over ways only           */
  double* number; /* [n * ROW_NUMBERS] */
  double* z;     /* [n * nv] half solutions                                                       */
  double* G;     /* [n * n]                                                                       */
  double *b, *p; /* [n] what is to vanish, and the forces that do it                              */
  double *innovation, *change; /* [nv] */
  double *delta, *q; /* [nt], [nq]                                                       */
  apl_equal equal;
  double unmet; /* share of b that no forces can remove */
  void* memory;
};

apl_status apl_closing_open(apl_closing* w, const apl_model* model);
void apl_closing_close(apl_closing* w); /* accepts what was never opened */

/* G and its factors for the rows as the last pass placed them; factors of M must be there. */
apl_status apl_closing_factor(apl_closing* w, apl_state* state);

/* p for the present b. */
void apl_closing_solve(apl_closing* w);

/* Bring v, or q, back to where loops are closed. `gap` is the largest one found, in m or rad. */
apl_status apl_closing_velocity(apl_closing* w, apl_state* state, double* gap);
apl_status apl_closing_position(apl_closing* w, apl_state* state, double* gap);

/* Rows that depend on the others at the present q (after apl_closing_factor()), in rows[n] unless
   NULL; their number. */
int apl_closing_redundant(const apl_closing* w, int* rows);
