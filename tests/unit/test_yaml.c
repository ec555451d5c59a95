/* SPDX-License-Identifier: Apache-2.0 */
/* test_yaml.c: what is YAML, what is not, and what is YAML but refused. */
#include "text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINKS "appell: 1\nlinks:\n  - {name: a, body: {mass: 1}}\n"

static void good(void** state) {
  (void)state;
  apl_file* file;
  apl_model* model;
  static const char* const text[] = {
      LINKS,
      "{\"appell\": 1, \"links\": [{\"name\": \"a\", \"body\": {\"mass\": 1}}]}",
      "---\n# comment\n" LINKS "...\n",
      ("\xef\xbb\xbf" LINKS),
      "appell: 1\nname: 'quoted: text'\nlinks: []\n",
  };

  for (size_t i = 0; i < sizeof text / sizeof *text; i++) {
    near_context("text %zu", i);
    text_load(text[i], &file, &model);
    apl_model_free(model);
    apl_file_free(file);
  }
}

static void malformed(void** state) {
  (void)state;
  near_context("malformed");
  text_expect("", 1, 1, "empty");
  text_expect("# only a comment\n", 1, 1, "empty");
  text_expect("a: [1, 2\nb: 3\n", 2, 0, "this is not YAML");
  text_expect("\tappell: 1\n", 1, 0, "this is not YAML");
  text_expect("a: 'open\n", 0, 0, "this is not YAML");
  text_expect("a: b: c\n", 1, 0, "this is not YAML");
  text_expect("\xff\xfe\xff\xff", 0, 0, "not");
  text_expect("just words", 1, 1, "keys and values");
  text_expect("- 1\n- 2\n", 1, 1, "keys and values");
}

static void refused(void** state) {
  (void)state;
  near_context("refused");
  text_expect("appell: 1\nappell: 1\nlinks: []\n", 2, 1, "twice");
  text_expect("a: &x 1\nb: *x\n", 1, 4, "anchors");
  text_expect("b: *x\n", 1, 4, "aliases");
  text_expect("a: !!int 1\n", 1, 4, "tags");
  text_expect("a: 1\n---\nb: 1\n", 2, 1, "one document");
  text_expect("{[1]: 2}\n", 1, 2, "key");
  text_expect("{\"\": 2}\n", 1, 2, "key");
  text_expect("a: \"x\\0y\"\n", 1, 4, "NUL");
}

/* three mistakes of the same kind, three sentences */
static void several(void** state) {
  (void)state;
  near_context("several");
  assert_int_equal(text_count("appell: 1\nx: 1\ny: 2\nz: 3\nlinks: []\n"), 3);
}

static void caps(void** state) {
  (void)state;
  enum { N = 200000 };
  char* deep = malloc(N + 1);
  near_context("caps");
  memset(deep, '[', N);
  deep[N] = '\0';
  text_expect(deep, 1, 65, "64 levels");
  memset(deep, '{', N);
  text_expect(deep, 1, 0, "");
  for (int i = 0; i + 1 < N; i += 2)
    memcpy(deep + i, "- ", 2);
  text_expect(deep, 1, 0, "64 levels");
  free(deep);

  char* large = malloc((1 << 20) + 2);
  memset(large, '#', (1 << 20) + 1);
  large[(1 << 20) + 1] = '\0';
  text_expect(large, 0, 0, "bytes");

  /* raised on request */
  apl_load_options o = apl_load_options_default();
  apl_report report = {0};
  apl_file* file;
  o.max_bytes = 1 << 21;
  apl_file_parse(large, strlen(large), &o, &file, &report);
  assert_int_equal(report.count, 1);
  assert_non_null(strstr(report.item[0].text, "empty"));
  free(large);
}

/* a map with as many keys as fit, the last one twice: found quickly, and only once */
static void many_keys(void** state) {
  (void)state;
  enum { N = 60000 };
  char* text = malloc(N * 14 + 64);
  size_t n = 0;
  near_context("many keys");
  for (int i = 0; i < N; i++)
    n += (size_t)sprintf(text + n, "k%d: 0\n", i);
  sprintf(text + n, "k%d: 0\n", N - 1);
  text_expect(text, N + 1, 1, "twice");
  free(text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(good),    cmocka_unit_test(malformed), cmocka_unit_test(refused),
      cmocka_unit_test(several), cmocka_unit_test(caps),      cmocka_unit_test(many_keys),
  };
  return cmocka_run_group_tests_name("yaml", tests, NULL, NULL);
}
