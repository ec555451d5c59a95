/* channels.c: find channels by name and by pattern; say what is wrong. */
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

/* The channel that may be meant: one that ends in the name (angle for arm.joint.angle), or the
   nearest word. */
static int likely(const apl_result* res, const char* name) {
  const size_t n = strlen(name);

  for (int k = 0; k < apl_result_channels(res); ++k) {
    const char* known = apl_result_channel(res, k)->name;
    const size_t length = strlen(known);
    if (length > n && known[length - n - 1] == '.' && strcmp(known + length - n, name) == 0)
      return k;
  }
  return apl_result_nearest(res, name);
}

int cli_find(const apl_result* res, const char* name) {
  const int k = apl_result_find(res, name);

  if (k < 0 && strpbrk(name, "*?[") != NULL) {
    fprintf(stderr,
            "appell: no channel matches '%s'; `appell plot RESULT --list` prints the channels\n",
            name);
  } else if (k < 0) {
    fprintf(stderr, "appell: there is no channel '%s'; did you mean '%s'?\n", name,
            apl_result_channel(res, likely(res, name))->name);
  }
  return k;
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
