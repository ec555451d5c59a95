/* SPDX-License-Identifier: Apache-2.0 */
/* recorder_impl.h: the members of a recorder, and what its files share: recorder.c runs it,
   recorder_files.c opens and closes its files, recorder_keep.c keeps rows in memory, and
   recorder_save.c writes them later. */
#pragma once

#include "appell/recorder.h"

#include "channel/channels.h"
#include "channel/metrics.h"
#include "channel/watch.h"
#include "record/record.h"
#include "run/parts.h"
#include "show/replay.h"
#include "text/number.h"

/* A place to resume from, as it was recorded. */
typedef struct kept_place {
  double t;
  int rows, events; /* before it */
  double* y;        /* [apl_system_size] */
  double* memory;   /* [apl_recorder_memory_size] */
} kept_place;

typedef struct kept_impact {
  apl_impact hit;
  int row; /* rows before it */
} kept_impact;

/* Lines of the summary that every run has, and those of robots that move. */
enum { NSUMMARY = 20, NMETRICS = 8 };

struct apl_recorder {
  const apl_file* file; /* or NULL */
  apl_system* system;
  apl_run_options run;    /* options of the caller */
  apl_recorder_options o; /* its texts belong to the caller until apl_recorder_run() has ended   */
  channel_list* channels;
  double* row;
  run_metrics* metrics;
  footing_watch* footing;
  beam_watch* beams; /* NULL without a file                                                       */
  apl_record* record;
  apl_csv* csv;
  apl_replay* replay;
  apl_result* earlier; /* to resume, or NULL                                                      */
  apl_resume at;

  double* rows; /* [nrow * channels] when they are kept                                           */
  int nrow, row_room;
  kept_impact* impact;
  int nimpact, impact_room;
  int nmemory;         /* count of the numbers of the run in a checkpoint, without y */
  kept_place place[2]; /* the last two, in turn                                                   */
  int nplace;          /* how many there were                                                     */

  bool started, done;
  char status[440];
  char where[4096]; /* the file that the result went to                                           */
  char assembly[320];   /* what closing the loops has changed at the start */
  const char* drawn[8]; /* sentences about what cannot be drawn, in `words`                       */
  int ndrawn;
  char note[192]; /* methods that the integrator auto chose */
  watch_warning warning[APL_MOST_WARNINGS];
  int nwarning, nledger,
      nsummary;         /* nledger: number of the first warnings, about energy and momentum */
  apl_summary* summary; /* [nsummary]                                                             */
  apl_pool words;       /* of its lines                                                          */
  apl_run_report report;
  apl_error err; /* the first error of writing */
};

/* Size of the numbers that a checkpoint has in addition to y: memory of the run, sums of the
   metrics, state of the watches. */
int apl_recorder_memory_size(const apl_recorder* r);
extern const char apl_recorder_memory_name[];

/* Numbers of the recorder itself, which follow those of the run: they are written or read. */
void apl_recorder_memory(apl_recorder* r, apl_store* seen);

/* recorder_save.c: an impact as an event of a result, with its texts in `words`; and the impact
   of an event, false if the event is none. */
typedef struct impact_words {
  char text[200], name[200];
} impact_words;
apl_occurrence apl_impact_event(const apl_impact* impact, const apl_model* model,
                                impact_words* words);
bool apl_impact_read(const apl_occurrence* event, const apl_model* model, apl_impact* out);

/* recorder_keep.c: keep the present row; an impact, which is always kept (the run fails without
   memory for it); a place to resume from. */
apl_status apl_recorder_keep_row(apl_recorder* r);
void apl_recorder_keep_impact(apl_recorder* r, const apl_impact* impact);
void apl_recorder_keep_place(apl_recorder* r, double t, const double* y, const double* memory);

/* recorder_files.c: open all files before the run. After it close them: results are kept even if
   the run failed or was stopped, but then they do not replace an earlier result that was finished.
 */
apl_status apl_recorder_open(apl_recorder* r, apl_error* err);
apl_status apl_recorder_close(apl_recorder* r);

/* recorder_summary.c: warnings and all lines of the summary. False without memory. */
bool apl_recorder_summarise(apl_recorder* r);

/* The head of a result, with the texts that it points to. */
typedef struct recorder_head {
  apl_record_head head;
  apl_record_array carry;
  char tolerance[APL_NUMBER_SIZE], program[64], options[560];
  char* pictures;
} recorder_head;
/* Meshes and images that cannot be drawn are warnings of the report, which may be NULL. */
apl_status apl_recorder_head(const apl_recorder* r, recorder_head* out, apl_report* report,
                             apl_error* err);
void apl_recorder_head_free(recorder_head* head);

/* Write the page of a replay. */
apl_status apl_recorder_page(const apl_recorder* r, const apl_replay* replay, const char* path,
                             apl_error* err);
