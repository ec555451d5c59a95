/* closing.h: loops on top of factors. With c the gaps of all rows and J their Jacobian,

     G = J M^-1 J^T,   forces that keep them closed:   G p = -(c'' + 2 w c' + w^2 c)
     projection:       v -= M^-1 J^T G^+ c',           q -= the same with c, as a motion

   Rows that depend on others get the least forces that do it, and are told. Everything is taken by
   apl_closing_open(); nothing else allocates. Theory: docs/theory/loops.md. */
#pragma once

#include "appell/loop.h"
#include "appell/state.h"

#include "couple/close.h"
#include "couple/solve/equal.h"
#include "dynamics/rows.h"

struct apl_closing {
  const apl_model* model;
  int n;        /* rows                                                                          */
  apl_way* way; /* [n] where they act                                                             */
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

/* p, and change[nv] = M^-1 J^T p: what those forces do to accelerations, or impulses to velocities.
 */
apl_status apl_closing_answer(apl_closing* w, apl_state* state);

/* How far rows were off: the largest gap and rate [m or rad, per s]. */
typedef struct apl_drift {
  double gap, rate;
} apl_drift;

/* Bring q and v to where the rows have these gaps and rates [n] (NULL: none), one Newton step each
   from one factorisation; the change is the least one, weighed by the mass matrix. */
apl_status apl_closing_project(apl_closing* w, apl_state* state, const double* gaps,
                               const double* rates, apl_drift* drift);

/* q + N change: `change` as a motion for a unit of time. */
apl_status apl_closing_displace(apl_closing* w, apl_state* state);

/* Rows that depend on the others at the present q (after apl_closing_factor()), in rows[n] unless
   NULL; their number. */
int apl_closing_redundant(const apl_closing* w, int* rows);
