/* error.h: how a sentence is written into an apl_error. */
#pragma once

#include "appell/base.h"

#if defined(__GNUC__)
#define APL_PRINTF(f, a) __attribute__((format(printf, f, a)))
#else
#define APL_PRINTF(f, a)
#endif

/* Fill err (if not NULL) and hand the status back: return apl_fail(err, APL_ERR_MODEL, "..."). */
apl_status apl_fail(apl_error* err, apl_status status, const char* format, ...) APL_PRINTF(3, 4);

/* Sentences quote files, and files may hold bytes that drive terminals: write control characters,
   those of Unicode too, as \x1b. The text is cut where it no longer fits into its size. */
void apl_text_clean(char* text, size_t size);
