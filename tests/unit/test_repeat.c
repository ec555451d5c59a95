/* SPDX-License-Identifier: Apache-2.0 */
/* test_repeat.c: `repeat` and patterns (spec/repeat.h, text/pattern.h): files with copies are those
   that are written out by hand; mistakes have a place; hostile files stay small. */
#include "near.h"

#include "spec/file_impl.h"
#include "spec/repeat.h"
#include "text/pattern.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The spec of a text, written; free it. */
static char* written(const char* text, const char* const* set, int nset) {
  apl_load_options o = apl_load_options_default();
  apl_report report = {0};
  apl_file* file;

  o.set = set;
  o.nset = nset;
  apl_file_parse(text, strlen(text), &o, &file, &report);
  CHECK_TRUE(report.count == 0, "%s", report.item[0].text);
  char* out = apl_spec_write(apl_file_spec(file));
  apl_file_free(file);
  return out;
}

static void expect_same(const char* a, const char* b, const char* set) {
  char *x = written(a, &set, set != NULL), *y = written(b, NULL, 0);

  assert_string_equal(x, y);
  apl_text_free(x);
  apl_text_free(y);
}

/* The first mistake begins with this sentence and is at this place. */
static void expect_mistake(const char* text, int line, int column, const char* sentence) {
  apl_report report = {0};
  apl_file* file;

  apl_file_parse(text, strlen(text), NULL, &file, &report);
  CHECK_TRUE(report.count > 0, "no mistake, expected: %s", sentence);
  CHECK_TRUE(strncmp(report.item[0].text, sentence, strlen(sentence)) == 0, "got: %s\nexpected: %s",
             report.item[0].text, sentence);
  assert_int_equal(report.item[0].line, line);
  assert_int_equal(report.item[0].column, column);
  apl_file_free(file);
}

#define BODY "joint: {type: revolute, axis: y}, body: {mass: 1 kg}, ports: {end: {at: [0, 0, -1]}}"

static const char chain[] = "appell: 1\n"
                            "links:\n"
                            "  - {name: l1, " BODY "}\n"
                            "  - {repeat: {k: [2, 4]}, name: l<k>, on: l<k-1>.end, " BODY "}\n"
                            "grounds: {floor: {law: {normal: restitution}}}\n"
                            "contacts: [{on: l*.end, radius: 1 cm}]\n";

static void a_chain_is_the_one_written_out(void** state) {
  (void)state;
  expect_same(chain,
              "appell: 1\n"
              "links:\n"
              "  - {name: l1, " BODY "}\n"
              "  - {name: l2, on: l1.end, " BODY "}\n"
              "  - {name: l3, on: l2.end, " BODY "}\n"
              "  - {name: l4, on: l3.end, " BODY "}\n"
              "grounds: {floor: {law: {normal: restitution}}}\n"
              "contacts: [{on: l1.end, radius: 1 cm}, {on: l2.end, radius: 1 cm}, {on: l3.end, "
              "radius: 1 cm}, {on: l4.end, radius: 1 cm}]\n",
              NULL);
}

/* Two variables, a named block, blocks inside of copies with copies of their own, motions. */
static void copies_are_everywhere(void** state) {
  (void)state;
  expect_same(
      "appell: 1\n"
      "links:\n"
      "  - {name: base, body: {mass: 1}, ports: {p<i>: {repeat: {i: 2}, at: [<i>, 0, 0]}}}\n"
      "  - {name: a<i>x<j>, repeat: {i: 2, j: [-1, 0]}, on: base.p<i>, joint: {type: "
      "revolute, axis: y, prescribed: true}, body: {mass: <i> kg},\n"
      "     shapes: [{repeat: {m: 2}, type: sphere, radius: <i><m> mm}]}\n"
      "motion: {a<i>x0.joint.angle: {repeat: {i: 2}, sine: {amplitude: 0.<i>, frequency: "
      "1}}}\n",
      "appell: 1\n"
      "links:\n"
      "  - {name: base, body: {mass: 1}, ports: {p1: {at: [1, 0, 0]}, p2: {at: [2, 0, 0]}}}\n"
      "  - {name: a1x-1, on: base.p1, joint: {type: revolute, axis: y, prescribed: true}, "
      "body: {mass: 1 kg}, shapes: [{type: sphere, radius: 11 mm}, {type: sphere, "
      "radius: 12 mm}]}\n"
      "  - {name: a1x0, on: base.p1, joint: {type: revolute, axis: y, prescribed: true}, "
      "body: {mass: 1 kg}, shapes: [{type: sphere, radius: 11 mm}, {type: sphere, "
      "radius: 12 mm}]}\n"
      "  - {name: a2x-1, on: base.p2, joint: {type: revolute, axis: y, prescribed: true}, "
      "body: {mass: 2 kg}, shapes: [{type: sphere, radius: 21 mm}, {type: sphere, "
      "radius: 22 mm}]}\n"
      "  - {name: a2x0, on: base.p2, joint: {type: revolute, axis: y, prescribed: true}, "
      "body: {mass: 2 kg}, shapes: [{type: sphere, radius: 21 mm}, {type: sphere, "
      "radius: 22 mm}]}\n"
      "motion: {a1x0.joint.angle: {sine: {amplitude: 0.1, frequency: 1}}, "
      "a2x0.joint.angle: {sine: {amplitude: 0.2, frequency: 1}}}\n",
      NULL);
}

/* A setting changes the number of copies, or one of them; an empty range leaves the first link. */
static void settings_reach_copies(void** state) {
  (void)state;
  static const char one[] = "appell: 1\nlinks:\n  - {name: l1, " BODY "}\n"
                            "grounds: {floor: {law: {normal: restitution}}}\n"
                            "contacts: [{on: l1.end, radius: 1 cm}]\n";

  expect_same(chain, one, "l<k>.repeat.k=[2, 1]");
  char *plain = written(chain, NULL, 0),
       *heavy = written(chain, (const char*const[]){"l3.body.mass=7 kg"}, 1);
  CHECK_TRUE(strcmp(plain, heavy) != 0, "the setting changed nothing");
  CHECK_TRUE(strstr(strstr(heavy, "name: l3"), "mass: 7") != NULL, "not in l3");
  apl_text_free(plain);
  apl_text_free(heavy);
  assert_int_equal(apl_settings_phase("l<k>.repeat.k=3"), SETTINGS_REPEAT);
  assert_int_equal(apl_settings_phase("a.repeated=3"), SETTINGS_OTHERS);
  assert_int_equal(apl_settings_phase("include.0.as=x"), SETTINGS_INCLUDE);
  assert_int_equal(apl_settings_phase("include.0.repeat.k=2"), SETTINGS_REPEAT);
}

/* Names are free: a port that is called `repeat` is a port. */
static void repeat_is_no_reserved_name(void** state) {
  (void)state;
  char* text = written("appell: 1\nlinks: [{name: a, body: {mass: 1}, ports: {repeat: {at: [1, 0, "
                       "0]}}}]\n",
                       NULL, 0);
  CHECK_TRUE(strstr(text, "repeat: {at: [1, 0, 0]") != NULL, "%s", text);
  apl_text_free(text);
}

#define ITEM(repeat) "appell: 1\nlinks:\n  - {name: l<k>, repeat: " repeat ", body: {mass: 1}}\n"

static void mistakes_have_a_place(void** state) {
  (void)state;
  expect_mistake(ITEM("16"), 3, 26, "repeat: expected a variable and its range");
  expect_mistake(ITEM("{}"), 3, 26, "repeat: expected a variable and its range");
  expect_mistake(ITEM("{k: many}"), 3, 30, "repeat: expected a number of copies");
  expect_mistake(ITEM("{k: 1.5}"), 3, 30, "repeat: expected a number of copies");
  expect_mistake(ITEM("{k: [1, 2, 3]}"), 3, 30, "repeat: expected a number of copies");
  expect_mistake(ITEM("{k: 99999999}"), 3, 30, "repeat: expected a number of copies");
  expect_mistake(ITEM("{k: [4, 2]}"), 3, 30, "repeat: the last number lies before the first");
  expect_mistake(ITEM("{k2: 2}"), 3, 27, "repeat: a variable consists of letters, got k2");
  expect_mistake(ITEM("{a: 1, b: 1, c: 1, d: 1, e: 1}"), 3, 51, "repeat: at most 4 variables");
  expect_mistake(
      "appell: 1\nlinks: [{name: a, body: {mass: 1}}]\nobstacles: {peg: {repeat: {k: 2}, "
      "type: sphere, radius: 1}}\n",
      3, 13, "repeat: the copies would have one name");
  expect_mistake("appell: 1\nlinks: [{name: a, body: {mass: 1}}]\nobstacles: {p1: {type: sphere, "
                 "radius: 1}, p<k>: {repeat: {k: 2}, type: sphere, radius: 1}}\n",
                 3, 44, "key 'p1' appears twice");
  expect_mistake("appell: 1\nlinks: [{name: a, body: {mass: 1}}]\ngrounds: {floor: {law: {normal: "
                 "restitution}}}\ncontacts: [{on: b*.end}]\n",
                 4, 12, "contacts.on: no port of a link fits 'b*.end'");
}

/* A short file asks for 1e6, and for 1e24 copies: it is refused before it takes the memory. */
static void hostile_files_stay_small(void** state) {
  (void)state;
  expect_mistake(ITEM("{k: 1000000}"), 3, 26, "repeat: the copies are too large");
  expect_mistake(ITEM("{k: 1000000, a: 1000000, b: 1000000, c: 1000000}"), 3, 26,
                 "repeat: the copies are too large");
}

/* Copies keep the place of their item, and their size is taken from the room. */
static void copies_in_the_tree(void** state) {
  (void)state;
  static const char text[] = "links:\n  - {name: l<k>, repeat: {k: 3}}\n";
  static const yaml_limits limits = {1 << 20, 64};
  apl_pool pool = {0};
  apl_report report = {0};
  size_t room = 1 << 20;
  text_node* root = apl_yaml_parse(text, strlen(text), &limits, &pool, &report);

  apl_repeat_expand(root, &room, &pool, &report);
  assert_int_equal(report.count, 0);
  const text_node* links = apl_node_get(root, "links");
  assert_int_equal(links->count, 3);
  int k = 0;
  for (const text_node* c = links->first; c != NULL; c = c->next) {
    char name[16];
    snprintf(name, sizeof name, "l%d", ++k);
    assert_string_equal(apl_node_get(c, "name")->text, name);
    assert_null(apl_node_get(c, apl_repeat_key));
    assert_int_equal(c->at.line, 2);
  }
  assert_int_equal(k, 3);
  /* each copy: a map, a scalar, and a text with its zero */
  assert_int_equal((1 << 20) - room, 3 * (2 * sizeof(text_node) + 3));
  apl_pool_free(&pool);
}

/* The definition of a pattern, as a recursion. */
static bool by_definition(const char* p, const char* s) {
  if (*p == '*') return by_definition(p + 1, s) || (*s != '\0' && by_definition(p, s + 1));
  return *p == *s && (*s == '\0' || by_definition(p + 1, s + 1));
}

static void patterns(void** state) {
  static const char letters[] = "ab*";
  char p[32] = "", s[32] = "", hostile[64] = "", name[401] = "";

  (void)state;
  for (int i = 0; i < 729; ++i) { /* all patterns of six characters, all names of six letters */
    for (int j = 0; j < 64; ++j) {
      for (int k = 0, a = i, b = j; k < 6; ++k, a /= 3, b /= 2) {
        p[k] = letters[a % 3];
        s[k] = letters[b % 2];
      }
      assert_int_equal(apl_pattern_fits(p, s), by_definition(p, s));
      assert_int_equal(apl_pattern_fits(p + 3, s), by_definition(p + 3, s));
    }
  }
  /* 2^30 and more ways to spread the letters over the stars: the recursion would never end */
  for (int k = 0; k < 30; ++k)
    strcat(hostile, "a*");
  memset(name, 'a', 400);
  assert_true(apl_pattern_fits(hostile, name));
  strcat(hostile, "b");
  assert_false(apl_pattern_fits(hostile, name));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_chain_is_the_one_written_out),
      cmocka_unit_test(copies_are_everywhere),
      cmocka_unit_test(settings_reach_copies),
      cmocka_unit_test(repeat_is_no_reserved_name),
      cmocka_unit_test(mistakes_have_a_place),
      cmocka_unit_test(hostile_files_stay_small),
      cmocka_unit_test(copies_in_the_tree),
      cmocka_unit_test(patterns),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
