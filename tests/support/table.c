/* SPDX-License-Identifier: Apache-2.0 */
/* table.c: see table.h. */
#include "near.h"
#include "table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The header: names between commas. */
static void read_names(table* t, char* line) {
  for (char* word = strtok(line, ",\r\n"); word != NULL; word = strtok(NULL, ",\r\n")) {
    assert_true(t->columns < 64);
    snprintf(t->name[t->columns], sizeof t->name[0], "%s", word);
    t->columns++;
  }
}

static void read_row(table* t, const char* path, const char* line) {
  const char* at = line;
  for (int i = 0; i < t->columns; i++) {
    char* end;
    t->value[t->rows * t->columns + i] = strtod(at, &end);
    CHECK_TRUE(end != at, "%s: row %d has no column %d", path, t->rows, i);
    at = *end == ',' ? end + 1 : end;
  }
  t->rows++;
}

table table_read(const char* data, const char* path) {
  static char line[4096];
  char full[512];
  table t = {0};

  snprintf(full, sizeof full, "%s/%s", data, path);
  FILE* file = fopen(full, "r");
  CHECK_TRUE(file != NULL, "%s cannot be opened", full);
  while (fgets(line, sizeof line, file) != NULL) {
    if (line[0] == '#') continue;
    if (t.columns == 0) {
      read_names(&t, line);
      continue;
    }
    double* grown = realloc(t.value, sizeof(double) * (size_t)((t.rows + 1) * t.columns));
    assert_non_null(grown);
    t.value = grown;
    read_row(&t, path, line);
  }
  fclose(file);
  CHECK_TRUE(t.rows > 0, "%s has no rows", full);
  return t;
}

void table_free(table* t) {
  free(t->value);
  t->value = NULL;
}

int table_column(const table* t, const char* name) {
  for (int i = 0; i < t->columns; i++) {
    if (strcmp(t->name[i], name) == 0) return i;
  }
  near_fail(__FILE__, __LINE__, "no column %s", name);
  return -1;
}

double table_at(const table* t, int row, const char* name) {
  return t->value[row * t->columns + table_column(t, name)];
}
