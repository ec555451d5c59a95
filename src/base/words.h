/* words.h: the word nearest to what somebody wrote, from a list. */
#pragma once

/* For "did you mean": index of the known word that is most similar; -1 if none is similar. */
int apl_word_nearest(const char* word, const char* const* known, int n);
