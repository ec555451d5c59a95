/* SPDX-License-Identifier: Apache-2.0 */
/* out.h: a growing text. */
#pragma once

#include "base/error.h"
#include "text/node.h"

#include <stdbool.h>

typedef struct text_out {
  char* text; /* NULL until something is added; malloc'ed                                       */
  size_t used, room;
  bool failed; /* out of memory: additions are ignored                                          */
} text_out;

void apl_out_add(text_out* out, const char* format, ...) APL_PRINTF(2, 3);

/* The text, to be freed by the caller; NULL when memory was out. */
char* apl_out_take(text_out* out);

/* A YAML scalar that reads back to `text`: plain where that is safe, else in double quotes. */
void apl_out_scalar(text_out* out, const char* text);

/* A tree on one line, in flow style, that reads back to the same. */
void apl_out_node(text_out* out, const text_node* node);

/* 1 number, or [a, b, c]; each reads back to the same double. */
void apl_out_numbers(text_out* out, const double* value, int n);
