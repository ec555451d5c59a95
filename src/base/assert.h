/* assert.h: what a comment says must hold is tried in debug and sanitizer builds. It is for
   mistakes of ours: what users can do wrong is a status and a sentence. Release builds look at
   nothing. */
#pragma once

#ifdef NDEBUG
#define APL_ASSERT(holds) ((void)0)
#else
#include <assert.h>
#define APL_ASSERT(holds) assert(holds)
#endif
