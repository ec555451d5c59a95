/* SPDX-License-Identifier: Apache-2.0 */
/* dense.h: the tests' own small dense algebra, independent of the library's. Row-major. */
#pragma once

#include <stdbool.h>

/* y[m] = A[m*n] x[n];  y[n] = A^T x[m]. */
void dense_times(const double* A, const double* x, int m, int n, double* y);
void dense_times_transposed(const double* A, const double* x, int m, int n, double* y);

/* C[m*n] = A[m*k] B[k*n]. */
void dense_product(const double* A, const double* B, int m, int k, int n, double* C);
void dense_transpose(const double* A, int m, int n, double* B);

/* y[m] = sum_j |A_ij| |x_j|: the size of the terms that were added up, against which round-off is
   measured. */
void dense_sizes(const double* A, const double* x, int m, int n, double* y);

/* A = L L^T in place (lower half); false when A is not positive definite. */
bool dense_cholesky(double* A, int n);

/* Solve A x = b by Cholesky; A is overwritten, b becomes x. */
bool dense_solve(double* A, int n, double* b);

/* Eigenvalues, ascending, of K x = lambda M x; both symmetric, M positive definite; cyclic Jacobi.
 */
bool dense_eigenvalues(const double* K, const double* M, int n, double* lambda);

/* Vectors of three, for formulas of physics written out in the tests. */
void dense_cross(const double a[3], const double b[3], double c[3]);
double dense_dot(const double* a, const double* b, int n);
