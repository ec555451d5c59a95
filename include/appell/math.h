/* SPDX-License-Identifier: Apache-2.0 */
/* math.h: value types of the interface. SI units, right-handed frames. */
#pragma once

#include "appell/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A vector: a position, a direction, a force. */
typedef struct apl_vec3 {
  double x, y, z;
} apl_vec3;

/* Rotation as a unit quaternion, scalar first. Inputs are normalised where they are used. */
typedef struct apl_quat {
  double w, x, y, z;
} apl_quat;

/* Position and orientation of a frame relative to another frame. */
typedef struct apl_pose {
  apl_vec3 position;
  apl_quat rotation;
} apl_pose;

/* Motion of a frame: angular velocity and velocity of its origin. */
typedef struct apl_twist {
  apl_vec3 angular, linear;
} apl_twist;

/* Force and moment on a frame; the moment is about its origin. Twist and wrench are different
   types, so that the compiler reports if one is used for the other. */
typedef struct apl_wrench {
  apl_vec3 moment, force;
} apl_wrench;

/* The axes in which a twist, a wrench or a Jacobian is expressed. */
typedef enum apl_axes { APL_PORT_AXES, APL_WORLD_AXES } apl_axes;

/* The identity: zero position, no rotation. */
APL_API apl_pose apl_pose_identity(void);

/* Position without rotation. */
APL_API apl_pose apl_pose_at(double x, double y, double z);

/* Fixed-axis roll, pitch, yaw: R = Rz(yaw) Ry(pitch) Rx(roll), the convention of URDF. */
APL_API apl_quat apl_quat_rpy(double roll, double pitch, double yaw);

/* Rotation by `angle` about `axis`, which need not be a unit vector but must not be zero. */
APL_API apl_quat apl_quat_axis(apl_vec3 axis, double angle);

#ifdef __cplusplus
}
#endif
