/* SPDX-License-Identifier: Apache-2.0 */
/* soft_row.c: see soft_row.h. */
#include "kind/soft_row.h"

#include <math.h>

/* Velocity of the row if no other rows acted: the zero of
     u - u_free - W h F(D - h u, -u),   which increases with u, between u_free and D / h */
static double alone(const normal_numbers* N, double speed_in, double D, double h, double W,
                    double u_free) {
  double low = u_free, high = fmax(u_free, D / h), u = low;

  for (int k = 0; k < 60 && high - low > 1e-12 * (fabs(low) + fabs(high)); ++k) {
    const double F = normal_force(D - h * u, -u, speed_in, N, false);
    const double g = u - u_free - W * h * F;
    if (g > 0.0) {
      high = u;
    } else {
      low = u;
    }
    /* Newton's step if it stays inside the interval, else bisection */
    const double d = fmax(D - h * u, 0.0);
    const double elastic = normal_elastic(d, N);
    const double slope =
        1.0 + W * h * (h * N->n * elastic / fmax(d, 1e-300) + N->c * elastic / speed_in + N->b);
    u = u - g / slope;
    if (!(u > low && u < high)) u = 0.5 * (low + high);
  }
  return u;
}

/* P = h (F0 + k (D - h u - D0) - b u)  =>  u + c P = s,  c = 1 / (h^2 k + h b) */
soft_row apl_soft_row(const normal_numbers* N, double speed_in, const soft_step* step,
                      double touch) {
  const double h = step->h, D = step->depth;
  const double u = alone(N, speed_in, D, h, step->W, step->free);
  const double D0 = fmax(D - h * u, 0.0), F0 = normal_elastic(D0, N);
  /* tangent of the law at D0; before contact a secant up to the depth `touch` */
  const double deep = fmax(D0, touch);
  const double k = N->n * normal_elastic(deep, N) / deep;
  const double b = N->b + N->c * F0 / speed_in;
  const double c = 1.0 / (h * h * k + h * b);

  return (soft_row){.shift = -c * h * (F0 + k * (D - D0)), .softness = c, .k = k};
}
