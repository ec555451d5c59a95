/* SPDX-License-Identifier: Apache-2.0 */
/* test_math.c: the public value types, against matrices written out by hand. */
#include "dense.h"

#include "math/pose.h"
#include "near.h"
#include "random.h"

#include <math.h>

/* A few operations on numbers of order one. */
#define TOLERANCE 1e-15

static void check_vec3(apl_vec3 got, double x, double y, double z) {
  CHECK_NEAR(got.x, x, 4 * TOLERANCE);
  CHECK_NEAR(got.y, y, 4 * TOLERANCE);
  CHECK_NEAR(got.z, z, 4 * TOLERANCE);
}

static void identity(void** state) {
  (void)state;
  const apl_pose one = apl_pose_identity();
  check_vec3(one.position, 0, 0, 0);
  check_vec3(apl_quat_rotate(one.rotation, (apl_vec3){1, 2, 3}), 1, 2, 3);
  const apl_pose at = apl_pose_at(4, 5, 6);
  check_vec3(at.position, 4, 5, 6);
  check_vec3(apl_quat_rotate(at.rotation, (apl_vec3){1, 2, 3}), 1, 2, 3);
}

/* Right-handed, active: the frame turned about z has its x axis along the old y. */
static void quarter_turns(void** state) {
  (void)state;
  const double quarter = acos(-1.0) / 2;
  const apl_vec3 x = {1, 0, 0};
  const apl_vec3 y = {0, 1, 0};
  const apl_vec3 z = {0, 0, 1};
  check_vec3(apl_quat_rotate(apl_quat_axis(z, quarter), x), 0, 1, 0);
  check_vec3(apl_quat_rotate(apl_quat_axis(x, quarter), y), 0, 0, 1);
  check_vec3(apl_quat_rotate(apl_quat_axis(y, quarter), z), 1, 0, 0);
}

/* The length of the axis does not matter; the quaternion is that of half the angle. */
static void axis_and_angle(void** state) {
  (void)state;
  const apl_quat q = apl_quat_axis((apl_vec3){0, 30, 40}, 1.2);
  CHECK_NEAR(q.w, cos(0.6), TOLERANCE);
  CHECK_NEAR(q.x, 0, TOLERANCE);
  CHECK_NEAR(q.y, 0.6 * sin(0.6), TOLERANCE);
  CHECK_NEAR(q.z, 0.8 * sin(0.6), TOLERANCE);
}

/* R = Rz(yaw) Ry(pitch) Rx(roll), column by column. */
static void roll_pitch_yaw(void** state) {
  (void)state;
  const double r = 0.3;
  const double p = -0.7;
  const double y = 2.1;
  const apl_quat q = apl_quat_rpy(r, p, y);
  check_vec3(apl_quat_rotate(q, (apl_vec3){1, 0, 0}), cos(y) * cos(p), sin(y) * cos(p), -sin(p));
  check_vec3(apl_quat_rotate(q, (apl_vec3){0, 1, 0}), cos(y) * sin(p) * sin(r) - sin(y) * cos(r),
             sin(y) * sin(p) * sin(r) + cos(y) * cos(r), cos(p) * sin(r));
  check_vec3(apl_quat_rotate(q, (apl_vec3){0, 0, 1}), cos(y) * sin(p) * cos(r) + sin(y) * sin(r),
             sin(y) * sin(p) * cos(r) - cos(y) * sin(r), cos(p) * cos(r));
}

/* c in a = (b in a) after (c in b): a point goes the same way in one step and in two. */
static void compose(void** state) {
  (void)state;
  rng r = rng_seed(1);
  for (int i = 0; i < 20; i++) {
    const apl_pose a = rng_pose(&r, 1);
    const apl_pose b = rng_pose(&r, 1);
    const apl_pose c = apl_pose_compose(a, b);
    const apl_vec3 point = {0.3, -0.4, 0.5};
    const apl_vec3 inner = apl_quat_rotate(b.rotation, point);
    const apl_vec3 moved = {inner.x + b.position.x, inner.y + b.position.y, inner.z + b.position.z};
    const apl_vec3 outer = apl_quat_rotate(a.rotation, moved);
    const apl_vec3 got = apl_quat_rotate(c.rotation, point);
    check_vec3((apl_vec3){got.x + c.position.x, got.y + c.position.y, got.z + c.position.z},
               outer.x + a.position.x, outer.y + a.position.y, outer.z + a.position.z);
  }
}

/* Lengths and handedness survive, also for quaternions that are not of unit length. */
static void rotation_is_rigid(void** state) {
  (void)state;
  rng r = rng_seed(2);
  for (int i = 0; i < 20; i++) {
    apl_quat q = rng_rotation(&r, 3);
    const apl_vec3 a = rng_direction(&r);
    const apl_vec3 b = apl_quat_rotate(q, a);
    CHECK_NEAR(b.x * b.x + b.y * b.y + b.z * b.z, 1, 4 * TOLERANCE);
    const apl_quat longer = {3 * q.w, 3 * q.x, 3 * q.y, 3 * q.z};
    check_vec3(apl_quat_rotate(longer, a), b.x, b.y, b.z);
  }
}

static void power(void** state) {
  (void)state;
  const apl_twist V = {{1, 2, 3}, {4, 5, 6}};
  const apl_wrench W = {{7, 8, 9}, {10, 11, 12}};
  CHECK_NEAR(apl_power(V, W), 7 + 16 + 27 + 40 + 55 + 72, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(identity),       cmocka_unit_test(quarter_turns),
      cmocka_unit_test(axis_and_angle), cmocka_unit_test(roll_pitch_yaw),
      cmocka_unit_test(compose),        cmocka_unit_test(rotation_is_rigid),
      cmocka_unit_test(power),
  };
  return cmocka_run_group_tests_name("math", tests, NULL, NULL);
}
