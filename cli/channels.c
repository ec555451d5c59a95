/* SPDX-License-Identifier: Apache-2.0 */
/* channels.c: finds channels by name and by pattern, and reports errors. */
#define _XOPEN_SOURCE 700 /* fnmatch */
#include "cli/cli.h"

#include "record/record.h"

#include <fnmatch.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int cli_complain(const apl_error* err) {
  fprintf(stderr, "appell: %s%s%s\n", cli_colour_code(CLI_RED), err->text,
          cli_colour_code(CLI_PLAIN));
  return CLI_FAILED;
}

int cli_misuse(const char* command, const char* format, ...) {
  va_list args;

  fprintf(stderr, "appell %s: ", command);
  va_start(args, format);
  vfprintf(stderr, format, args);
  va_end(args);
  fprintf(stderr, "; see 'appell %s --help'\n", command);
  return CLI_USAGE;
}

int cli_find(const apl_result* res, const char* name) {
  const int k = apl_result_find(res, name);
  if (k >= 0) return k;

  const bool pattern = strpbrk(name, "*?[") != NULL;
  const int near = pattern ? -1 : apl_result_nearest(res, name);
  fprintf(stderr, "appell: %s '%s'; ", pattern ? "no channel matches" : "there is no channel",
          name);
  if (near >= 0) fprintf(stderr, "did you mean '%s'?\n", apl_result_channel(res, near)->name);
  if (near < 0) fprintf(stderr, "`appell plot RESULT --list` prints the channels\n");
  return -1;
}

/* The most useful channels: joints, speeds, then their drives, as many of each as can be
   distinguished. Quaternions are left out, since their curves are hard to read. */
int* cli_first(const apl_result* res, int* n) {
  static const char* const kind[] = {"coordinate", "velocity", "effort", "input"};
  enum { MOST_CURVES = 7 };
  const int nchannel = apl_result_channels(res);
  int* list = malloc(sizeof *list * (size_t)(nchannel + 1));

  *n = 0;
  if (list == NULL) fprintf(stderr, "appell: out of memory\n");
  for (size_t i = 0; list != NULL && i < sizeof kind / sizeof *kind; ++i) {
    for (int k = 0, found = 0; k < nchannel && found < MOST_CURVES; ++k) {
      const apl_channel* c = apl_result_channel(res, k);
      const char* point = strrchr(c->name, '.');
      const bool turn =
          point != NULL && point[1] == 'q' && point[2] != '\0' && strchr("wxyz", point[2]) != NULL;
      if (strncmp(c->sentence, kind[i], strlen(kind[i])) != 0 || turn) continue;
      list[(*n)++] = k;
      ++found;
    }
  }
  for (int k = 1; list != NULL && *n == 0 && k < nchannel && k <= MOST_CURVES; ++k)
    list[(*n)++] = k;
  return list;
}

int* cli_choose(const apl_result* res, const char* const* word, int nword, int* n) {
  const int nchannel = apl_result_channels(res);
  int* list = malloc(sizeof *list * (size_t)nchannel);
  bool* taken = calloc((size_t)nchannel, sizeof *taken);

  *n = list == NULL || taken == NULL ? -1 : 0;
  if (*n < 0) fprintf(stderr, "appell: out of memory\n");
  for (int w = 0; w < nword && *n >= 0; w++) {
    const bool pattern = strpbrk(word[w], "*?[") != NULL;
    bool found = false;
    for (int k = 0; k < nchannel; k++) {
      const char* name = apl_result_channel(res, k)->name;
      if (pattern ? fnmatch(word[w], name, 0) != 0 : strcmp(word[w], name) != 0) continue;
      found = true;
      if (!taken[k]) list[(*n)++] = k;
      taken[k] = true;
    }
    if (!found) {
      cli_find(res, word[w]);
      *n = -1;
    }
  }
  free(taken);
  return list;
}
