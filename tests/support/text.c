/* SPDX-License-Identifier: Apache-2.0 */
/* text.c: see text.h. */
#include "text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Everything that can be said against a text, start block included. */
static void judge(const char* text, apl_report* report) {
  apl_file* file = NULL;
  apl_model* model = NULL;

  apl_status st = apl_file_parse(text, strlen(text), NULL, &file, report);
  if (st == APL_OK) st = apl_file_model(file, &model, report);
  if (st == APL_OK) {
    double* q = calloc((size_t)apl_model_nq(model) + 1, sizeof *q);
    double* v = calloc((size_t)apl_model_nv(model) + 1, sizeof *v);
    apl_file_start(file, model, q, v, report);
    free(q);
    free(v);
  }
  apl_model_free(model);
  apl_file_free(file);
}

void text_load(const char* text, apl_file** file, apl_model** model) {
  apl_report report = {0};

  apl_status st = apl_file_parse(text, strlen(text), NULL, file, &report);
  if (st == APL_OK) st = apl_file_model(*file, model, &report);
  if (st != APL_OK) {
    near_fail(__FILE__, __LINE__, "refused: %d:%d: %s", report.item[0].line, report.item[0].column,
              report.item[0].text);
  }
}

void text_expect(const char* text, int line, int column, const char* word) {
  apl_report report = {0};

  judge(text, &report);
  for (int i = 0; i < report.count && i < APL_REPORT_MAX; i++) {
    const apl_error* e = &report.item[i];
    CHECK_TRUE(e->status != APL_OK && e->text[0] != '\0', "a mistake without a sentence");
    if (strstr(e->text, word) != NULL && (line == 0 || e->line == line) &&
        (column == 0 || e->column == column))
      return;
  }
  if (report.count == 0)
    near_fail(__FILE__, __LINE__, "not refused, expected '%s': %s", word, text);
  near_fail(__FILE__, __LINE__, "expected %d:%d '%s', got %d:%d: %s", line, column, word,
            report.item[0].line, report.item[0].column, report.item[0].text);
}

int text_count(const char* text) {
  apl_report report = {0};

  judge(text, &report);
  return report.count;
}

char* text_read(const char* path) {
  FILE* f = fopen(path, "rb");
  char* text = calloc(1, 1 << 22);

  CHECK_TRUE(f != NULL && text != NULL, "%s cannot be read", path);
  const size_t n = fread(text, 1, (1 << 22) - 1, f);
  text[n] = '\0';
  fclose(f);
  return text;
}
