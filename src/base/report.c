/* SPDX-License-Identifier: Apache-2.0 */
/* report.c: the list of errors of a load. */
#include "base/report.h"

#include <stdarg.h>
#include <stdio.h>

apl_status apl_report_error(apl_report* report, const apl_error* error, apl_mark at) {
  if (report == NULL) return error->status;

  if (report->count < APL_REPORT_MAX) {
    apl_error* item = &report->item[report->count];
    *item = *error;
    if (item->line == 0) item->line = at.line, item->column = at.column;
  }
  ++report->count;
  return error->status;
}

apl_status apl_report_add(apl_report* report, apl_status status, apl_mark at, const char* format,
                          ...) {
  apl_error error = {.status = status, .line = at.line, .column = at.column};
  va_list args;

  va_start(args, format);
  vsnprintf(error.text, sizeof error.text, format, args);
  va_end(args);
  apl_text_clean(error.text, sizeof error.text);
  return apl_report_error(report, &error, at);
}

void apl_report_warn(apl_report* report, apl_mark at, const char* format, ...) {
  va_list args;
  if (report == NULL) return;

  if (report->warnings < APL_REPORT_WARNINGS) {
    apl_error* item = &report->warning[report->warnings];
    *item = (apl_error){.status = APL_OK, .line = at.line, .column = at.column};
    va_start(args, format);
    vsnprintf(item->text, sizeof item->text, format, args);
    va_end(args);
    apl_text_clean(item->text, sizeof item->text);
  }
  ++report->warnings;
}
