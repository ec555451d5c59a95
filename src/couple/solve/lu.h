/* SPDX-License-Identifier: Apache-2.0 */
/* lu.h: A = L U, dense and small, in plain loops; the memory is reserved once. Two variants:
   regular A with row exchanges, for the Newton steps of cone.h; A of any rank with row and column
   exchanges, which stops when the remainder is round-off, for equal.h. */
#pragma once

#include "base/arena.h"

typedef struct apl_lu {
  int n, ld, definite;
  int rank;        /* pivots found                                                 */
  double smallest; /* smallest |pivot| of them, 1 when there are none              */
  double* A;       /* [n*ld] in: the matrix; out: L below (its diagonal is 1), U on and above */
  double *below, *above; /* [n*ld] L^T and U^T of the leading block, without diagonals   */
  double* inverse;       /* [n] 1 / pivots                                               */
  double* pivot;         /* [4*ld] rows of pivots during their elimination */
  int *row, *column;     /* [n] row k of L U is row row[k] of A; columns alike           */
} apl_lu;

/* Room for up to `most` rows. */
void apl_lu_place(apl_lu* f, int most, apl_arena* a);

/* Begin with n rows; then the caller writes A, row-major with f->ld numbers per row. The caller
   guarantees that the leading block of `definite` rows is symmetric and definite: apl_lu_factor()
   exchanges no rows there and does half the work. */
void apl_lu_begin(apl_lu* f, int n, int definite);

/* Factor with partial pivoting; rank < n only if a column is zero. */
void apl_lu_factor(apl_lu* f);

/* Choice of pivots when the rank is to be determined. */
typedef enum apl_lu_pivot {
  APL_LU_DIAGONAL, /* the largest of the diagonal: for symmetric semidefinite A */
  APL_LU_COMPLETE  /* the largest of all: for any A                             */
} apl_lu_pivot;

/* Factor; stop at the first pivot not above `tiny`. */
void apl_lu_reveal(apl_lu* f, apl_lu_pivot how, double tiny);

/* Prepare the substitutions below; both ways of factoring end with it. */
void apl_lu_turn(apl_lu* f);

/* x[rank] := (L1 U1)^-1 x, with the leading blocks of L and U; without exchanges. x has room for ld
   numbers; those after the rank become zero. */
void apl_lu_solve_lead(const apl_lu* f, double* x);

/* x[n] = A^-1 b[n], after apl_lu_factor(); x has room for ld numbers and is not b. */
void apl_lu_solve(const apl_lu* f, const double* b, double* x);
