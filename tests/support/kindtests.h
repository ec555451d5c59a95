/* SPDX-License-Identifier: Apache-2.0 */
/* kindtests.h: a group of tests, one per word of a list of the library, so that each kind passes or
   fails by its own name. */
#pragma once

#include "near.h"

enum { KINDTESTS_WORDS = 64 };

/* Run `fixed` (nfixed tests), then `test` once for each word; its state is the word. */
int kindtests_run(const char* group, const struct CMUnitTest* fixed, int nfixed,
                  const char* (*word)(int), CMUnitTestFunction test);
