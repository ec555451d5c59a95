/* SPDX-License-Identifier: Apache-2.0 */
/* arena.c: see arena.h. */
#include "base/arena.h"

#include <stdlib.h>
#include <string.h>

void* apl_arena_open(apl_arena* a) {
  /* round up to whole cache lines plus one: vector loads may read beyond the last number */
  const size_t bytes = (a->used + 127u) & ~(size_t)63u;
  void* memory = aligned_alloc(64, bytes);

  if (memory == NULL) return NULL;
  memset(memory, 0, bytes);
  *a = (apl_arena){.base = memory, .size = a->used};
  return memory;
}
