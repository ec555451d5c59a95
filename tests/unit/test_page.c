/* SPDX-License-Identifier: Apache-2.0 */
/* test_page.c: what stands in the data of a page stays data, and files are replaced only when
 * whole. */
#define _POSIX_C_SOURCE 200809L /* symlink */
#include "near.h"
#include "show/page.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static const char path[] = "test_page.html";
static const char opening[] = "<script id=\"appell-data\" type=\"application/json\">";

/* The whole file with a zero at its end; NULL when there is none. */
static char* slurp(const char* name) {
  FILE* f = fopen(name, "rb");

  if (f == NULL) return NULL;
  assert_int_equal(fseek(f, 0, SEEK_END), 0);
  const long n = ftell(f);
  assert_true(n >= 0);
  rewind(f);
  char* text = malloc((size_t)n + 1);
  assert_non_null(text);
  assert_int_equal(fread(text, 1, (size_t)n, f), (size_t)n);
  text[n] = '\0';
  fclose(f);
  return text;
}

static void skip_without_page(void) {
  if (apl_viewer_page_size == 0) skip();
}

/* Write json, read the page, and compare what stands in its script element. */
static void check_data(const char* json, const char* want) {
  apl_error err = {0};
  const apl_status status = apl_page_write(path, json, strlen(json), &err);

  if (status != APL_OK) near_fail(__FILE__, __LINE__, "%s", err.text);
  char* page = slurp(path);
  assert_non_null(page);
  char* data = strstr(page, opening);
  assert_non_null(data);
  const size_t head = (size_t)(data - page) + strlen(opening);
  data += strlen(opening);
  char* end = strstr(data, "</script>");
  assert_non_null(end);

  /* around the data the page is untouched */
  assert_memory_equal(page, apl_viewer_page, head);
  const size_t tail = apl_viewer_page_size - head - strlen("APPELL_DATA");
  assert_int_equal(strlen(end), tail);
  assert_memory_equal(end, apl_viewer_page + head + strlen("APPELL_DATA"), tail);

  *end = '\0';
  assert_string_equal(data, want);
  free(page);
  remove(path);
}

static void data_stays_data(void** unused) {
  (void)unused;
  skip_without_page();
  check_data("", "");
  check_data("{\"format\": 1}", "{\"format\": 1}");
  check_data("{\"name\": \"</script><script>alert(1)</script>\"}",
             "{\"name\": \"\\u003c/script>\\u003cscript>alert(1)\\u003c/script>\"}");
  check_data("\"<!--<script>\"", "\"\\u003c!--\\u003cscript>\"");
  check_data("\"APPELL_DATA</script>\"", "\"APPELL_DATA\\u003c/script>\"");
  /* U+2028, U+2029, their neighbours, and an incomplete one at the end */
  check_data("\"\xe2\x80\xa8\xe2\x80\xa9\xe2\x80\xa7\"", "\"\\u2028\\u2029\xe2\x80\xa7\"");
  check_data("\"\xe2\x80", "\"\xe2\x80");
}

static void put_old_file(void) {
  FILE* f = fopen(path, "wb");

  assert_non_null(f);
  fputs("old", f);
  fclose(f);
}

static void whole_file_replaces(void** unused) {
  (void)unused;
  skip_without_page();
  apl_error err = {0};

  put_old_file();
  assert_int_equal(apl_page_write(path, "{}", 2, &err), APL_OK);
  char* page = slurp(path);
  assert_non_null(strstr(page, "{}</script>"));
  free(page);
  assert_null(slurp("test_page.html.part"));
  remove(path);
}

static void full_disk_keeps_old_file(void** unused) {
  (void)unused;
  skip_without_page();
  apl_error err = {0};

  /* no file may grow beyond 1000 bytes, as on a disk that has no more */
  struct rlimit before;
  put_old_file();
  signal(SIGXFSZ, SIG_IGN);
  assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
  const struct rlimit small = {1000, before.rlim_max};
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
  assert_int_equal(apl_page_write(path, "{}", 2, &err), APL_ERR_IO);
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
  assert_non_null(strstr(err.text, "too large"));
  char* page = slurp(path);
  assert_string_equal(page, "old");
  free(page);
  remove(path);
  assert_int_not_equal(remove("test_page.html.part"), 0);
}

static void bad_places(void** unused) {
  (void)unused;
  skip_without_page();
  apl_error err = {0};

  assert_int_equal(apl_page_write("no/such/folder/x.html", "{}", 2, &err), APL_ERR_IO);
  assert_non_null(strstr(err.text, "'no/such/folder/x.html' cannot be written: "));
  /* a folder in its place */
  assert_int_equal(apl_page_write(".", "{}", 2, NULL), APL_ERR_IO);
  assert_null(slurp("..part"));
}

static void wrong_calls(void** unused) {
  (void)unused;
  apl_error err = {0};

  assert_int_equal(apl_page_write(NULL, "{}", 2, &err), APL_ERR_ARGUMENT);
  assert_int_equal(apl_page_write("", "{}", 2, &err), APL_ERR_ARGUMENT);
  assert_int_equal(apl_page_write(path, NULL, 2, &err), APL_ERR_ARGUMENT);
}

static void without_npm(void** unused) {
  (void)unused;
  if (apl_viewer_page_size != 0) skip();
  apl_error err = {0};

  assert_int_equal(apl_page_write(path, "{}", 2, &err), APL_ERR_IO);
  assert_non_null(strstr(err.text, "install nodejs and npm"));
  assert_null(slurp(path));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(data_stays_data),
      cmocka_unit_test(whole_file_replaces),
      cmocka_unit_test(full_disk_keeps_old_file),
      cmocka_unit_test(bad_places),
      cmocka_unit_test(wrong_calls),
      cmocka_unit_test(without_npm),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
