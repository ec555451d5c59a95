/* SPDX-License-Identifier: Apache-2.0 */
/* allocations.h: how often the program asked for memory. Calls are caught by the linker (--wrap),
   which reaches everything that is linked statically; a shared libappell escapes, see
   allocations_visible(). */
#pragma once

#include <stdbool.h>

#include "scene.h"

/* Calls of malloc, calloc, realloc, aligned_alloc and posix_memalign since the program began. */
long allocations(void);

/* Whether the library's own calls are seen, found out by letting it make a state. */
bool allocations_visible(const scene* s);
