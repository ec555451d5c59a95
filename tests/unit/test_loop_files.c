/* SPDX-License-Identifier: Apache-2.0 */
/* test_loop_files.c: loops and couplings in model files: what they mean, what is refused and where,
   what comes back from the writer. */
#include "text.h"

#include "dynamics/loops.h"
#include "model/info.h"
#include "spec/parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEAD                                                                                       \
  "appell: 1\n"                                                                                    \
  "links:\n"                                                                                       \
  "  - {name: crank, joint: {type: revolute, axis: z}, body: {mass: 1, inertia: {zz: 1}},\n"       \
  "     ports: {end: {at: [0.3, 0, 0]}}}\n"                                                        \
  "  - {name: bar, on: crank.end, joint: {type: revolute, axis: z}, body: {mass: 1, inertia: "     \
  "{zz: 1}},\n"                                                                                    \
  "     ports: {end: {at: [0.9, 0, 0]}}}\n"                                                        \
  "  - {name: rocker, at: [1, 0, 0], joint: {type: revolute, axis: z}, body: {mass: 1, inertia: "  \
  "{zz: 1}},\n"                                                                                    \
  "     ports: {end: {at: [0, 0.7, 0]}}}\n"                                                        \
  "  - {name: plate, on: rocker, body: {mass: 1}}\n"                                               \
  "  - {name: ball, joint: spherical, body: {mass: 1, inertia: {xx: 1, yy: 1, zz: 1}}}\n"

/* the rows below begin at line 11 */
static const char good[] =
    HEAD "loops:\n"
         "  - {name: pin, from: bar.end, to: rocker.end, type: planar-point, axes: world,\n"
         "     stiffness: 1 N/mm, damping: 2 N s/m}\n"
         "  - {from: world, to: ball, type: universal, at: [0, 0, 0.1], axis: x, cross: -y}\n"
         "  - {from: ball, to: plate, type: distance, length: 50 cm}\n"
         "  - {name: some, from: ball, to: crank, type: mask, directions: [x, about-z],\n"
         "     turning-stiffness: 3, turning-damping: 4}\n"
         "couplings:\n"
         "  gear: {of: rocker.joint.angle, to: crank.joint.angle, ratio: -2, offset: 90 deg}\n";

/* Gaps at rest, by hand. */
static void check_good(const apl_model* m) {
  static const char* const name[] = {"pin.x",        "pin.y",        "loop2.x",      "loop2.y",
                                     "loop2.z",      "loop2.square", "loop3.length", "some.x",
                                     "some.about-z", "gear.tie"};
  const double gap[] = {0.2, 0.7, 0, 0, -0.1, 0, 0.5, 0, 0, -1.5707963267948966};
  apl_state* s;

  assert_int_equal(apl_model_count(m, APL_LOOPS), 5);
  assert_int_equal(apl_model_count(m, APL_LOOP_ROWS), 10);
  CHECK_OK(apl_state_new(m, APL_SCALAR, &s));
  CHECK_OK(apl_loops(m, s));
  for (int k = 0; k < 10; k++) {
    assert_string_equal(apl_model_name(m, APL_LOOP_ROWS, k), name[k]);
    /* from bar.end at (1.2, 0, 0) to rocker.end at (1, 0.7, 0) */
    const double want = k == 0 ? -0.2 : gap[k];
    CHECK_NEAR(apl_loop_row(s)[APL_LOOP * k + APL_LOOP_GAP], want, 1e-15);
  }
  CHECK_NEAR(apl_loop_row(s)[APL_LOOP_STIFFNESS], 1000, 0);
  CHECK_NEAR(apl_loop_row(s)[APL_LOOP_DAMPING], 2, 0);
  CHECK_NEAR(apl_loop_row(s)[APL_LOOP * 8 + APL_LOOP_STIFFNESS], 3, 0);
  CHECK_NEAR(apl_loop_row(s)[APL_LOOP * 8 + APL_LOOP_DAMPING], 4, 0);
  assert_int_equal(apl_model_find(m, APL_LOOPS, "gear"), 4);
  assert_int_equal(apl_model_loop_info(m, 4).velocity[0],
                   apl_model_find(m, APL_VELOCITIES, "rocker.joint.angle"));
  assert_string_equal(apl_model_loop_info(m, 4).type, "coupling");
  assert_string_equal(apl_model_loop_info(m, 1).type, "universal");
  assert_int_equal(apl_model_loop_info(m, 1).port[0], -1);
  assert_string_equal(apl_model_unit(m, APL_LOOP_ROWS, 8), "rad");
  assert_string_equal(apl_model_unit(m, APL_LOOP_ROWS, 9), "rad");
  assert_string_equal(apl_model_unit(m, APL_LOOP_ROWS, 0), "m");
  apl_state_free(s);
}

static void meaning(void** state) {
  (void)state;
  apl_file* file;
  apl_model* m;

  text_load(good, &file, &m);
  check_good(m);
  apl_model_free(m);
  apl_file_free(file);
}

/* The writer says the same again, and what it writes is a fixed point. */
static void writing(void** state) {
  (void)state;
  apl_file *file, *again;
  apl_model* m;

  text_load(good, &file, &m);
  char* once = apl_spec_write(apl_file_spec(file));
  apl_model_free(m);
  text_load(once, &again, &m);
  check_good(m);
  char* twice = apl_spec_write(apl_file_spec(again));
  assert_string_equal(once, twice);
  apl_text_free(once);
  apl_text_free(twice);
  apl_model_free(m);
  apl_file_free(file);
  apl_file_free(again);
}

static void refusals(void** state) {
  (void)state;
  const struct {
    const char* rows;
    int line, column;
    const char* word;
  } bad[] = {
      {"loops:\n  - {from: bar.end, to: rocker.ent, type: point}\n", 12, 5,
       "did you mean 'rocker.end'?"},
      {"loops:\n  - {from: bar.end, to: bar, type: point}\n", 12, 5, "link 'bar' with itself"},
      {"loops:\n  - {from: world, to: world, type: point}\n", 12, 5, "the world with itself"},
      {"loops:\n  - {from: rocker.end, to: plate, type: point}\n", 12, 5,
       "cannot move relative to each other"},
      {"loops:\n  - {from: bar.end, to: rocker.end, type: pont}\n", 12, 0, "point"},
      {"loops:\n  - {from: bar.end, type: point}\n", 12, 0, "to"},
      {"loops:\n  - {from: bar.end, to: rocker.end, type: distance}\n", 12, 0, "positive length"},
      {"loops:\n  - {from: bar.end, to: rocker.end, type: point, length: 1}\n", 12, 58,
       "is for type distance"},
      {"loops:\n  - {from: bar.end, to: rocker.end, type: mask}\n", 12, 0, "needs directions"},
      {"loops:\n  - {from: bar.end, to: rocker.end, type: hinge, axis: [0, 0, 0]}\n", 12, 0,
       "axis"},
      {"loops:\n  - {from: bar.end, to: rocker.end, type: hinge, stiffness: -1}\n", 12, 61,
       "must not be negative"},
      {"loops:\n  - {name: a, from: bar.end, to: rocker.end, type: point}\n"
       "  - {name: a, from: bar.end, to: rocker.end, type: point}\n",
       13, 0, "two loops or couplings called 'a'"},
      {"loops: {from: bar.end}\n", 11, 0, "expected a list"},
      {"couplings:\n  g: {of: bar.joint.angle, to: crank.joint.angel}\n", 12, 3,
       "did you mean 'crank.joint.angle'?"},
      {"couplings:\n  g: {of: bar.joint.angle, to: bar.joint.angle}\n", 12, 0, "with itself"},
      {"couplings:\n  g: {of: bar.joint.angle, to: crank.joint.angle, ratio: 0}\n", 12, 58,
       "ratio must not be zero"},
      {"couplings:\n  g: {of: bar.joint.angle, to: ball.joint.qw}\n", 12, 0, "not a velocity"},
      {"couplings:\n  g: {of: bar.joint.angle, to: crank.joint.angle, offset: 1 m}\n", 12, 0,
       "offset"},
  };

  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    char text[4096];
    near_context("refusal %zu", i);
    snprintf(text, sizeof text, "%s%s", HEAD, bad[i].rows);
    text_expect(text, bad[i].line, bad[i].column, bad[i].word);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(meaning),
      cmocka_unit_test(writing),
      cmocka_unit_test(refusals),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
