/* draw.c: figures through gnuplot, in files that appear whole or not at all. */
#define _XOPEN_SOURCE 700 /* S_ISREG */
#include "cli/figure.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

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

/* gnuplot writes beside the figure; the figure is replaced when that went well. */
int figure_draw(const char* path, figure_writer write, void* user) {
  struct stat info;
  char part[4096];
  if (path == NULL) return run_script(NULL, write, user);

  if (snprintf(part, sizeof part, "%s.part", path) >= (int)sizeof part) {
    fprintf(stderr, "appell: the name of the figure is too long\n");
    return CLI_FAILED;
  }
  if (stat(path, &info) == 0 && !S_ISREG(info.st_mode)) {
    fprintf(stderr, "appell: '%s' cannot be written: it is not an ordinary file\n", path);
    return CLI_FAILED;
  }
  FILE* probe = fopen(part, "wb");
  if (probe == NULL) {
    fprintf(stderr, "appell: '%s' cannot be written: %s\n", path, strerror(errno));
    return CLI_FAILED;
  }
  fclose(probe);

  int code = run_script(part, write, user);
  if (code == CLI_OK && (stat(part, &info) != 0 || info.st_size == 0)) {
    fprintf(stderr, "appell: '%s' cannot be written: gnuplot wrote nothing\n", path);
    code = CLI_FAILED;
  }
  if (code == CLI_OK && rename(part, path) != 0) {
    fprintf(stderr, "appell: '%s' cannot be written: %s\n", path, strerror(errno));
    code = CLI_FAILED;
  }
  if (code != CLI_OK) remove(part);
  return code;
}
