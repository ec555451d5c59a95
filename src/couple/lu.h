/* lu.h: A = L U with pivoting, dense and small, in plain loops; the memory is placed once. Serves
   the Newton steps of cone.h (rows exchanged) and the rank-revealing solver of equal.h (rows and
   columns exchanged, stops where what is left is round-off). */
#pragma once

#include "base/arena.h"

/* Which entry becomes the next pivot. */
typedef enum apl_lu_pivot {
  APL_LU_COLUMN,   /* the largest of the column                                       */
  APL_LU_DIAGONAL, /* the largest of the diagonal: reveals the rank of semidefinite A */
  APL_LU_COMPLETE  /* the largest of all: reveals the rank of any A                   */
} apl_lu_pivot;

typedef struct apl_lu {
  int n, ld;
  int rank;        /* pivots found                                        */
  double smallest; /* smallest |pivot| of them, 1 when there are none     */
  double* A;       /* [n*ld] in: the matrix; out: L below (its diagonal is 1), U on and above */
  double *below, *above; /* [n*ld] L^T and U^T of the leading block, without diagonals */
  double* inverse;       /* [n] 1 / pivots                                      */
  double* pivot;         /* [ld] scratch                                        */
  int *row, *column;     /* [n] row k of L U is row row[k] of A; columns alike */
} apl_lu;

/* Room for up to `most` rows. */
void apl_lu_place(apl_lu* f, int most, apl_arena* a);

/* Take n rows; then the caller writes A, row-major with f->ld numbers per row. */
void apl_lu_begin(apl_lu* f, int n);

/* Factor; stop at the first pivot not above `tiny`. */
void apl_lu_factor(apl_lu* f, apl_lu_pivot how, double tiny);

/* x[rank] := (L1 U1)^-1 x, with the leading blocks of L and U; without exchanges. x has room for ld
   numbers; those after the rank become zero. */
void apl_lu_solve_lead(const apl_lu* f, double* x);

/* x[n] = A^-1 b[n], for full rank and rows exchanged only; x has room for ld numbers and is not b.
 */
void apl_lu_solve(const apl_lu* f, const double* b, double* x);
