/* SPDX-License-Identifier: Apache-2.0 */
/* test_beam_refusals.c: beams that cannot be, each refused with a sentence at its place. */
#include "text.h"

#include <stdio.h>
#include <string.h>

static const char* const section = "density: 2700 kg/m^3, young-modulus: 70 GPa";

/* A beam on a revolute joint: `fields` of its body, `joint` of its joint, `more` lines. */
static void expect(const char* fields, const char* joint, const char* more, const char* word) {
  char text[1024];

  snprintf(text, sizeof text,
           "appell: 1\n"
           "links:\n"
           "  - name: strip\n"
           "    joint: {type: revolute, axis: y%s}\n"
           "    body: {type: beam, %s}\n"
           "%s",
           joint, fields, more);
  near_context("%s%s%s", fields, joint, more);
  if (word == NULL) {
    apl_file* file;
    apl_model* model;
    text_load(text, &file, &model);
    apl_model_free(model);
    apl_file_free(file);
  } else {
    text_expect(text, 0, 0, word);
  }
}

static void body(const char* fields, const char* word) {
  char all[512];

  snprintf(all, sizeof all, "length: 1 m, width: 5 mm, height: 20 mm, %s, %s", section, fields);
  expect(all, "", "", word);
}

static void good(void** state) {
  (void)state;
  body("modes: 2", NULL);
  body("modes: 32", NULL);
  body("modes: 0, static-shapes: tip", NULL);
  body("root-end: pinned, tip-end: clamped", NULL);
  body("directions: [bend-x, bend-y, torsion, axial], modes: 8", NULL);
  body("theory: euler-bernoulli, rotary: link, attach: tangent", NULL);
  expect(
      "length: 1 m, area: 1 cm^2, second-moment: 2 cm^4, second-moment-x: 3 cm^4, "
      "torsion-constant: 1 cm^4, density: 2700 kg/m^3, young-modulus: 70 GPa, shear-factor: 0.8, "
      "directions: [bend-x, bend-y, torsion, axial]",
      "", "", NULL);
}

static void numbers(void** state) {
  (void)state;
  expect("width: 5 mm", "", "", "length");
  expect("length: 0 m, width: 5 mm, height: 20 mm", "", "", "length must be positive");
  expect("length: -1 m, width: 5 mm, height: 20 mm", "", "", "length must be positive");
  expect("length: 1 s, width: 5 mm, height: 20 mm", "", "", "length");
  expect("length: 1e-400 m, width: 5 mm, height: 20 mm", "", "", "length must be positive");
  expect("length: 1 m, width: 5 mm, density: 2700 kg/m^3", "", "", "height");
  expect("length: 1 m, height: 5 mm, density: 2700 kg/m^3", "", "", "width");
  expect("length: 1 m, width: 0 m, height: 0 m, young-modulus: 70 GPa, density: 2700 kg/m^3", "",
         "", "mass-per-length must be positive");
  expect("length: 1 m, inner-diameter: 1 cm", "", "", "inner-diameter must be smaller");
  expect("length: 1 m, diameter: 1 cm, inner-diameter: 1 cm", "", "", "inner-diameter");
  expect("length: 1 m, diameter: -1 cm", "", "", "diameter must not be negative");
  expect("length: 1 m, width: 5 mm, height: 20 mm, poisson-ratio: 0.6", "", "", "poisson-ratio");
  expect("length: 1 m, width: 5 mm, height: 20 mm, diameter: 1 cm", "", "", "give one");
  expect("length: 1 m, diameter: 1 cm, inner-diameter: 2 cm", "", "", "inner-diameter");
  expect("length: 1 m, diameter: 1 cm, area: 1 cm^2", "", "", "area is for a section without");
  expect("length: 1 m, diameter: 1 cm, torsion-constant: 1 cm^4", "", "",
         "torsion-constant is for a section without");
  expect("length: 1 m, area: -1 cm^2", "", "", "area must not be negative");
  expect("length: 1 m, area: 1 cm^2, second-moment: 2 cm^4, density: 2700 kg/m^3, "
         "young-modulus: 70 GPa",
         "", "", "give it, or shear-factor beside area");
  expect("length: 1 m, area: 1 cm^2, density: 2700 kg/m^3, young-modulus: 70 GPa, directions: "
         "torsion",
         "", "", "give it, or torsion-constant beside area");
  expect("length: 1 m, width: 5 mm, height: 20 mm, young-modulus: 70 GPa", "", "",
         "mass-per-length must be positive");
  expect("length: 1 m, width: 5 mm, height: 20 mm, density: 2700 kg/m^3", "", "",
         "bending-stiffness must be positive");
  expect("length: 1 m, mass-per-length: 1 kg/m, bending-stiffness: 5 N m^2", "", "",
         "shear-stiffness must be positive");
  expect("length: 1 m, mass-per-length: 1 kg/m, directions: torsion", "", "",
         "torsion-stiffness must be positive");
  expect("length: 1 m, mass-per-length: 1 kg/m, directions: torsion, torsion-stiffness: 1 N m^2",
         "", "", "rotary-inertia must be positive");
  expect("length: 1 m, mass-per-length: 1 kg/m, directions: axial", "", "",
         "axial-stiffness must be positive");
  body("shear-factor: 1.2", "shear-factor must not be above 1, got 1.2");
  body("shear-factor: 1", NULL);
  body("mode-tip-offset: 0.1 m", "needs mode-tip-mass");
  body("mode-tip-offset: 0.1 m, mode-tip-mass: 1 kg", NULL);
  body("elastic-drag: -1 N s/m^2", "elastic-drag must not be negative");
  body("kelvin-voigt-time: -1 s", "kelvin-voigt-time must not be negative");
  body("mode-shear-stiffness: -1 N", "mode-shear-stiffness");
}

static void modes(void** state) {
  (void)state;
  body("modes: 0", "modes must be at least 1");
  body("modes: -3", "modes must be at least 1");
  body("modes: 33", "modes are too many");
  body("modes: 2000000", "modes are too many");
  body("directions: [bend-x, bend-y], modes: 17", "modes are too many");
  body("modes: 31, static-shapes: tip", "modes are too many");
  body("modes: 1.5", "whole");
  body("directions: [bend-x, bend-y, torsion], modes: {bend-x: 2, bend-y: 7, torsion: 1}", NULL);
  body("directions: [bend-y, axial], static-shapes: tip, modes: {bend-y: 7}", NULL);
  body("directions: [bend-x, bend-y], modes: {bend-y: 7}",
       "modes must be at least 1, got 0 of bend-x");
  body("directions: [bend-y], modes: {bend-y: 2, torsion: 1}", "modes has 1 of torsion");
  body("directions: [bend-x, bend-y], modes: {bend-x: 16, bend-y: 17}", "modes are too many");
  body("modes: {bend-z: 2}", "there is no 'bend-z'");
  body("modes: {bend-y: 0.5}", "whole");
  body("modes: {bend-y: few}", "number");
  body("modes: [2]", "a number");
}

static void polynomials(void** state) {
  (void)state;
  body("modes: 2, polynomials: 0 0 1; 0 0 0 1", NULL);
  body("modes: 2, polynomials: \"0 0 1, 0 0 0 1\"", "modes must be the number of polynomials, 1");
  body("polynomials: 0 0 one", "polynomials must be numbers");
  body("polynomials: 1 0 1", "polynomials must not move");
  body("polynomials: 0 1 1", "polynomials must not move or turn");
  body("root-end: pinned, tip-end: pinned, polynomials: 0 1 -1", NULL);
  body("polynomials: 0 0 1, turn-polynomials: 0 2; 0 3", "turn-polynomials must be as many");
  body("polynomials: 0 0 1 0 0 0 0 0 0 0 0 0 0 0 0 0 1", "degree above 15");
  body("polynomials: 0 0 1;; 0 0 1", "without coefficients");
  body("modes: 3, polynomials: 0 0 1; 0 0 0 1; 0 0 2 3",
       "polynomials must be linearly independent");
  body("modes: 9, polynomials: 0 0 1; 0 0 0 1; 0 0 0 0 1; 0 0 0 0 0 1; 0 0 0 0 0 0 1; "
       "0 0 0 0 0 0 0 1; 0 0 0 0 0 0 0 0 1; 0 0 0 0 0 0 0 0 0 1; 0 0 0 0 0 0 0 0 0 0 1",
       NULL);
}

/* A table of shapes as lists; its place is told. */
static void table(const char* lists, const char* more, const char* word) {
  char text[1024];

  snprintf(text, sizeof text,
           "appell: 1\n"
           "links:\n"
           "  - name: strip\n"
           "    body: {type: beam, length: 1 m, width: 5 mm, height: 20 mm, %s%s,\n"
           "      shape-table: {%s}}\n",
           section, more, lists);
  near_context("%s%s", lists, more);
  text_expect(text, 5, 0, word);
}

static void tables(void** state) {
  (void)state;
  body("shape-table: {station: [0, 0.5, 0.7, 1], bend-y.1: [0, 1, 2, 3]}", NULL);
  body("root-end: pinned, tip-end: pinned, shape-table: {station: [0, 0.5, 0.7, 1], "
       "bend-y.1: [0, 1, 2, 0], bend-y.1.turn: [1, 0, -1, -2]}",
       NULL);
  body("directions: [bend-x, torsion], shape-table: {station: [0, 0.5, 0.7, 1], "
       "torsion.1: [0, 1, 2, 0]}",
       NULL);
  table("station: [0, 0.7, 0.5, 1], bend-y.1: [0, 1, 2, 3]", "",
        "increasing stations, got 0.5 after 0.7");
  table("station: [0, 0.5, 0.5, 1], bend-y.1: [0, 1, 2, 3]", "",
        "increasing stations, got 0.5 after 0.5");
  table("station: [0, 0.5, 0.7, 0.9], bend-y.1: [0, 1, 2, 3]", "", "to 1, the tip, got 0 to 0.9");
  table("station: [0.1, 0.5, 0.7, 1], bend-y.1: [0, 1, 2, 3]", "", "got 0.1 to 1");
  table("station: [0, 0.5, 1], bend-y.1: [0, 1, 2]", "", "at least 4 stations, got 3");
  table("station: [0, 0.5, 0.7, 1], bend-y.1: [0.1, 1, 2, 3]", "", "'bend-y.1' is 0.1 there");
  table("station: [0, 0.5, 0.7, 1], bend-y.1: [0, 1, 2, 3], bend-y.1.turn: [1, 1, 1, 1]", "",
        "'bend-y.1.turn' is 1 there");
  table("station: [0, 0.5, 0.7, 1], bend-y.1: [0, 1, 2]", "",
        "'bend-y.1' has 3 numbers, but 'station' has 4");
  table("station: [0, 0.5, 0.7, 1], bend-y.1: [0, 1, 2, 3]", ", modes: 2", "bend-y.1 to bend-y.2");
  table("station: [0, 0.5, 0.7, 1], bend-y.2: [0, 1, 2, 3]", ", modes: 2", "bend-y.1 to bend-y.2");
  table("station: [0, 0.5, 0.7, 1], bend-y.1.turn: [0, 1, 2, 3]", "", "all modes of a direction");
  table("station: [0, 0.5, 0.7, 1], bend-y.2: [0, 1, 2, 3]", "", "a column 'bend-y.2'");
  table("station: [0, 0.5, 0.7, 1], bend-x.1: [0, 1, 2, 3]", "", "a column 'bend-x.1'");
  table("bend-y.1: [0, 1, 2, 3]", "", "no column 'station'");
  table("station: [0, 0.5, 0.7, 1], bend-y.1: 3", "", "expected a list of numbers for 'bend-y.1'");
  table("station: [0, 0.5, 0.7, 1], bend-y.1: [0, 1, 2, x]", "", "number");
  table("", "", "at least one column");
  table("station: [0, 0.5, 0.7, 1], bend-y.1: [0, 0, 0, 0]", "",
        "'bend-y' is zero or a combination of those before it");
  table("station: [0, 0.5, 0.7, 1], bend-y.1: [0, 1, 2, 3], bend-y.2: [0, 2, 4, 6]", ", modes: 2",
        "'bend-y.2' is zero or a combination");
  table("station: [0, 0.5, 0.7, 1], bend-y.1: [0, 1, 2, 3]", ", polynomials: 0 0 1",
        "leave one of them out");
  table("station: [0, 0.5, 0.7, 1], bend-y.1: [0, 1, 2, 3], bend-y.1.turn: [0, 1, 1, 1]",
        ", theory: euler-bernoulli", "theory timoshenko");
  body("shape-table: [1, 2]", "expected a CSV file");
  body("shape-table: nowhere.csv", "nowhere.csv");
  body("polynomials: 0 0 1, turn-polynomials: 0 2, theory: euler-bernoulli", "timoshenko");
}

static void words(void** state) {
  (void)state;
  body("root-end: free", "root-end must be clamped or pinned");
  body("root-end: loose", "there is no 'loose'");
  body("tip-end: clampt", "clamped");
  body("theory: timoshenk", "timoshenko");
  body("directions: [bend-z]", "bend-");
  body("directions: []", "directions");
  body("rotary: half", "there is no 'half'");
  body("attach: tangential", "tangent");
  body("directions: torsion, rotary: link", "torsion without inertia");
  body("tip-end: pinned, mode-tip-mass: 1 kg", "mode-tip-mass needs tip-end free");
  body("root-end: pinned, static-shapes: tip", "clamped");
}

/* The frame of a beam that is pinned at its root is its chord. */
static void chord(void** state) {
  (void)state;
  static const char beam[] = "length: 1 m, width: 5 mm, height: 20 mm, density: 2700 kg/m^3, "
                             "young-modulus: 70 GPa, root-end: pinned, tip-end: pinned";
  expect(beam, "", "", NULL);
  expect(beam, ", stiffness: 3 N m/rad", "", "stiffness, but with root-end pinned");
  expect(beam, ", damping: 3 N m s/rad", "", "damping, but with root-end pinned");
  expect(beam, ", friction: 3 N m", "", "friction, but with root-end pinned");
  expect(beam, ", prescribed: true", "", "prescribed motion, but with root-end pinned");
  expect(beam, ", limits: {lower: 0, upper: 1}", "", "stop, but with root-end pinned");
  expect(beam, ", rotors: [{name: motor, inertia: 1 g cm^2}]", "",
         "rotor, but with root-end pinned");
  expect(beam, "", "inputs: {motor: {on: strip.joint.angle}}\n", "input, but with root-end pinned");
}

/* The builder is refused alike; a force along the axis does not turn the chord, nor does what
   carries it. */
static void chord_in_c(void** state) {
  (void)state;
  static const struct {
    const char *joint, *on, *what;
    bool refused;
  } all[] = {
      {"revolute", "world", "prescribed", true},    {"revolute", "world", "input", true},
      {"cylindrical", "world", "input", false},     {"prismatic", "world", "prescribed", false},
      {"cylindrical", "world", "prescribed", true}, {"fixed", "arm", "arm", false},
      {"revolute", "world", "body", false},
  };
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    apl_spec* spec;
    apl_model* model = NULL;
    apl_error err = {0};
    char target[40];

    near_context("%s joint of a chord, %s", all[i].joint, all[i].what);
    CHECK_OK(apl_spec_new(&spec));
    apl_spec_link(spec, "arm", "world", "revolute", "rigid");
    apl_spec_number(spec, 0, "body.mass", 1);
    apl_spec_put(spec, 0, "body.inertia", (const double[6]){1, 1, 1}, 6);
    const int beam = apl_spec_link(spec, "strip", all[i].on, all[i].joint, "beam");
    apl_spec_number(spec, beam, "body.length", 1);
    apl_spec_number(spec, beam, "body.diameter", 0.01);
    apl_spec_number(spec, beam, "body.density", 2700);
    apl_spec_number(spec, beam, "body.young-modulus", 7e10);
    apl_spec_word(spec, beam, "body.root-end", "pinned");
    apl_spec_word(spec, beam, "body.tip-end", "pinned");
    snprintf(target, sizeof target, "strip.joint.%s",
             strcmp(all[i].joint, "cylindrical") == 0 ? "position" : "angle");
    if (strcmp(all[i].what, "prescribed") == 0) apl_spec_prescribe(spec, beam, true, false);
    if (strcmp(all[i].what, "body") == 0) apl_spec_prescribe(spec, beam, false, true);
    if (strcmp(all[i].what, "arm") == 0) apl_spec_prescribe(spec, 0, true, false);
    if (strcmp(all[i].what, "input") == 0) apl_spec_input(spec, "motor", target, 1);
    const apl_status st = apl_model_new(spec, &model, &err);
    if (all[i].refused) {
      assert_int_equal(st, APL_ERR_MODEL);
      CHECK_TRUE(strstr(err.text, "root-end pinned") != NULL, "%s", err.text);
    } else if (st != APL_OK) {
      near_fail(__FILE__, __LINE__, "%s", err.text);
    }
    apl_model_free(model);
    apl_spec_free(spec);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(good),       cmocka_unit_test(numbers),     cmocka_unit_test(modes),
      cmocka_unit_test(words),      cmocka_unit_test(polynomials), cmocka_unit_test(chord),
      cmocka_unit_test(chord_in_c), cmocka_unit_test(tables),
  };
  return cmocka_run_group_tests_name("beam refusals", tests, NULL, NULL);
}
