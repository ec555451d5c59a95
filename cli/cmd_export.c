/* cmd_export.c: appell export: rows of a result as CSV. */
#include "cli/cli.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "usage: appell export RESULT [CHANNEL ...] -o FILE.csv\n"
    "\n"
    "Writes the rows of a result as CSV: a comment with the units, a line of names, then one line\n"
    "per row with all digits. Without channels all of them are written; a channel may be a "
    "pattern\n"
    "such as '*.angle'.\n"
    "\n"
    "  -o FILE   where to write; - is the standard output\n";

/* Rows are read in blocks, so that a long result needs little memory. */
static apl_status copy_rows(apl_result* res, apl_csv* csv, const int* list, int n, apl_error* err) {
  enum { BLOCK = 256 };
  const int nchannel = apl_result_channels(res);
  const int nrow = apl_result_rows(res);
  double* rows = malloc(sizeof *rows * BLOCK * (size_t)nchannel);
  double* line = malloc(sizeof *line * (size_t)n);
  apl_status st = APL_OK;

  if (rows == NULL || line == NULL) {
    st = APL_ERR_MEMORY;
    snprintf(err->text, sizeof err->text, "out of memory");
  }
  for (int r = 0; r < nrow && st == APL_OK; r += BLOCK) {
    const int count = nrow - r < BLOCK ? nrow - r : BLOCK;
    st = apl_result_read(res, r, count, rows, err);
    for (int i = 0; i < count && st == APL_OK; i++) {
      for (int k = 0; k < n; k++)
        line[k] = rows[(size_t)i * (size_t)nchannel + (size_t)list[k]];
      st = apl_csv_row(csv, line, err);
    }
  }
  free(line);
  free(rows);
  return st;
}

static int export_channels(apl_result* res, char* const* word, int nword, const char* path) {
  char* all[] = {(char[]){"*"}};
  apl_error err = {APL_OK, 0, 0, ""};
  apl_csv* csv = NULL;
  int n;
  int* list = cli_choose(res, nword > 0 ? word : all, nword > 0 ? nword : 1, &n);
  apl_channel* channel = n > 0 ? calloc((size_t)n, sizeof *channel) : NULL;

  if (channel == NULL) {
    if (n > 0) fprintf(stderr, "appell export: out of memory\n");
    free(list);
    return CLI_FAILED;
  }
  for (int k = 0; k < n; k++)
    channel[k] = *apl_result_channel(res, list[k]);

  apl_status st = apl_csv_open(path, channel, n, &csv, &err);
  if (st == APL_OK) {
    st = copy_rows(res, csv, list, n, &err);
    if (st == APL_OK) {
      st = apl_csv_close(csv, &err);
    } else {
      apl_csv_abandon(csv);
    }
  }
  free(channel);
  free(list);
  return st == APL_OK ? CLI_OK : cli_complain(&err);
}

int cmd_export(int argc, char** argv) {
  const char* path = NULL;
  int nword = 0; /* the words that are not options, moved to the front of argv */

  for (int k = 1; k < argc; k++) {
    if (strcmp(argv[k], "--help") == 0 || strcmp(argv[k], "-h") == 0) {
      fputs(help, stdout);
      return CLI_OK;
    }
    if (strcmp(argv[k], "-o") == 0) {
      if (k + 1 == argc) return cli_misuse("export", "-o needs a file");
      path = argv[++k];
    } else if (argv[k][0] == '-' && argv[k][1] != '\0') {
      return cli_misuse("export", "unknown option '%s'", argv[k]);
    } else {
      argv[nword++] = argv[k];
    }
  }
  if (nword == 0) return cli_misuse("export", "which result?");
  if (path == NULL) return cli_misuse("export", "where to? -o FILE.csv is missing");

  const char* const in[] = {argv[0]};
  const int refused = cli_check_outputs(in, 1, &path, 1);
  if (refused != CLI_OK) return refused;

  apl_error err;
  apl_result* res;
  if (apl_result_open(argv[0], &res, &err) != APL_OK) return cli_complain(&err);
  const int code = export_channels(res, argv + 1, nword - 1, path);
  apl_result_free(res);
  return code;
}
