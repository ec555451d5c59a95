/* SPDX-License-Identifier: Apache-2.0 */
/* slurp.c: reads a whole file, or explains the failure. */
#include "text/slurp.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The buffer doubles, because the size of pipes and /dev/stdin is unknown. */
static char* read_all(FILE* f, size_t limit, size_t* size) {
  size_t room = 1 << 14, n = 0;
  char* text = malloc(room + 1);

  while (text != NULL) {
    n += fread(text + n, 1, room - n, f);
    if (n < room || n > limit) break;
    char* larger = realloc(text, 2 * room + 1);
    if (larger == NULL) free(text);
    text = larger;
    room *= 2;
  }
  if (text != NULL) text[n] = '\0';
  *size = n;
  return text;
}

apl_status apl_slurp(const char* path, size_t limit, char** out, size_t* size, apl_error* err) {
  *out = NULL;
  *size = 0;
  FILE* f = fopen(path, "rb");
  if (f == NULL) return apl_fail(err, APL_ERR_IO, "cannot be opened: %s", strerror(errno));

  errno = 0;
  char* text = read_all(f, limit, size);
  const bool failed = ferror(f) != 0;
  const int why = errno;
  fclose(f);

  if (text == NULL) return apl_fail(err, APL_ERR_MEMORY, "out of memory while reading");
  if (failed || *size > limit) {
    free(text);
    if (failed) return apl_fail(err, APL_ERR_IO, "cannot be read: %s", strerror(why));
    return apl_fail(err, APL_ERR_IO, "is larger than the %zu bytes that are allowed", limit);
  }
  *out = text;
  return APL_OK;
}
