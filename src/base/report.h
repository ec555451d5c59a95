/* report.h: several mistakes instead of the first one, each with its place in the file. */
#pragma once

#include "base/error.h"

/* A place in a file, counted from 1; zero where there is no file. */
typedef struct apl_mark {
  int line, column;
} apl_mark;

/* Add a sentence (report may be NULL) and hand the status back. */
apl_status apl_report_add(apl_report* report, apl_status status, apl_mark at, const char* format,
                          ...) APL_PRINTF(4, 5);

/* Add a warning; it is not counted as a mistake. */
void apl_report_warn(apl_report* report, apl_mark at, const char* format, ...) APL_PRINTF(3, 4);

/* Add an error as it is; where it has no place of its own, `at` is its place. */
apl_status apl_report_error(apl_report* report, const apl_error* error, apl_mark at);
