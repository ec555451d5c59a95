/* dense.h: the dense algebra that analyses need, by LAPACK. Matrices are n*n, column by column. */
#pragma once

#include "appell/base.h"

#include <stdbool.h>

/* The shortest x that minimises |A x - b|; columns that depend on the others but for `rank` of the
   largest count as dependent. A is spoiled, b becomes x. False on failure. */
bool apl_dense_least_squares(int n, double* A, double* b, double rank);

/* A x = b; A is spoiled, b becomes x. False when A is singular. */
bool apl_dense_solve(int n, double* A, double* b);

/* Eigenvalues, ascending, and eigenvectors (columns of A) of the symmetric part of A. */
bool apl_dense_symmetric(int n, double* A, double* eigenvalue);

/* A = U diag(s) V^T; U[n*n] by columns, A is spoiled. */
bool apl_dense_left(int n, double* A, double* s, double* U);
