/* SPDX-License-Identifier: Apache-2.0 */
/* test_xml.c: text/xml.h and text/xml_guard.h: elements, attributes and lines, and texts that
   libxml2 shall not see. */
#include "near.h"

#include "text/xml.h"
#include "text/xml_guard.h"

#include <stdlib.h>
#include <string.h>

static void elements(void** state) {
  static const char text[] =
      "<?xml version=\"1.0\"?>\n<!-- no element -->\n<robot name='a &amp; b'>\n"
      "  words <link name=\"l1\"/>\n  <!-- neither -->\n"
      "  <joint type=\"fixed\"><origin/></joint>\n  <note>x &lt; <b>y</b></note>\n</robot>";
  static apl_report report;
  apl_pool pool = {0};

  (void)state;
  xml_doc* doc = apl_xml_parse(text, strlen(text), &report);
  assert_non_null(doc);
  assert_int_equal(report.count, 0);
  const xml_node *root = apl_xml_root(doc), *link = apl_xml_first(root),
                 *joint = apl_xml_next(link);
  assert_string_equal(apl_xml_name(root), "robot");
  assert_int_equal(apl_xml_line(root), 3);
  assert_string_equal(apl_xml_attribute(root, "name", &pool), "a & b");
  assert_string_equal(apl_xml_name(link), "link");
  assert_int_equal(apl_xml_line(link), 4);
  assert_null(apl_xml_first(link));
  assert_string_equal(apl_xml_name(joint), "joint");
  assert_int_equal(apl_xml_line(joint), 6);
  assert_ptr_equal(apl_xml_child(root, "joint"), joint);
  assert_null(apl_xml_child(root, "origin")); /* children of children do not count */
  assert_non_null(apl_xml_child(joint, "origin"));
  assert_null(apl_xml_attribute(joint, "name", &pool));
  assert_null(apl_xml_attribute(NULL, "name", &pool));
  assert_true(apl_xml_is(joint, "type", "fixed"));
  assert_false(apl_xml_is(joint, "type", "fix"));
  assert_false(apl_xml_is(link, "type", "fixed"));
  const xml_node* note = apl_xml_next(joint);
  assert_null(apl_xml_next(note));
  char* words = apl_xml_content(note);
  assert_string_equal(words, "x < y");
  free(words);
  assert_null(apl_xml_macro(root));
  apl_xml_free(doc);
  apl_xml_free(NULL);
  apl_pool_free(&pool);
}

static void macros(void** state) {
  static const char by_value[] = "<robot><a/><b><c v=\"${x}\"/></b></robot>";
  static const char by_tag[] = "<robot xmlns:xacro='http://x'><a/><xacro:macro name='m'/></robot>";
  static apl_report report;

  (void)state;
  xml_doc* doc = apl_xml_parse(by_value, strlen(by_value), &report);
  const xml_node* found = apl_xml_macro(apl_xml_root(doc));
  assert_non_null(found);
  assert_string_equal(apl_xml_name(found), "c");
  apl_xml_free(doc);
  doc = apl_xml_parse(by_tag, strlen(by_tag), &report);
  found = apl_xml_macro(apl_xml_root(doc));
  assert_non_null(found);
  assert_non_null(strstr(apl_xml_name(found), "macro"));
  apl_xml_free(doc);
}

static void malformed(const char* text, int line) {
  static apl_report report;
  report = (apl_report){0};
  near_context("%s", text);
  assert_null(apl_xml_parse(text, strlen(text), &report));
  CHECK_TRUE(report.count == 1, "%d sentences", report.count);
  assert_true(strlen(report.item[0].text) > 5);
  CHECK_TRUE(report.item[0].line == line, "line %d: %s", report.item[0].line, report.item[0].text);
}

static void refusals(void** state) {
  (void)state;
  malformed("<a>\n<b>\n</a>", 3);
  malformed("<a>\n<b c=1/></a>", 2);
  malformed("<!DOCTYPE a>\n<a/>", 1);
  near_context(" ");
}

/* ----------------------------------------------------------------------------------- guard ---- */

static bool passes(const char* text, size_t size, const char* word) {
  static apl_report report;
  report = (apl_report){0};
  const bool ok = apl_xml_guard(text, size, &report);
  near_context("%.60s", text);
  assert_int_equal(report.count, ok ? 0 : 1);
  if (!ok) CHECK_TRUE(strstr(report.item[0].text, word) != NULL, "%s", report.item[0].text);
  near_context(" ");
  return ok;
}
#define PASSES(text, word) passes(text, strlen(text), word)

/* count times `one`, malloc'ed. */
static char* many(const char* before, const char* one, int count, const char* after) {
  const size_t a = strlen(before), n = strlen(one);
  char* text = malloc(a + n * (size_t)count + strlen(after) + 1);
  assert_non_null(text);
  memcpy(text, before, a);
  for (int i = 0; i < count; ++i)
    memcpy(text + a + n * (size_t)i, one, n);
  strcpy(text + a + n * (size_t)count, after);
  return text;
}

static void guard_counts(void** state) {
  static const struct {
    const char *before, *one, *after;
    int count;
    bool ok;
    const char* word;
  } cases[] = {
      {"", "<a>", "", 250, true, ""},
      {"", "<a>", "", 251, false, "250 levels"},
      {"", "<a></a>", "", 5000, true, ""}, /* beside each other, not in each other */
      {"", "<a/>", "", 5000, true, ""},
      {"<a", " b='1'", "/>", 1000, true, ""},
      {"<a", " b='1'", "/>", 1001, false, "1000 attributes"},
      {"<!--", "<a>", "-->", 300, true, ""}, /* what is no element does not count */
      {"<a><![CDATA[", "<a>", "]]></a>", 300, true, ""},
      {"<a>", "</b>", "", 400, true, ""}, /* ill-formed is for libxml2 to say */
  };

  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    char* text = many(cases[i].before, cases[i].one, cases[i].count, cases[i].after);
    assert_int_equal(PASSES(text, cases[i].word), cases[i].ok);
    free(text);
  }
}

static void guard_refuses(void** state) {
  (void)state;
  assert_true(PASSES("", ""));
  assert_true(PASSES("<?xml version='1.0' encoding='UTF-8'?><a/>", ""));
  assert_true(PASSES("\xef\xbb\xbf<a/>", "")); /* the mark of UTF-8 */
  assert_true(PASSES("<?xml version='1.0' encoding='iso-8859-1'?><a/>", ""));
  assert_true(PASSES("<a b='>'/>", ""));
  assert_false(PASSES("<?xml version='1.0' encoding='UTF-7'?><a/>", "encod"));
  assert_false(PASSES("<?xml version='1.0' encoding=\"utf-16\"?><a/>", "encod"));
  assert_false(passes("<\0a\0/\0>\0", 8, "encod")); /* UTF-16 without a mark */
  assert_false(PASSES("\xff\xfe<", "encod"));
  assert_false(PASSES("<!DOCTYPE a [<!ENTITY b 'c'>]><a/>", "document type"));
  assert_false(PASSES("<a><!ELEMENT b></a>", "document type"));
  assert_false(PASSES("<a b='<'/>", "'<'"));
  assert_false(PASSES("<a <b/>", "'<'"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(elements),     cmocka_unit_test(macros),        cmocka_unit_test(refusals),
      cmocka_unit_test(guard_counts), cmocka_unit_test(guard_refuses),
  };
  return cmocka_run_group_tests_name("xml", tests, NULL, NULL);
}
