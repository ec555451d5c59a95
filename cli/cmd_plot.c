/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_plot.c: appell plot: channels of a result as a figure. */
#include "cli/figure.h"

#include "record/record.h"

#include <stdlib.h>
#include <string.h>

enum { PLOT_OUTPUT, PLOT_X, PLOT_TITLE, PLOT_LIST };
static const cli_option options[] = {
    [PLOT_OUTPUT] = {"--output", "-o", "FILE.svg|.png|.pdf",
                     "the figure to write; without it the plot is drawn in the terminal"},
    [PLOT_X] = {"--x", NULL, "CHANNEL", "channel of the horizontal axis (time)"},
    [PLOT_TITLE] = {"--title", NULL, "TEXT", "title of the figure (name of the model)"},
    [PLOT_LIST] = {"--list", NULL, NULL, "list the channels with unit and description"},
    {NULL, NULL, NULL, NULL},
};

static int list_channels(const apl_result* res) {
  int wide = 0;
  int wide_unit = 0;

  for (int k = 0; k < apl_result_channels(res); k++) {
    const apl_channel* c = apl_result_channel(res, k);
    if ((int)strlen(c->name) > wide) wide = (int)strlen(c->name);
    if ((int)strlen(c->unit) > wide_unit) wide_unit = (int)strlen(c->unit);
  }
  for (int k = 0; k < apl_result_channels(res); k++) {
    const apl_channel* c = apl_result_channel(res, k);
    printf("%-*s  %-*s  %s\n", wide, c->name, wide_unit, c->unit, c->sentence);
  }
  return fflush(stdout) == 0 ? CLI_OK : CLI_FAILED;
}

/* A number of the environment within bounds, for the size of a terminal. */
static int from_environment(const char* name, int fallback) {
  const char* text = getenv(name);
  const long n = text == NULL ? 0 : strtol(text, NULL, 10);

  return n >= 40 && n <= 400 ? (int)n : fallback;
}

static apl_status write_script(FILE* out, const char* path, void* user, apl_error* err) {
  figure* fig = user;

  fig->path = path;
  return figure_write(fig, out, err);
}

static bool ends(const char* word, const char* tail) {
  const size_t n = strlen(word), m = strlen(tail);
  return n > m && strcmp(word + n - m, tail) == 0;
}

static bool is_table(const char* word) {
  return ends(word, ".csv") || ends(word, ".CSV") || strcmp(word, "-") == 0;
}

/* Channel of the horizontal axis: time, or the first channel of a result without time. The first
   column of a table must be a time. */
static int find_x(const apl_result* res, const char* path, const char* name) {
  if (name != NULL) return cli_find(res, name);

  const char* first = apl_result_channel(res, 0)->name;
  if (is_table(path) && strcmp(first, "time") != 0 && strcmp(first, "t") != 0) {
    fprintf(stderr,
            "appell: the first column of '%s' is '%s', not 'time' or 't'; choose the horizontal "
            "axis with --x\n",
            path, first);
    return -1;
  }
  const int x = apl_result_find(res, "time");
  return x < 0 ? 0 : x;
}

static int plot(const cli_args* args, apl_result* res, apl_result* other) {
  const char* output = args->value[PLOT_OUTPUT];
  const char* title = args->value[PLOT_TITLE];
  const int first = other == NULL ? 1 : 2;
  figure fig = {.result = res, .other = other, .kind = FIGURE_TERMINAL};
  if (output != NULL && !figure_kind_of(output, &fig.kind))
    return cli_misuse("plot", "'%s' is not an ordinary file", output);
  fig.columns = from_environment("COLUMNS", 100);
  fig.lines = from_environment("LINES", 32);
  fig.title = title != NULL ? title : apl_result_text(res, APL_RESULT_NAME);
  fig.name[0] = args->file[0];
  fig.name[1] = args->file[1];
  fig.x = find_x(res, args->file[0], args->value[PLOT_X]);
  if (fig.x < 0) return CLI_FAILED;
  for (int k = 0; k < first; ++k) {
    if (apl_result_rows(k == 0 ? res : other) > 0) continue;
    fprintf(stderr, "appell: '%s' has no rows to draw\n", args->file[k]);
    return CLI_FAILED;
  }

  int n;
  int* list = args->nfile > first ? cli_choose(res, args->file + first, args->nfile - first, &n)
                                  : cli_first(res, &n);
  fig.channel = list;
  fig.n = n;
  if (other != NULL && cli_find(other, apl_result_channel(res, fig.x)->name) < 0) n = 0;
  for (int k = 0; k < n && other != NULL; ++k) {
    if (cli_find(other, apl_result_channel(res, list[k])->name) < 0) n = 0;
  }
  const int code = n <= 0 ? CLI_FAILED : figure_draw(output, write_script, &fig);
  free(list);
  return code;
}

/* True if the word after the result is a second result, to be drawn over it. */
static bool is_result(const char* word) {
  return ends(word, ".h5") || ends(word, ".part") || is_table(word);
}

/* Prints an error on failure. */
static bool open_either(const char* path, apl_result** out) {
  apl_error err = {0};
  const apl_status st =
      is_table(path) ? apl_result_open_csv(path, out, &err) : apl_result_open(path, out, &err);

  if (st != APL_OK && err.line > 0) {
    cli_print_report(path, &(apl_report){.count = 1, .item = {err}});
  } else if (st != APL_OK) {
    cli_complain(&err);
  }
  return st == APL_OK;
}

static int run(const cli_args* args) {
  const bool two = args->nfile > 1 && is_result(args->file[1]);
  apl_result *res = NULL, *other = NULL;

  if (!open_either(args->file[0], &res)) return CLI_FAILED;
  if (two && !open_either(args->file[1], &other)) {
    apl_result_free(res);
    return CLI_FAILED;
  }
  const int code = args->value[PLOT_LIST] != NULL ? list_channels(res) : plot(args, res, other);
  apl_result_free(other);
  apl_result_free(res);
  return code;
}

const cli_command cli_plot = {
    .name = "plot",
    .line = "Plot channels of a result, or of two results together",
    .files = "RESULT [RESULT2] [CHANNEL...]",
    .min = 1,
    .max = 1 << 20,
    .option = options,
    .run = run,
    .notes = "Without a channel it plots joints, speeds and efforts. A channel may be a pattern "
             "such as\n"
             "'*.angle'. Channels with different units get separate panels. Long curves are "
             "thinned, but\n"
             "the smallest and largest values stay. Needs gnuplot.\n"
             "A result may also be a table FILE.csv (- is the standard input), such as `appell "
             "inverse` writes:\n"
             "a line of names, the first of them time or t, and rows of numbers; units from a "
             "comment line\n"
             "`# units: s, N m, ...`.\n",
};
