/* SPDX-License-Identifier: Apache-2.0 */
/* test_system_memory.c: each allocation of a new system, of its loops and of its Jacobian fails
   once. The call must say that memory is missing, and the same call must succeed when it is made
   again. The linker replaces malloc, calloc and aligned_alloc of the library (ld --wrap). */
#include "near.h"

#include "system/system.h"
#include "system/system_impl.h"

#include <stdlib.h>
#include <string.h>

#define MODELS APPELL_TEST_DATA "/../../models/"

static long countdown; /* the allocation that fails; 0: none */

static bool fails(void) {
  return countdown > 0 && --countdown == 0;
}

void* __real_malloc(size_t n);
void* __real_calloc(size_t n, size_t size);
void* __real_aligned_alloc(size_t align, size_t n);
void* __wrap_malloc(size_t n);
void* __wrap_calloc(size_t n, size_t size);
void* __wrap_aligned_alloc(size_t align, size_t n);

void* __wrap_malloc(size_t n) {
  return fails() ? NULL : __real_malloc(n);
}
void* __wrap_calloc(size_t n, size_t size) {
  return fails() ? NULL : __real_calloc(n, size);
}
void* __wrap_aligned_alloc(size_t align, size_t n) {
  return fails() ? NULL : __real_aligned_alloc(align, n);
}

static apl_model* load(const char* path, apl_file** file) {
  apl_report report = {0};
  apl_model* model = NULL;

  CHECK_OK(apl_file_load(path, NULL, file, &report));
  CHECK_OK(apl_file_model(*file, &model, &report));
  return model;
}

/* Shapes that touch: the system has a search for solids, too. */
static void test_new(void** unused) {
  apl_file* file = NULL;
  apl_model* model = load(MODELS "gripper.yaml", &file);
  apl_system* s = NULL;
  apl_status st = APL_ERR_MEMORY;
  long n = 0;
  (void)unused;

  while (st != APL_OK) {
    apl_error err = {0};
    countdown = ++n;
    st = apl_system_new(model, &s, &err);
    countdown = 0;
    if (st == APL_OK) break;
    assert_int_equal(st, APL_ERR_MEMORY);
    assert_null(s);
    assert_non_null(strstr(err.text, "out of memory"));
  }
  assert_true(n > 4);  /* the system, its state, its search and its arrays have failed */
  assert_true(n < 12); /* arrays are carved from one block */
  apl_system_free(s);
  apl_model_free(model);
  apl_file_free(file);
}

/* The n-th allocation of `open` fails; called again, it succeeds and the system works. */
static void reopen(apl_system* s, apl_status (*open)(apl_system*), long n, apl_status* first) {
  countdown = n;
  *first = open(s);
  countdown = 0;
  if (*first != APL_OK) assert_int_equal(*first, APL_ERR_MEMORY);
  CHECK_OK(open(s));
}

static apl_status loops(apl_system* s) {
  return apl_system_loops(s, 0.0, NULL, NULL);
}
static apl_status jacobian(apl_system* s) {
  return apl_system_open_jacobian(s, NULL);
}

static void test_again(void** unused) {
  apl_status (*const open[])(apl_system*) = {loops, jacobian};
  apl_file* file = NULL;
  apl_model* model = load(MODELS "four-bar.yaml", &file);
  (void)unused;

  for (size_t k = 0; k < sizeof open / sizeof *open; ++k) {
    apl_status first = APL_ERR_MEMORY;
    long n = 0;
    while (first != APL_OK) {
      apl_system* s = NULL;
      CHECK_OK(apl_system_new(model, &s, NULL));
      reopen(s, open[k], ++n, &first);
      CHECK_OK(loops(s));
      CHECK_OK(apl_system_forward(s));
      apl_system_free(s);
    }
    assert_true(n > 2);
  }
  apl_model_free(model);
  apl_file_free(file);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_new), cmocka_unit_test(test_again)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
