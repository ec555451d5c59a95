/* SPDX-License-Identifier: Apache-2.0 */
/* pool.c: a list of blocks, each from the allocator. Load-time only. Small objects share a block,
   because a file of a megabyte may have half a million of them. */
#include "base/pool.h"

#include <stdlib.h>
#include <string.h>

enum { LINE = 64, SHARED = 1 << 14 };

struct apl_pool_block {
  struct apl_pool_block* next;
  size_t used, size; /* bytes of data */
  _Alignas(LINE) unsigned char data[];
};

static struct apl_pool_block* new_block(apl_pool* pool, size_t bytes) {
  const size_t head = sizeof(struct apl_pool_block);
  if (bytes > (size_t)-1 - head - LINE) return NULL;

  /* aligned_alloc requires a multiple of the alignment */
  const size_t size = (head + bytes + LINE - 1) & ~(size_t)(LINE - 1);
  struct apl_pool_block* block = aligned_alloc(LINE, size);
  if (block == NULL) return NULL;

  memset(block, 0, size);
  block->size = bytes;
  block->next = pool->first;
  pool->first = block;
  return block;
}

/* Memory at a multiple of `align` in the newest block, or in a new one. */
static void* carve(apl_pool* pool, size_t bytes, size_t align) {
  struct apl_pool_block* block = pool->first;
  size_t at = block == NULL ? 0 : (block->used + align - 1) & ~(align - 1);

  if (block == NULL || at > block->size || bytes > block->size - at) {
    block = new_block(pool, bytes > SHARED / 4 ? bytes : SHARED);
    if (block == NULL) {
      pool->failed = true;
      return NULL;
    }
    at = 0;
  }
  block->used = at + bytes;
  return block->data + at;
}

void* apl_pool_take(apl_pool* pool, size_t bytes) {
  return carve(pool, bytes, LINE);
}

char* apl_pool_text(apl_pool* pool, const char* text) {
  const size_t n = strlen(text) + 1;
  char* copy = carve(pool, n, 1);

  return copy == NULL ? NULL : memcpy(copy, text, n);
}

void apl_pool_free(apl_pool* pool) {
  struct apl_pool_block* block = pool->first;

  while (block != NULL) {
    struct apl_pool_block* next = block->next;
    free(block);
    block = next;
  }
  *pool = (apl_pool){0};
}
