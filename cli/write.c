/* write.c: output files appear whole or not at all. */
#include "cli/cli.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

bool cli_write_file(const char* path, const char* text) {
  if (strcmp(path, "-") == 0) return fputs(text, stdout) >= 0;

  const size_t n = strlen(path) + sizeof ".part";
  char* part = malloc(n);
  if (part == NULL) return false;

  snprintf(part, n, "%s.part", path);
  errno = 0;
  FILE* f = fopen(part, "wb");
  bool ok = f != NULL && fputs(text, f) >= 0;
  if (f != NULL) ok = fclose(f) == 0 && ok;
  ok = ok && rename(part, path) == 0;
  if (!ok) {
    fprintf(stderr, "%s: cannot be written: %s\n", path, strerror(errno));
    if (f != NULL) remove(part);
  }
  free(part);
  return ok;
}

bool cli_can_write(const char* path) {
  if (strcmp(path, "-") == 0) return true;

  const size_t n = strlen(path) + sizeof ".part";
  char* part = malloc(n);
  if (part == NULL) return false;

  snprintf(part, n, "%s.part", path);
  errno = 0;
  FILE* f = fopen(part, "wb");
  if (f == NULL) fprintf(stderr, "%s: cannot be written: %s\n", path, strerror(errno));
  if (f != NULL) fclose(f);
  if (f != NULL) remove(part);
  free(part);
  return f != NULL;
}
