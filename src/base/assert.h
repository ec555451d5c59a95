/* SPDX-License-Identifier: Apache-2.0 */
/* assert.h: checks of internal invariants in debug and sanitizer builds. They are for our own
   errors; errors of users give a status and a sentence. Release builds check nothing. */
#pragma once

#ifdef NDEBUG
#define APL_ASSERT(holds) ((void)0)
#else
#include <assert.h>
#define APL_ASSERT(holds) assert(holds)
#endif
