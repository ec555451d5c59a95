/* SPDX-License-Identifier: Apache-2.0 */
/* test_joints.c: every kind of joint, alone on the world and on a moving carrier, with and without
   spring, damper and rotor, with something hanging further out: all checks of checks.h. */
#include "checks.h"

#include "math/pose.h"
#include "spec/words.h"
#include "kindtests.h"
#include "tree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A rigid link of this joint, in general position, with two ports and a child that turns. */
static void add_link_and_child(plan* p, const char* word, const char* on, rng* r, bool furnished) {
  plan_link* link = plan_add(p, "link", on, word, "rigid");
  kind_fill(link, r);
  link->at = rng_pose(r, 0.3);
  plan_at_port(link, "a", 0, rng_pose(r, 0.4));
  plan_at_port(link, "b", 0, rng_pose(r, 0.4));
  if (furnished) kind_furnish(link, r);
  if (!furnished && !kind_of_joint(word)->steered) kind_take_wheels(link);

  plan_link* child = plan_add(p, "child", "link.a", "revolute", "rigid");
  kind_fill(child, r);
  child->at = rng_pose(r, 0.3);
}

/* What the link hangs on: nothing, a body free in space, or a tractor for slaved joints. */
static const char* add_carrier(plan* p, rng* r, bool slaved, bool moving) {
  if (slaved) {
    plan_link* tractor = plan_add(p, "carrier", "world", "differential-drive", "rigid");
    kind_fill(tractor, r);
    plan_vec3(tractor, "joint.normal", 0, 0, 1);
    tractor->at = rng_pose(r, 0.3); /* an incline */
    if (!moving) plan_number(tractor, "joint.wheel-inertia", 0);
    plan_at_port(tractor, "a", 0, apl_pose_at(moving ? -0.3 : 0.0, 0, 0.1));
    return "carrier.a";
  }
  if (!moving) return "world";
  plan_link* carrier = plan_add(p, "carrier", "world", "floating", "rigid");
  kind_fill(carrier, r);
  carrier->at = rng_pose(r, 0.3);
  plan_at_port(carrier, "a", 0, rng_pose(r, 0.4));
  return "carrier.a";
}

static void each_joint(void** state) {
  const char* word = *state;
  const kind* joint = kind_of_joint(word);

  kind_require_all();
  for (int i = 0; i < 4; i++) {
    const bool moving = i % 2 == 1;
    const bool furnished = i >= 2;
    rng r = rng_seed(100 + (unsigned)i);
    plan* p = plan_new();

    near_context("joint %s%s%s", word, moving ? " on a moving carrier" : "",
                 furnished ? " with spring, damper and rotor" : "");
    p->gravity = (apl_vec3){3, -5, -8};
    const char* on = add_carrier(p, &r, joint->slaved, moving);
    add_link_and_child(p, word, on, &r, furnished);
    if (joint->slaved) p->link[1].at = apl_pose_identity();
    if (furnished) tree_inputs(p);
    check_all(p, &r, 4);
    free(p);
  }
}

/* Defaults: the axis, normal and spring fields may be left out. */
static void defaults(void** state) {
  (void)state;
  for (int i = 0; apl_joint_word(i) != NULL; i++) {
    const kind* joint = kind_of_joint(apl_joint_word(i));
    if (joint == NULL || joint->slaved || joint->nv == 0) continue;
    near_context("joint %s with default axes", joint->word);
    rng r = rng_seed(7);
    plan* p = plan_new();
    plan_link* link = plan_add(p, "link", "world", joint->word, "rigid");
    for (const kind_field* f = joint->field; f->number != KIND_NONE; f++) {
      if (f->number == KIND_POSITIVE) plan_number(link, f->path, f->typical);
    }
    plan_mass(link, 2, (apl_vec3){0.3, 0.2, 0.1}, 0.2, 0.3, 0.4);
    check_all(p, &r, 2);
    free(p);
  }
}

/* Axes on and near the one direction opposite to the default, where the turn to an axis is not
 * unique. */
static const double off[] = {0, 1e-12, 1e-9, 1e-8, 1e-7, 1e-5, 1e-2};
enum { OFFS = sizeof off / sizeof *off };

static void opposite_axes(void** state) {
  (void)state;
  for (int i = 0; apl_joint_word(i) != NULL; i++) {
    const kind* joint = kind_of_joint(apl_joint_word(i));
    for (int k = 0; k < OFFS && joint->field[0].number == KIND_AXIS; k++) {
      rng r = rng_seed(9);
      plan* p = plan_new();
      near_context("%s with %s (%g, %g, -1)", joint->word, joint->field[0].path, 0.8 * off[k],
                   -0.6 * off[k]);
      add_link_and_child(p, joint->word, "world", &r, false);
      plan_vec3(&p->link[0], joint->field[0].path, 0.8 * off[k], -0.6 * off[k], -1);
      check_all(p, &r, 1);
      free(p);
    }
  }
}

/* The velocity that turns about (or slides along) the axis moves the body just in that direction.
 */
static void axis_directions(void** state) {
  (void)state;
  static const struct {
    const char* word;
    int velocity, half; /* half of the twist: 0 angular, 1 linear */
  } along[] = {{"revolute", 0, 0},    {"prismatic", 0, 1},         {"helical", 0, 0},
               {"cylindrical", 0, 0}, {"cylindrical", 1, 1},       {"universal", 0, 0},
               {"planar", 2, 0},      {"differential-drive", 1, 0}};

  for (int i = 0; i < (int)(sizeof along / sizeof *along); i++) {
    const kind* joint = kind_of_joint(along[i].word);
    for (int k = 0; k < 20 + OFFS; k++) {
      rng r = rng_seed(30 + (unsigned)k);
      plan* p = plan_new();
      plan_link* link = plan_add(p, "link", "world", joint->word, "rigid");
      kind_fill(link, &r);
      link->at = rng_pose(&r, 0.3);
      apl_vec3 axis = rng_direction(&r);
      if (k < OFFS) axis = (apl_vec3){0.8 * off[k], -0.6 * off[k], -1};
      plan_vec3(link, joint->field[0].path, axis.x, axis.y, axis.z);
      const apl_vec3 w = apl_quat_rotate(link->at.rotation, axis);
      const double size = sqrt(w.x * w.x + w.y * w.y + w.z * w.z);

      near_context("%s with axis (%.17g, %g, %g)", joint->word, axis.x, axis.y, axis.z);
      subject* sub = subject_open(p);
      double J[18];
      subject_randomise(sub, &r);
      subject_point(sub);
      CHECK_OK(apl_jacobian(sub->model, sub->s, 0, APL_WORLD_AXES, J));
      const double* column = J + 3 * along[i].half * sub->nv + along[i].velocity;
      const double got[3] = {column[0], column[sub->nv], column[2 * sub->nv]};
      const double want[3] = {w.x / size, w.y / size, w.z / size};
      CHECK_ARRAY(got, want, 3, 2e-15, 1); /* a few rotations */
      subject_close(sub);
      free(p);
    }
  }
}

static void words(void** state) {
  (void)state;
  kind_require_all();
  int n = 0;
  for (; apl_joint_word(n) != NULL; n++) {
    assert_true(strlen(apl_joint_title(n)) > 5);
    for (int i = 0; i < n; i++)
      assert_string_not_equal(apl_joint_word(i), apl_joint_word(n));
  }
  assert_in_range(n, 11, KINDTESTS_WORDS);
  assert_null(apl_joint_word(n));
  assert_null(apl_joint_title(n));
  assert_null(apl_joint_word(-1));
}

/* Coordinates and velocities have the names, numbers and neutral values of the table of kinds. */
static void sizes(void** state) {
  (void)state;
  for (int i = 0; apl_joint_word(i) != NULL; i++) {
    rng r = rng_seed(3);
    const kind* joint = kind_of_joint(apl_joint_word(i));
    plan* p = plan_new();
    const char* on = add_carrier(p, &r, joint->slaved, true);
    add_link_and_child(p, joint->word, on, &r, false);
    if (joint->slaved) p->link[1].at = apl_pose_identity();
    subject* sub = subject_open(p);
    const apl_link_info info = apl_model_link_info(sub->model, 1);
    near_context("joint %s", joint->word);
    assert_string_equal(info.joint, joint->word);
    assert_string_equal(info.body, "rigid");
    assert_int_equal(info.nq, joint->nq);
    assert_int_equal(info.nv, joint->nv);
    assert_int_equal(info.nt, joint->nq - (joint->quaternion ? 1 : 0));
    assert_int_equal(info.parent, 0);
    assert_int_equal(info.nx, 0);
    for (int k = 0; k < info.nq; k++) {
      CHECK_NEAR(sub->q[info.q0 + k], subject_is_quaternion(sub, info.q0 + k) ? 1 : 0, 0);
    }
    subject_close(sub);
    free(p);
  }
}

int main(void) {
  const struct CMUnitTest fixed[] = {
      cmocka_unit_test(words),           cmocka_unit_test(sizes),
      cmocka_unit_test(defaults),        cmocka_unit_test(opposite_axes),
      cmocka_unit_test(axis_directions),
  };
  return kindtests_run("joints", fixed, 5, apl_joint_word, each_joint);
}
