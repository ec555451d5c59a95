/* SPDX-License-Identifier: Apache-2.0 */
/* error.c: status texts, sentences, version. */
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

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

/* Length of the control character at s, 0 if it is none: C0, delete, and C1 in UTF-8. */
static size_t control(const unsigned char* s) {
  if (s[0] == 0) return 0;
  if (s[0] < 0x20 || s[0] == 0x7f) return 1;
  return s[0] == 0xc2 && s[1] >= 0x80 && s[1] < 0xa0 ? 2 : 0;
}

void apl_text_clean(char* text, size_t size) {
  for (size_t i = 0; text[i] != '\0'; ++i) {
    const size_t n = control((const unsigned char*)text + i);
    if (n == 0) continue;

    char word[5];
    const unsigned code = (unsigned char)text[i + n - 1];
    snprintf(word, sizeof word, "\\x%02x", code);
    if (i + sizeof word > size) {
      text[i] = '\0';
      return;
    }
    /* the rest moves back by 4 - n bytes, and is cut where it does not fit */
    const size_t rest = strlen(text + i + n);
    const size_t room = size - (i + 4) - 1;
    memmove(text + i + 4, text + i + n, rest < room ? rest : room);
    text[i + 4 + (rest < room ? rest : room)] = '\0';
    memcpy(text + i, word, 4);
    i += 3;
  }
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
    apl_text_clean(err->text, sizeof err->text);
  }
  return status;
}
