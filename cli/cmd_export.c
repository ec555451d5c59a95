/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_export.c: appell export: rows of a result as CSV, NumPy's .npz or MATLAB's .mat. */
#include "cli/arrays.h"
#include "cli/cli.h"
#include "record/record.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EXPORT_OUTPUT, EXPORT_UNITS };
static const cli_option options[] = {
    [EXPORT_OUTPUT] = {"--output", "-o", "FILE.csv|.npz|.mat",
                       "the file to write; - writes CSV to the standard output"},
    [EXPORT_UNITS] = {"--units", NULL, NULL,
                      "CSV: add a comment line with the units below the names"},
    {NULL, NULL, NULL, NULL},
};

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

static apl_status write_csv(apl_result* res, const int* list, int n, bool units, const char* path,
                            apl_error* err) {
  apl_channel* channel = calloc((size_t)n, sizeof *channel);
  apl_csv* csv = NULL;
  if (channel == NULL) {
    snprintf(err->text, sizeof err->text, "out of memory");
    return APL_ERR_MEMORY;
  }
  for (int k = 0; k < n; k++)
    channel[k] = *apl_result_channel(res, list[k]);
  apl_status st = apl_csv_open(path, channel, n, &csv, err);
  if (st == APL_OK) {
    if (units) st = apl_csv_units(csv, channel, err);
    if (st == APL_OK) st = copy_rows(res, csv, list, n, err);
    if (st == APL_OK) {
      st = apl_csv_close(csv, err);
    } else {
      apl_csv_abandon(csv);
    }
  }
  free(channel);
  return st;
}

/* Whole columns, for formats that want them so. */
static apl_status write_arrays(apl_result* res, const int* list, int n, bool mat, const char* path,
                               apl_error* err) {
  const int nrow = apl_result_rows(res);
  array_column* column = calloc((size_t)n, sizeof *column);
  double* value = malloc(sizeof *value * ((size_t)n * (size_t)nrow + 1));
  apl_status st = column == NULL || value == NULL ? APL_ERR_MEMORY : APL_OK;

  if (st != APL_OK) snprintf(err->text, sizeof err->text, "out of memory");
  for (int k = 0; k < n && st == APL_OK; ++k) {
    double* at = value + (size_t)k * (size_t)nrow;
    column[k] = (array_column){apl_result_channel(res, list[k])->name, at};
    st = apl_result_column(res, list[k], at, err);
  }
  if (st == APL_OK)
    st = mat ? arrays_write_mat(path, column, n, nrow, err)
             : arrays_write_npz(path, column, n, nrow, err);
  free(value);
  free(column);
  return st;
}

static bool ends_in(const char* path, const char* end) {
  const size_t n = strlen(path), k = strlen(end);
  return n > k && strcmp(path + n - k, end) == 0;
}

static int run(const cli_args* args) {
  const char* path = args->value[EXPORT_OUTPUT];
  const char* const all[] = {"*"};
  apl_error err = {0};
  apl_result* res;
  int n;

  if (path == NULL) return cli_misuse("export", "-o FILE.csv is missing");
  if (apl_result_open(args->file[0], &res, &err) != APL_OK) return cli_complain(&err);
  int* list = args->nfile > 1 ? cli_choose(res, args->file + 1, args->nfile - 1, &n)
                              : cli_choose(res, all, 1, &n);
  int code = CLI_FAILED;
  if (n > 0) {
    const bool npz = ends_in(path, ".npz"), mat = ends_in(path, ".mat");
    const bool units = args->value[EXPORT_UNITS] != NULL;
    const apl_status st = npz || mat ? write_arrays(res, list, n, mat, path, &err)
                                     : write_csv(res, list, n, units, path, &err);
    code = st == APL_OK ? CLI_OK : cli_complain(&err);
  }
  free(list);
  apl_result_free(res);
  return code;
}

const cli_command cli_export = {
    .name = "export",
    .line = "Write channels of a result as CSV, for NumPy (.npz) or for MATLAB (.mat)",
    .files = "RESULT [CHANNEL...]",
    .min = 1,
    .max = 1 << 20,
    .option = options,
    .run = run,
    .notes =
        "Without CHANNEL all channels are written. A channel may be a pattern such as "
        "'*.angle'.\n"
        "`appell plot RESULT --list` prints the channels with their units, which are SI units.\n"
        "CSV has a line of names, then one line per row with all digits:\n"
        "  pandas.read_csv('FILE.csv')\n"
        "  numpy.genfromtxt('FILE.csv', delimiter=',', names=True)\n"
        "With --units, pandas needs comment='#'.\n",
};
