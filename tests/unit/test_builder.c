/* SPDX-License-Identifier: Apache-2.0 */
/* test_builder.c: impossible robots are refused with a sentence that names the part: masses,
   inertias, and the way links hang together. Possible ones at the edge are not refused. */
#include "refusal.h"

#include <math.h>

/* masses */

static void mass_negative(apl_spec* spec, int base) {
  apl_spec_number(spec, base, "body.mass", -1);
}
static void mass_nan(apl_spec* spec, int base) {
  apl_spec_number(spec, base, "body.mass", NEAR_NAN);
}
static void mass_infinite(apl_spec* spec, int base) {
  apl_spec_number(spec, base, "body.mass", NEAR_INFINITY);
}
static void com_nan(apl_spec* spec, int base) {
  apl_spec_vec3(spec, base, "body.com", 0, NEAR_NAN, 0);
}
static void place_nan(apl_spec* spec, int base) {
  apl_spec_place(spec, base, apl_pose_at(0, 0, NEAR_NAN));
}
static void place_zero_rotation(apl_spec* spec, int base) {
  apl_pose at = apl_pose_identity();
  at.rotation = (apl_quat){0, 0, 0, 0};
  apl_spec_place(spec, base, at);
}
static void port_nan(apl_spec* spec, int base) {
  apl_spec_port(spec, base, "hook", 0, apl_pose_at(NEAR_INFINITY, 0, 0));
}
static void gravity_nan(apl_spec* spec, int base) {
  (void)base;
  apl_spec_gravity(spec, (apl_vec3){0, 0, NEAR_NAN});
}
static void triangle(apl_spec* spec, int base) {
  (void)base;
  const double inertia[6] = {0.1, 0.1, 0.3, 0, 0, 0};
  const int i = refusal_point(spec, "slab", "world", "floating");
  apl_spec_put(spec, i, "body.inertia", inertia, 6);
}
static void triangle_turned(apl_spec* spec, int base) {
  (void)base;
  /* principal moments 0.1, 0.1, 0.3 turned by 45 degrees about x: the diagonal alone looks possible
   */
  const double inertia[6] = {0.1, 0.2, 0.2, 0, 0, 0.1};
  const int i = refusal_point(spec, "slab", "world", "floating");
  apl_spec_put(spec, i, "body.inertia", inertia, 6);
}
static void inertia_indefinite(apl_spec* spec, int base) {
  (void)base;
  const double inertia[6] = {0.1, 0.1, 0.1, 0.2, 0, 0};
  const int i = refusal_point(spec, "slab", "world", "floating");
  apl_spec_put(spec, i, "body.inertia", inertia, 6);
}
static void yaw_only_floating(apl_spec* spec, int base) {
  (void)base;
  const double inertia[6] = {0, 0, 0.3, 0, 0, 0};
  const int i = refusal_point(spec, "slab", "world", "floating");
  apl_spec_put(spec, i, "body.inertia", inertia, 6);
}
static void yaw_only_revolute(apl_spec* spec, int base) {
  const double inertia[6] = {0, 0, 0.3, 0, 0, 0};
  apl_spec_put(spec, base, "body.inertia", inertia, 6);
}
static void yaw_only_drive(apl_spec* spec, int base) {
  const double inertia[6] = {0, 0, 0.3, 0, 0, 0};
  (void)base;
  const int i = refusal_point(spec, "cart", "world", "differential-drive");
  apl_spec_number(spec, i, "joint.wheel-radius", 0.1);
  apl_spec_number(spec, i, "joint.half-track", 0.2);
  apl_spec_put(spec, i, "body.inertia", inertia, 6);
}
static void yaw_only_off_centre(apl_spec* spec, int base) {
  /* numbers for which going to the frame and back leaves round-off, 1e-18, in xx and yy */
  yaw_only_revolute(spec, base);
  apl_spec_number(spec, base, "body.mass", 3);
  apl_spec_vec3(spec, base, "body.com", 0.03, 0, 0.02);
}
static void triangle_equality(apl_spec* spec, int base) {
  (void)base;
  const double inertia[6] = {0.1, 0.2, 0.3, 0, 0, 0};
  const int i = refusal_point(spec, "plate", "world", "floating");
  apl_spec_put(spec, i, "body.inertia", inertia, 6);
}
static void point_mass(apl_spec* spec, int base) {
  (void)base;
  refusal_point(spec, "bob", "world", "revolute");
}

static void masses(void** state) {
  (void)state;
  refusal_expect("negative mass", mass_negative, "base", "mass");
  refusal_expect("mass NaN", mass_nan, "base", "mass");
  refusal_expect("mass infinite", mass_infinite, "base", "mass");
  refusal_expect("com NaN", com_nan, "base", "com");
  refusal_expect("placement NaN", place_nan, "base", "");
  refusal_expect("placement with a zero quaternion", place_zero_rotation, "base", "");
  refusal_expect("port infinite", port_nan, "hook", "");
  refusal_expect("gravity NaN", gravity_nan, "gravity", "");
  refusal_expect("triangle inequality", triangle, "slab", "inertia");
  refusal_expect("triangle inequality of principal moments", triangle_turned, "slab", "inertia");
  refusal_expect("negative principal moment", inertia_indefinite, "slab", "inertia");
  refusal_expect("zz alone on a floating body", yaw_only_floating, "slab", "");
  refusal_deny("zz alone on a body that only yaws", yaw_only_revolute);
  refusal_deny("zz alone on a differential drive", yaw_only_drive);
  refusal_deny("zz alone, centre of mass off the axes", yaw_only_off_centre);
  refusal_deny("triangle inequality met with equality", triangle_equality);
  refusal_deny("point mass", point_mass);
}

/* structure */

static void unknown_joint(apl_spec* spec, int base) {
  (void)base;
  refusal_point(spec, "arm", "base", "revolut");
}
static void unknown_body(apl_spec* spec, int base) {
  (void)base;
  apl_spec_link(spec, "arm", "base", "revolute", "rubber");
}
static void unknown_parent(apl_spec* spec, int base) {
  (void)base;
  refusal_point(spec, "arm", "nobody", "revolute");
}
static void unknown_port(apl_spec* spec, int base) {
  (void)base;
  refusal_point(spec, "arm", "base.nowhere", "revolute");
}
static void tip_of_rigid(apl_spec* spec, int base) {
  (void)base;
  refusal_point(spec, "arm", "base.tip", "revolute");
}
static void unknown_field(apl_spec* spec, int base) {
  apl_spec_number(spec, base, "body.colour", 3);
}
static void unknown_joint_field(apl_spec* spec, int base) {
  apl_spec_number(spec, base, "joint.pitch", 3);
}
static void no_path(apl_spec* spec, int base) {
  apl_spec_number(spec, base, "mass", 3);
}
static void twice(apl_spec* spec, int base) {
  (void)base;
  refusal_point(spec, "arm", "base", "revolute");
  refusal_point(spec, "arm", "base", "revolute");
}
static void called_world(apl_spec* spec, int base) {
  (void)base;
  refusal_point(spec, "world", "base", "revolute");
}
static void called_nothing(apl_spec* spec, int base) {
  (void)base;
  refusal_point(spec, "", "base", "revolute");
}
static void called_with_dot(apl_spec* spec, int base) {
  (void)base;
  refusal_point(spec, "arm.two", "base", "revolute");
}
static void port_twice(apl_spec* spec, int base) {
  apl_spec_port(spec, base, "hook", 0, apl_pose_identity());
  apl_spec_port(spec, base, "hook", 0, apl_pose_identity());
}
static void port_root(apl_spec* spec, int base) {
  apl_spec_port(spec, base, "root", 0, apl_pose_identity());
}
static void cycle_of_one(apl_spec* spec, int base) {
  (void)base;
  refusal_point(spec, "snake", "snake", "revolute");
}
static void cycle_of_three(apl_spec* spec, int base) {
  (void)base;
  refusal_point(spec, "head", "tail", "revolute");
  refusal_point(spec, "belly", "head", "revolute");
  refusal_point(spec, "tail", "belly", "revolute");
}
static void wrong_link(apl_spec* spec, int base) {
  apl_spec_number(spec, base + 7, "body.mass", 1);
}
static void input_nowhere(apl_spec* spec, int base) {
  (void)base;
  apl_spec_input(spec, "motor", "base.joint.elbow", 1);
}
static void input_twice(apl_spec* spec, int base) {
  (void)base;
  apl_spec_input(spec, "motor", "base.joint.angle", 1);
  apl_spec_input(spec, "motor", "base.joint.angle", 1);
}
static void input_gain(apl_spec* spec, int base) {
  (void)base;
  apl_spec_input(spec, "motor", "base.joint.angle", NEAR_NAN);
}

static void structure(void** state) {
  (void)state;
  refusal_expect("unknown joint kind", unknown_joint, "arm", "revolut");
  refusal_expect("unknown body kind", unknown_body, "arm", "rubber");
  refusal_expect("unknown parent", unknown_parent, "arm", "nobody");
  refusal_expect("unknown port", unknown_port, "arm", "nowhere");
  refusal_expect("a rigid body has no tip", tip_of_rigid, "arm", "tip");
  refusal_expect("unknown field", unknown_field, "base", "colour");
  refusal_expect("field of another joint", unknown_joint_field, "base", "pitch");
  refusal_expect("path without joint or body", no_path, "base", "mass");
  refusal_expect("duplicate link", twice, "arm", "");
  refusal_expect("a link called world", called_world, "world", "");
  refusal_expect("a link without a name", called_nothing, "name", "");
  refusal_expect("a link with a dot in its name", called_with_dot, "arm.two", "");
  refusal_expect("duplicate port", port_twice, "hook", "");
  refusal_expect("a port called root", port_root, "root", "");
  refusal_expect("a link on itself", cycle_of_one, "snake", "");
  refusal_expect("a ring of links", cycle_of_three, "", "");
  refusal_expect("a link that is not there", wrong_link, "", "");
  refusal_expect("input on nothing", input_nowhere, "motor", "elbow");
  refusal_expect("duplicate input", input_twice, "motor", "");
  refusal_expect("input gain NaN", input_gain, "motor", "");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(masses),
      cmocka_unit_test(structure),
  };
  return cmocka_run_group_tests_name("builder", tests, NULL, NULL);
}
