/* SPDX-License-Identifier: Apache-2.0 */
/* test_errors.c: base/error.h and base/report.h: how a mistake becomes a status and a sentence. */
#include "near.h"

#include "base/error.h"
#include "base/report.h"

#include <stdio.h>
#include <string.h>

static void fail_fills_and_returns(void** state) {
  apl_error e = {.status = APL_OK, .line = 7, .column = 3, .text = "old"};

  (void)state;
  assert_int_equal(apl_fail(&e, APL_ERR_MODEL, "link '%s': mass is %g kg", "arm", -2.5),
                   APL_ERR_MODEL);
  assert_int_equal(e.status, APL_ERR_MODEL);
  assert_string_equal(e.text, "link 'arm': mass is -2.5 kg");
  assert_int_equal(e.line, 0); /* the place belonged to the old sentence */
  assert_int_equal(e.column, 0);
  assert_int_equal(apl_fail(NULL, APL_ERR_IO, "nobody listens %d", 1), APL_ERR_IO);
}

/* A sentence longer than its room is cut, and ends. */
static void long_sentences(void** state) {
  char word[1000];
  apl_error e;

  (void)state;
  memset(word, 'a', sizeof word - 1);
  word[sizeof word - 1] = '\0';
  apl_fail(&e, APL_ERR_IO, "%s", word);
  assert_int_equal(strlen(e.text), sizeof e.text - 1);
  memset(word, 0x1b, sizeof word - 1); /* each byte becomes four characters */
  apl_fail(&e, APL_ERR_IO, "%s", word);
  assert_true(strlen(e.text) < sizeof e.text);
  assert_int_equal(strlen(e.text) % 4, 0);
  for (size_t i = 0; e.text[i] != '\0'; i += 4)
    assert_memory_equal(e.text + i, "\\x1b", 4);
}

static void check_clean(const char* in, size_t size, const char* want) {
  char text[64];
  memset(text, '#', sizeof text);
  strcpy(text, in);
  apl_text_clean(text, size);
  assert_string_equal(text, want);
  assert_true(strlen(text) < size);
  if (strlen(in) < size) assert_int_equal(text[size], '#'); /* nothing behind its size is touched */
}

static void controls_become_text(void** state) {
  (void)state;
  check_clean("", 8, "");
  check_clean("plain", 20, "plain");
  check_clean("a\x1b[31mb", 40, "a\\x1b[31mb");
  check_clean("\n\t\x7f", 40, "\\x0a\\x09\\x7f");
  check_clean("\xc2\x9b"
              "31m",
              40, "\\x9b31m"); /* U+009B, a control character of Unicode */
  check_clean("caf\xc3\xa9 \xc2\xb5m", 40, "caf\xc3\xa9 \xc2\xb5m"); /* letters stay */
  check_clean("\xc2", 40, "\xc2"); /* half a character at the end */
}

static void controls_are_cut(void** state) {
  (void)state;
  check_clean("abcd\n", 6, "abcd");    /* no room for \x0a: cut before it */
  check_clean("abc\n", 8, "abc\\x0a"); /* exactly fits */
  check_clean("\nabcd", 7, "\\x0aab"); /* what follows loses its end */
  check_clean("\n\n", 8, "\\x0a");     /* the second one has no room */
  check_clean("\n\n", 9, "\\x0a\\x0a");
}

/* ---------------------------------------------------------------------------------- report ---- */

static void report_keeps_and_counts(void** state) {
  static apl_report report;

  (void)state;
  for (int i = 0; i < APL_REPORT_MAX + 3; ++i) {
    const apl_mark at = {i + 1, 2 * i + 1};
    assert_int_equal(apl_report_add(&report, APL_ERR_SYNTAX, at, "mistake %d\n", i),
                     APL_ERR_SYNTAX);
  }
  assert_int_equal(report.count, APL_REPORT_MAX + 3);
  for (int i = 0; i < APL_REPORT_MAX; ++i) {
    char want[40];
    snprintf(want, sizeof want, "mistake %d\\x0a", i);
    assert_string_equal(report.item[i].text, want);
    assert_int_equal(report.item[i].line, i + 1);
    assert_int_equal(report.item[i].column, 2 * i + 1);
    assert_int_equal(report.item[i].status, APL_ERR_SYNTAX);
  }
  assert_int_equal(report.warnings, 0); /* what lies behind the last item is untouched */
  assert_string_equal(report.warning[0].text, "");
}

static void warnings_are_no_mistakes(void** state) {
  static apl_report report;

  (void)state;
  for (int i = 0; i < APL_REPORT_WARNINGS + 2; ++i)
    apl_report_warn(&report, (apl_mark){9, i}, "odd %d", i);
  assert_int_equal(report.count, 0);
  assert_int_equal(report.warnings, APL_REPORT_WARNINGS + 2);
  assert_string_equal(report.warning[APL_REPORT_WARNINGS - 1].text, "odd 7");
  assert_int_equal(report.warning[3].line, 9);
  assert_int_equal(report.warning[3].column, 3);
  assert_int_equal(report.warning[3].status, APL_OK);
}

/* An error keeps its own place and takes the given one where it has none. */
static void report_of_an_error(void** state) {
  static apl_report report;
  apl_error e = {.status = APL_ERR_MODEL, .line = 4, .column = 5, .text = "here"};

  (void)state;
  assert_int_equal(apl_report_error(&report, &e, (apl_mark){1, 1}), APL_ERR_MODEL);
  e.line = e.column = 0;
  assert_int_equal(apl_report_error(&report, &e, (apl_mark){8, 9}), APL_ERR_MODEL);
  assert_int_equal(report.item[0].line, 4);
  assert_int_equal(report.item[0].column, 5);
  assert_int_equal(report.item[1].line, 8);
  assert_int_equal(report.item[1].column, 9);
}

static void nobody_listens(void** state) {
  const apl_error e = {.status = APL_ERR_MEMORY};

  (void)state;
  assert_int_equal(apl_report_add(NULL, APL_ERR_IO, (apl_mark){0, 0}, "x"), APL_ERR_IO);
  assert_int_equal(apl_report_error(NULL, &e, (apl_mark){0, 0}), APL_ERR_MEMORY);
  apl_report_warn(NULL, (apl_mark){0, 0}, "x");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(fail_fills_and_returns),  cmocka_unit_test(long_sentences),
      cmocka_unit_test(controls_become_text),    cmocka_unit_test(controls_are_cut),
      cmocka_unit_test(report_keeps_and_counts), cmocka_unit_test(warnings_are_no_mistakes),
      cmocka_unit_test(report_of_an_error),      cmocka_unit_test(nobody_listens),
  };
  return cmocka_run_group_tests_name("errors", tests, NULL, NULL);
}
