/* SPDX-License-Identifier: Apache-2.0 */
/* test_tendon_files.c: tendons in model files: what they mean, what is refused and where, what
   comes back from the writer. */
#include "text.h"

#include "spec/parts.h"

#include <stdlib.h>
#include <string.h>

#define HEAD                                                                                       \
  "appell: 1\n"                                                                                    \
  "links:\n"                                                                                       \
  "  - {name: base, body: {mass: 1}, ports: {hole: {at: [1 cm, 0, 0]}}}\n"                         \
  "  - name: arm\n"                                                                                \
  "    on: base\n"                                                                                 \
  "    body: {type: arc, length: 0.4, elements: 4, strains: [bend-x, bend-y], diameter: 2 cm,\n"   \
  "           density: 1000, young-modulus: 1 MPa}\n"                                              \
  "  - {name: hand, on: arm.tip, body: {mass: 0.1}, ports: {hook: {at: [0, 0, 5 cm]}}}\n"          \
  "tendons:\n"

/* the rows below begin at line 10 */
static const char good[] =
    HEAD "  left:\n"
         "    path:\n"
         "      - {port: base.hole}\n"
         "      - {along: arm, offset: [8 mm, 0], to: 0.5, discs: 4}\n"
         "      - {port: hand.hook}\n"
         "    stiffness: 2 N/mm\n"
         "    damping: 3 N s/m\n"
         "    rest-length: 44 cm\n"
         "  right: {path: [{along: arm, offset: [-8 mm, 1 mm]}], stiffness: 100}\n"
         "  plain: {path: [{port: base}, {port: hand}]}\n"
         "inputs:\n"
         "  wind: {on: right, value: 5 mm}\n"
         "  pull: {on: plain, value: 10 N}\n";

/* Lengths at rest by hand: 2 mm from the hole to the offset, 0.2 along, then straight to the hook.
 */
static void check_good(const apl_model* m) {
  apl_state* s;
  double l[3], T[3];
  const double straight = sqrt(0.008 * 0.008 + 0.25 * 0.25);

  CHECK_OK(apl_state_new(m, APL_SCALAR, &s));
  assert_int_equal(apl_model_count(m, APL_TENDONS), 3);
  CHECK_OK(apl_tendons(m, s, l, T));
  CHECK_NEAR(l[0], 0.002 + 0.2 + straight, 1e-15);
  CHECK_NEAR(l[1], 0.4, 1e-15);
  CHECK_NEAR(l[2], 0.4, 1e-15);
  CHECK_NEAR(T[0], 2000 * (l[0] - 0.44), 1e-10);
  CHECK_NEAR(T[1], 0, 1e-12);
  CHECK_NEAR(T[2], 0, 0);
  apl_u(s)[apl_model_find(m, APL_INPUTS, "wind")] = 0.005;
  apl_u(s)[apl_model_find(m, APL_INPUTS, "pull")] = 10;
  CHECK_OK(apl_tendons(m, s, l, T));
  CHECK_NEAR(T[1], 0.5, 1e-12);
  CHECK_NEAR(T[2], 10, 0);
  apl_state_free(s);
}

static void meaning(void** state) {
  (void)state;
  apl_file* file;
  apl_model* m;

  near_context("good tendons");
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

  near_context("written tendons");
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

static const struct {
  const char* text;
  int line, column;
  const char* word;
} mistakes[] = {
    {"  a: {path: [{along: arn}]}\n", 10, 14, "no such link; did you mean 'arm'?"},
    {"  a: {path: [{along: hand}]}\n", 10, 14, "does not deform"},
    {"  a: {path: [{port: base.hol}, {port: hand}]}\n", 10, 14, "did you mean 'base.hole'?"},
    {"  a: {path: [{port: base}]}\n", 10, 3, "at least two ports"},
    {"  a: {path: []}\n", 10, 3, "got 0 points"},
    {"  a: {path: [{port: base}, {port: base.root}]}\n", 10, 3, "has no effect"},
    {"  a: {path: [{port: base}, {port: base.hole}]}\n", 10, 3,
     "cannot move relative to each other"},
    {"  a: {path: [{along: arm, from: 0.5, to: 0.5}]}\n", 10, 14, "from 0.5 to 0.5"},
    {"  a: {path: [{along: arm, from: 0.7, to: 0.2}]}\n", 10, 14, "from 0.7 to 0.2"},
    {"  a: {path: [{along: arm, to: 1.5}]}\n", 10, 14, "both in 0 to 1"},
    {"  a: {path: [{along: arm}], stiffness: -1}\n", 10, 40, "stiffness must not be negative"},
    {"  a: {path: [{along: arm}], stiffness: 1, damping: -2}\n", 10, 52,
     "damping must not be negative"},
    {"  a: {path: [{along: arm}], damping: 2}\n", 10, 38, "needs a stiffness"},
    {"  a: {path: [{along: arm}], rest-length: 2}\n", 10, 42, "needs a `stiffness`"},
    {"  a: {path: [{along: arm}], stiffness: 1, rest-length: -2}\n", 10, 56,
     "rest-length must not be negative"},
    {"  a: {path: [{along: arm, discs: 0}]}\n", 10, 34, "at least 1"},
    {"  a: {path: [{along: arm, discs: 1.5}]}\n", 10, 34, "whole number"},
    {"  a: {path: [{along: arm, offset: 3 mm}]}\n", 10, 35, "a list of 2 numbers"},
    {"  a: {path: [{along: arm, offset: [3 N, 0]}]}\n", 10, 36, "N"},
    {"  a: {path: [{}]}\n", 10, 14, "needs either `port` or `along`"},
    {"  a: {path: [{port: base, along: arm}]}\n", 10, 14, "needs either `port` or `along`"},
    {"  a: {path: [{port: base, to: 1}, {port: hand}]}\n", 10, 14,
     "to can be used with `along` only"},
    {"  a: {path: {along: arm}}\n", 10, 13, "expected a list of guides"},
    {"  a: {paths: []}\n", 10, 7, "did you mean 'path'?"},
    {"  a: 3\n", 10, 6, "tendon 'a': expected keys and values"},
    {"  1a: {path: [{along: arm}]}\n", 10, 3, "must start with a letter"},
    {"  arm: {path: [{along: arm}]}\n", 10, 3, "a link and a tendon called 'arm'"},
    {"  a: {path: [{along: arm}]}\ninputs: {pull: {on: b}}\n", 11, 10, "tendon"},
};

static void refusals(void** state) {
  (void)state;
  for (int i = 0; i < (int)(sizeof mistakes / sizeof *mistakes); i++) {
    char text[2048];
    near_context("mistake %d", i);
    strcpy(text, HEAD);
    strcat(text, mistakes[i].text);
    text_expect(text, mistakes[i].line, mistakes[i].column, mistakes[i].word);
    assert_in_range(text_count(text), 1, 2); /* a wrong key leaves the right one missing */
  }
}

/* Outside the outline: said, and accepted. Without an outline nothing is said. */
static void warning(void** state) {
  (void)state;
  static const char text[] = HEAD "  a: {path: [{along: arm, offset: [9 mm, 5 mm]}]}\n"
                                  "  b: {path: [{along: arm, offset: [9 mm, 4 mm]}]}\n";
  apl_report report = {0};
  apl_file* file;

  near_context("outside the section");
  CHECK_OK(apl_file_parse(text, strlen(text), NULL, &file, &report));
  assert_int_equal(report.count, 0);
  assert_int_equal(report.warnings, 1);
  assert_int_equal(report.warning[0].line, 10);
  assert_int_equal(report.warning[0].column, 14);
  CHECK_TRUE(strstr(report.warning[0].text, "runs outside of 'arm'") != NULL, "%s",
             report.warning[0].text);
  apl_file_free(file);
}

/* The builder's own mistakes, which files cannot make. */
static void builder(void** state) {
  (void)state;
  static const char* const word[] = {"no tendon number 3", "two tendons called 'a'",
                                     "must not be negative, got -1", "must be finite",
                                     "name of its port"};

  for (int i = 0; i < 5; i++) {
    apl_spec* spec;
    near_context("builder, mistake %d", i);
    CHECK_OK(apl_spec_new(&spec));
    const int t = apl_spec_tendon(spec, "a");
    if (i == 0) apl_spec_tendon_port(spec, 3, "base");
    if (i == 1) apl_spec_tendon(spec, "a");
    if (i == 2) apl_spec_tendon_along(spec, t, "arm", 0, 0, 0, 1, -1);
    if (i == 3) apl_spec_tendon_along(spec, t, "arm", NEAR_NAN, 0, 0, 1, 0);
    if (i == 4) apl_spec_tendon_port(spec, t, NULL);
    CHECK_TRUE(strstr(apl_spec_error(spec)->text, word[i]) != NULL, "got '%s'",
               apl_spec_error(spec)->text);
    apl_spec_free(spec);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(meaning), cmocka_unit_test(writing), cmocka_unit_test(refusals),
      cmocka_unit_test(warning), cmocka_unit_test(builder),
  };
  return cmocka_run_group_tests_name("tendons in files", tests, NULL, NULL);
}
