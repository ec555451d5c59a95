/* SPDX-License-Identifier: Apache-2.0 */
/* words.h: the word of a list nearest to an unknown one. */
#pragma once

/* For "did you mean": index of the known word that is most similar; -1 if none is similar. */
int apl_word_nearest(const char* word, const char* const* known, int n);
