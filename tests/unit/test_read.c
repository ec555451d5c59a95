/* SPDX-License-Identifier: Apache-2.0 */
/* test_read.c: model files: what they mean, and where their mistakes are. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "text.h"

#include "spec/parts.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static const char robot[] =
    "appell: 1\n"
    "name: all of it\n"
    "description: one of each\n"
    "gravity: [0, 0, -1.62 m/s^2]\n"
    "links:\n"
    "  - name: base\n"
    "    joint: {type: differential-drive, wheel-radius: 80 mm, half-track: 145 mm, wheel-inertia: "
    "0.001}\n"
    "    body: {mass: 6.64, com: [0.2, 0, 0], inertia: {zz: 0.06363}}\n"
    "    ports: {mount: {at: [0.2, 0, 0.3]}}\n"
    "  - name: turret\n"
    "    on: base.mount\n"
    "    at: {position: [0, 0, 1 cm], rotation: {rpy: [0, 0, 90 deg]}}\n"
    "    joint:\n"
    "      type: revolute\n"
    "      axis: z\n"
    "      damping: 0.01\n"
    "      stiffness: 2 N m/rad\n"
    "      rest: 5 deg\n"
    "      rotors: [{name: motor, inertia: 1 kg cm^2, ratio: 50}]\n"
    "      limits: {lower: -90 deg, upper: 90 deg}\n"
    "    body: {type: rigid, mass: 1, com: [0, 0, 0.1], inertia: [0.01, 0.01, 0.002, 0, 0, 0]}\n"
    "    ports: {top: {at: {position: [0, 0, 0.2], rotation: {axis: x, angle: 90 deg}}}}\n"
    "    shapes: [{type: sphere, radius: 5 cm}, {type: mesh, file: 'a b.stl'}]\n"
    "  - name: trunk\n"
    "    on: turret.top\n"
    "    body: {type: arc, length: 0.6 m, mass-per-length: 0.1, bending-stiffness: 0.2}\n"
    "    ports: {middle: {station: 0.5, at: {rotation: {quaternion: [1, 0, 0, 1]}}}}\n"
    "  - name: ball\n"
    "    on: trunk.tip\n"
    "    joint: {type: spherical, damping: [1, 2, 3], prescribed: true}\n"
    "    body: {mass: 0.1, inertia: {xx: 1e-4, yy: 1e-4, zz: 1e-4}}\n"
    "inputs:\n"
    "  drive: {on: turret.motor, gain: 2}\n"
    "  base.right: 0.1 N m\n"
    "start: {turret.joint.angle: 10 deg, base.joint.speed: 1 m/s, turret.joint.angle.rate: 2, "
    "trunk.bend-y: 0.1}\n"
    "run: {to: 3 s, integrator: bdf, tolerance: 1e-6, output-every: 5 ms}\n";

static void meaning(void** state) {
  (void)state;
  apl_file* file;
  apl_model* m;

  near_context("all of it");
  text_load(robot, &file, &m);
  assert_string_equal(apl_file_name(file), "all of it");
  assert_string_equal(apl_file_description(file), "one of each");
  CHECK_NEAR(apl_model_gravity(m).z, -1.62, 0);
  assert_int_equal(apl_model_count(m, APL_LINKS), 4);
  assert_int_equal(apl_model_nv(m), 2 + 1 + 1 + 3);
  assert_int_equal(apl_model_link_info(m, 3).joint_prescribed, 1);
  assert_true(apl_model_find(m, APL_PORTS, "trunk.middle") >= 0);
  assert_true(apl_model_find(m, APL_SATELLITES, "turret.motor") >= 0);
  assert_int_equal(apl_model_find(m, APL_INPUTS, "drive"), 0);
  assert_int_equal(apl_model_find(m, APL_INPUTS, "base.right"), 1);
  assert_string_equal(apl_model_unit(m, APL_COORDINATES, 3), "rad");
  assert_string_equal(apl_model_unit(m, APL_VELOCITIES, 0), "m/s");
  assert_string_equal(apl_model_unit(m, APL_VELOCITIES, 3), "rad/s");

  double q[9], v[7];
  CHECK_OK(apl_file_start(file, m, q, v, NULL));
  const double deg = acos(-1.0) / 180;
  const double want_q[9] = {0, 0, 0, 10 * deg, 0.1, 1, 0, 0, 0};
  const double want_v[7] = {1, 0, 2, 0, 0, 0, 0};
  CHECK_ARRAY(q, want_q, 9, 1e-15, 1);
  CHECK_ARRAY(v, want_v, 7, 0, 1);

  const apl_run_block* run = apl_file_run(file);
  CHECK_NEAR(run->to, 3, 0);
  CHECK_NEAR(run->tolerance, 1e-6, 0);
  CHECK_NEAR(run->output_every, 0.005, 0);
  CHECK_NEAR(run->step, 0, 0);
  assert_string_equal(run->integrator, "bdf");
  apl_model_free(m);
  apl_file_free(file);
}

/* rest is where a run starts when `start` is silent */
static void defaults(void** state) {
  (void)state;
  apl_file* file;
  apl_model* m;
  double q[1], v[1];

  near_context("defaults");
  text_load("appell: 1\nlinks: [{name: a, joint: {type: revolute, rest: 0.5}, body: {mass: 1, com: "
            "[1, 0, "
            "0]}}]\n",
            &file, &m);
  CHECK_OK(apl_file_start(file, m, q, v, NULL));
  CHECK_NEAR(q[0], 0.5, 0);
  assert_string_equal(apl_file_run(file)->integrator, "auto");
  CHECK_NEAR(apl_model_gravity(m).z, -9.81, 0);
  apl_model_free(m);
  apl_file_free(file);
}

#define HEAD "appell: 1\nlinks:\n"
#define LINK "  - name: a\n    joint: {type: revolute}\n    body: {mass: 1, com: [1, 0, 0]}\n"

static const struct {
  const char* text;
  int line, column;
  const char* word;
} mistakes[] = {
    /* keys */
    {"links: []\n", 1, 1, "appell: is missing"},
    {"appell: 1\n", 1, 1, "links: is missing"},
    {"appell: 2\nlinks: []\n", 1, 9, "version 1"},
    {"appell: one\nlinks: []\n", 1, 9, "appell"},
    {"appell: 1\nlinks: []\ngravty: [0, 0, 0]\n", 3, 1, "did you mean 'gravity'?"},
    {"appell: 1\nlinks: {}\n", 2, 8, "expected a list"},
    {"appell: 1\nlinks: [3]\n", 2, 9, "expected keys and values"},
    {"appell: 1\nlinks:\n", 2, 0, "expected a list"},
    {HEAD "  - body: {mass: 1}\n", 3, 5, "name: is missing"},
    {HEAD "  - name: a\n", 3, 5, "body: is missing"},
    {HEAD "  - name: [a]\n    body: {mass: 1}\n", 3, 11, "expected a text"},
    {HEAD "  - name: a b\n    body: {mass: 1}\n", 3, 11, "must start with a letter"},
    {HEAD "  - name: a\n    bdy: {mass: 1}\n", 4, 5, "did you mean 'body'?"},
    /* kinds */
    {HEAD "  - name: a\n    joint: revolut\n    body: {mass: 1}\n", 4, 12,
     "did you mean 'revolute'?"},
    {HEAD "  - name: a\n    joint: {axis: z}\n    body: {mass: 1}\n", 4, 12, "joint.type"},
    {HEAD "  - name: a\n    joint: {type: [1]}\n    body: {mass: 1}\n", 4, 19, "a list"},
    {HEAD "  - name: a\n    joint: helical\n    body: {mass: 1}\n", 4, 12, "pitch: is missing"},
    {HEAD "  - name: a\n    body: {type: rigit, mass: 1}\n", 4, 18, "did you mean 'rigid'?"},
    {HEAD "  - name: a\n    body: {}\n", 4, 5, "mass: is missing"},
    {HEAD "  - name: a\n    body: {mass: 1, lenght: 2}\n", 4, 21, "lenght"},
    /* values */
    {HEAD "  - name: a\n    body: {mass: -1}\n", 4, 18, "mass must not be negative"},
    {HEAD "  - name: a\n    body: {mass: 1, com: [1, 2]}\n", 4, 26, "list of 3 numbers, got 2"},
    {HEAD "  - name: a\n    body: {mass: 1, com: [1, 2, x]}\n", 4, 33, "expected a length"},
    {HEAD "  - name: a\n    body: {mass: 1, com: 3}\n", 4, 26, "list of 3 numbers"},
    {HEAD "  - name: a\n    body: {mass: 1, inertia: {xq: 1}}\n", 4, 31, "did you mean 'xx'?"},
    {HEAD "  - name: a\n    joint: floating\n    body: {mass: 1, inertia: [1, 1, 3, 0, 0, 0]}\n", 5,
     30, "sum"},
    {HEAD "  - name: a\n    joint: {type: revolute, axis: [0, 0, 0]}\n    body: {mass: 1}\n", 4, 35,
     "axis must be a direction"},
    {HEAD "  - name: a\n    joint: {type: revolute, prescribed: yes}\n    body: {mass: 1}\n", 4, 41,
     "true or false"},
    {HEAD "  - name: a\n    joint: {type: revolute, damping: -1}\n    body: {mass: 1}\n", 4, 38,
     "negative"},
    {HEAD "  - name: a\n    joint: {type: revolute, rest: [1, 2]}\n    body: {mass: 1}\n", 4, 0,
     "rest"},
    {HEAD "  - name: a\n    joint: {type: fixed, damping: 1}\n    body: {mass: 1}\n", 4, 26,
     "no freedom"},
    {HEAD "  - name: a\n    joint: {type: planar, friction: 1}\n    body: {mass: 1}\n", 4, 27,
     "one freedom"},
    {HEAD "  - name: a\n    joint: {type: revolute, limits: {lower: 2, upper: 1}}\n    body: "
          "{mass: 1}\n",
     4, 37, "above upper"},
    {HEAD "  - name: a\n    at: 3\n    body: {mass: 1}\n", 4, 9, "pose"},
    {HEAD "  - name: a\n    at: {rotation: {rpy: [0, 0, 0], angle: 1}}\n    body: {mass: 1}\n", 4,
     20, "one of"},
    {HEAD "  - name: a\n    at: {rotation: {quaternion: [0, 0, 0, 0]}}\n    body: {mass: 1}\n", 4,
     20, "zero"},
    {HEAD "  - name: a\n    body: {mass: 1}\n    ports: {root: {}}\n", 5, 13, "already has"},
    {HEAD "  - name: a\n    body: {mass: 1}\n    ports: [1]\n", 5, 12, "map"},
    {HEAD "  - name: a\n    body: {mass: 1}\n    shapes: [{type: bax}]\n", 5, 21,
     "did you mean 'box'?"},
    {HEAD "  - name: a\n    body: {mass: 1}\n    shapes: [{type: box}]\n", 5, 14,
     "size: is missing"},
    {HEAD "  - name: a\n    joint: {type: revolute, rotors: [{name: m, inertia: 1, velocity: "
          "angel}]}\n    body: {mass: 1}\n",
     4, 38, "did you mean 'angle'?"},
    {HEAD "  - name: a\n    joint: {type: fixed, prescribed: true}\n    body: {mass: 1}\n", 4, 38,
     "no velocity of its own"},
    {HEAD "  - name: a\n    body: {mass: 1, prescribed: true}\n", 4, 33, "does not deform"},
    {HEAD "  - name: a\n    body: {mass: 1}\n    ports: {p: {station: 1}}\n", 5, 26, "station"},
    {HEAD "  - name: a\n    body: {type: arc, length: 1, mass-per-length: 1, bending-stiffness: "
          "1}\n    ports: {p: {station: 2}}\n",
     5, 13, "0 to 1"},
    /* the tree */
    {HEAD LINK "    on: arm\n", 6, 9, "no link 'arm'"},
    {HEAD LINK "    on: a\n", 6, 9, "its own ancestor"},
    {HEAD LINK LINK, 6, 11, "two links"},
    {HEAD "  - name: a\n    joint: revolute\n    body: {mass: 0}\n", 3, 11, "singular"},
    /* inputs, start, run */
    {HEAD LINK "inputs: {m: {on: a.joint.angel}}\n", 6, 10, "did you mean 'a.joint.angle'?"},
    {HEAD LINK "inputs: {m: {gain: 1}}\n", 6, 10, "on: is missing"},
    {HEAD LINK "inputs: [1]\n", 6, 9, "map"},
    {HEAD LINK "inputs: {m: {on: a.joint.angle, force: [1, 0, 0]}}\n", 6, 10, "not a port"},
    {HEAD LINK "inputs: {m: {on: a.rot, force: [1, 0, 0]}}\n", 6, 10, "did you mean 'a.root'?"},
    {HEAD LINK "inputs: {m: {on: a.root}}\n", 6, 10, "needs `force` or `moment`"},
    {HEAD LINK "inputs: {m: {on: a.root, force: 3}}\n", 6, 33, "list of 3 numbers"},
    {HEAD LINK "inputs: {m: {on: a.root, force: [1, 0, 0], axes: wrld}}\n", 6, 50,
     "did you mean 'world'?"},
    {HEAD LINK "start: {a.joint.angel: 1}\n", 6, 9, "did you mean 'a.joint.angle'?"},
    {HEAD LINK "start: {a.joint.angle: 1 kg}\n", 6, 24, "expected an angle"},
    {HEAD LINK "start: 3\n", 6, 8, "map"},
    {HEAD LINK "run: {to: -1}\n", 6, 11, "positive"},
    {HEAD LINK "run: {integrator: rkf54}\n", 6, 19, "did you mean 'rkf45'?"},
};

static void places(void** state) {
  (void)state;
  for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
    near_context("%s", mistakes[i].text);
    text_expect(mistakes[i].text, mistakes[i].line, mistakes[i].column, mistakes[i].word);
  }
}

/* one load tells them all; beyond the room of a report they are counted */
static void many(void** state) {
  (void)state;
  char text[8192] = HEAD;

  near_context("many");
  assert_int_equal(text_count(HEAD "  - {name: a, joint: revolut, body: {mass: 5 mm, cm: 1}}\n"
                                   "  - {name: b, body: {mass: x}}\nrun: {t: 1}\n"),
                   5);
  for (int i = 0; i < 100; i++)
    strcat(text, "  - {name: a, body: {mass: x}}\n");
  assert_int_equal(text_count(text), 100);
}

/* A text that ends where the memory ends, without a zero: a byte behind it is a fault. */
static void text_without_end(void** state) {
  static const char arm[] = "<robot name='a'><link name='b'><inertial><mass value='1'/><inertia "
                            "ixx='1' iyy='1' izz='1'/></inertial></link></robot>";
  static const char* const texts[] = {robot, arm};
  const size_t page = (size_t)sysconf(_SC_PAGESIZE);
  unsigned char* room =
      mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

  (void)state;
  assert_true(room != MAP_FAILED);
  assert_int_equal(mprotect(room + page, page, PROT_NONE), 0);
  for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i) {
    const size_t n = strlen(texts[i]);
    char* text = (char*)room + page - n;
    apl_file* file = NULL;
    assert_true(n <= page);
    memcpy(text, texts[i], n);
    CHECK_OK(apl_file_parse(text, n, NULL, &file, NULL));
    assert_non_null(file);
    apl_file_free(file);
  }
  assert_int_equal(munmap(room, 2 * page), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(meaning), cmocka_unit_test(defaults),         cmocka_unit_test(places),
      cmocka_unit_test(many),    cmocka_unit_test(text_without_end),
  };
  return cmocka_run_group_tests_name("read", tests, NULL, NULL);
}
