/* SPDX-License-Identifier: Apache-2.0 */
/* table.h: read the reference files: CSV with a header line, comment lines starting with '#'. */
#pragma once

typedef struct table {
  int rows, columns;
  char name[64][24]; /* of the columns                                                         */
  double* value;     /* [rows * columns], row-major                                            */
} table;

/* Read tests/data/<path>; fails the running test when it cannot be read. */
table table_read(const char* data, const char* path);
void table_free(table* t);

/* The column of this name; fails the running test when there is none. */
int table_column(const table* t, const char* name);
double table_at(const table* t, int row, const char* name);
