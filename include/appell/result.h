/* SPDX-License-Identifier: Apache-2.0 */
/* result.h: read result files (HDF5): those that are finished, and those of runs that were killed
   or are still going on. appell/recorder.h writes them; docs/formats/result.md has their layout.

     if (apl_result_open("arm.h5", &res, &err) == APL_OK)
       apl_result_column(res, apl_result_find(res, "arm.joint.angle"), angle, &err);
     apl_result_free(res);

   The HDF5 library is not reentrant: use these functions from one thread at a time. Every `err` may
   be NULL. */
#pragma once

#include "appell/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One column of a result. */
typedef struct apl_channel {
  const char* name;     /* "arm.joint.angle": no blanks, commas, quotes or control characters     */
  const char* unit;     /* SI, "1" for plain numbers; NULL is ""                                  */
  const char* sentence; /* what it is; NULL is ""                                                 */
} apl_channel;

/* A line of the table of results at the end of a run. */
typedef struct apl_summary {
  const char* key;  /* "energy.error"; shorter than 64 bytes                                      */
  double value;     /* finite                                                                     */
  const char* text; /* unit or words; NULL is "", shorter than 192 bytes                          */
} apl_summary;

/* An event between rows. */
enum { APL_EVENT_NUMBERS = 12 };
typedef struct apl_occurrence {
  double t;
  const char* name; /* "foot.contact"                                                             */
  const char* text;
  double value;
  int row; /* rows that had been recorded before it                                               */
  double number[APL_EVENT_NUMBERS]; /* all of an impact, docs/formats/result.md; or zeros         */
} apl_occurrence;

/* A result file that is open for reading. */
typedef struct apl_result apl_result;

/* Open a finished result, the path.part of a killed run or the one of a run in progress. */
APL_API apl_status apl_result_open(const char* path, apl_result** out, apl_error* err);
APL_API void apl_result_free(apl_result* res); /* accepts NULL */

/* The texts at the head of a result. */
typedef enum apl_result_word {
  APL_RESULT_NAME,
  APL_RESULT_PROGRAM,
  APL_RESULT_INTEGRATOR,
  APL_RESULT_TOLERANCE,
  APL_RESULT_STATUS, /* "running" when the run has not ended in order                             */
  APL_RESULT_MODEL,
  APL_RESULT_PICTURES,
  APL_RESULT_OPTIONS, /* "" in results of format version 1                                        */
} apl_result_word;

/* A text of the head; never NULL; valid until apl_result_free(). */
APL_API const char* apl_result_text(const apl_result* res, apl_result_word word);

/* How many channels, that is columns, a result has; one of them; the number of a name. */
APL_API int apl_result_channels(const apl_result* res);
APL_API const apl_channel* apl_result_channel(const apl_result* res, int channel);
APL_API int apl_result_find(const apl_result* res, const char* name); /* -1 when unknown */

/* How many rows it has. */
APL_API int apl_result_rows(const apl_result* res);

/* Rows first .. first + count - 1, one after the other: out[count * channels]. */
APL_API apl_status apl_result_read(apl_result* res, int first, int count, double* out,
                                   apl_error* err);

/* One channel over all rows: out[rows]. */
APL_API apl_status apl_result_column(apl_result* res, int channel, double* out, apl_error* err);

/* How many events were recorded, and one of them. */
APL_API int apl_result_events(const apl_result* res);
APL_API const apl_occurrence* apl_result_event(const apl_result* res, int event);

/* How many lines its summary has, and one of them. */
APL_API int apl_result_summaries(const apl_result* res);
APL_API const apl_summary* apl_result_summary(const apl_result* res, int summary);

#ifdef __cplusplus
}
#endif
