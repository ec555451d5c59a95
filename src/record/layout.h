/* SPDX-License-Identifier: Apache-2.0 */
/* layout.h: names, types and sizes of a result file, shared by writer and reader. The same in
   words: docs/formats/result.md. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <hdf5.h>

#include "appell/result.h"

#include "base/error.h"

#define LAYOUT_FORMAT "appell result"
/* version 1 has no checksums, version 2 no numbers of events */
enum { LAYOUT_VERSION = 3, LAYOUT_OLDEST = 1 };

enum {
  LAYOUT_BLOCK_BYTES = 1 << 16, /* of one chunk of rows                                           */
  LAYOUT_BLOCK_MAX = 1024,      /* rows of a chunk, at most                                       */
  LAYOUT_EVENT_BLOCK = 32,
  LAYOUT_SUMMARY_BLOCK = 32,
  LAYOUT_KEY = 64,
  LAYOUT_TEXT = 256,
  LAYOUT_NOTE = 192,
};

/* Records of the tables, in memory and in the file. No padding, because its bytes would be
   undefined. */
typedef struct layout_event {
  double t, value;
  int64_t row;
  char name[LAYOUT_KEY];
  char text[LAYOUT_TEXT];
  double number[APL_EVENT_NUMBERS];
  uint64_t sum; /* of all before it                                                               */
} layout_event;

typedef struct layout_summary {
  double value;
  char key[LAYOUT_KEY];
  char text[LAYOUT_NOTE];
  uint64_t sum;
} layout_summary;

/* The head of a checkpoint. */
typedef struct layout_at {
  double t;
  int64_t rows, events;
  int64_t count; /* the checkpoint's own number                                                   */
  uint64_t sum;  /* of all before it, y and the other arrays                                      */
} layout_at;

/* Checksums of the records as they are; see record/sum.h. */
uint64_t apl_layout_event_sum(const layout_event* e, int version);
uint64_t apl_layout_summary_sum(const layout_summary* s);
uint64_t apl_layout_at_sum(const layout_at* at);

/* Open the object of a name, but only in this file: links to other files or places, external data
   and virtual data are refused. Negative if there is none. */
hid_t apl_layout_open_set(hid_t where, const char* name);
hid_t apl_layout_open_group(hid_t where, const char* name);

/* Data types, to be closed with H5Tclose(); negative on failure. */
hid_t apl_layout_string(size_t size);
hid_t apl_layout_event_type(void);
hid_t apl_layout_summary_type(void);
hid_t apl_layout_at_type(void);

/* HDF5 prints its errors unless told not to, and that setting belongs to the application: each
   function switches it off and restores it. */
typedef struct layout_quiet {
  H5E_auto2_t print;
  void* data;
} layout_quiet;

layout_quiet apl_layout_hush(void);
void apl_layout_speak(layout_quiet quiet);
