/* SPDX-License-Identifier: Apache-2.0 */
/* table.c: see table.h. */
#include "cli/table.h"

#include "record/record.h"

#include <stdlib.h>
#include <string.h>

bool cli_table_open(cli_table* t, int most, int nrow) {
  const size_t n = (size_t)most + 1;

  *t = (cli_table){.most = most, .nrow = nrow};
  t->channel = calloc(n, sizeof *t->channel);
  t->value = calloc(n * (size_t)(nrow + 1), sizeof *t->value);
  t->name = calloc(n, sizeof *t->name);
  return t->channel != NULL && t->value != NULL && t->name != NULL;
}

void cli_table_close(cli_table* t) {
  for (int i = 0; t->name != NULL && i < t->n; ++i)
    free(t->name[i]);
  free(t->name);
  free(t->channel);
  free(t->value);
}

void cli_table_add(cli_table* t, const char* name, const char* unit, const char* sentence) {
  t->channel[t->n++] = (apl_channel){name, unit, sentence};
}

bool cli_table_join(cli_table* t, const char* name, const char* ending, const char* unit,
                    const char* sentence) {
  const size_t n = strlen(name) + strlen(ending) + 1;
  char* text = malloc(n);
  if (text == NULL) return false;

  snprintf(text, n, "%s%s", name, ending);
  t->name[t->n] = text;
  cli_table_add(t, text, unit, sentence);
  return true;
}

double* cli_table_at(const cli_table* t, int row) {
  return t->value + (size_t)row * (size_t)t->n;
}

static apl_status write_result(const cli_table* t, const cli_table_head* h, const char* path,
                               apl_error* err) {
  apl_record* record = NULL;
  char program[64];

  snprintf(program, sizeof program, "appell %s", apl_version());
  const apl_record_head head = {.name = apl_file_name(h->file),
                                .model = apl_file_text(h->file),
                                .program = program,
                                .integrator = h->method,
                                .tolerance = h->tolerance,
                                .channel = t->channel,
                                .nchannel = t->n};
  apl_status st = apl_record_open(path, &head, &record, err);
  if (st != APL_OK) return st;
  for (int i = 0; i < t->nrow && st == APL_OK; ++i)
    st = apl_record_row(record, cli_table_at(t, i), err);
  if (st == APL_OK) return apl_record_close(record, "finished", h->summary, h->nsummary, err);
  apl_record_abandon(record);
  return st;
}

static apl_status write_csv(const cli_table* t, const char* path, apl_error* err) {
  apl_csv* csv = NULL;
  apl_status st = apl_csv_open(path, t->channel, t->n, &csv, err);
  if (st != APL_OK) return st;

  for (int i = 0; i < t->nrow && st == APL_OK; ++i)
    st = apl_csv_row(csv, cli_table_at(t, i), err);
  if (st == APL_OK) return apl_csv_close(csv, err);
  apl_csv_abandon(csv);
  return st;
}

int cli_table_write(const cli_table* t, const cli_table_head* head, const char* result,
                    const char* csv) {
  apl_error err = {0};
  apl_status st = APL_OK;

  if (result != NULL) st = write_result(t, head, result, &err);
  if (st == APL_OK && csv != NULL) st = write_csv(t, csv, &err);
  return st == APL_OK ? CLI_OK : cli_complain(&err);
}
