/* SPDX-License-Identifier: Apache-2.0 */
/* nearest.h: "did you mean": the known word nearest to an unknown one. */
#pragma once

/* Keeps the best candidate; start with {word}, offer every known word, then read `best`, which is
   NULL if no candidate is similar. */
typedef struct apl_nearest {
  const char* word;
  const char* best;
  int least;
} apl_nearest;

void apl_nearest_offer(apl_nearest* n, const char* candidate);

/* "; did you mean 'best'?" in buffer[96], or "" when nothing resembles the word. */
const char* apl_nearest_text(const apl_nearest* n, char* buffer);
