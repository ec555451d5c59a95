/* pool.c: a list of blocks, each from calloc. Load-time only: simplicity before speed. */
#include "base/pool.h"

#include <stdlib.h>
#include <string.h>

struct apl_pool_block {
  struct apl_pool_block* next;
  _Alignas(64) unsigned char data[];
};

void* apl_pool_take(apl_pool* pool, size_t bytes) {
  const size_t head = sizeof(struct apl_pool_block);
  if (bytes > (size_t)-1 - head - 64) return NULL;

  /* aligned_alloc wants a multiple of the alignment */
  const size_t size = (head + bytes + 63) & ~(size_t)63;
  struct apl_pool_block* block = aligned_alloc(64, size);
  if (block == NULL) return NULL;

  memset(block, 0, size);
  block->next = pool->first;
  pool->first = block;
  return block->data;
}

char* apl_pool_text(apl_pool* pool, const char* text) {
  const size_t n = strlen(text) + 1;
  char* copy = apl_pool_take(pool, n);

  return copy == NULL ? NULL : memcpy(copy, text, n);
}

void apl_pool_free(apl_pool* pool) {
  struct apl_pool_block* block = pool->first;

  while (block != NULL) {
    struct apl_pool_block* next = block->next;
    free(block);
    block = next;
  }
  pool->first = NULL;
}
