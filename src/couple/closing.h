/* SPDX-License-Identifier: Apache-2.0 */
/* closing.h: loop constraints on top of factors of M. With the gaps c of all rows and their
   Jacobian J,

     G = J M^-1 J^T,   multipliers:   G p = -(c'' + 2 w c' + w^2 c)
     projection:       v -= M^-1 J^T G^+ c',           q -= the same with c, as a motion

   Redundant rows get the smallest forces and are reported. apl_closing_open() allocates all memory.
   Theory: docs/theory/loops.md. */
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
  double *b, *p; /* [n] right-hand side, and the forces */
  double *innovation, *change; /* [nv] */
  double *delta, *q; /* [nt], [nq]                                                       */
  apl_equal equal;
  double unmet; /* fraction of b that no forces can remove */
  void* memory;
};

apl_status apl_closing_open(apl_closing* w, const apl_model* model);
void apl_closing_close(apl_closing* w); /* accepts a struct that was never opened */

/* G and its factors for the rows of the last pass; factors of M must exist. */
apl_status apl_closing_factor(apl_closing* w, apl_state* state);

/* p for the present b. */
void apl_closing_solve(apl_closing* w);

/* p, and change[nv] = M^-1 J^T p: the change of accelerations by forces, or of velocities by
   impulses. */
apl_status apl_closing_answer(apl_closing* w, apl_state* state);

/* Constraint drift: the largest gap and rate [m or rad, per s]. */
typedef struct apl_drift {
  double gap, rate;
} apl_drift;

/* How a projection measures. The change is the smallest one in the norm of M + c C + c^2 K: c = 0
   is the mass matrix, c > 0 [s] prefers changes that cost little elastic energy
   (docs/theory/stiff.md). Near a singular position the correction of a gap of round-off is a large
   motion: there gaps below `leave`, and rates below ten times as much, stay. */
typedef struct apl_norm {
  double c, leave;
} apl_norm;

/* Project q and v so that the rows have these gaps and rates [n] (NULL: zero), one Newton step each
   with one factorisation. */
apl_status apl_closing_project(apl_closing* w, apl_state* state, const apl_norm* norm,
                               const double* gaps, const double* rates, apl_drift* drift);

/* q + N change: `change` as a velocity for a unit of time. */
apl_status apl_closing_displace(apl_closing* w, apl_state* state);

/* Redundant rows at the present q (after apl_closing_factor()), in rows[n] unless NULL; returns
   their number. */
int apl_closing_redundant(const apl_closing* w, int* rows);
