/* SPDX-License-Identifier: Apache-2.0 */
/* test_urdf.c: URDF import against the independent reader of the tests, and its report. */
#include "text.h"

#include "model/info.h"
#include "spec/parts.h"

#include "urdf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* tau = inverse dynamics of a model in a random state */
static void inverse(const apl_model* m, const robot* r, uint64_t seed, double* tau) {
  apl_state* s;
  rng d = rng_seed(seed);

  CHECK_OK(apl_state_new(m, APL_SCALAR, &s));
  robot_random_state(&d, r, apl_q(s), apl_v(s), apl_a(s), NULL);
  CHECK_OK(apl_inverse(m, s));
  memcpy(tau, apl_tau(s), sizeof *tau * (size_t)apl_model_nv(m));
  apl_state_free(s);
}

static void compare(const char* name, bool floating) {
  char path[512], message[ROBOT_MESSAGE];
  robot r;
  apl_spec* spec;
  apl_model *want, *got, *reread;
  apl_file *file, *yaml;
  apl_error err;
  apl_load_options o = apl_load_options_default();
  double a[64], b[64];

  near_context("%s%s", name, floating ? ", floating" : "");
  snprintf(path, sizeof path, "%s/rigid/%s.urdf", APPELL_TEST_DATA, name);
  assert_true(robot_read_urdf(path, floating, &r, message));
  CHECK_OK(apl_spec_new(&spec));
  CHECK_OK(robot_to_spec(&r, spec));
  CHECK_OK(apl_model_new(spec, &want, &err));

  o.base = floating ? APL_BASE_FLOATING : APL_BASE_FIXED;
  CHECK_OK(apl_file_load(path, &o, &file, NULL));
  CHECK_OK(apl_file_model(file, &got, NULL));

  /* and by way of a model file */
  char* text = apl_spec_write(apl_file_spec(file));
  CHECK_OK(apl_file_parse(text, strlen(text), NULL, &yaml, NULL));
  CHECK_OK(apl_file_model(yaml, &reread, NULL));
  assert_int_equal(apl_model_nv(want), apl_model_nv(got));
  for (uint64_t seed = 1; seed <= 5; seed++) {
    const int nv = apl_model_nv(want);
    inverse(want, &r, seed, a);
    inverse(got, &r, seed, b);
    CHECK_ALIVE(a, nv, 1e-3);
    CHECK_ARRAY(b, a, nv, 1e-12, near_max(a, nv));
    inverse(reread, &r, seed, a);
    CHECK_ARRAY(a, b, nv, 0, 1);
  }
  apl_text_free(text);
  apl_model_free(reread);
  apl_model_free(got);
  apl_model_free(want);
  apl_file_free(yaml);
  apl_file_free(file);
  apl_spec_free(spec);
  robot_free(&r);
}

static void robots(void** state) {
  (void)state;
  static const char* const names[] = {"arm7",    "chain2", "chain12",
                                      "chain30", "tree31", "humanoid36"};

  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    compare(names[i], false);
  compare("humanoid36", true);
}

static const char everything[] =
    "<?xml version=\"1.0\"?>\n"
    "<robot name=\"one of each\">\n"
    "  <material name=\"red\"><color rgba=\"1 0 0 1\"/></material>\n"
    "  <link name=\"world\"/>\n"
    "  <link name=\"base.link\">\n"
    "    <inertial><origin xyz=\"0 0 0.1\" rpy=\"0 0 1.5707963267948966\"/><mass value=\"2\"/>\n"
    "      <inertia ixx=\"0.1\" iyy=\"0.2\" izz=\"0.25\" ixy=\"0\" ixz=\"0\" "
    "iyz=\"0\"/></inertial>\n"
    "    <visual><geometry><box size=\"0.1 0.2 0.3\"/></geometry><material "
    "name=\"red\"/></visual>\n"
    "    <visual><geometry><mesh filename=\"package://a/b.stl\"/></geometry></visual>\n"
    "    <collision><geometry><sphere radius=\"1\"/></geometry></collision>\n"
    "    <soup/>\n"
    "  </link>\n"
    "  <joint name=\"weld\" type=\"fixed\"><parent link=\"world\"/><child "
    "link=\"base.link\"/></joint>\n"
    "  <link name=\"arm\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\" "
    "ixy=\"0\" "
    "ixz=\"0\" iyz=\"0\"/></inertial></link>\n"
    "  <joint name=\"hinge\" type=\"revolute\"><parent link=\"base.link\"/><child link=\"arm\"/>\n"
    "    <axis xyz=\"0 2 0\"/><limit lower=\"-1\" upper=\"2\" effort=\"10\" velocity=\"3\"/>\n"
    "    <dynamics damping=\"0.5\" friction=\"0.25\"/><safety_controller "
    "k_velocity=\"1\"/></joint>\n"
    "  <transmission name=\"t\"/>\n"
    "  <gazebo/>\n"
    "</robot>\n";

static bool has_note(const apl_file* file, apl_verdict verdict, int line, const char* word) {
  for (int i = 0; i < apl_file_nnote(file); i++) {
    const apl_note* n = apl_file_note(file, i);
    if (n->verdict == verdict && n->line == line && strstr(n->text, word) != NULL) return true;
  }
  near_fail(__FILE__, __LINE__, "no note '%s: %s' for line %d", apl_verdict_word(verdict), word,
            line);
  return false;
}

static void report(void** state) {
  (void)state;
  apl_file* file;
  apl_model* m;
  double p[20];

  near_context("one of each");
  text_load(everything, &file, &m);
  assert_int_equal(apl_model_count(m, APL_LINKS), 2);
  assert_string_equal(apl_model_name(m, APL_LINKS, 0), "base_link");
  apl_model_inertial(m, p);
  CHECK_NEAR(p[4], 0.2 + 2 * 0.01, 1e-15);
  CHECK_NEAR(p[5], 0.1 + 2 * 0.01, 1e-15);

  assert_true(has_note(file, APL_TRANSLATED, 3, "<material> 'red'"));
  assert_true(has_note(file, APL_TRANSLATED, 4, "the world itself"));
  assert_true(has_note(file, APL_TRANSLATED, 5, "is called 'base_link'"));
  assert_true(has_note(file, APL_KEPT, 5, "<link> 'base.link'"));
  assert_true(has_note(file, APL_TRANSLATED, 6, "<inertial>"));
  assert_true(has_note(file, APL_KEPT, 8, "<visual> box"));
  assert_true(has_note(file, APL_KEPT, 9, "<visual> mesh"));
  assert_true(has_note(file, APL_KEPT, 10, "<collision> sphere"));
  assert_true(has_note(file, APL_IGNORED, 11, "<soup>"));
  assert_true(has_note(file, APL_KEPT, 13, "<joint> 'weld'"));
  assert_true(has_note(file, APL_KEPT, 15, "<joint> 'hinge'"));
  assert_true(has_note(file, APL_KEPT, 16, "<axis>"));
  assert_true(has_note(file, APL_TRANSLATED, 16, "<limit>"));
  assert_true(has_note(file, APL_KEPT, 17, "<dynamics>"));
  assert_true(has_note(file, APL_IGNORED, 17, "<safety_controller>"));
  assert_true(has_note(file, APL_IGNORED, 18, "<transmission>"));
  assert_true(has_note(file, APL_IGNORED, 19, "<gazebo>"));

  /* nothing of it is lost on the way to a model file */
  char* text = apl_spec_write(apl_file_spec(file));
  static const char* const kept[] = {"damping: 0.5",   "friction: 0.25",       "lower: -1",
                                     "upper: 2",       "velocity: 3",          "effort: 10",
                                     "type: box",      "colour: [1, 0, 0, 1]", "package://a/b.stl",
                                     "axis: [0, 2, 0]"};
  for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
    CHECK_TRUE(strstr(text, kept[i]) != NULL, "no '%s' in\n%s", kept[i], text);
  apl_text_free(text);
  apl_model_free(m);
  apl_file_free(file);
}

#define ARM                                                                                        \
  "<robot name='r'>\n<link name='a'/>\n<link name='b'><inertial><mass "                            \
  "value='1'/></inertial></link>\n"
#define JOINT(type, more)                                                                          \
  "<joint name='j' type='" type "'><parent link='a'/><child link='b'/>" more "</joint></robot>"

static void refusals(void** state) {
  (void)state;
  near_context("refusals");
  text_expect("<robot", 1, 0, "not well-formed XML");
  text_expect("<mujoco/>", 1, 0, "<mujoco>");
  text_expect("<robot name='r'/>", 1, 0, "no links");
  text_expect("<!DOCTYPE r [<!ENTITY a 'b'>]><robot name='&a;'/>", 0, 0, "document type");
  text_expect(ARM "</robot>", 3, 0, "both roots");
  text_expect(ARM JOINT("hinge", ""), 4, 0, "type 'hinge'");
  text_expect(ARM JOINT("revolute", "<axis xyz='0 0 0'/>"), 4, 0, "zero");
  text_expect(ARM JOINT("revolute", "<axis xyz='0 0'/>"), 4, 0, "3 finite numbers");
  text_expect(ARM JOINT("revolute", "<origin xyz='0 0 1,5'/>"), 4, 0, "3 finite numbers");
  text_expect(ARM JOINT("revolute", "<origin xyz='${x} 0 1'/>"), 4, 0, "xacro");
  text_expect("<robot xmlns:xacro='http://wiki.ros.org/xacro'>\n<xacro:arm/></robot>", 2, 0,
              "`xacro ROBOT.urdf.xacro > ROBOT.urdf`");
  text_expect(ARM JOINT("revolute", "<dynamics damping='-1'/>"), 4, 0, "negative");
  text_expect(ARM JOINT("revolute", "<dynamics damping='nan'/>"), 4, 0, "finite");
  text_expect(ARM
              "<joint name='j' type='fixed'><parent link='a'/><child link='c'/></joint></robot>",
              4, 0, "no link 'c'");
  text_expect(ARM "<joint name='j' type='fixed'><child link='b'/></joint></robot>", 4, 0,
              "<parent");
  text_expect("<robot name='r'><link name='a'/><link name='a'/></robot>", 1, 0, "twice");
  text_expect(
      "<robot name='r'><link name='a'/><joint name='j' type='fixed'><parent link='a'/><child "
      "link='a'/></joint></robot>",
      1, 0, "cycle");
}

/* The path of a mesh of a package, the folder of which stands above the file. */
static void packages(void** state) {
  (void)state;
  static const char text[] = "<robot name='r'><link name='a'><visual><geometry><mesh "
                             "filename='package://doubts/limits.urdf'/></geometry></visual></link>"
                             "</robot>";
  apl_file* file;
  apl_load_options o = apl_load_options_default();

  near_context("packages");
  CHECK_OK(apl_file_parse(text, strlen(text), &o, &file, NULL));
  assert_string_equal(apl_file_shape(file, 0).file, "package://doubts/limits.urdf");
  assert_true(has_note(file, APL_IGNORED, 1, "package 'doubts' was not found"));
  apl_file_free(file);

  /* below a folder of the path, and as a folder of the path */
  static const char* const path[] = {"/nowhere:" APPELL_TEST_DATA, APPELL_TEST_DATA "/doubts/"};
  for (size_t i = 0; i < sizeof path / sizeof *path; i++) {
    o.package_path = path[i];
    CHECK_OK(apl_file_parse(text, strlen(text), &o, &file, NULL));
    assert_string_equal(apl_file_shape(file, 0).file, APPELL_TEST_DATA "/doubts/limits.urdf");
    apl_file_free(file);
  }
}

/* Settings of a URDF: those of the model file that says the same. */
static void settings(void** state) {
  (void)state;
  static const char* const set[] = {"b.body.mass=3 kg", "j.damping=2"};
  apl_load_options o = apl_load_options_default();
  apl_file* file;
  apl_model* m;

  near_context("settings");
  o.set = set;
  o.nset = 2;
  const char* xml = ARM JOINT("revolute", "<axis xyz='0 1 0'/>");
  CHECK_OK(apl_file_parse(xml, strlen(xml), &o, &file, NULL));
  assert_true(apl_file_nnote(file) > 0);
  char* text = apl_spec_write(apl_file_spec(file));
  CHECK_TRUE(strstr(text, "mass: 3") != NULL && strstr(text, "damping: 2") != NULL, "%s", text);
  apl_text_free(text);

  /* the joint is found by its own name, by that of its link, and alone */
  CHECK_OK(apl_file_model(file, &m, NULL));
  assert_string_equal(apl_model_name(m, APL_COORDINATES, 0), "j.angle");
  assert_int_equal(apl_model_find(m, APL_COORDINATES, "j.angle"), 0);
  assert_int_equal(apl_model_find(m, APL_COORDINATES, "j"), 0);
  assert_int_equal(apl_model_find(m, APL_VELOCITIES, "b.joint.angle"), 0);
  assert_int_equal(apl_model_find(m, APL_COORDINATES, "b.angle"), -1);
  apl_model_free(m);
  apl_file_free(file);
}

/* <mimic> is a coupling, which the writer keeps; one whose joint is not there is a doubt. */
static void mimic(void** state) {
  (void)state;
  apl_file* file;
  apl_model* m;
  apl_report report = {0};

  CHECK_OK(apl_file_load(APPELL_TEST_DATA "/doubts/mimic.urdf", NULL, &file, &report));
  CHECK_OK(apl_file_model(file, &m, &report));
  assert_int_equal(apl_model_count(m, APL_LOOPS), 1);
  assert_string_equal(apl_model_name(m, APL_LOOPS, 0), "right_joint");
  const apl_loop_info info = apl_model_loop_info(m, 0);
  assert_int_equal(info.velocity[0], apl_model_find(m, APL_VELOCITIES, "right_joint.position"));
  assert_int_equal(info.velocity[1], apl_model_find(m, APL_VELOCITIES, "left_joint.position"));
  assert_true(
      has_note(file, APL_TRANSLATED, 6, "right_joint.position follows left_joint.position"));
  char* text = apl_spec_write(apl_file_spec(file));
  assert_non_null(strstr(text, "right_joint:"));
  apl_text_free(text);
  apl_model_free(m);
  apl_file_free(file);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(robots),   cmocka_unit_test(report),   cmocka_unit_test(refusals),
      cmocka_unit_test(packages), cmocka_unit_test(settings), cmocka_unit_test(mimic),
  };
  return cmocka_run_group_tests_name("urdf", tests, NULL, NULL);
}
