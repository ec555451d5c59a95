/* SPDX-License-Identifier: Apache-2.0 */
/* attitude.c: see attitude.h. */
#include "file/attitude.h"

#include "appell/model.h"

#include <math.h>

void apl_attitude_angles(const double rpy[3], int row, double* const q[4]) {
  const apl_quat e = apl_quat_rpy(rpy[0], rpy[1], rpy[2]);

  q[0][row] = e.w, q[1][row] = e.x, q[2][row] = e.y, q[3][row] = e.z;
}

void apl_attitude_smooth(int n, double* const q[4]) {
  for (int i = 0; i < n; ++i) {
    double square = 0.0, along = 0.0;

    for (int k = 0; k < 4; ++k) {
      square += q[k][i] * q[k][i];
      along += i == 0 ? 0.0 : q[k][i] * q[k][i - 1];
    }
    /* q and -q are the same rotation */
    const double length = along < 0.0 ? -sqrt(square) : sqrt(square);
    for (int k = 0; square > 0.0 && k < 4; ++k)
      q[k][i] /= length;
  }
}
