/* SPDX-License-Identifier: Apache-2.0 */
/* nearest.c: edit distance over short words. */
#include "base/nearest.h"

#include "appell/base.h"

#include "base/words.h"

#include <stdio.h>
#include <string.h>

enum { LONGEST = 128 };

static int length(const char* word) {
  const size_t n = strlen(word);
  return n < LONGEST ? (int)n : LONGEST;
}

static int smaller(int a, int b) {
  return a < b ? a : b;
}

static int distance(const char* a, const char* b) {
  int row[LONGEST + 1];
  const int n = length(a), m = length(b);

  for (int j = 0; j <= m; ++j)
    row[j] = j;
  for (int i = 1; i <= n; ++i) {
    int diagonal = row[0];
    row[0] = i;
    for (int j = 1; j <= m; ++j) {
      const int change = diagonal + (a[i - 1] != b[j - 1]);
      diagonal = row[j];
      row[j] = smaller(change, smaller(row[j], row[j - 1]) + 1);
    }
  }
  return row[m];
}

void apl_nearest_offer(apl_nearest* n, const char* candidate) {
  const int d = distance(n->word, candidate);

  /* a candidate that shares less than about half of its letters is not suggested */
  const int both = length(n->word) + length(candidate);
  if (4 * d > both + 2) return;
  if (n->best == NULL || d < n->least) n->least = d, n->best = candidate;
}

const char* apl_nearest_text(const apl_nearest* n, char* buffer) {
  buffer[0] = '\0';
  if (n->best != NULL) snprintf(buffer, 96, "; did you mean '%.64s'?", n->best);
  return buffer;
}

int apl_word_nearest(const char* word, const char* const* known, int n) {
  apl_nearest near = {.word = word};
  int best = -1;

  for (int i = 0; i < n; ++i) {
    const char* before = near.best;
    apl_nearest_offer(&near, known[i]);
    if (near.best != before) best = i;
  }
  return best;
}
