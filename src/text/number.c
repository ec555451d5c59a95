/* SPDX-License-Identifier: Apache-2.0 */
/* number.c: strtod and printf independent of the locale: a program that calls setlocale() must not
   read 1.5 as 1. */
#include "text/number.h"

#include <locale.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char* skip_digits(const char* c) {
  while (*c >= '0' && *c <= '9')
    ++c;
  return c;
}

/* End of the number at `text`; `text` itself when there is none. */
static const char* number_end(const char* text, const char** point) {
  const char* c = text + (*text == '+' || *text == '-');
  const char* whole = skip_digits(c);
  bool digits = whole > c;

  *point = NULL;
  c = whole;
  if (*c == '.') {
    const char* fraction = skip_digits(c + 1);
    digits = digits || fraction > c + 1;
    *point = c;
    c = fraction;
  }
  if (!digits) return text;

  /* an e without digits after it belongs to the following text */
  if (*c == 'e' || *c == 'E') {
    const char* exponent = c + 1 + (c[1] == '+' || c[1] == '-');
    const char* e = skip_digits(exponent);
    if (e > exponent) c = e;
  }
  return c;
}

double apl_number_read(const char* text, const char** end) {
  const char* point;
  char small[64];

  *end = number_end(text, &point);
  const size_t n = (size_t)(*end - text);
  if (n == 0) return 0.0;

  /* a copy, because strtod reads too far (0x10) and expects the locale's point */
  char* copy = n < sizeof small ? small : malloc(n + 1);
  if (copy == NULL) return (double)NAN;
  memcpy(copy, text, n);
  copy[n] = '\0';
  if (point != NULL) copy[point - text] = localeconv()->decimal_point[0];
  const double value = strtod(copy, NULL);
  if (copy != small) free(copy);
  return value;
}

const char* apl_number_write(double value, char* buffer) {
  for (int digits = 15; digits <= 17; ++digits) {
    snprintf(buffer, APL_NUMBER_SIZE, "%.*g", digits, value);
    if (strtod(buffer, NULL) == value) break;
  }
  char* comma = strchr(buffer, localeconv()->decimal_point[0]);
  if (comma != NULL) *comma = '.';
  return buffer;
}
