/* SPDX-License-Identifier: Apache-2.0 */
/* test_section.c: cross-sections of slender bodies, seen through a rod of six strains: stiffness as
   static efforts, mass and rotary inertia as the mass matrix; then every sentence with which arcs
   and their sections are refused, by the builder and in a file at its line and column. */
#include "near.h"
#include "text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define PI 3.14159265358979323846
enum { FIELDS = 8 };

/* A field and what it is given: a number, or words when `words` is set. */
typedef struct entry {
  const char* name;
  double value;
  const char* words;
} entry;

static apl_status build(const entry* field, int n, apl_model** model, apl_error* err) {
  apl_spec* spec;

  *model = NULL;
  CHECK_OK(apl_spec_new(&spec));
  apl_spec_gravity(spec, (apl_vec3){0, 0, 0});
  const int rod = apl_spec_link(spec, "rod", "world", "fixed", "arc");
  for (int i = 0; i < n && field[i].name != NULL; i++) {
    char path[64];
    snprintf(path, sizeof path, "body.%s", field[i].name);
    if (field[i].words != NULL) {
      apl_spec_word(spec, rod, path, field[i].words);
    } else {
      apl_spec_number(spec, rod, path, field[i].value);
    }
  }
  const apl_status st = apl_model_new(spec, model, err);
  apl_spec_free(spec);
  return st;
}

/* ------------------------------------------------------------------------------- numbers ---- */

/* What a section comes to, as the rod shows it. */
typedef struct seen {
  double mass, jx, jy, polar;
  double stiffness[6]; /* EIx, EIy, GJ, GA, GA, EA */
} seen;

static seen look(const entry* section) {
  entry all[FIELDS + 2] = {
      {"length", 1, NULL},
      {"strains", 0, "bend-x bend-y torsion shear-x shear-y elongation"},
  };
  apl_model* model;
  apl_state* s;
  apl_error err;
  double M[36];
  double bias[6];
  seen out;

  memcpy(all + 2, section, FIELDS * sizeof *section);
  if (build(all, FIELDS + 2, &model, &err) != APL_OK) near_fail(__FILE__, __LINE__, "%s", err.text);
  CHECK_OK(apl_state_new(model, APL_SCALAR, &s));
  CHECK_OK(apl_mass_matrix(model, s, M));
  for (int k = 0; k < 6; k++) {
    apl_q(s)[k] = 1e-3;
    CHECK_OK(apl_bias(model, s, bias));
    apl_q(s)[k] = 0;
    out.stiffness[k] = bias[k] / 1e-3;
  }

  /* straight, length 1: m/20 + j/3 for bending, polar/3 for torsion, m/3 for the others */
  out.mass = apl_model_mass(model);
  CHECK_NEAR(M[35], out.mass / 3, 1e-13 * out.mass);
  out.jx = 3 * (M[0] - out.mass / 20);
  out.jy = 3 * (M[7] - out.mass / 20);
  out.polar = 3 * M[14];
  apl_state_free(s);
  apl_model_free(model);
  return out;
}

static void compare(seen got, seen want) {
  /* rotary inertia is what is left of m/20: m times round-off */
  CHECK_NEAR(got.mass, want.mass, 1e-14 * want.mass);
  CHECK_NEAR(got.jx, want.jx, 1e-14 * want.mass + 1e-14 * want.jx);
  CHECK_NEAR(got.jy, want.jy, 1e-14 * want.mass + 1e-14 * want.jy);
  CHECK_NEAR(got.polar, want.jx + want.jy, 1e-13 * (want.jx + want.jy));
  for (int k = 0; k < 6; k++)
    CHECK_NEAR(got.stiffness[k], want.stiffness[k], 1e-13 * want.stiffness[k]);
}

static const double E = 2e11;
static const double rho = 7800;
static const double nu = 0.28;
#define MATERIAL                                                                                   \
  {"young-modulus", 2e11, NULL}, {"density", 7800, NULL}, {                                        \
    "poisson-ratio", 0.28, NULL                                                                    \
  }

/* Any section: its area and moments as they are given. */
static void other_sections(void** state) {
  (void)state;
  const double A = 2e-3, Iy = 3e-6, Ix = 5e-6, J = 4e-6, k = 0.7, G = E / (2 * (1 + nu));
  const entry field[FIELDS] = {MATERIAL,
                               {"area", A, NULL},
                               {"second-moment", Iy, NULL},
                               {"second-moment-x", Ix, NULL},
                               {"torsion-constant", J, NULL},
                               {"shear-factor", k, NULL}};
  near_context("section by its moments");
  compare(look(field), (seen){.mass = rho * A,
                              .jx = rho * Ix,
                              .jy = rho * Iy,
                              .stiffness = {E * Ix, E * Iy, G * J, k * G * A, k * G * A, E * A}});
}

/* Mass per length instead of density: rotary inertia is that of the same material. */
static void sections_by_mass(void** state) {
  (void)state;
  const double A = 0.04 * 0.02, mass = rho * A;
  const double Ix = 0.04 * pow(0.02, 3) / 12, Iy = 0.02 * pow(0.04, 3) / 12;
  const entry field[FIELDS] = {{"young-modulus", E, NULL},
                               {"mass-per-length", mass, NULL},
                               {"width", 0.04, NULL},
                               {"height", 0.02, NULL}};
  const entry moments[FIELDS] = {
      {"young-modulus", E, NULL},  {"mass-per-length", mass, NULL}, {"area", A, NULL},
      {"second-moment", Iy, NULL}, {"second-moment-x", Ix, NULL},   {"torsion-constant", Ix, NULL},
      {"shear-factor", 0.8, NULL}};
  const entry* both[] = {field, moments};
  for (int k = 0; k < 2; k++) {
    near_context(k == 0 ? "rectangle by mass" : "moments by mass");
    const seen got = look(both[k]);
    CHECK_NEAR(got.mass, mass, 1e-14 * mass);
    CHECK_NEAR(got.jx, rho * Ix, 1e-14 * mass);
    CHECK_NEAR(got.jy, rho * Iy, 1e-14 * mass);
    CHECK_NEAR(got.polar, rho * (Ix + Iy), 1e-13 * rho * (Ix + Iy));
  }
}

static void round_sections(void** state) {
  (void)state;
  const double D = 0.1;
  for (int k = 0; k < 2; k++) {
    const double d = k == 0 ? 0 : 0.06;
    const entry field[FIELDS] = {MATERIAL, {"diameter", D, NULL}, {"inner-diameter", d, NULL}};
    const double A = PI / 4 * (D * D - d * d);
    const double I = PI / 64 * (pow(D, 4) - pow(d, 4));
    const double G = E / (2 * (1 + nu));

    /* Cowper, J. Appl. Mech. 33 (1966) 335: full and hollow circle, m the ratio of the radii */
    const double m = d / D;
    const double s = (1 + m * m) * (1 + m * m);
    const double shear = k == 0 ? 6 * (1 + nu) / (7 + 6 * nu)
                                : 6 * (1 + nu) * s / ((7 + 6 * nu) * s + (20 + 12 * nu) * m * m);
    near_context(k == 0 ? "round bar" : "tube");
    compare(look(field),
            (seen){.mass = rho * A,
                   .jx = rho * I,
                   .jy = rho * I,
                   .stiffness = {E * I, E * I, 2 * G * I, shear * G * A, shear * G * A, E * A}});
  }

  /* the limit of a thin tube, 2 (1 + nu)/(4 + 3 nu): 0.53 for nu = 0.3 */
  near_context("thin tube");
  const entry thin[FIELDS] = {
      MATERIAL, {"diameter", D, NULL}, {"inner-diameter", 0.9999 * D, NULL}};
  const seen tube = look(thin);
  const double GA = tube.stiffness[5] / (2 * (1 + nu));
  CHECK_NEAR(tube.stiffness[3] / GA, 2 * (1 + nu) / (4 + 3 * nu), 1e-4);
}

/* Timoshenko and Goodier, table of J = beta a b^3. */
static void rectangles(void** state) {
  (void)state;
  static const struct {
    double ratio, beta;
  } row[] = {{1, 0.1406}, {1.5, 0.1958}, {2, 0.2287}, {2.5, 0.2494},
             {3, 0.2633}, {4, 0.2808},   {5, 0.2913}, {10, 0.3123}};
  const double G = E / (2 * (1 + nu));
  const double shear = 10 * (1 + nu) / (12 + 11 * nu);

  for (int i = 0; i < 2 * (int)(sizeof row / sizeof *row); i++) {
    const double b = 0.04;
    const double a = row[i / 2].ratio * b;
    const double w = i % 2 ? b : a;
    const double h = i % 2 ? a : b;
    const entry field[FIELDS] = {MATERIAL, {"width", w, NULL}, {"height", h, NULL}};
    const seen got = look(field);

    near_context("rectangle %g x %g", w, h);
    CHECK_NEAR(got.stiffness[2] / (G * a * b * b * b), row[i / 2].beta, 0.5001e-4);

    /* width lies along x, so it counts thrice for bending about y */
    compare(got,
            (seen){.mass = rho * w * h,
                   .jx = rho * w * h * h * h / 12,
                   .jy = rho * h * w * w * w / 12,
                   .stiffness = {E * w * h * h * h / 12, E * h * w * w * w / 12, got.stiffness[2],
                                 shear * G * w * h, shear * G * w * h, E * w * h}});
  }
}

/* What is given goes before what follows from the section. */
static void given_numbers(void** state) {
  (void)state;
  const struct {
    entry field;
    int stiffness[2]; /* which change, -1 none                                                    */
  } row[] = {
      {{"bending-stiffness-x", 3, NULL}, {0, -1}}, {{"bending-stiffness", 3, NULL}, {0, 1}},
      {{"torsion-stiffness", 3, NULL}, {2, -1}},   {{"shear-stiffness", 3, NULL}, {3, 4}},
      {{"axial-stiffness", 3, NULL}, {5, -1}},     {{"mass-per-length", 3, NULL}, {-1, -1}},
      {{"rotary-inertia", 3, NULL}, {-1, -1}},     {{"rotary-inertia-x", 3, NULL}, {-1, -1}},
  };
  const entry plain[FIELDS] = {MATERIAL, {"width", 0.3, NULL}, {"height", 0.2, NULL}};
  const seen before = look(plain);

  for (int i = 0; i < (int)(sizeof row / sizeof *row); i++) {
    entry field[FIELDS];
    seen want = before;
    near_context("%s given", row[i].field.name);
    memcpy(field, plain, sizeof field);
    field[5] = row[i].field;
    for (int k = 0; k < 2; k++) {
      if (row[i].stiffness[k] >= 0) want.stiffness[row[i].stiffness[k]] = 3;
    }
    if (i == 5) want.mass = 3;
    if (i == 6) want.jx = want.jy = 3;
    if (i == 7) want.jx = 3;
    compare(look(field), want);
  }

  /* a shear modulus, and a share of the area, of one's own */
  entry field[FIELDS];
  memcpy(field, plain, sizeof field);
  field[5] = (entry){"shear-modulus", 5e10, NULL};
  field[6] = (entry){"shear-factor", 0.5, NULL};
  near_context("shear modulus and factor");
  seen want = before;
  want.stiffness[2] *= 5e10 * 2 * (1 + nu) / E;
  want.stiffness[3] = want.stiffness[4] = 0.5 * 5e10 * 0.06;
  compare(look(field), want);
}

/* ----------------------------------------------------------------------------- sentences ---- */

#define ROD                                                                                        \
  {"length", 1, NULL}, {"mass-per-length", 1, NULL}, {                                             \
    "bending-stiffness", 1, NULL                                                                   \
  }
#define SIX                                                                                        \
  { "strains", 0, "bend-x bend-y torsion shear-x shear-y elongation" }

/* `at` is the field that the file is blamed at; -1: the body as a whole. */
static const struct {
  entry field[FIELDS];
  int at;
  const char* sentence;
} wrong[] = {
    /* the body */
    {{{"length", 0, NULL}, {"mass-per-length", 1, NULL}}, 0, "length must be positive, got 0 m"},
    {{{"length", -1, NULL}, {"mass-per-length", 1, NULL}}, 0, "length must be positive, got -1 m"},
    {{ROD, {"elements", 0, NULL}}, 3, "elements must lie in 1 to 1000, got 0"},
    {{ROD, {"elements", -2, NULL}}, 3, "elements must lie in 1 to 1000, got -2"},
    {{ROD, {"elements", 1001, NULL}}, 3, "elements must lie in 1 to 1000, got 1001"},
    {{ROD, {"elements", 2.5, NULL}}, 3, "whole"},
    {{ROD, {"strains", 0, ""}}, 3, "strains must not be empty"},
    {{ROD, {"strains", 0, "bend-z"}}, 3, "bend-x"},
    {{ROD, {"evaluation", 0, "p6"}}, 3, "p5"},
    {{ROD, {"strains", 0, "bend-x bend-y"}, {"evaluation", 0, "p5"}},
     4,
     "evaluation p5 is for strains: [bend-y] alone"},
    {{ROD, {"strains", 0, "bend-x"}, {"evaluation", 0, "t5"}},
     4,
     "evaluation t5 is for strains: [bend-y] alone"},
    {{ROD, {"kelvin-voigt-time", -1, NULL}}, 3, "kelvin-voigt-time must not be negative, got -1 s"},
    {{ROD, {"air-drag", -1, NULL}}, 3, "air-drag must not be negative, got -1 N s/m^2"},
    {{ROD, {"rest-curvature-y", 6.3, NULL}}, 3, "rest-curvature-y 6.3 rad/m is more than one turn"},
    {{ROD, {"rest-curvature-y", -12.6, NULL}, {"elements", 2, NULL}}, 3, "more than one turn"},
    {{ROD, SIX, {"rest-curvature-x", 7, NULL}},
     4,
     "rest-curvature-x 7 rad/m is more than one turn"},
    {{ROD, SIX, {"rest-twist", 7, NULL}}, 4, "rest-twist 7 rad/m is more than one turn"},
    {{ROD, {"rest-curvature-x", 1, NULL}}, 3, "rest-curvature-x needs 'bend-x' among the strains"},
    {{ROD, {"rest-twist", 1, NULL}}, 3, "rest-twist needs 'torsion' among the strains"},
    {{ROD, {"strains", 0, "bend-x"}, {"rest-curvature-y", 1, NULL}},
     4,
     "rest-curvature-y needs 'bend-y' among the strains"},

    /* what its strains need */
    {{{"length", 1, NULL}, {"mass-per-length", 1, NULL}}, -1, "bending-stiffness must be positive"},
    {{{"length", 1, NULL}, {"mass-per-length", 1, NULL}, {"bending-stiffness", 0, NULL}},
     2,
     "bending-stiffness must be positive, got 0 N m^2: give it, or young-modulus and a section"},
    {{ROD, {"strains", 0, "bend-y torsion"}}, -1, "torsion-stiffness must be positive"},
    {{ROD, {"strains", 0, "bend-y shear-y"}}, -1, "shear-stiffness must be positive"},
    {{ROD, {"strains", 0, "elongation"}}, -1, "axial-stiffness must be positive"},
    {{{"length", 1, NULL}, {"bending-stiffness", 1, NULL}}, -1, "mass-per-length must be positive"},
    {{{"length", 1, NULL}, {"diameter", 0.1, NULL}, {"young-modulus", 1, NULL}},
     -1,
     "mass-per-length must be positive, got 0 kg/m: give it, or density and a section"},

    /* sections */
    {{ROD, {"diameter", -1, NULL}}, 3, "diameter must not be negative, got -1 m"},
    {{ROD, {"inner-diameter", -1, NULL}}, 3, "inner-diameter must not be negative, got -1 m"},
    {{ROD, {"width", -1, NULL}}, 3, "width must not be negative"},
    {{ROD, {"height", -1, NULL}}, 3, "height must not be negative"},
    {{ROD, {"density", -1, NULL}}, 3, "density must not be negative, got -1 kg/m^3"},
    {{ROD, {"young-modulus", -1, NULL}}, 3, "young-modulus must not be negative, got -1 Pa"},
    {{ROD, {"shear-modulus", -1, NULL}}, 3, "shear-modulus must not be negative"},
    {{ROD, {"shear-factor", -1, NULL}}, 3, "shear-factor must not be negative"},
    {{{"length", 1, NULL}, {"mass-per-length", -1, NULL}},
     1,
     "mass-per-length must not be negative"},
    {{{"length", 1, NULL}, {"mass-per-length", 1, NULL}, {"bending-stiffness", -1, NULL}},
     2,
     "bending-stiffness must not be negative, got -1 N m^2"},
    {{ROD, {"bending-stiffness-x", -1, NULL}}, 3, "bending-stiffness-x must not be negative"},
    {{ROD, {"torsion-stiffness", -1, NULL}}, 3, "torsion-stiffness must not be negative"},
    {{ROD, {"axial-stiffness", -1, NULL}}, 3, "axial-stiffness must not be negative"},
    {{ROD, {"shear-stiffness", -1, NULL}}, 3, "shear-stiffness must not be negative"},
    {{ROD, {"rotary-inertia", -1, NULL}}, 3, "rotary-inertia must not be negative"},
    {{ROD, {"rotary-inertia-x", -1, NULL}}, 3, "rotary-inertia-x must not be negative"},
    {{ROD, {"poisson-ratio", 0.6, NULL}}, 3, "poisson-ratio must lie in -1 to 0.5, got 0.6"},
    {{ROD, {"poisson-ratio", -1, NULL}}, 3, "poisson-ratio must lie in -1 to 0.5, got -1"},
    {{ROD, {"diameter", 0.1, NULL}, {"width", 0.1, NULL}, {"height", 0.1, NULL}}, 3, "give one"},
    {{ROD, {"width", 0.1, NULL}}, -1, "height of the rectangular section is missing"},
    {{ROD, {"height", 0.1, NULL}}, -1, "width of the rectangular section is missing"},
    {{ROD, {"diameter", 0.1, NULL}, {"inner-diameter", 0.1, NULL}},
     4,
     "inner-diameter must be smaller than diameter, got 0.1 m and 0.1 m"},
    {{ROD, {"inner-diameter", 0.1, NULL}}, 3, "inner-diameter must be smaller than diameter"},
};
enum { WRONG = sizeof wrong / sizeof *wrong };

static void refused_by_the_builder(void** state) {
  (void)state;
  for (int i = 0; i < WRONG; i++) {
    apl_model* model;
    apl_error err = {0};
    near_context("expected: %s", wrong[i].sentence);
    const apl_status st = build(wrong[i].field, FIELDS, &model, &err);
    CHECK_TRUE(st != APL_OK, "accepted");
    assert_null(model);
    CHECK_TRUE(strstr(err.text, wrong[i].sentence) != NULL, "got: %s", err.text);
    CHECK_TRUE(strstr(err.text, "rod") != NULL, "does not name the link: %s", err.text);
  }
}

/* One field per line, so that its line and the column of its value are known. */
static void write_file(const entry* field, char* text, size_t size, int* line, int* column,
                       int at) {
  size_t n = (size_t)snprintf(text, size,
                              "appell: 1\nlinks:\n  - name: rod\n    body:\n      type: arc\n");
  *line = 0;
  *column = 0;
  for (int i = 0; i < FIELDS && field[i].name != NULL; i++) {
    if (i == at) {
      *line = 6 + i;
      *column = 9 + (int)strlen(field[i].name);
      if (field[i].words != NULL && strcmp(field[i].words, "bend-z") == 0) *column += 1; /* in [ */
    }
    n += (size_t)snprintf(text + n, size - n, "      %s: ", field[i].name);
    if (strcmp(field[i].name, "strains") == 0) {
      n += (size_t)snprintf(text + n, size - n, "[");
      for (const char* c = field[i].words; *c != '\0'; c++)
        n += (size_t)snprintf(text + n, size - n, *c == ' ' ? ", " : "%c", *c);
      n += (size_t)snprintf(text + n, size - n, "]\n");
    } else if (field[i].words != NULL) {
      n += (size_t)snprintf(text + n, size - n, "%s\n", field[i].words);
    } else {
      n += (size_t)snprintf(text + n, size - n, "%g\n", field[i].value);
    }
  }
}

static void refused_in_files(void** state) {
  (void)state;
  for (int i = 0; i < WRONG; i++) {
    char text[2048];
    int line;
    int column;
    near_context("expected: %s", wrong[i].sentence);
    write_file(wrong[i].field, text, sizeof text, &line, &column, wrong[i].at);
    text_expect(text, wrong[i].at < 0 ? 5 : line, wrong[i].at < 0 ? 7 : column, wrong[i].sentence);
  }
}

static void not_finite(void** state) {
  (void)state;
  static const char* const name[] = {"length",   "mass-per-length",  "bending-stiffness",
                                     "diameter", "rest-curvature-y", "kelvin-voigt-time",
                                     "air-drag", "poisson-ratio",    "elements"};
  for (int i = 0; i < 2 * (int)(sizeof name / sizeof *name); i++) {
    const entry field[FIELDS] = {ROD, {name[i / 2], i % 2 ? NEAR_NAN : NEAR_INFINITY, NULL}};
    apl_model* model;
    apl_error err = {0};
    near_context("%s not finite", name[i / 2]);
    CHECK_TRUE(build(field, FIELDS, &model, &err) != APL_OK, "accepted");
    CHECK_TRUE(strstr(err.text, name[i / 2]) != NULL, "got: %s", err.text);
  }
}

/* --------------------------------------------------------------------------------- start ---- */

#define ROBOT                                                                                      \
  "appell: 1\nlinks:\n  - name: rod\n    body: {type: arc, length: 1, elements: 2, "               \
  "strains: [bend-x, bend-y, elongation],\n           mass-per-length: 1, bending-stiffness: 1, "  \
  "axial-stiffness: 9}\n"

/* A shape of more than one turn per element is refused where it stands. */
static void start_beyond_a_turn(void** state) {
  (void)state;
  apl_file* file;
  apl_model* model;
  double q[6];
  double v[6];

  near_context("start shapes");
  text_expect(ROBOT "start: {rod.bend-y.2: 6.3}\n", 6, 23,
              "6.3 rad is too large for one element, which may have at most 6.28319 rad");
  text_expect(ROBOT "start:\n  rod.bend-x.1: 1\n  rod.bend-y.1: -400 deg\n", 8, 17,
              "rod.bend-y.1: -6.98132 rad is too large");
  text_expect(ROBOT "start: {rod.elongation.1: 0.6 m}\n", 6, 27,
              "0.6 m is too large for one element, which may have at most 0.5 m");
  text_load(ROBOT
            "start: {rod.bend-y.2: 360 deg, rod.elongation.1: -0.4 m, rod.bend-x.1.rate: 9}\n",
            &file, &model);
  CHECK_OK(apl_file_start(file, model, q, v, NULL));
  CHECK_NEAR(q[4], 2 * PI, 1e-15);
  CHECK_NEAR(v[0], 9, 0);
  apl_model_free(model);
  apl_file_free(file);
}

/* ------------------------------------------------------------------------------ long rods ---- */

#define PORTED(port)                                                                               \
  "appell: 1\nlinks:\n  - name: rod\n    joint: {type: revolute, rotors: [{name: gear, inertia: "  \
  "1}]}\n    body: {type: arc, length: 1, elements: 2, mass-per-length: 1, bending-stiffness: "    \
  "1}\n"                                                                                           \
  "    ports: {" port "}\n"

/* Ports of one's own stand beside those of the body, its coordinates and rotors. */
static void own_names(void** state) {
  (void)state;
  apl_file* file;
  apl_model* model;

  near_context("names of ports");
  text_expect(PORTED("tip: {station: 0.5}"), 0, 0, "tip");
  text_expect(PORTED("end1: {station: 0.5}"), 0, 0, "end1");
  text_expect(PORTED("gear: {station: 0.5}"), 0, 0, "gear");
  text_expect(PORTED("joint: {station: 0.5}"), 0, 0, "joint");
  text_load(PORTED("end2: {station: 0.5}, bend-y: {station: 0.2}"), &file, &model);
  assert_true(apl_model_find(model, APL_PORTS, "rod.end1") >= 0);
  assert_true(apl_model_find(model, APL_PORTS, "rod.end2") >= 0);
  assert_true(apl_model_find(model, APL_COORDINATES, "rod.bend-y.2") >= 0);
  apl_model_free(model);
  apl_file_free(file);
}

/* As many elements as there may be: names, forward and inverse dynamics. */
static void a_thousand_elements(void** state) {
  (void)state;
  const entry field[FIELDS] = {ROD, {"elements", 1000, NULL}, {"strains", 0, "bend-x bend-y"}};
  apl_model* model;
  apl_state* s;
  apl_error err;

  near_context("a thousand elements");
  if (build(field, FIELDS, &model, &err) != APL_OK) near_fail(__FILE__, __LINE__, "%s", err.text);
  assert_int_equal(apl_model_nv(model), 2000);
  assert_string_equal(apl_model_name(model, APL_COORDINATES, 1999), "rod.bend-y.1000");
  CHECK_OK(apl_state_new(model, APL_SCALAR, &s));
  for (int i = 0; i < 2000; i++)
    apl_q(s)[i] = 1e-3;
  CHECK_OK(apl_forward(model, s));

  /* only the end can move: a uniform moment would hold the rod, so the tip pulls back hardest. The
     effort that a motion needs is the effort that makes it */
  CHECK_ALIVE(apl_a(s), 2000, 1);
  CHECK_OK(apl_inverse(model, s));
  for (int i = 0; i < 2000; i++)
    CHECK_NEAR(apl_tau(s)[i], 0, 1e-9);
  apl_state_free(s);
  apl_model_free(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sections_by_mass),    cmocka_unit_test(round_sections),
      cmocka_unit_test(other_sections),      cmocka_unit_test(rectangles),
      cmocka_unit_test(given_numbers),       cmocka_unit_test(refused_by_the_builder),
      cmocka_unit_test(refused_in_files),    cmocka_unit_test(not_finite),
      cmocka_unit_test(start_beyond_a_turn), cmocka_unit_test(own_names),
      cmocka_unit_test(a_thousand_elements),
  };
  return cmocka_run_group_tests_name("sections", tests, NULL, NULL);
}
