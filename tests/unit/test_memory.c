/* SPDX-License-Identifier: Apache-2.0 */
/* test_memory.c: base/arena.h and base/pool.h: memory that is measured and then placed, and memory
   that grows; base/budget.h: memory that has a limit; base/assert.h: what debug builds try. */
#include "near.h"

#include "base/arena.h"
#include "base/assert.h"
#include "base/budget.h"
#include "base/pool.h"

#include <stdlib.h>
#include <string.h>

static bool aligned(const void* p) {
  return ((uintptr_t)p & 63u) == 0;
}

/* ----------------------------------------------------------------------------------- arena ---- */

typedef struct layout {
  char* a;
  double* b;
  char* none;
  char* c;
} layout;

static layout place(apl_arena* a) {
  layout l;
  l.a = apl_arena_take(a, 1);
  l.b = apl_arena_take(a, 9 * sizeof(double));
  l.none = apl_arena_take(a, 0);
  l.c = apl_arena_take(a, 3);
  return l;
}

/* 1 byte at 0, 72 bytes at 64, nothing at 192, 3 bytes at 192. */
static void arena_measures_and_places(void** state) {
  (void)state;
  apl_arena a = {0};
  const layout measured = place(&a);
  assert_null(measured.a);
  assert_null(measured.c);
  assert_int_equal(a.used, 195);

  char* memory = apl_arena_open(&a);
  assert_non_null(memory);
  assert_true(aligned(memory));
  assert_int_equal(a.used, 0);
  assert_int_equal(a.size, 195);
  for (int i = 0; i < 195 + 32; ++i) /* a vector of four may read behind the last number */
    assert_int_equal(memory[i], 0);

  const layout l = place(&a);
  assert_ptr_equal(l.a, memory);
  assert_ptr_equal(l.b, memory + 64);
  assert_ptr_equal(l.none, memory + 192);
  assert_ptr_equal(l.c, memory + 192);
  assert_int_equal(a.used, a.size);
  free(memory);
}

static void arena_of_nothing(void** state) {
  (void)state;
  apl_arena a = {0};
  double* memory = apl_arena_open(&a);
  assert_non_null(memory);
  CHECK_NEAR(memory[0], 0, 0); /* one line is there although nothing was asked for */
  free(memory);
}

/* The arena says when it is placed otherwise than measured; here its size tells it. */
static void arena_knows_its_end(void** state) {
  (void)state;
  apl_arena a = {0};
  (void)apl_arena_take(&a, 64);
  void* memory = apl_arena_open(&a);
  (void)apl_arena_take(&a, 64);
  int looked = 0;
  APL_ASSERT(++looked == 1 && a.used <= a.size);
#ifdef NDEBUG
  assert_int_equal(looked, 0); /* release builds look at nothing */
#else
  assert_int_equal(looked, 1);
#endif
  assert_true(a.used == a.size);
  free(memory);
}

/* ------------------------------------------------------------------------------------ pool ---- */

enum { MANY = 2000 };

/* Blocks of all sizes are zero, aligned, apart from each other, and stay where they are. */
static void pool_blocks(void** state) {
  static unsigned char* block[MANY];
  static size_t size[MANY];
  apl_pool pool = {0};

  (void)state;
  for (int i = 0; i < MANY; ++i) {
    size[i] = (size_t)(i % 97 == 0 ? 20000 + i : i % 131);
    block[i] = apl_pool_take(&pool, size[i]);
    assert_non_null(block[i]);
    assert_true(aligned(block[i]));
    for (size_t k = 0; k < size[i]; ++k)
      assert_int_equal(block[i][k], 0);
    memset(block[i], 1 + i % 251, size[i]);
  }
  for (int i = 0; i < MANY; ++i) {
    for (size_t k = 0; k < size[i]; ++k)
      assert_int_equal(block[i][k], 1 + i % 251);
  }
  assert_false(pool.failed);
  apl_pool_free(&pool);
  assert_null(pool.first);
  apl_pool_free(&pool); /* an empty pool is one, too */
}

static void pool_texts(void** state) {
  char word[] = "left_knee";
  apl_pool pool = {0};

  (void)state;
  char* copy = apl_pool_text(&pool, word);
  char* empty = apl_pool_text(&pool, "");
  char* odd = apl_pool_text(&pool, "\xc3\xa9 \n\t'");
  double* number = apl_pool_take(&pool, sizeof *number); /* aligned again after odd lengths */
  word[0] = 'x';
  assert_string_equal(copy, "left_knee");
  assert_string_equal(empty, "");
  assert_string_equal(odd, "\xc3\xa9 \n\t'");
  assert_true(aligned(number));
  *number = 3;
  assert_string_equal(odd, "\xc3\xa9 \n\t'");
  apl_pool_free(&pool);
}

/* More than there can be: NULL, and the pool remembers it although later calls succeed. */
static void pool_without_memory(void** state) {
  apl_pool pool = {0};

  (void)state;
  assert_null(apl_pool_take(&pool, (size_t)-1));
  assert_true(pool.failed);
#ifndef __SANITIZE_ADDRESS__ /* which ends the program at such a size */
  assert_null(apl_pool_take(&pool, (size_t)-1 - 4096));
#endif
  assert_non_null(apl_pool_text(&pool, "still"));
  assert_true(pool.failed);
  apl_pool_free(&pool);
  assert_false(pool.failed);
}

/* ---------------------------------------------------------------------------------- budget ---- */

static void budget_refuses_with_numbers(void** state) {
  (void)state;
  apl_error err = {0};
  apl_budget b = {.limit = 3e9, .err = &err};

  CHECK_OK(apl_budget_take(&b, 0, (size_t)2000000000, 7, "rows"));
  assert_true(b.taken == 2e9);
  /* in place of these two, three fit, but not besides them */
  assert_true(apl_budget_fits(&b, (size_t)2000000000, (size_t)3000000000));
  assert_false(apl_budget_fits(&b, 0, (size_t)3000000000));
  assert_int_equal(apl_budget_take(&b, 0, (size_t)3210000000, 8, "rows"), APL_ERR_MEMORY);
  assert_true(b.taken == 2e9);
  assert_int_equal(err.status, APL_ERR_MEMORY);
  /* 5.21 GB is rounded up to a limit that is enough */
  assert_string_equal(
      err.text,
      "with the matrices of 8 rows the run needs 5.3 GB of memory, more than the limit of 3 GB: "
      "set memory-limit (`run` of the file, --memory-limit) to 5.3 or more");
  CHECK_OK(apl_budget_take(&b, (size_t)2000000000, (size_t)3000000000, 8, "rows"));
  assert_true(b.taken == 3e9);
  CHECK_OK(apl_budget_take(NULL, 0, (size_t)1 << 60, 9, "rows")); /* no budget, no limit */
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(budget_refuses_with_numbers),
      cmocka_unit_test(arena_measures_and_places),
      cmocka_unit_test(arena_of_nothing),
      cmocka_unit_test(arena_knows_its_end),
      cmocka_unit_test(pool_blocks),
      cmocka_unit_test(pool_texts),
      cmocka_unit_test(pool_without_memory),
  };
  return cmocka_run_group_tests_name("memory", tests, NULL, NULL);
}
