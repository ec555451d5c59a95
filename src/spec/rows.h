/* SPDX-License-Identifier: Apache-2.0 */
/* rows.h: short forms for the rows of field tables, and the usual default values. For the files
   block_*.c, which hold the tables. `t` is the struct that a table fills and `m` a member of it. */
#pragma once

#include "base/field.h"
#include "spec/signal.h"
#include "text/node.h"

#include <math.h>
#include <stddef.h>

/* A row of any form. A row is required if its default is NULL. */
#define ROW(t, m, word, form_, fallback_, sentence_)                                               \
  {                                                                                                \
    .name = word, .offset = offsetof(t, m), .count = 1, .unit = "1", .form = form_,                \
    .fallback = fallback_, .sentence = sentence_                                                   \
  }

/* One of the words of a list that ends with NULL. */
#define CHOICE(t, m, word, list, fallback_, sentence_)                                             \
  {                                                                                                \
    .name = word, .offset = offsetof(t, m), .count = 1, .unit = "1", .form = APL_FORM_CHOICE,      \
    .words = list, .fallback = fallback_, .sentence = sentence_                                    \
  }

/* The value is a block, which is described by the table of this name (grammar.h). */
#define BLOCK(t, m, word, block, fallback_, sentence_)                                             \
  {                                                                                                \
    .name = word, .offset = offsetof(t, m), .count = 1, .unit = "1", .form = APL_FORM_BLOCK,       \
    .fallback = fallback_, .sentence = sentence_, .words = (const char* const[]) {                 \
      block, NULL                                                                                  \
    }                                                                                              \
  }

/* A function of time. */
#define SIGNAL(t, m, word, fallback_, sentence_)                                                   \
  {                                                                                                \
    .name = word, .offset = offsetof(t, m), .count = 1, .unit = "1", .form = APL_FORM_SIGNAL,      \
    .fallback = fallback_, .sentence = sentence_, .words = (const char* const[]) {                 \
      "signal", NULL                                                                               \
    }                                                                                              \
  }

/* A number in the unit of the quantity that the input or signal drives. It has no value when it is
   left out. */
#define QUANTITY(t, m, word, sentence_)                                                            \
  {                                                                                                \
    .name = word, .offset = offsetof(t, m), .count = 1, .unit = apl_signal_unit,                   \
    .form = APL_FORM_QUANTITY, .fallback = (const spec_quantity[]){{NULL, {0, 0}}},                \
    .sentence = sentence_                                                                          \
  }

/* Default values, laid out as the member of the row. */
#define TEXT(word)                                                                                 \
  (const char* const[]) {                                                                          \
    word                                                                                           \
  }
#define WHOLE(number)                                                                              \
  (const int[]) {                                                                                  \
    number                                                                                         \
  }
#define NUMBER(number)                                                                             \
  (const double[]) {                                                                               \
    (double)(number)                                                                               \
  }
#define NO                                                                                         \
  (const bool[]) {                                                                                 \
    false                                                                                          \
  }
#define NOTHING                                                                                    \
  (const void* const[]) {                                                                          \
    NULL                                                                                           \
  }
#define IDENTITY_POSE                                                                              \
  (const apl_pose[]) {                                                                             \
    {                                                                                              \
      {0, 0, 0}, {                                                                                 \
        1, 0, 0, 0                                                                                 \
      }                                                                                            \
    }                                                                                              \
  }

/* The ends of a list of places (grammar_block.declares and .refers). */
#define PLACES(...)                                                                                \
  (const char* const[]) {                                                                          \
    __VA_ARGS__, NULL                                                                              \
  }
