/* SPDX-License-Identifier: Apache-2.0 */
/* closed.h: motions of a robot that keep its loops closed, x = Z y, and matrices projected on them.
   Matrices are stored by columns. */
#pragma once

#include "analyse/balance.h"

/* Z[nfree*m] from J[n*n] of apl_balance_jacobian(); Z has capacity nfree*nfree, s[nfree] is
   scratch. Columns have unit length. Returns m, -1 on failure. */
int apl_closed_motions(const balance* b, const double* J, double* Z, double* s);

/* out[m*m] = Z^T A Z, A with ld numbers per column. */
void apl_closed_project(int n, int m, const double* Z, const double* A, int ld, double* out);
