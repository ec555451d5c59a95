/* SPDX-License-Identifier: Apache-2.0 */
/* test_text.c: text/number.h, text/node.h, text/out.h and text/yaml.h: numbers, and trees that are
   written and read back to the same. */
#include "near.h"
#include "random.h"

#include "text/csv.h"
#include "text/node.h"
#include "text/number.h"
#include "text/out.h"
#include "text/quantity.h"
#include "text/yaml.h"

#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --------------------------------------------------------------------------------- numbers ---- */

static void number_reads(const char* text, double want, const char* rest) {
  const char* end;
  const double got = apl_number_read(text, &end);
  near_context("'%s'", text);
  CHECK_TRUE(got == want, "got %.17g", got);
  assert_string_equal(end, rest);
}

static void numbers_read(void** state) {
  (void)state;
  number_reads("1.5 mm", 1.5, " mm");
  number_reads("-.5", -0.5, "");
  number_reads("+2.", 2, "");
  number_reads("1e3x", 1000, "x");
  number_reads("1e", 1, "e"); /* an e without digits belongs to what follows */
  number_reads("1e+", 1, "e+");
  number_reads("0x10", 0, "x10"); /* no hexadecimal */
  number_reads("1e400", NEAR_INFINITY, "");
  number_reads("", 0, "");
  number_reads("nan", 0, "nan");
  number_reads("inf", 0, "inf");
  number_reads("-", 0, "-");
  number_reads(".", 0, ".");
  number_reads(" 1", 0, " 1");
  number_reads("0.1000000000000000055511151231257827021181583404541015625000000000000000", 0.1, "");
}

/* Shortest text: it reads back, and one digit less does not (as %.*g counts digits). */
static void numbers_write(void** state) {
  rng r = rng_seed(1);
  char text[APL_NUMBER_SIZE], fewer[400];
  const char* end;

  (void)state;
  for (int i = 0; i < 2000; ++i) {
    const double x = rng_between(&r, -1, 1) * pow(10, rng_between(&r, -30, 30));
    apl_number_write(x, text);
    assert_true(strlen(text) < APL_NUMBER_SIZE);
    assert_true(apl_number_read(text, &end) == x && *end == '\0');
    int digits = 0;
    for (const char* c = text; *c != '\0' && *c != 'e'; ++c)
      digits += *c >= '0' && *c <= '9' && (digits > 0 || *c != '0');
    if (digits > 1) {
      snprintf(fewer, sizeof fewer, "%.*g", digits - 1, x);
      assert_true(strtod(fewer, NULL) != x);
    }
  }
  static const double odd[] = {0,    1,       -1,      0.1,      1e22,
                               1e-7, DBL_MAX, DBL_MIN, 4.9e-324, 123456789012345680};
  for (int i = 0; i < 10; ++i)
    assert_true(apl_number_read(apl_number_write(odd[i], text), &end) == odd[i] && *end == '\0');
  assert_string_equal(apl_number_write(0.1, text), "0.1");
  assert_string_equal(apl_number_write(-3, text), "-3");
}

/* -------------------------------------------------------------------------------- trees ---- */

static apl_pool pool;

static int forget(void** state) {
  (void)state;
  apl_pool_free(&pool);
  return 0;
}

static text_node* parse(const char* text, apl_report* report) {
  const yaml_limits limits = {1000, 5};
  *report = (apl_report){0};
  return apl_yaml_parse(text, strlen(text), &limits, &pool, report);
}

static void tree(void** state) {
  static apl_report report;
  char buffer[64];

  (void)state;
  const text_node* root =
      parse("name: arm\nlinks:\n  - {mass: 2 kg, name: '5'}\n  - []\nbody:\n", &report);
  assert_non_null(root);
  assert_int_equal(root->kind, TEXT_MAP);
  assert_int_equal(root->count, 3);
  const text_node* name = apl_node_get(root, "name");
  assert_string_equal(name->text, "arm");
  assert_int_equal(name->at.line, 1);
  assert_int_equal(name->at.column, 7);
  assert_int_equal(name->key_at.column, 1);
  const text_node *links = apl_node_get(root, "links"), *link = links->first;
  assert_int_equal(links->count, 2);
  assert_string_equal(apl_node_get(link, "mass")->text, "2 kg");
  assert_int_equal(apl_node_get(link, "mass")->at.line, 3);
  assert_false(apl_node_get(link, "mass")->quoted);
  assert_true(apl_node_get(link, "name")->quoted);
  assert_int_equal(link->next->count, 0);
  assert_null(link->next->next);
  assert_null(apl_node_get(root, "nam"));
  assert_null(apl_node_get(links, "name")); /* a list has no keys */
  assert_null(apl_node_get(NULL, "name"));

  assert_string_equal(apl_node_show(root, buffer), "a map");
  assert_string_equal(apl_node_show(links, buffer), "a list");
  assert_string_equal(apl_node_show(name, buffer), "'arm'");
  assert_string_equal(apl_node_show(apl_node_get(root, "body"), buffer), "nothing");
  assert_true(apl_node_empty(apl_node_get(root, "body")));
  assert_false(apl_node_empty(name));
  assert_false(apl_node_empty(links));
  const text_node long_one = {.kind = TEXT_SCALAR,
                              .text = "0123456789012345678901234567890123456789abc"};
  assert_string_equal(apl_node_show(&long_one, buffer),
                      "'0123456789012345678901234567890123456789...'");
}

static void nothings(void** state) {
  static apl_report report;

  (void)state;
  const text_node* root = parse("{a: ~, b: null, c: '', d: \"null\", e: [~]}", &report);
  assert_true(apl_node_empty(apl_node_get(root, "a")));
  assert_true(apl_node_empty(apl_node_get(root, "b")));
  assert_false(apl_node_empty(apl_node_get(root, "c"))); /* in quotes they are texts */
  assert_false(apl_node_empty(apl_node_get(root, "d")));
  assert_true(apl_node_empty(apl_node_get(root, "e")->first));
}

static void refused(const char* text, int line, const char* word) {
  static apl_report report;
  near_context("%s", text);
  assert_null(parse(text, &report));
  CHECK_TRUE(report.count > 0, "no sentence");
  CHECK_TRUE(strstr(report.item[0].text, word) != NULL, "'%s'", report.item[0].text);
  CHECK_TRUE(report.item[0].line == line, "line %d", report.item[0].line);
}

static void refusals(void** state) {
  static apl_report report;
  char large[1200];

  (void)state;
  refused("a: 1\nb: *x\n", 2, "alias");
  refused("a: &x 1\n", 1, "anchor");
  refused("a: !!int 1\n", 1, "tag");
  refused("a: 1\n---\nb: 2\n", 2, "document");
  refused("a: [1, 2\n", 2, "");
  refused("a: 1\na: 2\n", 2, "a");
  refused("[[[[[[[1]]]]]]]", 1, "deep");
  refused("{[1]: 2}", 1, "key");
  refused("a: \"\\x1b\"", 1, "control characters");
  near_context(" ");
  assert_null(parse("a: 1\nb: 1\na: 2\nb: 3\n", &report)); /* every duplicate key is told */
  assert_int_equal(report.count, 2);
  assert_int_equal(report.item[0].line, 3);
  assert_int_equal(report.item[1].line, 4);
  memset(large, ' ', sizeof large);
  memcpy(large, "a: 1", 4);
  large[sizeof large - 1] = '\0';
  assert_null(parse(large, &report));
  assert_int_equal(report.count, 1);
}

/* ----------------------------------------------------------------------------------- out ---- */

static void check_same(const text_node* a, const text_node* b) {
  assert_int_equal(a->kind, b->kind);
  assert_int_equal(a->count, b->count);
  if (a->key != NULL) assert_string_equal(a->key, b->key);
  if (a->kind == TEXT_SCALAR) {
    assert_int_equal(apl_node_empty(a), apl_node_empty(b));
    if (!apl_node_empty(a)) assert_string_equal(a->text, b->text);
    const char* end; /* a number is one, and a text in quotes that looks like one is none */
    apl_number_read(a->text, &end);
    if (end != a->text && *end == '\0') assert_int_equal(a->quoted, b->quoted);
  }
  const text_node* y = b->first;
  for (const text_node* x = a->first; x != NULL; x = x->next, y = y->next)
    check_same(x, y);
}

static void written_trees(void** state) {
  static const char* const text[] = {
      "{a: 1, b: [1, -2.5e3, 'x'], c: {}, d: []}",
      "{a: '5', b: 5, c: \"1e3\"}",
      "{a: ~, b: 'null', c: '', d: \"true\", e: yes, f: 'no'}",
      ("['a: b', '- c', \"tab\\t\", \"quote\\\" back\\\\\", '#', ' lead', 'trail ', 'a  b', '[x', "
       "'a, b']"),
      "[2 kg, 5 mm, 30\xc2\xb0, caf\xc3\xa9, 0x10, .5, 1_000, 'a -b']",
      "{'odd key': 1, 'true': 2, '7': 3}",
  };
  static apl_report report;

  (void)state;
  for (int i = 0; i < 6; ++i) {
    text_out out = {0};
    near_context("%s", text[i]);
    const text_node* root = parse(text[i], &report);
    CHECK_TRUE(root != NULL, "%s", report.item[0].text);
    apl_out_node(&out, root);
    char* line = apl_out_take(&out);
    assert_null(strchr(line, '\n'));
    const text_node* again = parse(line, &report);
    CHECK_TRUE(again != NULL, "wrote %s: %s", line, report.item[0].text);
    check_same(root, again);
    free(line);
  }
  near_context(" ");
}

static void out_grows(void** state) {
  text_out out = {0};
  char want[64];

  (void)state;
  for (int i = 0; i < 5000; ++i)
    apl_out_add(&out, "%04d", i);
  assert_int_equal(out.used, 20000);
  char* text = apl_out_take(&out);
  assert_null(out.text);
  assert_int_equal(strlen(text), 20000);
  for (int i = 0; i < 5000; ++i) {
    snprintf(want, sizeof want, "%04d", i);
    assert_memory_equal(text + 4 * i, want, 4);
  }
  free(text);
  text = apl_out_take(&out); /* nothing was added: an empty text, not none */
  assert_string_equal(text, "");
  free(text);
}

static void out_numbers(void** state) {
  const double x[3] = {1, -0.25, 1e-9};
  text_out out = {0};

  (void)state;
  apl_out_numbers(&out, x, 1);
  apl_out_add(&out, " ");
  apl_out_numbers(&out, x, 3);
  apl_out_add(&out, " ");
  apl_out_numbers(&out, x, 0);
  char* text = apl_out_take(&out);
  assert_string_equal(text, "1 [1, -0.25, 1e-09] []");
  free(text);
}

/* test_quantity.c has all units, through fields; here the reader itself. */
static void quantities(void** state) {
  apl_error err = {0};
  double x;

  (void)state;
  CHECK_OK(apl_quantity_read("5 mm", "m", &x, &err));
  CHECK_NEAR(x, 5e-3, 1e-18);
  CHECK_OK(apl_quantity_read("300 g cm2", "kg m^2", &x, &err));
  CHECK_NEAR(x, 3e-5, 1e-19);
  CHECK_OK(apl_quantity_read("-2.5", "N m", &x, &err)); /* in its unit already */
  CHECK_NEAR(x, -2.5, 0);
  assert_int_equal(apl_quantity_read("5 kg", "m", &x, &err), APL_ERR_SYNTAX);
  assert_true(strlen(err.text) > 10);
  assert_int_equal(apl_quantity_read("mm", "m", &x, &err), APL_ERR_SYNTAX);
  assert_true(apl_quantity_looks("5 mm") && apl_quantity_looks("-.5"));
  assert_false(apl_quantity_looks("mm") || apl_quantity_looks("") || apl_quantity_looks("-x"));
}

static void column_names(void** state) {
  static const char* const good[] = {"t", "arm.q", "left-knee", "a_b", "2x", "caf\xc3\xa9", "x[1]"};
  static const char* const bad[] = {"",   "#t",  "a b", "a,b", "a;b",   "a\"b", "a*",
                                    "a?", "a/b", "a\\", "a\n", "a\x7f", "it's"};
  char word[1026];

  (void)state;
  for (size_t i = 0; i < sizeof good / sizeof *good; ++i)
    CHECK_TRUE(apl_column_name_ok(good[i]), "%s", good[i]);
  for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i)
    CHECK_TRUE(!apl_column_name_ok(bad[i]), "%s", bad[i]);
  assert_false(apl_column_name_ok(NULL));
  memset(word, 'a', 1025);
  word[1025] = '\0';
  assert_false(apl_column_name_ok(word));
  word[1024] = '\0';
  assert_true(apl_column_name_ok(word));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(numbers_read),
      cmocka_unit_test(numbers_write),
      cmocka_unit_test_teardown(tree, forget),
      cmocka_unit_test_teardown(nothings, forget),
      cmocka_unit_test_teardown(refusals, forget),
      cmocka_unit_test_teardown(written_trees, forget),
      cmocka_unit_test(out_grows),
      cmocka_unit_test(out_numbers),
      cmocka_unit_test(quantities),
      cmocka_unit_test(column_names),
  };
  return cmocka_run_group_tests_name("text", tests, NULL, NULL);
}
