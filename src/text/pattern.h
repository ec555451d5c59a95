/* SPDX-License-Identifier: Apache-2.0 */
/* pattern.h: names by pattern, in settings and in `contacts`. */
#pragma once

#include <stdbool.h>

/* Does the name match a pattern in which * stands for any number of characters? */
bool apl_pattern_fits(const char* pattern, const char* name);
