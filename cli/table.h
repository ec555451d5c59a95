/* SPDX-License-Identifier: Apache-2.0 */
/* table.h: a few rows of numbers that a command writes as HDF5, CSV or both. */
#pragma once

#include "cli/cli.h"

typedef struct cli_table {
  apl_channel* channel; /* [n] */
  double* value;        /* [nrow * n] */
  char** name;          /* [n] names that are the table's own                                    */
  int n, nrow, most;
} cli_table;

/* Room for `most` channels in `nrow` rows; false without memory. */
bool cli_table_open(cli_table* t, int most, int nrow);
void cli_table_close(cli_table* t);

/* One more channel; its values are written to cli_table_at(). */
void cli_table_add(cli_table* t, const char* name, const char* unit, const char* sentence);

/* A channel called `name` with `ending` behind it. False without memory. */
bool cli_table_join(cli_table* t, const char* name, const char* ending, const char* unit,
                    const char* sentence);

/* Where row `row` begins. */
double* cli_table_at(const cli_table* t, int row);

/* What a result says about itself. */
typedef struct cli_table_head {
  const apl_file* file;
  const char* method; /* "equilibrium" */
  const char* tolerance;
  const apl_summary* summary;
  int nsummary;
} cli_table_head;

/* Write those files that are asked for (NULL: not); CLI_OK, or a sentence on stderr. */
int cli_table_write(const cli_table* t, const cli_table_head* head, const char* result,
                    const char* csv);
