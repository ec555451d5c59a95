/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_compare.c: `appell compare`: differences of two results, channel by channel. If their times
   differ, the second is interpolated linearly at the times of the first. */
#include "cli/cli.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COMPARE_TOLERANCE, COMPARE_JSON };
static const cli_option options[] = {
    [COMPARE_TOLERANCE] =
        {"--tolerance", NULL, "X",
         "exit with code 1 if a channel differs by more than X times its largest value, or if one "
         "result ends earlier"},
    [COMPARE_JSON] = {"--json", NULL, NULL, "print JSON"},
    {NULL, NULL, NULL, NULL},
};

typedef struct difference {
  const char *name, *unit;
  double largest, at, scale; /* largest difference, when, largest value of the first */
} difference;

/* One result: its times and a column. */
typedef struct side {
  apl_result* res;
  int n;
  double *time, *value;
} side;

static bool open_side(side* s, const char* path) {
  apl_error err = {0};

  if (apl_result_open(path, &s->res, &err) != APL_OK) return cli_complain(&err) == CLI_OK;
  s->n = apl_result_rows(s->res);
  s->time = malloc(sizeof *s->time * ((size_t)s->n + 1));
  s->value = malloc(sizeof *s->value * ((size_t)s->n + 1));
  const int time = cli_find(s->res, "time");
  if (s->time == NULL || s->value == NULL || time < 0) return false;
  if (s->n == 0) {
    fprintf(stderr, "appell: '%s' has no rows to compare\n", path);
    return false;
  }
  return apl_result_column(s->res, time, s->time, &err) == APL_OK || cli_complain(&err) == CLI_OK;
}

static void close_side(side* s) {
  apl_result_free(s->res);
  free(s->time);
  free(s->value);
}

/* The second side at time t; *k keeps the index, because times increase. */
static double value_at(const side* s, double t, int* k) {
  while (*k + 2 < s->n && s->time[*k + 1] < t)
    ++*k;
  const int i = *k, j = i + 1 < s->n ? i + 1 : i;
  if (t == s->time[i] || i == j || s->time[j] == s->time[i]) return s->value[i];
  if (t == s->time[j]) return s->value[j];
  const double part = (t - s->time[i]) / (s->time[j] - s->time[i]);
  return s->value[i] + part * (s->value[j] - s->value[i]);
}

static bool compare_channel(side* a, side* b, int i, int j, difference* out) {
  const apl_channel* c = apl_result_channel(a->res, i);
  const double end = fmin(a->time[a->n - 1], b->time[b->n - 1]);
  apl_error err = {0};
  int k = 0;

  *out = (difference){.name = c->name, .unit = c->unit};
  if (apl_result_column(a->res, i, a->value, &err) != APL_OK ||
      apl_result_column(b->res, j, b->value, &err) != APL_OK)
    return cli_complain(&err) == CLI_OK;
  for (int r = 0; r < a->n && a->time[r] <= end; ++r) {
    const double apart = fabs(a->value[r] - value_at(b, a->time[r], &k));
    out->scale = fmax(out->scale, fabs(a->value[r]));
    if (!(apart <= out->largest)) out->largest = apart, out->at = a->time[r];
  }
  return true;
}

static void print(const difference* d, int n, const side* a, const side* b, const char* only[2]) {
  int wide = 7;

  for (int i = 0; i < n; ++i)
    wide = (int)strlen(d[i].name) > wide ? (int)strlen(d[i].name) : wide;
  printf("%-*s  %12s  %12s  %10s  %s\n", wide, "channel", "difference", "of largest", "at t [s]",
         "unit");
  for (int i = 0; i < n; ++i) {
    printf("%-*s  %12.4g  %12.4g  %10.6g  %s\n", wide, d[i].name, d[i].largest, d[i].scale, d[i].at,
           d[i].unit);
  }
  printf("rows %d and %d, until t = %g s and %g s\n", a->n, b->n, a->time[a->n - 1],
         b->time[b->n - 1]);
  for (int k = 0; k < 2; ++k) {
    if (only[k] != NULL) printf("only in the %s: %s ..\n", k == 0 ? "first" : "second", only[k]);
  }
}

static void print_json(const difference* d, int n) {
  json_t* list = json_array();

  for (int i = 0; i < n; ++i)
    json_array_append_new(list, json_pack("{s:s, s:s, s:f, s:f, s:f}", "channel", d[i].name, "unit",
                                          d[i].unit, "difference", d[i].largest, "largest",
                                          d[i].scale, "time", d[i].at));
  json_dumpf(list, stdout, JSON_INDENT(2));
  putchar('\n');
  json_decref(list);
}

/* The first channel of `a` that `b` has not; NULL when it has all. */
static const char* only_in(const apl_result* a, const apl_result* b) {
  for (int i = 0; i < apl_result_channels(a); ++i) {
    const char* name = apl_result_channel(a, i)->name;
    if (apl_result_find(b, name) < 0) return name;
  }
  return NULL;
}

static int compare(const cli_args* args, side* a, side* b, double tolerance) {
  const int most = apl_result_channels(a->res);
  difference* d = calloc((size_t)most + 1, sizeof *d);
  bool ok = d != NULL, same = true;
  int n = 0;

  for (int i = 0; i < most && ok; ++i) {
    const char* name = apl_result_channel(a->res, i)->name;
    const int j = apl_result_find(b->res, name);
    if (j < 0 || strcmp(name, "time") == 0) continue;
    ok = compare_channel(a, b, i, j, &d[n]);
    /* without a tolerance, infinity times zero is NaN and no difference is too large */
    same = same && !(d[n].largest > tolerance * d[n].scale);
    ++n;
  }
  const double ends[2] = {a->time[a->n - 1], b->time[b->n - 1]};
  if (isfinite(tolerance) && fabs(ends[0] - ends[1]) > 1e-9 * fmax(fabs(ends[0]), fabs(ends[1]))) {
    fprintf(stderr, "appell compare: the results end at different times, %.9g s and %.9g s\n",
            ends[0], ends[1]);
    same = false;
  }
  const char* only[2] = {only_in(a->res, b->res), only_in(b->res, a->res)};
  if (ok && n == 0) fprintf(stderr, "appell compare: the results have no channel in common\n");
  if (ok && n > 0 && args->value[COMPARE_JSON] != NULL) print_json(d, n);
  if (ok && n > 0 && args->value[COMPARE_JSON] == NULL) print(d, n, a, b, only);
  free(d);
  return ok && n > 0 && same ? CLI_OK : CLI_FAILED;
}

static int run(const cli_args* args) {
  double tolerance = HUGE_VAL;
  side a = {0}, b = {0};
  int code = CLI_FAILED;

  if (!cli_quantity("compare", "--tolerance", args->value[COMPARE_TOLERANCE], "1", 0.0, &tolerance))
    return CLI_USAGE;
  if (open_side(&a, args->file[0]) && open_side(&b, args->file[1]))
    code = compare(args, &a, &b, tolerance);
  close_side(&a);
  close_side(&b);
  return code;
}

const cli_command cli_compare = {
    .name = "compare",
    .line = "Compare two results, channel by channel",
    .files = "A.h5 B.h5",
    .min = 2,
    .max = 2,
    .option = options,
    .run = run,
    .notes =
        "If their times differ, the second result is interpolated linearly at the times of the "
        "first.\n",
};
