/* SPDX-License-Identifier: Apache-2.0 */
/* pattern.c: see pattern.h. */
#include "text/pattern.h"

#include <stddef.h>

/* Only the last star has to be tried again: what stands before it matches at its earliest place,
   which leaves the most of the name for the rest. So the time is at most the product of both
   lengths, also for hostile patterns. */
bool apl_pattern_fits(const char* pattern, const char* name) {
  const char *star = NULL, *from = NULL; /* behind the last star, and the name it begins at */

  while (*name != '\0') {
    if (*pattern == '*') {
      star = ++pattern;
      from = name;
    } else if (*pattern == *name) {
      ++pattern;
      ++name;
    } else if (star != NULL) {
      pattern = star;
      name = ++from;
    } else {
      return false;
    }
  }
  while (*pattern == '*')
    ++pattern;
  return *pattern == '\0';
}
