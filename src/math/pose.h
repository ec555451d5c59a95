/* SPDX-License-Identifier: Apache-2.0 */
/* pose.h: rotations and poses used inside the library; appell/math.h has the types. */
#pragma once

#include "appell/math.h"

/* The quaternion of a rotation matrix R[9], row-major. */
apl_quat apl_quat_of_matrix(const double* R);

/* The pose of c in a, given b in a and c in b. */
apl_pose apl_pose_compose(apl_pose a, apl_pose b);

/* v, given in the rotated frame, in the axes of the outer frame. */
apl_vec3 apl_quat_rotate(apl_quat q, apl_vec3 v);

/* Power of a wrench along a twist, both at the same frame. */
double apl_power(apl_twist V, apl_wrench W);
