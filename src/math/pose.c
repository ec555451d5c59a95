/* SPDX-License-Identifier: Apache-2.0 */
/* pose.c: the public value types of appell/math.h. */
#include "appell/math.h"

#include "math/pose.h"

#include <math.h>

apl_pose apl_pose_identity(void) {
  return (apl_pose){{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0, 0.0}};
}

apl_pose apl_pose_at(double x, double y, double z) {
  return (apl_pose){{x, y, z}, {1.0, 0.0, 0.0, 0.0}};
}

static apl_quat quat_product(apl_quat a, apl_quat b) {
  return (apl_quat){
      a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
      a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}

apl_quat apl_quat_rpy(double roll, double pitch, double yaw) {
  const apl_quat x = {cos(0.5 * roll), sin(0.5 * roll), 0.0, 0.0};
  const apl_quat y = {cos(0.5 * pitch), 0.0, sin(0.5 * pitch), 0.0};
  const apl_quat z = {cos(0.5 * yaw), 0.0, 0.0, sin(0.5 * yaw)};

  return quat_product(quat_product(z, y), x);
}

apl_quat apl_quat_axis(apl_vec3 axis, double angle) {
  const double n = sqrt(axis.x * axis.x + axis.y * axis.y + axis.z * axis.z);
  const double s = sin(0.5 * angle) / n;

  return (apl_quat){cos(0.5 * angle), s * axis.x, s * axis.y, s * axis.z};
}

/* Divide by the largest component, which round-off cannot make small. */
apl_quat apl_quat_of_matrix(const double* R) {
  const double t[4] = {R[0] + R[4] + R[8], R[0] - R[4] - R[8], R[4] - R[0] - R[8],
                       R[8] - R[0] - R[4]};
  int k = 0;

  for (int i = 1; i < 4; ++i) {
    if (t[i] > t[k]) k = i;
  }
  const double s = sqrt(1.0 + t[k]), r = 0.5 / s, most = 0.5 * s;
  const double a = (R[7] - R[5]) * r, b = (R[2] - R[6]) * r, c = (R[3] - R[1]) * r;
  const double xy = (R[1] + R[3]) * r, xz = (R[2] + R[6]) * r, yz = (R[5] + R[7]) * r;
  if (k == 0) return (apl_quat){most, a, b, c};
  if (k == 1) return (apl_quat){a, most, xy, xz};
  return k == 2 ? (apl_quat){b, xy, most, yz} : (apl_quat){c, xz, yz, most};
}

/* v + 2/|q|^2 u x (u x v + w v), u = (x, y, z) */
apl_vec3 apl_quat_rotate(apl_quat q, apl_vec3 v) {
  const double k = 2.0 / (q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
  const double tx = q.y * v.z - q.z * v.y + q.w * v.x;
  const double ty = q.z * v.x - q.x * v.z + q.w * v.y;
  const double tz = q.x * v.y - q.y * v.x + q.w * v.z;

  return (apl_vec3){v.x + k * (q.y * tz - q.z * ty), v.y + k * (q.z * tx - q.x * tz),
                    v.z + k * (q.x * ty - q.y * tx)};
}

apl_pose apl_pose_compose(apl_pose a, apl_pose b) {
  const apl_vec3 p = apl_quat_rotate(a.rotation, b.position);

  return (apl_pose){{a.position.x + p.x, a.position.y + p.y, a.position.z + p.z},
                    quat_product(a.rotation, b.rotation)};
}

double apl_power(apl_twist V, apl_wrench W) {
  return V.angular.x * W.moment.x + V.angular.y * W.moment.y + V.angular.z * W.moment.z +
         V.linear.x * W.force.x + V.linear.y * W.force.y + V.linear.z * W.force.z;
}
