/* pose.h: rotations and poses that the library composes itself; appell/math.h has the types. */
#pragma once

#include "appell/math.h"

/* The rotation that a matrix R[9], row by row, is. */
apl_quat apl_quat_of_matrix(const double* R);

/* First `a`, then `b` seen from it: the pose of c in a, given b in a and c in b. */
apl_pose apl_pose_compose(apl_pose a, apl_pose b);

/* v, given in the rotated frame, in the axes of the outer frame. */
apl_vec3 apl_quat_rotate(apl_quat q, apl_vec3 v);

/* Power of a wrench along a twist, both at the same frame. */
double apl_power(apl_twist V, apl_wrench W);
