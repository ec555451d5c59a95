/* closed.h: motions of a robot that keep its loops closed, x = Z y, and matrices seen by them.
   Matrices stand column by column. */
#pragma once

#include "analyse/balance.h"

/* Z[nfree*m] from J[n*n] as apl_balance_jacobian() leaves it, with room for nfree*nfree; s[nfree]
   is room. Each column is one unit long. Returns m, -1 on failure. */
int apl_closed_motions(const balance* b, const double* J, double* Z, double* s);

/* out[m*m] = Z^T A Z, A with ld numbers per column. */
void apl_closed_project(int n, int m, const double* Z, const double* A, int ld, double* out);
