/* SPDX-License-Identifier: Apache-2.0 */
/* outputs.c: the output files of a command, their formats, and whether they may be written. */
#define _XOPEN_SOURCE 700 /* stat */
#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Options that name a file that is written. */
static const char* const writes[] = {"--output", "--csv", "--html", "--plot", "--switches"};

static bool listed(const char* name, const char* const* list, size_t n) {
  size_t i = 0;

  while (i < n && strcmp(list[i], name) != 0)
    ++i;
  return i < n;
}

bool cli_is_written(const cli_option* o) {
  return listed(o->name, writes, sizeof writes / sizeof *writes);
}

/* Files that are read are called RESULT in the tables of options. */
static bool is_read(const cli_option* o) {
  return o->value != NULL && strncmp(o->value, "RESULT", 6) == 0;
}

static bool ends_in(const char* path, const char* end, size_t n) {
  const size_t length = strlen(path);
  return length > n && strncmp(path + length - n, end, n) == 0;
}

/* True if a file has the ending that its option requires ("FILE.h5", "FILE.svg|.png"). Options
   without endings accept all. */
static bool ending_fits(const cli_option* o, const char* path) {
  const char* end = strchr(o->value, '.');
  if (end == NULL) return true;

  while (end != NULL) {
    const size_t n = strcspn(end, "|");
    if (ends_in(path, end, n)) return true;
    end = end[n] == '\0' ? NULL : end + n + 1;
  }
  return false;
}

/* `-o` chooses the format by the ending of its file: `-o FILE.csv` is `--csv FILE.csv`, `-o
   FILE.html` is `--html FILE.html`. `-o -` writes rows to the standard output, since a result file
   cannot be written there. Returns the row of the option that is meant. */
int cli_choose_form(const cli_command* c, int row, const char* path) {
  const char* value;
  const bool rows = strcmp(path, "-") == 0;
  const char* form = rows || ends_in(path, ".csv", 4) ? "--csv"
                     : ends_in(path, ".html", 5)      ? "--html"
                                                      : NULL;
  if (strcmp(c->option[row].name, "--output") != 0 || form == NULL) return row;
  if (ending_fits(&c->option[row], path)) return row;

  const int other = cli_find_option(c->option, form, &value);
  return other < 0 ? row : other;
}

/* ".h5, .csv or .html" in buffer[96]: what the file of an option may end in. */
static const char* endings(const cli_command* c, const cli_option* o, char* buffer) {
  const char *list[8], *value;
  size_t length[8], used = 0;
  int n = 0;

  for (const char* end = strchr(o->value, '.'); end != NULL && n < 6; ++n) {
    list[n] = end;
    length[n] = strcspn(end, "|");
    end = end[length[n]] == '\0' ? NULL : end + length[n] + 1;
  }
  for (int k = 0; k < 2 && strcmp(o->name, "--output") == 0; ++k) {
    static const char* const form[] = {"--csv", "--html"};
    static const char* const more[] = {".csv", ".html"};
    if (cli_find_option(c->option, form[k], &value) < 0) continue;
    list[n] = more[k];
    length[n++] = strlen(more[k]);
  }
  for (int k = 0; k < n; ++k)
    used += (size_t)snprintf(buffer + used, 96 - used, "%s%.*s",
                             k == 0       ? ""
                             : k == n - 1 ? " or "
                                          : ", ",
                             (int)length[k], list[k]);
  return buffer;
}

/* A name without a known ending is an error. Devices and pipes have no endings. */
static int check_ending(const cli_command* c, const cli_option* o, const char* path) {
  struct stat is;
  char buffer[96];
  if (path == NULL || strcmp(path, "-") == 0 || ending_fits(o, path)) return CLI_OK;
  if (stat(path, &is) == 0 && !S_ISREG(is.st_mode)) return CLI_OK;

  return cli_misuse(c->name, "%s: '%s' does not end in %s", o->letter == NULL ? o->name : o->letter,
                    path, endings(c, o, buffer));
}

/* All outputs are checked before any work begins. */
int cli_check_own_outputs(const cli_command* c, const cli_args* args) {
  const char* out[CLI_MAX_OPTIONS] = {0};
  const char** in = calloc((size_t)args->nfile + CLI_MAX_OPTIONS, sizeof *in);
  int nin = 0, nout = 0;

  if (in == NULL) {
    fprintf(stderr, "appell %s: out of memory\n", c->name);
    return CLI_FAILED;
  }
  for (int i = 0; i < args->nfile; ++i)
    in[nin++] = args->file[i];
  for (int i = 0; c->option[i].name != NULL; ++i) {
    if (cli_is_written(&c->option[i])) out[nout++] = args->value[i];
    if (is_read(&c->option[i])) in[nin++] = args->value[i];
  }
  int code = cli_check_outputs(in, nin, out, nout);
  for (int i = 0; c->option[i].name != NULL && code == CLI_OK; ++i) {
    if (cli_is_written(&c->option[i])) code = check_ending(c, &c->option[i], args->value[i]);
  }
  free(in);
  return code;
}
