/* SPDX-License-Identifier: Apache-2.0 */
/* csv.h: tables of numbers with names; text/table.h reads them. */
#pragma once

#include <stdbool.h>

/* Whether a word may name a channel: one grammar for files, CSV headers and commands. */
bool apl_column_name_ok(const char* name);
