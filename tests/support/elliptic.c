/* SPDX-License-Identifier: Apache-2.0 */
/* elliptic.c: see elliptic.h. */
#include "elliptic.h"

#include <math.h>

enum { MEANS = 8 }; /* quadratic convergence: from 0.05 to machine precision in six */

double elliptic_k(double m) {
  double a = 1;
  double b = sqrt(1 - m);
  for (int i = 0; i < MEANS; i++) {
    const double mean = 0.5 * (a + b);
    b = sqrt(a * b);
    a = mean;
  }
  return acos(-1.0) / (2 * a);
}

void elliptic_functions(double u, double m, double* sn, double* cn, double* dn) {
  double a[MEANS + 1];
  double c[MEANS + 1];
  double b = sqrt(1 - m);

  a[0] = 1;
  c[0] = sqrt(m);
  for (int i = 0; i < MEANS; i++) {
    a[i + 1] = 0.5 * (a[i] + b);
    c[i + 1] = 0.5 * (a[i] - b);
    b = sqrt(a[i] * b);
  }

  /* sin(2 phi_{i-1} - phi_i) = c_i/a_i sin phi_i, from phi_N = 2^N a_N u */
  double phi = ldexp(a[MEANS] * u, MEANS);
  for (int i = MEANS; i > 0; i--)
    phi = 0.5 * (phi + asin(c[i] / a[i] * sin(phi)));
  *sn = sin(phi);
  *cn = cos(phi);
  *dn = sqrt(1 - m * *sn * *sn);
}
