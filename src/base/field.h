/* SPDX-License-Identifier: Apache-2.0 */
/* field.h: one table row per parameter: name, offset, form, unit, default, sentence. The builder,
   the file reader and writer, the schema and the manual all use these tables. */
#pragma once

#include <stddef.h>

/* The form of a field in model files, and the type of its member. */
typedef enum apl_form {
  APL_FORM_NUMBERS,  /* double[count]      5 mm, [1, 2, 3]                                        */
  APL_FORM_AXIS,     /* double[3]          x, -z, [0, 1, 1]                                       */
  APL_FORM_INERTIA,  /* double[6]          {xx: 1, yy: 1}, [xx, yy, zz, xy, xz, yz]               */
  APL_FORM_TEXT,     /* const char*                                                               */
  APL_FORM_FLAG,     /* bool               true, false                                            */
  APL_FORM_WHOLE,    /* int                                                                       */
  APL_FORM_COUNTS,   /* int[count]         3 for all `words`, {word: 3, ..}: 0 for the others     */
  APL_FORM_CHOICE,   /* const char*        one of `words`                                         */
  APL_FORM_SET,      /* unsigned           any of `words`: a word or a list; bit k is word k      */
  APL_FORM_POSE,     /* apl_pose           {position: .., rotation: ..}, [x, y, z]                */
  APL_FORM_QUANTITY, /* spec_quantity   5 mm: a number whose unit is known later               */
  APL_FORM_QUANTITIES, /* spec_quantities [1, 2, 3], any number of them                          */
  APL_FORM_SIGNAL,     /* spec_signal*    a function of time                                     */
  APL_FORM_SIGNALS,    /* spec_signals    a list of them                                         */
  APL_FORM_TABLE, /* const apl_columns* FILE.csv, {name: [1, 2, 3], ..}; NULL: none             */
  APL_FORM_BLOCK, /* const text_node*   a block with a grammar of its own, named words[0]      */
} apl_form;

/* The sign that the numbers of a field must have. */
typedef enum apl_sign { APL_ANY_SIGN, APL_POSITIVE, APL_NOT_NEGATIVE } apl_sign;

/* Columns of numbers with names, all of one length. */
typedef struct apl_columns {
  int nrow, ncolumn;
  const char* const* name;    /* [ncolumn]                                                      */
  const double* const* value; /* [ncolumn], each [nrow]                                         */
} apl_columns;

typedef struct apl_field {
  const char* name;         /* as in model files                                               */
  size_t offset;            /* of the member in the parameter struct                           */
  int count;                /* number of doubles or counts, 1 for other types */
  const char* unit;         /* SI                                                              */
  const void* fallback;     /* default, in the layout of the member; NULL: required */
  const char* sentence;     /* what it is                                                      */
  apl_form form;            /* numbers unless stated                                           */
  const char* const* words; /* choices, NULL-ended                                             */
  apl_sign sign;            /* of numbers; any unless stated                                   */
} apl_field;

/* A row for member `m` of struct `t`, made of doubles; the default follows as a list of numbers. */
#define APL_FIELD(t, m, word, unit_, sentence_, ...)                                               \
  {                                                                                                \
    .name = word, .offset = offsetof(t, m), .count = (int)(sizeof(((t*)0)->m) / sizeof(double)),   \
    .unit = unit_, .fallback = (const double[sizeof(((t*)0)->m) / sizeof(double)]){__VA_ARGS__},   \
    .sentence = sentence_                                                                          \
  }
#define APL_FIELD_REQUIRED(t, m, word, unit_, sentence_)                                           \
  {                                                                                                \
    .name = word, .offset = offsetof(t, m), .count = (int)(sizeof(((t*)0)->m) / sizeof(double)),   \
    .unit = unit_, .sentence = sentence_                                                           \
  }
/* The same for numbers that must not be negative, and for one that is required and positive. */
#define APL_FIELD_NOT_NEGATIVE(t, m, word, unit_, sentence_, ...)                                  \
  {                                                                                                \
    .name = word, .offset = offsetof(t, m), .count = (int)(sizeof(((t*)0)->m) / sizeof(double)),   \
    .unit = unit_, .fallback = (const double[sizeof(((t*)0)->m) / sizeof(double)]){__VA_ARGS__},   \
    .sentence = sentence_, .sign = APL_NOT_NEGATIVE                                                \
  }
#define APL_FIELD_POSITIVE(t, m, word, unit_, sentence_)                                           \
  {                                                                                                \
    .name = word, .offset = offsetof(t, m), .count = (int)(sizeof(((t*)0)->m) / sizeof(double)),   \
    .unit = unit_, .sentence = sentence_, .sign = APL_POSITIVE                                     \
  }
#define APL_FIELD_AXIS(t, m, word, sentence_, ...)                                                 \
  {                                                                                                \
    .name = word, .offset = offsetof(t, m), .count = 3, .unit = "1",                               \
    .fallback = (const double[3]){__VA_ARGS__}, .sentence = sentence_, .form = APL_FORM_AXIS       \
  }
#define APL_FIELD_INERTIA(t, m, word, sentence_)                                                   \
  {                                                                                                \
    .name = word, .offset = offsetof(t, m), .count = 6, .unit = "kg m^2",                          \
    .fallback = (const double[6]){0}, .sentence = sentence_, .form = APL_FORM_INERTIA              \
  }
#define APL_FIELD_END                                                                              \
  { .name = NULL }
