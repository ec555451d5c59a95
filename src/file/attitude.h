/* SPDX-License-Identifier: Apache-2.0 */
/* attitude.h: rotations in a table, row by row, as quaternions (w x y z). */
#pragma once

/* Roll, pitch and yaw of a row [rad], as in URDF: R = Rz(yaw) Ry(pitch) Rx(roll). */
void apl_attitude_angles(const double rpy[3], int row, double* const q[4]);

/* Prepare n rows for a spline: normalize them, and of the two quaternions q and -q of a rotation
   take the one that is nearer to the row before. Rows of zeros do not change. */
void apl_attitude_smooth(int n, double* const q[4]);
