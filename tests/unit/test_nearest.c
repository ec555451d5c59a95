/* SPDX-License-Identifier: Apache-2.0 */
/* test_nearest.c: base/nearest.h and base/words.h: the known word nearest to what somebody wrote.
 */
#include "near.h"
#include "random.h"

#include "base/nearest.h"
#include "base/words.h"

#include <string.h>

/* Edit distance by its definition, as a recursion over the first letters. */
static int edits(const char* a, const char* b) {
  if (a[0] == '\0') return (int)strlen(b);
  if (b[0] == '\0') return (int)strlen(a);
  if (a[0] == b[0]) return edits(a + 1, b + 1);
  const int change = edits(a + 1, b + 1), drop = edits(a + 1, b), put = edits(a, b + 1);
  const int least = change < drop ? change : drop;
  return 1 + (least < put ? least : put);
}

/* Random words of up to six letters out of three: `least` is the distance by definition, and the
   first of the nearest words wins. */
static void is_the_edit_distance(void** state) {
  enum { WORDS = 5, LETTERS = 6 };
  rng r = rng_seed(5);
  int found = 0;

  (void)state;
  for (int trial = 0; trial < 200; ++trial) {
    char word[WORDS + 1][LETTERS + 1] = {{0}};
    const char* known[WORDS];
    for (int w = 0; w <= WORDS; ++w) {
      const int n = rng_below(&r, LETTERS + 1);
      for (int i = 0; i < n; ++i)
        word[w][i] = (char)('a' + rng_below(&r, 3));
      if (w < WORDS) known[w] = word[w];
    }
    int best = -1, least = 0;
    apl_nearest n = {.word = word[WORDS]};
    for (int w = 0; w < WORDS; ++w) {
      const int d = edits(word[WORDS], known[w]);
      const int both = (int)(strlen(word[WORDS]) + strlen(known[w]));
      apl_nearest_offer(&n, known[w]);
      if (4 * d > both + 2) continue; /* it shares less than about half its letters */
      if (best < 0 || d < least) best = w, least = d;
    }
    assert_int_equal(apl_word_nearest(word[WORDS], known, WORDS), best);
    assert_true(n.best == (best < 0 ? NULL : known[best]));
    if (best >= 0) assert_int_equal(n.least, least);
    found += best >= 0;
  }
  assert_in_range(found, 50, 199); /* both outcomes were tried */
}

static void words_of_models(void** state) {
  static const char* const known[] = {"revolute", "prismatic", "spherical", "floating"};

  (void)state;
  assert_int_equal(apl_word_nearest("revolut", known, 4), 0);
  assert_int_equal(apl_word_nearest("sperical", known, 4), 2);
  assert_int_equal(apl_word_nearest("floating", known, 4), 3);
  assert_int_equal(apl_word_nearest("gear", known, 4), -1);
  assert_int_equal(apl_word_nearest("", known, 4), -1);
  assert_int_equal(apl_word_nearest("revolute", known, 0), -1);
}

static void text(void** state) {
  char buffer[96], word[300];
  apl_nearest n = {.word = "masss"};

  (void)state;
  assert_string_equal(apl_nearest_text(&n, buffer), "");
  apl_nearest_offer(&n, "inertia");
  assert_string_equal(apl_nearest_text(&n, buffer), "");
  apl_nearest_offer(&n, "mass");
  assert_string_equal(apl_nearest_text(&n, buffer), "; did you mean 'mass'?");

  /* words longer than anything sensible: compared by their beginnings, cut in the sentence */
  memset(word, 'z', sizeof word - 1);
  word[sizeof word - 1] = '\0';
  n = (apl_nearest){.word = word};
  apl_nearest_offer(&n, word);
  assert_ptr_equal(n.best, word);
  assert_true(strlen(apl_nearest_text(&n, buffer)) < sizeof buffer);
  assert_non_null(strstr(buffer, "zzzz'?"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(is_the_edit_distance),
      cmocka_unit_test(words_of_models),
      cmocka_unit_test(text),
  };
  return cmocka_run_group_tests_name("nearest", tests, NULL, NULL);
}
