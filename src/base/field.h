/* field.h: one table row per parameter of a kind: name, place, count, unit, default, sentence. The
   builder, the file reader and writer, the schema and the manual are all read off these tables. */
#pragma once

#include <stddef.h>

typedef struct apl_field {
  const char* name;       /* as in model files                                               */
  size_t offset;          /* of the first double in the parameter struct                     */
  int count;              /* how many doubles                                                */
  const char* unit;       /* SI                                                              */
  const double* fallback; /* [count] default, NULL when the field is required                */
  const char* sentence;   /* what it is                                                      */
} apl_field;

/* A row for member `m` of struct `t`, made of doubles; the default follows as a list of numbers. */
#define APL_FIELD(t, m, word, unit_, sentence_, ...)                                               \
  {                                                                                                \
    word, offsetof(t, m), (int)(sizeof(((t*)0)->m) / sizeof(double)), unit_,                       \
        (const double[sizeof(((t*)0)->m) / sizeof(double)]){__VA_ARGS__}, sentence_                \
  }
#define APL_FIELD_REQUIRED(t, m, word, unit_, sentence_)                                           \
  { word, offsetof(t, m), (int)(sizeof(((t*)0)->m) / sizeof(double)), unit_, NULL, sentence_ }
#define APL_FIELD_END                                                                              \
  { NULL, 0, 0, NULL, NULL, NULL }
