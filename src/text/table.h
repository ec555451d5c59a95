/* SPDX-License-Identifier: Apache-2.0 */
/* table.h: tables of numbers with names, read from CSV. */
#pragma once

#include "appell/base.h"

/* A table of numbers with names. */
typedef struct apl_table {
  int nrow, ncolumn;
  const char* const* name; /* [ncolumn]                                                           */
  const char* const* unit; /* [ncolumn] from "# units:", else ""                                  */
  const double* value;     /* [nrow * ncolumn], row by row                                        */
  int name_line;           /* line of the names in the file, 0 without a file                     */
  const int* name_column;  /* [ncolumn]                                                           */
  const int* row_line;     /* [nrow] line of each row; NULL without a file                        */
} apl_table;

/* Read names and numbers separated by commas; lines that start with # are comments. An error is
   reported with its line and column in err. "-" is the standard input. Free with apl_table_free().
 */
apl_status apl_table_read(const char* path, apl_table** out, apl_error* err);
void apl_table_free(apl_table* table); /* accepts NULL */
