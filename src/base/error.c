/* error.c: status texts, sentences, version. */
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>

const char* apl_status_text(apl_status status) {
  static const char* const text[] = {
#define X(name, sentence) sentence,
      APL_STATUS_LIST(X)
#undef X
  };
  const int n = (int)(sizeof text / sizeof *text);

  return (int)status >= 0 && (int)status < n ? text[status] : "unknown status";
}

const char* apl_version(void) {
  return APL_VERSION;
}

apl_status apl_fail(apl_error* err, apl_status status, const char* format, ...) {
  if (err != NULL) {
    va_list args;

    err->status = status;
    err->line = 0;
    err->column = 0;
    va_start(args, format);
    vsnprintf(err->text, sizeof err->text, format, args);
    va_end(args);
  }
  return status;
}
