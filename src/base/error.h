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
