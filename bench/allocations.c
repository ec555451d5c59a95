/* SPDX-License-Identifier: Apache-2.0 */
/* allocations.c: count and pass on. The names are the linker's: --wrap=f sends calls of f to
   __wrap_f and keeps the original as __real_f. */
#include "allocations.h"

#include <stddef.h>

static long count;

/* clang-format off */
void* __real_malloc(size_t size);
void* __real_calloc(size_t n, size_t size);
void* __real_realloc(void* p, size_t size);
void* __real_aligned_alloc(size_t alignment, size_t size);
int   __real_posix_memalign(void** out, size_t alignment, size_t size);

void* __wrap_malloc(size_t size);
void* __wrap_calloc(size_t n, size_t size);
void* __wrap_realloc(void* p, size_t size);
void* __wrap_aligned_alloc(size_t alignment, size_t size);
int   __wrap_posix_memalign(void** out, size_t alignment, size_t size);
/* clang-format on */

void* __wrap_malloc(size_t size) {
  count++;
  return __real_malloc(size);
}

void* __wrap_calloc(size_t n, size_t size) {
  count++;
  return __real_calloc(n, size);
}

void* __wrap_realloc(void* p, size_t size) {
  count++;
  return __real_realloc(p, size);
}

void* __wrap_aligned_alloc(size_t alignment, size_t size) {
  count++;
  return __real_aligned_alloc(alignment, size);
}

int __wrap_posix_memalign(void** out, size_t alignment, size_t size) {
  count++;
  return __real_posix_memalign(out, alignment, size);
}

long allocations(void) {
  return count;
}

bool allocations_visible(const scene* s) {
  const long before = count;
  apl_state* state = NULL;
  const apl_status status = apl_state_new(s->model, APL_SCALAR, &state);
  apl_state_free(state);
  return status == APL_OK && count > before;
}
