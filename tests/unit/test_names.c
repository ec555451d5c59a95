/* SPDX-License-Identifier: Apache-2.0 */
/* test_names.c: the one grammar of names, sticky errors, and what a model and its states tell. */
#include "near.h"

#include <math.h>
#include <string.h>

static apl_model* robot(void) {
  apl_spec* spec;
  apl_model* model;
  apl_error err;

  CHECK_OK(apl_spec_new(&spec));
  apl_spec_gravity(spec, (apl_vec3){1, 2, 3});
  const int base = apl_spec_link(spec, "base", "world", "differential-drive", "rigid");
  apl_spec_number(spec, base, "joint.wheel-radius", 0.1);
  apl_spec_number(spec, base, "joint.half-track", 0.2);
  apl_spec_number(spec, base, "joint.wheel-inertia", 0.01);
  apl_spec_number(spec, base, "body.mass", 5);
  apl_spec_vec3(spec, base, "body.com", 0.1, 0.05, 0.2);
  apl_spec_port(spec, base, "mount", 0, apl_pose_at(0.2, 0, 0.3));
  const int ball = apl_spec_link(spec, "ball", "base.mount", "spherical", "rigid");
  const double inertia[6] = {0.1, 0.12, 0.15, 0, 0, 0};
  apl_spec_number(spec, ball, "body.mass", 2);
  apl_spec_put(spec, ball, "body.inertia", inertia, 6);
  const int rod = apl_spec_link(spec, "rod", "ball", "fixed", "arc");
  apl_spec_number(spec, rod, "body.length", 0.5);
  apl_spec_number(spec, rod, "body.mass-per-length", 1.2);
  apl_spec_number(spec, rod, "body.bending-stiffness", 0.1);
  apl_spec_number(spec, rod, "body.width", 0.02);
  apl_spec_number(spec, rod, "body.height", 0.004);
  const int slide = apl_spec_link(spec, "slide", "rod.tip", "cylindrical", "rigid");
  apl_spec_number(spec, slide, "body.mass", 0.5);
  apl_spec_vec3(spec, slide, "body.com", 0.1, 0, 0);
  apl_spec_rotor(spec, slide, "gear", 0, 1e-4, 30);
  apl_spec_prescribe(spec, slide, true, false);
  apl_spec_input(spec, "drive", "base.right", 1);
  apl_spec_input(spec, "bend", "rod.bend-y", 1);
  if (apl_model_new(spec, &model, &err) != APL_OK) near_fail(__FILE__, __LINE__, "%s", err.text);
  apl_spec_free(spec);
  return model;
}

/* Both ways: index to name and back. */
static void check_names(const apl_model* m, int n, const char* const* want, apl_kind kind) {
  assert_int_equal(apl_model_count(m, kind), n);
  for (int i = 0; i < n; i++) {
    assert_string_equal(apl_model_name(m, kind, i), want[i]);
    assert_int_equal(apl_model_find(m, kind, want[i]), i);
  }
  assert_int_equal(apl_model_find(m, kind, "nobody"), -1);
  assert_int_equal(apl_model_find(m, kind, ""), -1);
  assert_null(apl_model_name(m, kind, n));
  assert_null(apl_model_name(m, kind, -1));
}

static void names(void** unused) {
  (void)unused;
  apl_model* m = robot();
  static const char* const links[] = {"base", "ball", "rod", "slide"};
  static const char* const q[] = {"base.joint.x",        "base.joint.y",  "base.joint.heading",
                                  "ball.joint.qw",       "ball.joint.qx", "ball.joint.qy",
                                  "ball.joint.qz",       "rod.bend-y",    "slide.joint.angle",
                                  "slide.joint.position"};
  static const char* const v[] = {"base.joint.speed",  "base.joint.turn",     "ball.joint.wx",
                                  "ball.joint.wy",     "ball.joint.wz",       "rod.bend-y",
                                  "slide.joint.angle", "slide.joint.position"};
  static const char* const inputs[] = {"drive", "bend"};
  static const char* const ports[] = {"base.root", "base.mount", "ball.root",
                                      "rod.root",  "rod.tip",    "slide.root"};
  static const char* const satellites[] = {"base.right", "base.left", "slide.gear"};

  assert_int_equal(apl_model_count(m, APL_LINKS), 4);
  assert_int_equal(apl_model_nq(m), 10);
  assert_int_equal(apl_model_nt(m), 9);
  assert_int_equal(apl_model_nv(m), 8);
  assert_int_equal(apl_model_nu(m), 2);
  assert_int_equal(apl_model_count(m, APL_PORTS), 6);
  assert_int_equal(apl_model_count(m, APL_SATELLITES), 3);
  check_names(m, 4, links, APL_LINKS);
  check_names(m, 10, q, APL_COORDINATES);
  check_names(m, 8, v, APL_VELOCITIES);
  check_names(m, 2, inputs, APL_INPUTS);

  /* the order of ports and satellites is the library's; their names are not */
  for (int i = 0; i < 6; i++)
    assert_string_equal(apl_model_name(m, APL_PORTS, apl_model_find(m, APL_PORTS, ports[i])),
                        ports[i]);
  for (int i = 0; i < 3; i++) {
    const int at = apl_model_find(m, APL_SATELLITES, satellites[i]);
    assert_string_equal(apl_model_name(m, APL_SATELLITES, at), satellites[i]);
  }
  apl_model_free(m);
}

static void info(void** unused) {
  (void)unused;
  apl_model* m = robot();
  const apl_link_info rod = apl_model_link_info(m, 2);
  const apl_link_info slide = apl_model_link_info(m, 3);
  double p[40];

  assert_int_equal(rod.parent, 1);
  assert_int_equal(rod.on, apl_model_find(m, APL_PORTS, "ball.root"));
  assert_int_equal(rod.port, apl_model_find(m, APL_PORTS, "rod.root"));
  assert_int_equal(rod.port + 1, apl_model_find(m, APL_PORTS, "rod.tip"));
  assert_int_equal(slide.on, apl_model_find(m, APL_PORTS, "rod.tip"));
  assert_int_equal(apl_model_link_info(m, 1).on, apl_model_find(m, APL_PORTS, "base.mount"));
  assert_int_equal(apl_model_link_info(m, 0).on, -1);
  CHECK_NEAR(rod.half[0], 0.01, 0);
  CHECK_NEAR(rod.half[1], 0.002, 0);
  CHECK_NEAR(slide.half[0], 0, 0);
  assert_int_equal(rod.nq + rod.nv + rod.nt, 0);
  assert_int_equal(rod.nx, 1);
  assert_int_equal(rod.xq0, 7);
  assert_int_equal(rod.xt0, 6);
  assert_int_equal(rod.xv0, 5);
  CHECK_NEAR(rod.mass, 0.6, 1e-15);
  assert_string_equal(rod.body, "arc");
  assert_int_equal(slide.q0, 8);
  assert_int_equal(slide.t0, 7);
  assert_int_equal(slide.v0, 6);
  assert_true(slide.joint_prescribed && !slide.body_prescribed && !rod.joint_prescribed);
  assert_int_equal(apl_model_link_info(m, 0).parent, -1);
  CHECK_NEAR(apl_model_mass(m), 5 + 2 + 0.6 + 0.5, 1e-14);
  CHECK_NEAR(apl_model_gravity(m).y, 2, 0);

  /* inertial parameters about the link's own frame; zeros for the arc */
  const double base[4] = {5, 0.5, 0.25, 1.0};
  apl_model_inertial(m, p);
  CHECK_ARRAY(p, base, 4, 1e-15, 5);
  CHECK_NEAR(p[4], 5 * (0.05 * 0.05 + 0.2 * 0.2), 1e-15);
  CHECK_NEAR(p[7], -5 * 0.1 * 0.05, 1e-15);
  CHECK_NEAR(near_max(p + 20, 10), 0, 0);
  apl_model_free(m);
}

/* After the first mistake every call is ignored; the first sentence stays. */
static void sticky(void** unused) {
  (void)unused;
  apl_spec* spec;
  apl_model* model;
  apl_error err;

  CHECK_OK(apl_spec_new(&spec));
  assert_int_equal(apl_spec_error(spec)->status, APL_OK);
  assert_int_equal(apl_spec_link(spec, "good", "world", "revolute", "rigid"), 0);
  assert_int_equal(apl_spec_link(spec, "bad", "good", "teleport", "rigid"), -1);
  assert_int_not_equal(apl_spec_error(spec)->status, APL_OK);
  assert_non_null(strstr(apl_spec_error(spec)->text, "teleport"));
  assert_int_equal(apl_spec_link(spec, "later", "good", "revolute", "rigid"), -1);
  apl_spec_number(spec, 0, "body.colour", 1);
  apl_spec_place(spec, -1, apl_pose_identity());
  apl_spec_port(spec, -1, "p", 0, apl_pose_identity());
  apl_spec_rotor(spec, -1, "r", 0, 1, 1);
  apl_spec_prescribe(spec, -1, true, true);
  apl_spec_input(spec, "i", "nothing", 1);
  assert_non_null(strstr(apl_spec_error(spec)->text, "teleport"));
  assert_int_not_equal(apl_model_new(spec, &model, &err), APL_OK);
  assert_null(model);
  assert_string_equal(err.text, apl_spec_error(spec)->text);
  apl_spec_free(spec);
}

/* Arguments out of range are told, not followed. */
static void arguments(void** unused) {
  (void)unused;
  apl_model* m = robot();
  apl_state* s;
  double x[64];
  const apl_wrench none = {{0, 0, 0}, {0, 0, 0}};

  CHECK_OK(apl_state_new(m, APL_SCALAR, &s));
  assert_int_equal(apl_state_width(s), 1);
  assert_int_equal(apl_port_pose(m, s, -1, x), APL_ERR_ARGUMENT);
  assert_int_equal(apl_port_pose(m, s, apl_model_count(m, APL_PORTS), x), APL_ERR_ARGUMENT);
  assert_int_equal(apl_jacobian(m, s, 99, APL_WORLD_AXES, x), APL_ERR_ARGUMENT);
  assert_int_equal(apl_port_motion(m, s, 99, APL_WORLD_AXES, x, x + 6), APL_ERR_ARGUMENT);
  assert_int_equal(apl_load(m, s, -1, APL_WORLD_AXES, none), APL_ERR_ARGUMENT);
  assert_int_equal(apl_state_trouble(s), -1);

  apl_state_free(s);
  apl_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(names),
      cmocka_unit_test(info),
      cmocka_unit_test(sticky),
      cmocka_unit_test(arguments),
  };
  return cmocka_run_group_tests_name("names", tests, NULL, NULL);
}
