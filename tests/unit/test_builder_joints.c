/* SPDX-License-Identifier: Apache-2.0 */
/* test_builder_joints.c: impossible parameters of joints, bodies and rotors, and robots whose mass
   matrix is singular, are refused with a sentence that names the part. */
#include "kinds.h"
#include "refusal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* joint parameters */

static void zero_axis(apl_spec* spec, int base) {
  apl_spec_vec3(spec, base, "joint.axis", 0, 0, 0);
}
static void nan_axis(apl_spec* spec, int base) {
  apl_spec_vec3(spec, base, "joint.axis", 0, NEAR_NAN, 1);
}
static void two_numbers(apl_spec* spec, int base) {
  const double x[2] = {0, 1};
  apl_spec_put(spec, base, "joint.axis", x, 2);
}
static void five_inertias(apl_spec* spec, int base) {
  const double x[5] = {1, 1, 1, 0, 0};
  apl_spec_put(spec, base, "body.inertia", x, 5);
}
static void two_dampings(apl_spec* spec, int base) {
  const double x[2] = {0.1, 0.1};
  apl_spec_put(spec, base, "joint.damping", x, 2);
}
static void negative_damping(apl_spec* spec, int base) {
  apl_spec_number(spec, base, "joint.damping", -0.1);
}
static void rest_nan(apl_spec* spec, int base) {
  apl_spec_number(spec, base, "joint.rest", NEAR_NAN);
}
static void no_pitch(apl_spec* spec, int base) {
  (void)base;
  refusal_box(spec, "screw", "base", "helical");
}
static void parallel_axes(apl_spec* spec, int base) {
  (void)base;
  const int i = refusal_box(spec, "cross", "base", "universal");
  apl_spec_vec3(spec, i, "joint.axis", 0, 0, 1);
  apl_spec_vec3(spec, i, "joint.second-axis", 0, 0, 2);
}
static int cart(apl_spec* spec, double radius, double track) {
  const int i = refusal_box(spec, "cart", "world", "differential-drive");
  apl_spec_number(spec, i, "joint.wheel-radius", radius);
  apl_spec_number(spec, i, "joint.half-track", track);
  apl_spec_number(spec, i, "joint.wheel-inertia", 0.01);
  return i;
}
static void zero_wheel(apl_spec* spec, int base) {
  (void)base;
  cart(spec, 0, 0.2);
}
static void negative_track(apl_spec* spec, int base) {
  (void)base;
  cart(spec, 0.1, -0.2);
}
static void negative_wheel_inertia(apl_spec* spec, int base) {
  (void)base;
  apl_spec_number(spec, cart(spec, 0.1, 0.2), "joint.wheel-inertia", -1);
}
static void backward_trailer(apl_spec* spec, int base) {
  (void)base;
  cart(spec, 0.1, 0.2);
  apl_spec_number(spec, refusal_box(spec, "wagon", "cart", "trailer"), "joint.length", -0.5);
}
/* Each number of a rolling joint that must have a sign, spoilt alone, must be named. */
typedef struct rolling_number {
  const char* joint;
  const char* field;
  double value;
} rolling_number;

static const rolling_number* spoilt;

static void one_spoilt(apl_spec* spec, int base) {
  char path[40];
  (void)base;
  const int i = refusal_box(spec, "roller", "world", spoilt->joint);
  for (const kind_field* f = kind_of_joint(spoilt->joint)->field; f->number != KIND_NONE; f++) {
    if (f->number == KIND_POSITIVE) apl_spec_number(spec, i, f->path, f->typical);
  }
  if (spoilt->field == NULL) return;
  snprintf(path, sizeof path, "joint.%s", spoilt->field);
  apl_spec_number(spec, i, path, spoilt->value);
}

static void rolling_numbers(void** state) {
  (void)state;
  static const rolling_number list[] = {
      {"knife-edge", "wheel-radius", 0},
      {"knife-edge", "wheel-radius", -0.1},
      {"knife-edge", "wheel-inertia", -1},
      {"car-front", "wheelbase", 0},
      {"car-front", "wheelbase", -1},
      {"car-front", "rear-radius", 0},
      {"car-front", "rear-radius", -0.1},
      {"car-front", "front-radius", 0},
      {"car-front", "front-radius", -0.1},
      {"car-front", "half-track", -0.1},
      {"car-front", "rear-inertia", -1},
      {"car-front", "front-inertia", -1},
      {"car-front", "steering-inertia", -1},
      {"car-rear", "wheelbase", 0},
      {"car-rear", "rear-radius", 0},
      {"car-rear", "half-track", -0.1},
      {"mecanum", "wheel-radius", 0},
      {"mecanum", "wheel-radius", -1},
      {"mecanum", "half-length", 0},
      {"mecanum", "half-length", -1},
      {"mecanum", "half-track", 0},
      {"mecanum", "half-track", -1},
      {"mecanum", "wheel-inertia", -1},
      {"omni3", "wheel-radius", 0},
      {"omni3", "wheel-radius", -1},
      {"omni3", "distance", 0},
      {"omni3", "distance", -1},
      {"omni3", "wheel-inertia", -1},
      {"omni4", "wheel-radius", 0},
      {"omni4", "distance", 0},
      {"rolling-disc", "radius", 0},
      {"rolling-disc", "radius", -1},
      {"rolling-sphere", "radius", 0},
      {"rolling-sphere", "radius", -1},
  };
  for (size_t k = 0; k < sizeof list / sizeof *list; k++) {
    const rolling_number good = {list[k].joint, NULL, 0};
    char what[80];
    char word[40];
    snprintf(what, sizeof what, "%s with %s %g", list[k].joint, list[k].field, list[k].value);
    snprintf(word, sizeof word, "%s must", list[k].field);
    spoilt = &list[k];
    refusal_expect(what, one_spoilt, "roller", word);
    spoilt = &good;
    refusal_deny(list[k].joint, one_spoilt);
  }
}

/* A steering that nothing resists has no inertia; a bicycle has no track. */
static void light_steering(apl_spec* spec, int base) {
  static const rolling_number light = {"car-rear", "steering-inertia", 0};
  spoilt = &light;
  one_spoilt(spec, base);
}
static void bicycle(apl_spec* spec, int base) {
  static const rolling_number no_track = {"car-front", "half-track", 0};
  spoilt = &no_track;
  one_spoilt(spec, base);
}

static void zero_arc(apl_spec* spec, int base) {
  (void)base;
  const int i = apl_spec_link(spec, "rod", "base", "fixed", "arc");
  apl_spec_number(spec, i, "body.length", 0);
  apl_spec_number(spec, i, "body.mass-per-length", 1);
  apl_spec_number(spec, i, "body.bending-stiffness", 1);
}
static void arc_without_length(apl_spec* spec, int base) {
  (void)base;
  const int i = apl_spec_link(spec, "rod", "base", "fixed", "arc");
  apl_spec_number(spec, i, "body.mass-per-length", 1);
  apl_spec_number(spec, i, "body.bending-stiffness", 1);
}
static void beyond_the_tip(apl_spec* spec, int base) {
  (void)base;
  const int i = apl_spec_link(spec, "rod", "base", "fixed", "arc");
  apl_spec_number(spec, i, "body.length", 1);
  apl_spec_number(spec, i, "body.mass-per-length", 1);
  apl_spec_number(spec, i, "body.bending-stiffness", 1);
  apl_spec_port(spec, i, "hook", 1.5, apl_pose_identity());
}
static void rotor_velocity(apl_spec* spec, int base) {
  apl_spec_rotor(spec, base, "gear", 1, 0.01, 10);
}
static void rotor_inertia(apl_spec* spec, int base) {
  apl_spec_rotor(spec, base, "gear", 0, -0.01, 10);
}

static void parameters(void** state) {
  (void)state;
  refusal_expect("zero axis", zero_axis, "base", "axis");
  refusal_expect("axis NaN", nan_axis, "base", "axis");
  refusal_expect("axis of two numbers", two_numbers, "base", "axis");
  refusal_expect("inertia of five numbers", five_inertias, "base", "inertia");
  refusal_expect("two dampings on one freedom", two_dampings, "base", "damping");
  refusal_expect("negative damping", negative_damping, "base", "damping");
  refusal_expect("rest NaN", rest_nan, "base", "rest");
  refusal_expect("helical without pitch", no_pitch, "screw", "pitch");
  refusal_expect("universal with parallel axes", parallel_axes, "cross", "");
  refusal_expect("zero wheel radius", zero_wheel, "cart", "wheel-radius");
  refusal_expect("negative track", negative_track, "cart", "half-track");
  refusal_expect("negative wheel inertia", negative_wheel_inertia, "cart", "wheel-inertia");
  refusal_expect("negative trailer length", backward_trailer, "wagon", "length");
  refusal_expect("arc of no length", zero_arc, "rod", "length");
  refusal_expect("arc without length", arc_without_length, "rod", "length");
  refusal_expect("station beyond the tip", beyond_the_tip, "hook", "");
  refusal_expect("rotor on a velocity that is not there", rotor_velocity, "gear", "");
  refusal_expect("negative rotor inertia", rotor_inertia, "gear", "");
}

static void cars(void** state) {
  (void)state;
  refusal_expect("steering without inertia", light_steering, "roller", "");
  refusal_deny("bicycle", bicycle);
}

/* singular mass matrices */

static void massless_leaf(apl_spec* spec, int base) {
  (void)base;
  apl_spec_number(spec, apl_spec_link(spec, "feather", "base", "revolute", "rigid"), "body.mass",
                  0);
}
static void mass_on_axis(apl_spec* spec, int base) {
  (void)base;
  const int i = apl_spec_link(spec, "needle", "base", "revolute", "rigid");
  apl_spec_number(spec, i, "body.mass", 1);
  apl_spec_vec3(spec, i, "body.com", 0, 0, 0.4);
}
static void point_on_ball(apl_spec* spec, int base) {
  (void)base;
  refusal_point(spec, "bead", "base", "spherical");
}
static void point_floating(apl_spec* spec, int base) {
  (void)base;
  refusal_point(spec, "bead", "world", "floating");
}
static void massless_inside(apl_spec* spec, int base) {
  (void)base;
  const int i = apl_spec_link(spec, "yoke", "base", "revolute", "rigid");
  apl_spec_number(spec, i, "body.mass", 0);
  apl_spec_vec3(spec, i, "joint.axis", 0, 1, 0);
  refusal_box(spec, "arm", "yoke", "revolute");
}
static void massless_leaf_prescribed(apl_spec* spec, int base) {
  (void)base;
  const int i = apl_spec_link(spec, "feather", "base", "revolute", "rigid");
  apl_spec_number(spec, i, "body.mass", 0);
  apl_spec_prescribe(spec, i, true, false);
}
static void massless_leaf_fixed(apl_spec* spec, int base) {
  (void)base;
  apl_spec_number(spec, apl_spec_link(spec, "marker", "base", "fixed", "rigid"), "body.mass", 0);
}
static void massless_leaf_rotor(apl_spec* spec, int base) {
  (void)base;
  const int i = apl_spec_link(spec, "feather", "base", "revolute", "rigid");
  apl_spec_number(spec, i, "body.mass", 0);
  apl_spec_rotor(spec, i, "gear", 0, 0.01, 10);
}

static void singular(void** state) {
  (void)state;
  refusal_expect("massless leaf", massless_leaf, "feather", "");
  refusal_expect("point mass on its own axis", mass_on_axis, "needle", "");
  refusal_expect("point mass on a ball joint", point_on_ball, "bead", "");
  refusal_expect("point mass floating", point_floating, "bead", "");
  refusal_deny("massless link with inertia further out", massless_inside);
  refusal_deny("massless leaf with prescribed motion", massless_leaf_prescribed);
  refusal_deny("massless leaf on a fixed joint", massless_leaf_fixed);
  refusal_deny("massless leaf with a rotor", massless_leaf_rotor);
}

/* every field that all joints have is offered to who mistypes it, and no other one */
static void hints(void** state) {
  static const char* const name[] = {"stiffness",       "damping",       "friction-speed",
                                     "stop-stiffness",  "stop-damping",  "lower",
                                     "servo-stiffness", "servo-damping", "servo-integral",
                                     "servo-effort",    "servo-speed"};
  (void)state;

  for (size_t i = 0; i < sizeof name / sizeof *name; ++i) {
    char path[64], hint[64];
    apl_spec* spec;
    CHECK_OK(apl_spec_new(&spec));
    const int link = apl_spec_link(spec, "arm", "world", "revolute", "rigid");
    /* the last letter is missing */
    snprintf(path, sizeof path, "joint.%.*s", (int)strlen(name[i]) - 1, name[i]);
    snprintf(hint, sizeof hint, "did you mean '%s'", name[i]);
    apl_spec_number(spec, link, path, 1.0);
    near_context("%s", path);
    CHECK_TRUE(strstr(apl_spec_error(spec)->text, hint) != NULL, "%s", apl_spec_error(spec)->text);
    apl_spec_free(spec);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(hints), cmocka_unit_test(parameters), cmocka_unit_test(rolling_numbers),
      cmocka_unit_test(cars),  cmocka_unit_test(singular),
  };
  return cmocka_run_group_tests_name("builder: joints", tests, NULL, NULL);
}
