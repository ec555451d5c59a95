/* SPDX-License-Identifier: Apache-2.0 */
/* pool.h: load-time memory. Grow freely, free all at once. Blocks are zeroed and never move. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef struct apl_pool {
  struct apl_pool_block* first;
  bool failed; /* memory ran out once: the owner of the pool must report it */
} apl_pool;

/* NULL when memory is out. */
void* apl_pool_take(apl_pool* pool, size_t bytes);

/* A copy of the string, NULL when memory is out. */
char* apl_pool_text(apl_pool* pool, const char* text);

void apl_pool_free(apl_pool* pool);
