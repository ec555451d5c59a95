/* SPDX-License-Identifier: Apache-2.0 */
/* store.h: numbers of a checkpoint. One function per record both writes and reads it, so that the
   order cannot differ. A file may be damaged: what is read is checked before it is used, a number
   out of range leaves its variable as it was, and the first such number is kept for the sentence.
 */
#pragma once

#include "appell/base.h"

#include <stdbool.h>

typedef struct apl_store {
  double* out;      /* writing: where to; NULL: reading ...                                       */
  const double* in; /* ... from here                                                              */
  int used, size;   /* numbers so far, and how many there are                                     */
  const char* bad;  /* reading: what the first number out of range is; NULL: none was             */
  double value;     /* ... and the number                                                         */
} apl_store;

/* A struct that is stored as it is has doubles only: so many, which a checkpoint relies on. */
#define APL_STORED(type, numbers)                                                                  \
  _Static_assert(sizeof(type) == (numbers) * sizeof(double),                                       \
                 #type " is stored in checkpoints as so many doubles")

static inline apl_store apl_store_writer(double* out, int size) {
  return (apl_store){.out = out, .size = size};
}

static inline apl_store apl_store_reader(const double* in, int size) {
  return (apl_store){.in = in, .size = size};
}

/* Finite numbers, and one of them. */
void apl_store_numbers(apl_store* s, double* x, int n, const char* what);
void apl_store_number(apl_store* s, double* x, const char* what);

/* Whole numbers from least to most, in three types; and a flag, 0 or 1. */
void apl_store_whole(apl_store* s, double* x, double least, double most, const char* what);
void apl_store_long(apl_store* s, long* x, double least, double most, const char* what);
void apl_store_int(apl_store* s, int* x, int least, int most, const char* what);
void apl_store_flag(apl_store* s, bool* x, const char* what);

/* Numbers without a meaning: zeros are written, anything is read. */
void apl_store_skip(apl_store* s, int n);

/* For checks that no function above makes: `value`, which was read as `what`, is wrong. */
void apl_store_refuse(apl_store* s, const char* what, double value);

/* The next n numbers as a store of their own; then what it found out belongs to s. */
apl_store apl_store_part(apl_store* s, int n);
void apl_store_join(apl_store* s, const apl_store* part);

/* APL_ERR_ARGUMENT when a number was out of range. */
apl_status apl_store_status(const apl_store* s);
