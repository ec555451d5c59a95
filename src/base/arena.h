/* arena.h: run-time memory. A line of memory that is carved; with base == NULL it only measures, so
   that one layout function both sizes and places. */
#pragma once

#include <stddef.h>

typedef struct apl_arena {
  unsigned char* base;
  size_t used;
} apl_arena;

static inline void* apl_arena_take(apl_arena* a, size_t bytes) {
  const size_t at = (a->used + 63u) & ~(size_t)63u;

  a->used = at + bytes;
  return a->base == NULL ? NULL : a->base + at;
}
