/* SPDX-License-Identifier: Apache-2.0 */
/* report.h: all errors of a file instead of the first one, each with its position. */
#pragma once

#include "base/error.h"

/* A position in a file, counted from 1; zero if there is no file. */
typedef struct apl_mark {
  int line, column;
} apl_mark;

/* Add an error (report may be NULL) and return the status. */
apl_status apl_report_add(apl_report* report, apl_status status, apl_mark at, const char* format,
                          ...) APL_PRINTF(4, 5);

/* Add a warning; it is not counted as a mistake. */
void apl_report_warn(apl_report* report, apl_mark at, const char* format, ...) APL_PRINTF(3, 4);

/* Add an error as it is; `at` is used if it has no position of its own. */
apl_status apl_report_error(apl_report* report, const apl_error* error, apl_mark at);
