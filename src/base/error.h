/* SPDX-License-Identifier: Apache-2.0 */
/* error.h: writing error messages into an apl_error. */
#pragma once

#include "appell/base.h"

#if defined(__GNUC__)
#define APL_PRINTF(f, a) __attribute__((format(printf, f, a)))
#else
#define APL_PRINTF(f, a)
#endif

/* Fill err (if not NULL) and return the status: return apl_fail(err, APL_ERR_MODEL, "..."). */
apl_status apl_fail(apl_error* err, apl_status status, const char* format, ...) APL_PRINTF(3, 4);

/* Messages quote files, which may contain bytes that control terminals: replace control characters,
   including those of Unicode, by text such as \x1b. The text is cut if it no longer fits. */
void apl_text_clean(char* text, size_t size);
