/* SPDX-License-Identifier: Apache-2.0 */
/* text.h: robots from texts, good and bad ones. */
#pragma once

#include "near.h"

/* Load and compile a text that must be good; the caller frees both. */
void text_load(const char* text, apl_file** file, apl_model** model);

/* The text must be refused, by the file or by the compiler, with a sentence that has `word` in it,
   at that line and column; 0 stands for any. */
void text_expect(const char* text, int line, int column, const char* word);

/* How many mistakes a text has. */
int text_count(const char* text);

/* A whole file, NUL-ended, from malloc. */
char* text_read(const char* path);
