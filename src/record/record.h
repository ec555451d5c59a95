/* SPDX-License-Identifier: Apache-2.0 */
/* record.h: write result files: HDF5 (block by block, readable after a crash) and CSV.

     apl_record_open(path, &head, &rec, &err)        creates path.part
     apl_record_row(rec, values, &err)               once per output time, any number of times
     apl_record_close(rec, "finished", ...)          renames path.part to path

   The layout of the file is in docs/formats/result.md. A result contains no wall times and no
   dates: the same calls give the same bytes, no matter when apl_record_flush() is called. The HDF5
   library is not reentrant: use the functions of this header from one thread at a time. Every `err`
   may be NULL. A path is an ordinary file name; CSV also takes "-" and devices. */
#pragma once

#include "appell/result.h"

/* A named array of a checkpoint. */
typedef struct apl_record_array {
  const char* name;
  int count;
  const double* value; /* [count]; unused in the head of a record                                 */
} apl_record_array;

/* Description of a result. Texts may be NULL, which is ""; all texts are copied. */
typedef struct apl_record_head {
  const char* name;       /* of the model                                                         */
  const char* model;      /* the model file, as text                                              */
  const char* program;    /* "appell 0.1.0"                                                       */
  const char* integrator; /* "rkf45"                                                              */
  const char* tolerance;  /* "1e-8"                                                               */
  const char* options;    /* other options that influence the result, in any form                 */
  const char* pictures;   /* ports, shapes and strips to draw, JSON                               */
  const apl_channel* channel;
  int nchannel;
  int nstate;                    /* length of y in checkpoints, 0 when there are none             */
  const apl_record_array* extra; /* further arrays of each checkpoint: name and count             */
  int nextra;
} apl_record_head;

/* The last state from which a run can be resumed. */
typedef struct apl_checkpoint {
  double t;
  int rows, events; /* recorded before it                                                         */
  int n;
  const double* y; /* [n] */
  int nextra;
  const apl_record_array* extra; /* in alphabetical order                                         */
} apl_checkpoint;

typedef struct apl_record apl_record;

/* Create path.part. Memory for all later calls is allocated here. Refuses a path that another run
   is writing, and one that is not an ordinary file. */
apl_status apl_record_open(const char* path, const apl_record_head* head, apl_record** out,
                           apl_error* err);

/* One value per channel. Rows are buffered; a row with a number that is not finite is refused. */
apl_status apl_record_row(apl_record* rec, const double* values, apl_error* err);

/* Text may be NULL. Names of 64 bytes or more and texts of 256 bytes or more are cut, with "..." at
   the end. */
apl_status apl_record_event(apl_record* rec, double t, const char* name, const char* text,
                            double value, apl_error* err);

/* The same with its numbers; `row` follows from the record. */
apl_status apl_record_occurrence(apl_record* rec, const apl_occurrence* what, apl_error* err);

/* Write all buffered rows and events to the operating system; they then survive kill -9. */
apl_status apl_record_flush(apl_record* rec, apl_error* err);

/* Replace the checkpoint; flushes first. A run killed meanwhile keeps the previous one. `extra` has
   the arrays of the head, in the same order; only `value` is read. */
apl_status apl_record_checkpoint(apl_record* rec, double t, const double* y,
                                 const apl_record_array* extra, apl_error* err);

/* Fill a new record with the contents of an earlier result up to its last checkpoint: rows, events
   and the checkpoint itself. A run resumed from there gives the same bytes as one that was not
   interrupted. */
apl_status apl_record_resume(apl_record* rec, apl_result* from, apl_error* err);

/* Flush, write the status ("finished", "stopped", "failed: sentence") and the summary, rename
   path.part to path. If that fails path is unchanged and path.part remains. A result that is not
   "finished" replaces only a result that is not finished either; if path is another file, it gets
   the name of apl_record_place(). Always frees rec. */
apl_status apl_record_close(apl_record* rec, const char* status, const apl_summary* summary,
                            int nsummary, apl_error* err);

/* The same; where[room] gets the name of the file that holds the result afterwards: that of
   apl_record_place(), or path.part if the file could not be completed. */
apl_status apl_record_close_at(apl_record* rec, const char* status, const apl_summary* summary,
                               int nsummary, char* where, size_t room, apl_error* err);

/* The name that apl_record_close() with this status will give the file; valid until then. NULL if
   out of memory. */
const char* apl_record_place(apl_record* rec, const char* status);

/* Free rec without closing it: path.part remains, with the status "running". Accepts NULL. */
void apl_record_abandon(apl_record* rec);

/* The channel most similar to an unknown name ("angle" for arm.joint.angle); -1: none is
   similar. */
int apl_result_nearest(const apl_result* res, const char* name);

/* A table of numbers (text/table.h) as a result: its columns are channels, in the units that it
   gives; its name is the path, its other texts are empty. "-" is the standard input. Sentences with
   a line do not name the file. */
apl_status apl_result_open_csv(const char* path, apl_result** out, apl_error* err);

/* The last checkpoint, NULL when there is none; valid until apl_result_free(). */
const apl_checkpoint* apl_result_checkpoint(const apl_result* res);

typedef struct apl_csv apl_csv;

/* A line of names, then rows with %.17g, which NumPy, pandas and spreadsheets can read. An
   ordinary file is written as path.part and renamed by apl_csv_close(); "-" is the standard
   output. */
apl_status apl_csv_open(const char* path, const apl_channel* channel, int nchannel, apl_csv** out,
                        apl_error* err);
/* Directly after apl_csv_open(): a comment "# units: s,rad". Numbers are in SI units without it
 * too.
 */
apl_status apl_csv_units(apl_csv* csv, const apl_channel* channel, apl_error* err);
apl_status apl_csv_row(apl_csv* csv, const double* values, apl_error* err);
apl_status apl_csv_close(apl_csv* csv, apl_error* err);
/* Close an incomplete table: an older file is kept, and the table gets another name
   (apl_output_beside). */
apl_status apl_csv_close_aside(apl_csv* csv, const char* word, apl_error* err);
void apl_csv_abandon(apl_csv* csv); /* removes path.part; accepts NULL */

/* Before long work: check that every output can be written, and that none is an input, another
   output or the .part of one. Symbolic and hard links are resolved. Entries may be NULL; "-",
   terminals and pipes are always allowed. Changes nothing. */
apl_status apl_outputs_check(const char* const* in, int nin, const char* const* out, int nout,
                             apl_error* err);

/* "arm.h5", "failed" -> "arm.failed.h5": the name of an incomplete file beside an older complete
   one. Free it with apl_text_free(); NULL if out of memory. */
char* apl_output_beside(const char* path, const char* word);

/* Write bytes to a file, all or nothing, through path.part, with the permissions of an existing
   file. A terminal or a pipe is written directly. */
apl_status apl_output_write(const char* path, const void* bytes, size_t n, apl_error* err);
