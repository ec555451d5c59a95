/* SPDX-License-Identifier: Apache-2.0 */
/* arena.h: run-time memory. One block that is divided up; with base == NULL it only measures, so
   that one layout function both sizes and places. */
#pragma once

#include "base/assert.h"

#include <stddef.h>

typedef struct apl_arena {
  unsigned char* base;
  size_t used, size;
} apl_arena;

static inline void* apl_arena_take(apl_arena* a, size_t bytes) {
  const size_t at = (a->used + 63u) & ~(size_t)63u;

  a->used = at + bytes;
  APL_ASSERT(a->base == NULL || a->used <= a->size); /* the layout must be the measured one */
  return a->base == NULL ? NULL : a->base + at;
}

/* Zeroed memory of the measured size, in which the next layout places. The caller frees it; NULL
   without memory. */
void* apl_arena_open(apl_arena* measured);
