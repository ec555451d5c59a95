/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_view.c: `appell view`: results as a page, one or several in one scene. */
#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>

enum { VIEW_OUTPUT };

static const cli_option options[] = {
    [VIEW_OUTPUT] = {"--output", "-o", "FILE.html", "the page to write (beside the first result)"},
    {NULL, NULL, NULL, NULL},
};

/* out.h5 -> out.html, out.h5.part -> out.html */
static char* page_name(const char* result) {
  const size_t n = strlen(result);
  char* name = malloc(n + sizeof ".html");
  if (name == NULL) return NULL;

  memcpy(name, result, n + 1);
  if (n > 5 && strcmp(name + n - 5, ".part") == 0) name[n - 5] = '\0';
  char* dot = strrchr(name, '.');
  if (dot == NULL || strchr(dot, '/') != NULL) dot = name + strlen(name);
  strcpy(dot, ".html");
  return name;
}

static int run(const cli_args* args) {
  char* own = page_name(args->file[0]);
  const char* path = args->value[VIEW_OUTPUT] != NULL ? args->value[VIEW_OUTPUT] : own;
  apl_error err = {0};
  int code = CLI_FAILED;

  if (path == NULL) {
    fprintf(stderr, "appell: out of memory\n");
  } else {
    code = cli_check_outputs(args->file, args->nfile, &path, 1);
  }
  if (code == CLI_OK && apl_results_page(args->file, args->nfile, path, &err) != APL_OK)
    code = cli_complain(&err);
  if (code == CLI_OK) printf("wrote %s\n", path);
  free(own);
  return code;
}

const cli_command cli_view = {
    .name = "view",
    .line = "Write a page that replays results in a browser",
    .files = "RESULT...",
    .min = 1,
    .max = 8,
    .option = options,
    .run = run,
    .notes =
        "Results are files of `appell run -o`, also of runs that failed, were stopped or are "
        "still\n"
        "running. With several results the first is drawn solid and the others transparent, and\n"
        "their differences can be plotted.\n",
};
