/* attitude.h: rotations that stand in a table, row by row, as quaternions (w x y z). */
#pragma once

/* Roll, pitch and yaw of a row [rad], as in URDF: R = Rz(yaw) Ry(pitch) Rx(roll). */
void apl_attitude_angles(const double rpy[3], int row, double* const q[4]);

/* n rows as a path that a spline can go through: all of length one, and of the two quaternions of a
   rotation the one that is nearer to the row before. Zeros stay as they are. */
void apl_attitude_smooth(int n, double* const q[4]);
