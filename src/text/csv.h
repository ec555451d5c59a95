/* csv.h: tables of numbers with names; apl_table_read() is in appell/record.h. */
#pragma once

#include <stdbool.h>

/* Whether a word may name a channel: one grammar for files, CSV headers and commands. */
bool apl_column_name_ok(const char* name);
