/* cmd_plot.c: appell plot: channels of a result as a figure. */
#include "cli/figure.h"

#include <stdlib.h>
#include <string.h>

static const char help[] =
    "usage: appell plot RESULT CHANNEL ... [-o FIGURE] [--x CHANNEL] [--title TEXT]\n"
    "       appell plot RESULT --list\n"
    "\n"
    "Draws channels of a result over time. A channel may be a pattern such as '*.angle'; channels\n"
    "with different units get panels of their own. Long curves are thinned to what the eye sees:\n"
    "the smallest and the largest value of each stretch stay. Needs gnuplot.\n"
    "\n"
    "  -o FIGURE     a file that ends in .svg, .png or .pdf; without it the terminal is drawn on\n"
    "  --x CHANNEL   the horizontal axis; time unless stated\n"
    "  --title TEXT  the name of the model unless stated\n"
    "  --list        print the channels: name, unit and what it is\n";

typedef struct options {
  const char* output;
  const char* x;
  const char* title;
  bool list;
  char** word; /* the result, then channels */
  int nword;
} options;

/* -1: go on; else the exit code. Words that are no options move to the front of argv. */
static int parse(int argc, char** argv, options* o) {
  o->word = argv;
  for (int k = 1; k < argc; k++) {
    const char** value = strcmp(argv[k], "-o") == 0        ? &o->output
                         : strcmp(argv[k], "--x") == 0     ? &o->x
                         : strcmp(argv[k], "--title") == 0 ? &o->title
                                                           : NULL;
    if (strcmp(argv[k], "--help") == 0 || strcmp(argv[k], "-h") == 0) {
      fputs(help, stdout);
      return CLI_OK;
    }
    if (value != NULL) {
      if (k + 1 == argc) return cli_misuse("plot", "%s needs a value", argv[k]);
      *value = argv[++k];
    } else if (strcmp(argv[k], "--list") == 0) {
      o->list = true;
    } else if (argv[k][0] == '-') {
      return cli_misuse("plot", "unknown option '%s'", argv[k]);
    } else {
      argv[o->nword++] = argv[k];
    }
  }
  if (o->nword == 0) return cli_misuse("plot", "which result?");
  if (o->nword == 1 && !o->list) return cli_misuse("plot", "which channels? --list prints them");
  return -1;
}

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

static int plot(apl_result* res, const options* o) {
  figure fig = {.result = res, .kind = FIGURE_TERMINAL};
  if (o->output != NULL && !figure_kind_of(o->output, &fig.kind)) {
    return cli_misuse("plot", "'%s' does not end in .svg, .png or .pdf", o->output);
  }
  fig.columns = from_environment("COLUMNS", 100);
  fig.lines = from_environment("LINES", 32);
  fig.title = o->title != NULL ? o->title : apl_result_text(res, APL_RESULT_NAME);

  /* time, or whatever comes first in a result without time */
  fig.x = o->x != NULL ? cli_find(res, o->x) : apl_result_find(res, "time");
  if (fig.x < 0 && o->x != NULL) return CLI_FAILED;
  if (fig.x < 0) fig.x = 0;
  if (apl_result_rows(res) == 0) {
    fprintf(stderr, "appell: '%s' has no rows to draw\n", o->word[0]);
    return CLI_FAILED;
  }

  int n;
  int* list = cli_choose(res, o->word + 1, o->nword - 1, &n);
  fig.channel = list;
  fig.n = n;
  const int code = n <= 0 ? CLI_FAILED : figure_draw(o->output, write_script, &fig);
  free(list);
  return code;
}

int cmd_plot(int argc, char** argv) {
  options o = {0};
  const int code = parse(argc, argv, &o);
  if (code >= 0) return code;

  apl_error err;
  apl_result* res;
  const char* const in[] = {o.word[0]};
  const int refused = cli_check_outputs(in, 1, &o.output, 1);
  if (refused != CLI_OK) return refused;
  if (apl_result_open(o.word[0], &res, &err) != APL_OK) return cli_complain(&err);
  const int done = o.list ? list_channels(res) : plot(res, &o);
  apl_result_free(res);
  return done;
}
