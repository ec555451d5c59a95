/* SPDX-License-Identifier: Apache-2.0 */
/* eigen_pair.h: eigenvalues of a pair of small symmetric matrices. Cold code. */
#pragma once

#include <stdbool.h>

/* A y = value B y with A symmetric and B symmetric positive definite, both n x n, row-major. Only
   the lower triangles are read; both matrices are overwritten. The values are ascending. False if B
   is not positive definite, a number is not finite, or 40 sweeps do not converge.

   Of a positive definite A the small values are as accurate as the large ones, relative to
   themselves, if A and B become well conditioned by a scaling of their rows and columns. */
bool apl_eigen_pair(int n, double* A, double* B, double* value);
