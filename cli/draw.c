/* SPDX-License-Identifier: Apache-2.0 */
/* draw.c: figures by gnuplot, in files that appear complete or not at all. */
#define _XOPEN_SOURCE 700 /* mkstemp, pread */
#include "cli/figure.h"

#include "record/record.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool figure_kind_of(const char* path, figure_kind* kind) {
  static const struct {
    const char* end;
    figure_kind kind;
  } known[] = {{".svg", FIGURE_SVG}, {".png", FIGURE_PNG}, {".pdf", FIGURE_PDF}};
  const size_t n = strlen(path);

  for (int k = 0; k < 3; k++) {
    if (n > 4 && strcmp(path + n - 4, known[k].end) == 0) {
      *kind = known[k].kind;
      return true;
    }
  }
  return false;
}

static int run_script(const char* path, figure_writer write, void* user) {
  apl_error err = {APL_OK, 0, 0, ""};
  FILE* script = tmpfile();

  if (script == NULL) {
    fprintf(stderr, "appell: a temporary file cannot be created: %s\n", strerror(errno));
    return CLI_FAILED;
  }
  int code = CLI_OK;
  if (write(script, path, user, &err) != APL_OK) code = cli_complain(&err);
  if (code == CLI_OK && (fflush(script) != 0 || ferror(script))) {
    fprintf(stderr, "appell: a temporary file cannot be written: %s\n", strerror(errno));
    code = CLI_FAILED;
  }
  if (code == CLI_OK) code = gnuplot_run(script);
  fclose(script);
  return code;
}

/* All of a file of ours, malloc'ed; NULL when it is empty or cannot be read. */
static unsigned char* read_back(int fd, size_t* n) {
  struct stat info;
  unsigned char* bytes = NULL;

  *n = 0;
  if (fstat(fd, &info) == 0 && info.st_size > 0) bytes = malloc((size_t)info.st_size);
  while (bytes != NULL && *n < (size_t)info.st_size) {
    const ssize_t got = pread(fd, bytes + *n, (size_t)info.st_size - *n, (off_t)*n);
    if (got <= 0) {
      free(bytes);
      return NULL;
    }
    *n += (size_t)got;
  }
  return bytes;
}

/* gnuplot writes a temporary file; the figure is replaced if that succeeded. */
int figure_draw(const char* path, figure_writer write, void* user) {
  const char* folder = getenv("TMPDIR");
  char part[4096];
  if (path == NULL) return run_script(NULL, write, user);

  if (folder == NULL || folder[0] == '\0') folder = "/tmp";
  const int length = snprintf(part, sizeof part, "%s/appell-figure-XXXXXX", folder);
  const int fd = length < (int)sizeof part ? mkstemp(part) : -1;
  if (fd < 0) {
    fprintf(stderr, "appell: a temporary file cannot be created in '%s'\n", folder);
    return CLI_FAILED;
  }
  int code = run_script(part, write, user);
  if (code == CLI_OK) {
    apl_error err = {0};
    size_t n;
    unsigned char* bytes = read_back(fd, &n);
    if (bytes == NULL) {
      fprintf(stderr, "appell: '%s' cannot be written: gnuplot wrote nothing\n", path);
      code = CLI_FAILED;
    } else if (apl_output_write(path, bytes, n, &err) != APL_OK) {
      code = cli_complain(&err);
    }
    free(bytes);
  }
  close(fd);
  unlink(part);
  return code;
}
