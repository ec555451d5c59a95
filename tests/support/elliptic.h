/* SPDX-License-Identifier: Apache-2.0 */
/* elliptic.h: elliptic integral and functions by arithmetic-geometric means (Abramowitz and
   Stegun 16.4, 17.6), for closed forms of pendulum, free body and top. m = k^2. */
#pragma once

/* K(m), the quarter period. */
double elliptic_k(double m);

/* sn, cn, dn of u. */
void elliptic_functions(double u, double m, double* sn, double* cn, double* dn);
