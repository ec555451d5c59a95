/* SPDX-License-Identifier: Apache-2.0 */
/* write_impl.h: an open record; for write.c, head.c and checkpoint.c. */
#pragma once

#include "base/pool.h"
#include "record/disk.h"
#include "record/layout.h"
#include "record/part.h"
#include "record/record.h"

/* A table that grows by records; the first record of each chunk is written at once, see write.c. */
typedef struct growing {
  hid_t set, type; /* data set and the type of its records in memory                              */
  int rank;        /* 1, or 2 for a matrix                                                        */
  hsize_t width;   /* numbers per record of a matrix                                              */
  size_t bytes;    /* per record                                                                  */
  int block;       /* records per chunk and in the buffer                                         */
  int n, held;     /* records in all, and those of them still in the buffer                       */
  unsigned char* buffer; /* [block * bytes]                                                       */
} growing;

struct apl_record {
  apl_pool pool; /* owns everything below */
  apl_part part;
  apl_disk disk;
  hid_t driver, file;
  hid_t status;         /* attribute                                                            */
  hid_t count, at_type; /* of checkpoints                                                       */
  hid_t* slot[2];       /* [1 + 1 + nextra]: at, y, extra                                       */
  growing rows, sums, events, summary; /* sums: one per row                                     */
  int nchannel;
  const char** channel; /* names, for sentences                                                   */
  int nstate, nextra;
  apl_record_array* extra; /* [nextra] names and counts                                           */
  int64_t ncheckpoint;
  bool placed;     /* part.path is the name for the end of the run                                */
  apl_error error; /* of the file; the first one stays                                            */
};

/* head.c: the whole file before the first row. */
apl_status apl_record_create(apl_record* rec, const apl_record_head* head);

/* Record that the file failed, with the reason if the disk gave one. */
apl_status apl_record_broken(apl_record* rec);
