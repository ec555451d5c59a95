/* nearest.h: "did you mean": the known word nearest to what somebody wrote. */
#pragma once

/* Keeps the best candidate; start with {word}, offer every known word, then ask `best`, which stays
   NULL while nothing offered resembles the word. */
typedef struct apl_nearest {
  const char* word;
  const char* best;
  int least;
} apl_nearest;

void apl_nearest_offer(apl_nearest* n, const char* candidate);

/* "; did you mean 'best'?" in buffer[96], or "" when nothing resembles the word. */
const char* apl_nearest_text(const apl_nearest* n, char* buffer);
