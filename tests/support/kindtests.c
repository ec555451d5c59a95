/* SPDX-License-Identifier: Apache-2.0 */
/* kindtests.c: see kindtests.h. */
#include "kindtests.h"

#include <stdio.h>

int kindtests_run(const char* group, const struct CMUnitTest* fixed, int nfixed,
                  const char* (*word)(int), CMUnitTestFunction test) {
  static char words[KINDTESTS_WORDS][32];
  struct CMUnitTest tests[2 * KINDTESTS_WORDS];
  int n = 0;

  for (int i = 0; i < nfixed; i++)
    tests[n++] = fixed[i];
  for (int i = 0; i < KINDTESTS_WORDS && word(i) != NULL; i++) {
    snprintf(words[i], sizeof words[i], "%s", word(i));
    tests[n++] =
        (struct CMUnitTest){.name = words[i], .test_func = test, .initial_state = words[i]};
  }
  return _cmocka_run_group_tests(group, tests, (size_t)n, NULL, NULL);
}
