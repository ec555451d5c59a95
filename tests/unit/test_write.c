/* SPDX-License-Identifier: Apache-2.0 */
/* test_write.c: what is written reads back to the same robot; schema and manual are current. */
#include "kinds.h"

#include "spec/parts.h"
#include "spec/words.h"
#include "system/system.h"
#include "text.h"

#include <appell/analyse.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The model file of a spec, read again. */
static apl_file* again(const apl_spec* spec, char** text) {
  apl_report report = {0};
  apl_file* file = NULL;

  *text = apl_spec_write(spec);
  assert_non_null(*text);
  if (apl_file_parse(*text, strlen(*text), NULL, &file, &report) != APL_OK) {
    near_fail(__FILE__, __LINE__, "%d:%d: %s in\n%s", report.item[0].line, report.item[0].column,
              report.item[0].text, *text);
  }
  return file;
}

/* Numbers, names and motion of two models agree to the last bit. */
static void same_model(const apl_model* a, const apl_model* b) {
  apl_state *sa, *sb;
  const int nv = apl_model_nv(a);

  assert_int_equal(apl_model_nq(a), apl_model_nq(b));
  assert_int_equal(nv, apl_model_nv(b));
  assert_int_equal(apl_model_nu(a), apl_model_nu(b));
  assert_int_equal(apl_model_count(a, APL_PORTS), apl_model_count(b, APL_PORTS));
  for (int i = 0; i < apl_model_count(a, APL_PORTS); i++)
    assert_string_equal(apl_model_name(a, APL_PORTS, i), apl_model_name(b, APL_PORTS, i));
  CHECK_OK(apl_state_new(a, APL_SCALAR, &sa));
  CHECK_OK(apl_state_new(b, APL_SCALAR, &sb));
  CHECK_ARRAY(apl_q(sb), apl_q(sa), apl_model_nq(a), 0, 1);
  for (int i = 0; i < nv; i++)
    apl_v(sa)[i] = apl_v(sb)[i] = 0.1 * (i + 1);
  for (int i = 0; i < apl_model_nq(a); i++)
    apl_q(sa)[i] = apl_q(sb)[i] = apl_q(sa)[i] + 0.05 * (i + 1);
  for (int i = 0; i < apl_model_nu(a); i++)
    apl_u(sa)[i] = apl_u(sb)[i] = i + 1;
  CHECK_OK(apl_forward(a, sa));
  CHECK_OK(apl_forward(b, sb));
  CHECK_ARRAY(apl_a(sb), apl_a(sa), nv, 0, 1);
  apl_state_free(sa);
  apl_state_free(sb);
}

static void round_trip(const apl_spec* spec) {
  char *first, *second;
  apl_file* file = again(spec, &first);
  apl_file* twice = again(apl_file_spec(file), &second);
  apl_model *a, *b;
  apl_error err = {0};

  assert_string_equal(first, second);
  if (apl_model_new(spec, &a, &err) != APL_OK) near_fail(__FILE__, __LINE__, "%s", err.text);
  CHECK_OK(apl_file_model(file, &b, NULL));
  same_model(a, b);
  apl_model_free(a);
  apl_model_free(b);
  apl_file_free(file);
  apl_file_free(twice);
  apl_text_free(first);
  apl_text_free(second);
}

static void examples(void** state) {
  (void)state;
  static const char* const names[] = {"double-pendulum", "arm7",       "tumbling-body",
                                      "hybrid-arm",      "diff-drive", "arc",
                                      "soft-arm",        "soft-rover", "lateral-undulation",
                                      "snake-pegs",      "gripper",    "pipe-climber"};

  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    char path[512];
    apl_file* file = NULL;
    near_context("%s", names[i]);
    snprintf(path, sizeof path, "%s/../../models/%s.yaml", APPELL_TEST_DATA, names[i]);
    CHECK_OK(apl_file_load(path, NULL, &file, NULL));
    round_trip(apl_file_spec(file));
    apl_file_free(file);
  }
}

/* every joint kind, with numbers that have no short decimal and everything else a link can have */
static void every_kind(void** state) {
  (void)state;
  const double third = 1.0 / 3.0;

  for (int k = 0; apl_joint_word(k) != NULL; k++) {
    apl_spec* spec;
    near_context("%s", apl_joint_word(k));
    CHECK_OK(apl_spec_new(&spec));
    const char* word = apl_joint_word(k);
    const int cart = apl_spec_link(spec, "cart", "world", "differential-drive", "rigid");
    apl_spec_number(spec, cart, "joint.wheel-radius", 0.1);
    apl_spec_number(spec, cart, "joint.half-track", third);
    apl_spec_number(spec, cart, "body.mass", 1);
    apl_spec_put(spec, cart, "body.inertia", (const double[]){0.2, 0.2, third, 0, 0, 0}, 6);
    const int i = apl_spec_link(spec, "arm", "cart.hook", word, "rigid");
    /* a trailer rolls on the ground: it may be turned about z only */
    const double tilt = strcmp(word, "trailer") == 0 ? 0.0 : 0.1;
    apl_spec_place(spec, i, (apl_pose){{third, -0.0, 1e-300}, {third, tilt, 2 * tilt, 0.3}});
    apl_spec_number(spec, i, "body.mass", 0.1 + 0.2);
    apl_spec_vec3(spec, i, "body.com", third, -1e-17, 12345678.9 / 1e8);
    apl_spec_put(spec, i, "body.inertia", (const double[]){1, 1.1, 1.2, 0.01, 0.02, 0.03}, 6);
    for (const kind_field* f = kind_of_joint(word)->field; f->number != KIND_NONE; f++) {
      if (f->number == KIND_POSITIVE) apl_spec_number(spec, i, f->path, third);
    }
    if (strcmp(word, "revolute") == 0) {
      apl_spec_vec3(spec, i, "joint.axis", 0.6, 0, -0.8);
      apl_spec_rotor(spec, i, "motor", 0, third, -7);
      apl_spec_input(spec, "torque", "arm.motor", third);
      apl_spec_input(spec, "arm.joint.angle", "arm.joint.angle", 1);
    }
    if (strcmp(word, "fixed") != 0) apl_spec_number(spec, i, "joint.damping", third);
    if (strcmp(word, "planar") == 0)
      apl_spec_put(spec, i, "joint.rest", (const double[]){third, 2, 3}, 3);
    apl_spec_port(spec, cart, "hook", 0, apl_pose_at(third, 0, 0));
    apl_spec_port(spec, i, "far", 0.5, apl_pose_at(0, third, 0));
    apl_spec_prescribe(spec, i, strcmp(word, "revolute") == 0, false);
    round_trip(spec);
    apl_spec_free(spec);
  }
}

/* bodies of words and counts, and inputs that push ports */
static void arcs(void** state) {
  (void)state;
  static const char text[] =
      "appell: 1\n"
      "links:\n"
      "  - name: trunk\n"
      "    body: {type: arc, length: 0.6, elements: 3, strains: [bend-x, torsion, elongation],\n"
      "      diameter: 1 cm, inner-diameter: 4 mm, density: 1100, young-modulus: 1e6,\n"
      "      poisson-ratio: 0.45, rest-curvature-x: 0.3, rest-twist: -0.1, air-drag: 0.02}\n"
      "    ports: {eye: {station: 0.35, at: [0, 0, 1 mm]}}\n"
      "  - name: leaf\n"
      "    on: trunk.end2\n"
      "    body: {type: arc, length: 0.2, width: 1 cm, height: 2 mm, density: 1100,\n"
      "      young-modulus: 1e6, evaluation: p5, elements: 2, kelvin-voigt-time: 1 ms}\n"
      "inputs:\n"
      "  wind: {on: trunk.tip, force: [1, 0, 0.5], axes: world}\n"
      "  jet: {on: leaf.tip, force: [0, 0, 1], moment: [0.1, 0, 0], axes: port, gain: 2}\n"
      "  bend: {on: leaf.bend-y.2}\n";
  apl_file* file;
  apl_model* model;

  near_context("arcs");
  text_load(text, &file, &model);
  assert_int_equal(apl_model_nv(model), 9 + 2);
  assert_int_equal(apl_model_nu(model), 3);
  round_trip(apl_file_spec(file));
  apl_model_free(model);
  apl_file_free(file);
}

/* a table, and the builder's sentences about tables */
static void tables(void** state) {
  (void)state;
  static const char text[] =
      "appell: 1\n"
      "links:\n"
      "  - name: strip\n"
      "    body: {type: beam, length: 1, width: 1 cm, height: 2 mm, density: 1100,\n"
      "      young-modulus: 1e6, modes: {bend-y: 1, axial: 3}, directions: [bend-y, axial],\n"
      "      shape-table: {station: [0, 0.1, 0.6, 1], bend-y.1: [0, 0.3, 0.7, "
      "1]}}\n";
  apl_file* file;
  apl_model* model;

  near_context("tables");
  text_load(text, &file, &model);
  round_trip(apl_file_spec(file));
  apl_model_free(model);
  apl_file_free(file);

  static const double x[4] = {0, 0.2, 0.7, 1};
  static const struct {
    const char* path;
    int n;
    const char* word;
  } bad[] = {
      {"body.shape-table", 4, "put one column at a time"},
      {"body.shape-table.bend-y.1", 3, "takes 4 numbers, as 'station' has, got 3"},
      {"body.shape-table.station", 4, "is given twice"},
      {"body.shape-tables.station", 4, "has no 'shape-tables.station'"},
      {"body.polynomials", 1, "takes words"},
  };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    apl_spec* spec;
    near_context("%s", bad[i].path);
    CHECK_OK(apl_spec_new(&spec));
    apl_spec_link(spec, "strip", "world", "fixed", "beam");
    apl_spec_put(spec, 0, "body.shape-table.station", x, 4);
    assert_int_equal(apl_spec_error(spec)->status, APL_OK);
    apl_spec_put(spec, 0, bad[i].path, x, bad[i].n);
    CHECK_TRUE(strstr(apl_spec_error(spec)->text, bad[i].word) != NULL, "%s",
               apl_spec_error(spec)->text);
    apl_spec_free(spec);
  }
}

/* names that YAML readers would misread */
static void texts(void** state) {
  (void)state;
  static const char* const name[] = {"yes",         "1.5",  "a: b",      "\"quoted\"",
                                     "back\\slash", "# no", "tab\there", "caf\xc3\xa9",
                                     " spaces ",    "null", "- dash"};

  for (size_t i = 0; i < sizeof name / sizeof *name; i++) {
    char text[256], *written;
    apl_file* file;
    apl_model* model;
    near_context("%s", name[i]);

    /* as JSON would write it */
    size_t n = (size_t)snprintf(text, sizeof text, "{\"appell\": 1, \"links\": [], \"name\": \"");
    for (const char* c = name[i]; *c != '\0'; c++) {
      if (*c == '"' || *c == '\\') text[n++] = '\\';
      if (*c == '\t') text[n++] = '\\';
      text[n++] = *c == '\t' ? 't' : *c;
    }
    snprintf(text + n, sizeof text - n, "\"}");
    text_load(text, &file, &model);
    assert_string_equal(apl_file_name(file), name[i]);
    apl_file* other = again(apl_file_spec(file), &written);
    assert_string_equal(apl_file_name(other), name[i]);
    apl_text_free(written);
    apl_file_free(other);
    apl_model_free(model);
    apl_file_free(file);
  }
}

/* Where a run starts, how it goes and what it records are data of the spec too. */
static void runs(void** state) {
  static const char text[] =
      "appell: 1\n"
      "links:\n"
      "  - {name: arm, joint: {type: revolute, axis: y}, body: {mass: 1 kg, com: [0, 0, -1]}}\n"
      "start: {arm.joint.angle: 10 deg, arm.joint.angle.rate: -3 deg/s}\n"
      "run: {to: 2 s, integrator: dop853, tolerance: 1e-10, output-every: 5 ms}\n"
      "record: {ports: [arm.root], reactions: true, every: 1 ms}\n";
  apl_file *file, *back;
  apl_model* model;
  apl_report report = {0};
  char *first, *second;
  double q[2], v[2];
  (void)state;

  CHECK_OK(apl_file_parse(text, strlen(text), NULL, &file, &report));
  round_trip(apl_file_spec(file));
  back = again(apl_file_spec(file), &first);
  const apl_run_block *a = apl_file_run(file), *b = apl_file_run(back);
  assert_string_equal(a->integrator, b->integrator);
  assert_true(a->to == 2.0 && b->to == 2.0 && b->tolerance == 1e-10 && b->output_every == 1e-3);
  CHECK_OK(apl_file_model(back, &model, &report));
  CHECK_OK(apl_file_start(back, model, q, v, &report));
  CHECK_NEAR(q[0], acos(-1.0) / 18.0, 1e-16);
  CHECK_NEAR(v[0], -acos(-1.0) / 60.0, 1e-16);
  assert_non_null(strstr(first, "record: {reactions: true, ports: [arm.root]}"));
  apl_model_free(model);
  apl_file_free(file);
  apl_file_free(back);
  apl_text_free(first);

  /* an earlier result and equilibrium are written as they were read */
  static const char other[] = "appell: 1\nlinks: []\nstart: {from: a b.h5, equilibrium: stable}\n";
  CHECK_OK(apl_file_parse(other, strlen(other), NULL, &file, &report));
  back = again(apl_file_spec(file), &second);
  assert_non_null(strstr(second, "start: {from: a b.h5, equilibrium: stable}"));
  apl_file_free(file);
  apl_file_free(back);
  apl_text_free(second);
}

/* What drives a robot, written and read again, drives it in the same way: inputs, prescribed and
   aimed-at coordinates are the same doubles at any time. */
static void drives(void** state) {
  static const char text[] =
      "appell: 1\n"
      "links:\n"
      "  - {name: a, joint: {type: revolute, axis: y, prescribed: true}, body: {mass: 1}}\n"
      "  - {name: b, on: a, joint: {type: prismatic, axis: x, prescribed: true}, body: {mass: 1}}\n"
      "  - {name: c, on: b, joint: {type: revolute, axis: y}, body: {mass: 1, com: [1, 0, 0]}}\n"
      "  - {name: d, on: c, joint: {type: revolute, axis: y, servo: {stiffness: 5}}, body: {mass: "
      "1, com: [1, 0, 0]}}\n"
      "  - {name: e, on: d, joint: {type: revolute, axis: y, servo: {stiffness: 5}}, body: {mass: "
      "1, com: [1, 0, 0]}}\n"
      "inputs:\n"
      "  motor: {on: c.joint.angle, value: {product: [pull, {polynomial: [1, 0.5, -0.1]}]}, least: "
      "-3 N m, greatest: 4 Nm}\n"
      "  push: {on: e.root, force: [1, 0, 2], axes: port, value: {cycle: {period: 700 ms, of: "
      "{steps: {times: [0, 0.3], values: [1, -1]}}}}}\n"
      "  d.joint.angle: {sum: [1 N m, {linear: {times: [0 s, 500 ms], values: [0, 200 N mm]}}]}\n"
      "motion:\n"
      "  a.joint.angle: {sum: [swing, {blend: {times: [0, 1], values: [0 deg, 10 deg]}}, "
      "{spline: {times: [0, 1, 2], values: [0, 1, 0]}}, {expression: 0.1 * sin(pi * t)}]}\n"
      "  b.joint.position: {sum: [{travel: {speed: 3 cm/s, to: 2, smooth: true}}, {smooth-ramp: "
      "{to: 2 cm, start: 0.1, duration: 1}}]}\n"
      "gaits:\n"
      "  - {type: alternating, joints: [d, e], pitch: {amplitude: 5 deg, frequency: 1, step: 30 "
      "deg}, offset: {ramp: {to: 3 deg, duration: 2}}, ramp-up: 0.5}\n"
      "signals:\n"
      "  swing: {sine: {mean: 5 deg, amplitude: 20 deg, frequency: 3 rad/s, phase: 0.2}}\n"
      "  pull: 2 N m\n";
  apl_file* file[2] = {NULL};
  apl_model* model[2];
  apl_system* system[2];
  apl_report report = {0};
  char* written;
  (void)state;

  if (apl_file_parse(text, strlen(text), NULL, &file[0], &report) != APL_OK)
    fail_msg("%s", report.item[0].text);
  round_trip(apl_file_spec(file[0]));
  file[1] = again(apl_file_spec(file[0]), &written);
  for (int k = 0; k < 2; ++k) {
    CHECK_OK(apl_file_model(file[k], &model[k], &report));
    if (apl_file_system(file[k], model[k], APL_READY, &system[k], &report) != APL_OK)
      fail_msg("%s\n%s", report.item[0].text, written);
  }
  const size_t n = (size_t)apl_system_size(system[0]);
  double *y = calloc(n, sizeof *y), moved = 0.0;
  for (double t = 0.0; t < 3.0; t += 0.137) {
    apl_state* s[2];
    for (int k = 0; k < 2; ++k) {
      s[k] = apl_system_state(system[k]);
      apl_system_pack(system[k], y);
      apl_system_unpack(system[k], t, y);
    }
    assert_memory_equal(apl_q(s[0]), apl_q(s[1]), sizeof *y * (size_t)apl_model_nq(model[0]));
    assert_memory_equal(apl_v(s[0]), apl_v(s[1]), sizeof *y * (size_t)apl_model_nv(model[0]));
    assert_memory_equal(apl_u(s[0]), apl_u(s[1]), sizeof *y * (size_t)apl_model_nu(model[0]));
    assert_memory_equal(apl_aim(s[0]), apl_aim(s[1]), sizeof *y * (size_t)apl_model_nv(model[0]));
    moved += fabs(apl_q(s[0])[0]) + fabs(apl_u(s[0])[0]) + fabs(apl_aim(s[0])[4]);
  }
  assert_true(moved > 1.0);
  free(y);
  for (int k = 0; k < 2; ++k) {
    apl_system_free(system[k]);
    apl_model_free(model[k]);
    apl_file_free(file[k]);
  }
  apl_text_free(written);
}

static void documents(void** state) {
  (void)state;
  near_context("docs/formats/model.md: run `appell check --docs > docs/formats/model.md`");
  char* manual = apl_file_manual();
  char* checked_in = text_read(APPELL_TEST_DATA "/../../docs/formats/model.md");
  assert_non_null(manual);
  assert_true(strcmp(manual, checked_in) == 0);
  free(checked_in);
  apl_text_free(manual);

  near_context("schema");
  char* schema = apl_file_schema();
  assert_non_null(schema);
  assert_non_null(strstr(schema, "\"wheel-radius\""));
  assert_non_null(strstr(schema, "\"$defs\""));
  apl_text_free(schema);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(examples), cmocka_unit_test(every_kind), cmocka_unit_test(arcs),
      cmocka_unit_test(tables),   cmocka_unit_test(texts),      cmocka_unit_test(runs),
      cmocka_unit_test(drives),   cmocka_unit_test(documents),
  };
  return cmocka_run_group_tests_name("write", tests, NULL, NULL);
}
