/* SPDX-License-Identifier: Apache-2.0 */
/* slurp.h: a whole file in memory. */
#pragma once

#include "base/error.h"

/* Read a regular file of at most `limit` bytes; *out ends with NUL and is freed by the caller. */
apl_status apl_slurp(const char* path, size_t limit, char** out, size_t* size, apl_error* err);
