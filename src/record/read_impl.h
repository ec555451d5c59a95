/* SPDX-License-Identifier: Apache-2.0 */
/* read_impl.h: an open result; for read.c, tables.c and checkpoint.c. */
#pragma once

#include "base/pool.h"
#include "record/layout.h"
#include "record/record.h"
#include "text/table.h"

enum { READ_WORDS = APL_RESULT_OPTIONS + 1 };

struct apl_result {
  apl_pool pool; /* owns everything but the handles */
  char* path;
  hid_t file, rows, sums; /* sums: of rows, -1 in version 1                                     */
  apl_table* table;       /* has the rows of a result that was read from CSV, else NULL         */
  int version;
  bool proven;     /* all checksums have been checked */
  long long bytes; /* length of the file */
  const char* text[READ_WORDS];
  apl_channel* channel;
  apl_occurrence* event;
  apl_summary* summary;
  apl_checkpoint* checkpoint;
  int nchannel, nrow, nevent, nsummary;
};

/* tables.c: the parts of the file, each with an error message if invalid. */
apl_status apl_result_read_channels(apl_result* res, apl_error* err);
apl_status apl_result_read_events(apl_result* res, apl_error* err);
apl_status apl_result_read_summary(apl_result* res, apl_error* err);

/* checkpoint.c */
apl_status apl_result_read_checkpoint(apl_result* res, apl_error* err);

apl_status apl_result_damaged(const apl_result* res, const char* what, apl_error* err);

/* The length of a 1-dimensional data set that the file can hold; -1 when it is something else. */
long long apl_result_length(const apl_result* res, hid_t set);

/* The checksum that a data set carries; false in version 1, which has none. */
bool apl_result_sum(const apl_result* res, hid_t set, uint64_t* sum);

/* A copy of a field, control characters (those of Unicode too) as '?', of `size` bytes that may
 * lack its final zero; NULL when memory is out. */
const char* apl_result_keep(apl_result* res, const char* field, size_t size);
