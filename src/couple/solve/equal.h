/* SPDX-License-Identifier: Apache-2.0 */
/* equal.h: rows that are all equalities, W r + q = 0, dense, W = J M^-1 J^T of any rank.

   Rows are scaled by d_i = 1/sqrt(W_ii) (a power of two near it): W' = d W d, q' = d q, r' = r/d.
   Pivots of W' below APL_EQUAL_TINY are dependent rows, whatever their unit. Of all r' that leave
   the smallest |W' r' + q'| the solver takes the smallest |r'|: the least norm is
   sqrt(sum W_ii r_i^2), that of the multipliers weighed by what each row can move.
   Idle rows (W_ii = 0) get no force.

   Rows may have a compliance, (W + diag(soft)) r + q = 0. It takes part in the scaling, but not in
   the test for idle rows: a row is idle or not by what its force moves, W_ii. A contact that has
   just closed has soft = 1e15, and beside it all other rows would look idle. Theory:
   docs/theory/rows.md, "The solver". */
#pragma once

#include "couple/solve/lu.h"

#include <stdbool.h>

#define APL_EQUAL_TINY 1e-11

/* Vectors that a factored matrix takes to zero: [-A^T; 1], with the Gram matrix 1 + A A^T. */
typedef struct apl_equal_null {
  double* A; /* [n*ld] one row per dependent row, `rank` numbers each */
  apl_lu gram;
} apl_equal_null;

typedef struct apl_equal {
  int n, ld;
  int idle; /* number of rows that nothing can move */
  bool symmetric;
  double *W, *d; /* the scaled problem */
  apl_lu lu;
  apl_equal_null left, right;
  double *b, *x, *y; /* scratch */
} apl_equal;

/* Room for up to `most` rows. */
void apl_equal_place(apl_equal* e, int most, apl_arena* a);

/* Factor W[n*n], row-major. `symmetric` also promises that W is semidefinite. */
void apl_equal_factor(apl_equal* e, int n, const double* W, bool symmetric);

/* Factor W + diag(soft[n]); rows with an infinite compliance get no force. */
void apl_equal_factor_soft(apl_equal* e, int n, const double* W, const double* soft,
                           bool symmetric);

/* True if no row is redundant: r is unique. */
bool apl_equal_unique(const apl_equal* e);

/* r[n] for q[n]. Returns |W' r' + q'|/|q'|: round-off if the rows can be satisfied, otherwise the
   fraction that cannot. */
double apl_equal_solve(apl_equal* e, const double* q, double* r);
