/* SPDX-License-Identifier: Apache-2.0 */
/* dense.h: dense linear algebra for analyses, by LAPACK. Matrices are n*n, stored by columns. */
#pragma once

#include "appell/base.h"

#include <stdbool.h>

/* The shortest x that minimises |A x - b|; singular values below `rank` times the largest count as
   zero. A is overwritten, b becomes x. False on failure. */
bool apl_dense_least_squares(int n, double* A, double* b, double rank);

/* Solve A x = b; A is overwritten, b becomes x. False if A is singular. */
bool apl_dense_solve(int n, double* A, double* b);

/* Eigenvalues, ascending, and eigenvectors (columns of A) of the symmetric part of A. */
bool apl_dense_symmetric(int n, double* A, double* eigenvalue);

/* A = U diag(s) V^T; U[n*n] by columns, A is overwritten. */
bool apl_dense_left(int n, double* A, double* s, double* U);
