/* SPDX-License-Identifier: Apache-2.0 */
/* test_element_parts.c: the cold halves that kinds share: element/axis.h, require.h, rolling.h,
   wheel_pair.h, footing.h, section.h and the tables of element.h. */
#include "near.h"
#include "random.h"

#include "element/axis.h"
#include "element/element.h"
#include "element/footing.h"
#include "element/require.h"
#include "element/rolling.h"
#include "element/section.h"
#include "element/wheel_pair.h"

#include <string.h>

#define PI 3.14159265358979323846

static void expect_word(apl_status st, const apl_error* err, const char* word) {
  assert_int_equal(st, APL_ERR_MODEL);
  assert_int_equal(err->status, APL_ERR_MODEL);
  CHECK_TRUE(strstr(err->text, word) != NULL, "%s", err->text);
}

/* A rotation (R R^T = 1, det 1) whose z is the axis, also straight down and for axes of any length;
   axis z gives no turn at all. */
static void axes(void** state) {
  rng r = rng_seed(1);
  apl_error err;

  (void)state;
  for (int t = 0; t < 60; ++t) {
    const apl_vec3 u = rng_direction(&r);
    double axis[3] = {u.x, u.y, u.z};
    if (t < 6) axis[0] = axis[1] = axis[2] = 0, axis[t / 2] = t % 2 ? -3 : 0.01;
    if (t == 6) axis[0] = 1e-9, axis[1] = 0, axis[2] = -1; /* nearly down */
    const double n = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
    mat3 R = {0};
    CHECK_OK(turn_to_axis(axis, "axis", &R, &err));
    const vec3 x = {R.xx, R.yx, R.zx}, y = {R.xy, R.yy, R.zy}, z = {R.xz, R.yz, R.zz};
    const double want[3] = {axis[0] / n, axis[1] / n, axis[2] / n};
    CHECK_ARRAY(&z.x, want, 3, 1e-15, 1);
    CHECK_NEAR(dot(x, x), 1, 1e-14);
    CHECK_NEAR(dot(x, y), 0, 1e-14);
    CHECK_NEAR(dot(y, z), 0, 1e-14);
    CHECK_NEAR(dot(cross(x, y), z), 1, 1e-14);
  }
  mat3 R = {0};
  const mat3 one = mat3_identity();
  CHECK_OK(axis_compile(&(axis_param){{0, 0, 5}}, NULL, NULL, &R, &err));
  CHECK_ARRAY(&R.xx, &one.xx, 9, 0, 1);
  expect_word(turn_to_axis((double[]){0, 0, 0}, "hinge", &R, &err), &err,
              "hinge must be a direction");
  expect_word(turn_to_axis((double[]){NEAR_NAN, 0, 1}, "axis", &R, &err), &err, "axis");
}

static void signs(void** state) {
  apl_error err;

  (void)state;
  CHECK_OK(require_positive(1e-300, "length", "m", &err));
  expect_word(require_positive(0, "length", "m", &err), &err, "length must be positive, got 0 m");
  expect_word(require_positive(NEAR_NAN, "length", "m", &err), &err, "length");
  CHECK_OK(require_not_negative(0, "inertia", "kg", &err));
  expect_word(require_not_negative(-1, "inertia", "kg", &err), &err,
              "inertia must not be negative, got -1 kg");
  expect_word(require_not_negative(NEAR_NAN, "inertia", "kg", &err), &err, "inertia");
}

static void wheels(void** state) {
  apl_error err;
  wheel_pair par;
  rolling_par rolls;
  mat3 turn;
  double inertia[2];
  apl_footing stands = {0};

  (void)state;
  CHECK_OK(wheel_pair_compile(0.2, 0.5, 0.03, &par, inertia, &err));
  CHECK_NEAR(par.speed * 1 + par.turn * 2, (1 + 2 * 0.5) / 0.2,
             1e-14); /* right, at 1 m/s, 2 rad/s */
  assert_true(inertia[0] == 0.03 && inertia[1] == 0.03);
  wheel_pair_stands(&par, &stands);
  assert_int_equal(stands.count, 2);
  CHECK_NEAR(stands.height, 0.2, 1e-16);
  CHECK_NEAR(stands.contact[0].y, -0.5, 1e-15); /* right is at -y */
  CHECK_NEAR(stands.contact[1].y, 0.5, 1e-15);
  expect_word(wheel_pair_compile(0, 0.5, 0, &par, inertia, &err), &err, "wheel-radius");
  expect_word(wheel_pair_compile(1, -1, 0, &par, inertia, &err), &err, "half-track");
  expect_word(wheel_pair_compile(1, 1, -1, &par, inertia, &err), &err, "wheel-inertia");

  rolling_param p = {{0, 1, 0}, 0.3, 0.7};
  CHECK_OK(rolling_compile(&p, &rolls, NULL, &turn, &err));
  assert_true(rolls.radius == 0.3 && rolls.friction == 0.7);
  CHECK_NEAR(turn.yz, 1, 1e-16); /* z of the joint is the normal */
  p.radius = 0;
  CHECK_OK(require_signs(rolling_fields, &(rolling_param){{0, 1, 0}, 0.3, 0}, &err));
  expect_word(require_signs(rolling_fields, &p, &err), &err, "radius must be positive, got 0 m");
  p.radius = 1, p.ground_friction = -1;
  expect_word(require_signs(rolling_fields, &p, &err), &err,
              "ground-friction must not be negative, got -1");
}

static void footholds(void** state) {
  apl_footing f = {0};

  (void)state;
  apl_foothold* w = footing_wheel(&f, 3, 1, 2, PI / 6, 0.4);
  assert_true(w->wheel == 3 && w->shaft == -1 && w->hold && !w->hold_both && w->radius == 0.4);
  CHECK_NEAR(w->along.x, sqrt(0.75), 1e-15);
  CHECK_NEAR(w->push.y, 0.5, 1e-15);
  footing_roller(w, 3, 4); /* the ground pushes along the roller and holds nothing */
  assert_false(w->hold);
  CHECK_NEAR(w->push.x, 0.6, 1e-16);
  CHECK_NEAR(w->push.y, 0.8, 1e-16);
  footing_castor(&f, 0, 0);
  footing_runner(&f, 0, 1);
  footing_point(&f, 5, 6);
  assert_int_equal(f.count, 4);
  assert_true(f.contact[1].wheel == -1 && !f.contact[1].hold);
  assert_true(f.contact[2].hold && !f.contact[2].hold_both);
  assert_true(f.contact[3].hold && f.contact[3].hold_both && f.contact[3].y == 6);
}

/* Round, tube and rectangle by textbook formulas. */
static void sections(void** state) {
  section_param p = {
      .diameter = 0.04, .inner_diameter = 0.03, .density = 2700, .young = 70e9, .poisson = 0.3};
  section_numbers s;
  apl_error err;
  double half[2];

  (void)state;
  CHECK_OK(apl_section_numbers(&p, &s, &err));
  const double A = PI / 4 * (16e-4 - 9e-4), I = PI / 64 * (256e-8 - 81e-8), G = 70e9 / 2.6;
  CHECK_NEAR(s.mass, 2700 * A, 1e-12);
  CHECK_NEAR(s.jx, 2700 * I, 1e-15);
  CHECK_NEAR(s.EIy, 70e9 * I, 1e-8);
  CHECK_NEAR(s.EA, 70e9 * A, 1e-5);
  CHECK_NEAR(s.GJ, G * 2 * I, 1e-8); /* polar */
  assert_true(s.GA > 0.4 * G * A && s.GA < G * A);
  CHECK_NEAR(s.reach, 0.02, 1e-17);
  CHECK_NEAR(apl_section_reach(&p), 0.02, 1e-17);

  p = (section_param){
      .width = 0.03, .height = 0.05, .density = 1000, .young = 1e9, .shear = 4e8, .poisson = 0.3};
  CHECK_OK(apl_section_numbers(&p, &s, &err));
  CHECK_NEAR(s.EIx, 1e9 * 0.03 * pow(0.05, 3) / 12, 1e-9); /* about x the height counts */
  CHECK_NEAR(s.EIy, 1e9 * 0.05 * pow(0.03, 3) / 12, 1e-9);
  CHECK_NEAR(s.mass, 1.5, 1e-14);
  CHECK_NEAR(s.reach, hypot(0.015, 0.025), 1e-16);
  apl_section_half(&p, half);
  CHECK_NEAR(half[0], 0.015, 1e-17);
  CHECK_NEAR(half[1], 0.025, 1e-17);
  /* torsion of a rectangle, a >= b: Saint-Venant's series with ten odd terms */
  double sum = 0;
  for (int n = 1; n < 20; n += 2)
    sum += tanh(n * PI * 0.05 / (2 * 0.03)) / pow(n, 5);
  const double J = 0.05 * pow(0.03, 3) / 3 * (1 - 192 * 0.03 / (pow(PI, 5) * 0.05) * sum);
  CHECK_NEAR(s.GJ, 4e8 * J, 5e-3 * 4e8 * J); /* the usual closed form is good to 0.5 % */

  /* a torsion constant of its own changes G J alone */
  section_numbers other;
  p.torsion_constant = 7e-9;
  CHECK_OK(apl_section_numbers(&p, &other, &err));
  CHECK_NEAR(other.GJ, 4e8 * 7e-9, 1e-15);
  assert_true(other.EIx == s.EIx && other.EIy == s.EIy && other.GA == s.GA);

  p = (section_param){.mass_per_length = 2, .bending = 30, .bending_x = 20, .poisson = 0.3};
  CHECK_OK(apl_section_numbers(&p, &s, &err));
  assert_true(s.mass == 2 && s.EIy == 30 && s.EIx == 20 && s.reach == 0 && s.GJ == 0);
  p.width = 1, p.diameter = 1;
  expect_word(apl_section_numbers(&p, &s, &err), &err, "diameter");
}

/* The tables of kinds: words are unique, sizes within the limits, names for every number. */
static void tables(void** state) {
  int joints = 0, bodies = 0;

  (void)state;
  for (; apl_joint_kinds[joints] != NULL; ++joints) {
    const apl_joint_kind* k = apl_joint_kinds[joints];
    near_context("%s", k->word);
    assert_true(k->nv <= APL_MAX_NV && k->nq <= APL_MAX_NQ && k->nsatellite <= APL_MAX_SATELLITES);
    assert_true(k->nt >= k->nv || k->slaved);
    if (k->plain) assert_true(k->nq == k->nv && k->nt == k->nv);
    for (int i = 0; i < k->nv; ++i)
      assert_true(k->v_name[i][0] != '\0' && k->v_unit[i][0] != '\0');
    for (int i = 0; i < k->nangle; ++i)
      assert_true(k->angle[i] < k->nq);
    for (int j = 0; j < joints; ++j)
      assert_string_not_equal(k->word, apl_joint_kinds[j]->word);
  }
  for (; apl_body_kinds[bodies] != NULL; ++bodies)
    if (bodies > 0) assert_string_not_equal(apl_body_kinds[bodies]->word, apl_body_kinds[0]->word);
  near_context(" ");
  assert_in_range(joints, 19, 100);
  assert_true(apl_body_kinds[0]->rigid);
  const apl_body_plan plan = apl_body_planned(apl_body_kinds[0], NULL);
  assert_true(plan.elements == 1 && plan.nx == 0 && plan.npar == 10);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(axes),      cmocka_unit_test(signs),    cmocka_unit_test(wheels),
      cmocka_unit_test(footholds), cmocka_unit_test(sections), cmocka_unit_test(tables),
  };
  return cmocka_run_group_tests_name("element_parts", tests, NULL, NULL);
}
