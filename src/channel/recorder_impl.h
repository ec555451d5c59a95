/* recorder_impl.h: what a recorder holds; recorder.c runs it, recorder_save.c writes what it kept.
 */
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
  apl_run_options run;    /* as the caller wants it                                              */
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
  int nmemory;         /* numbers that the run itself remembers at a place to resume from         */
  kept_place place[2]; /* the last two, in turn                                                   */
  int nplace;          /* how many there were                                                     */

  bool started, done;
  char status[440];
  char where[4096]; /* the file that the result went to                                           */
  char assembly[320]; /* what closing the loops has moved                                         */
  char note[192]; /* what the integrator auto did                                               */
  watch_warning warning[APL_MOST_WARNINGS];
  int nwarning, nledger, nsummary; /* nledger: the first of the warnings, about ledgers         */
  apl_summary* summary; /* [nsummary]                                                             */
  apl_pool words;       /* of its lines                                                          */
  apl_run_report report;
  apl_error err; /* the first of a file that could not be written                                 */
};

/* What a checkpoint has beside y: the memory of the run, then the sums of its metrics, then what
   the watches have seen. */
int apl_recorder_memory_size(const apl_recorder* r);
extern const char apl_recorder_memory_name[];

/* recorder_save.c: an impact as an event of a result, whose texts stand in the caller's memory; and
   back, false when the event is something else. */
typedef struct impact_words {
  char text[200], name[200];
} impact_words;
apl_occurrence apl_impact_event(const apl_impact* impact, const apl_model* model,
                                impact_words* words);
bool apl_impact_read(const apl_occurrence* event, const apl_model* model, apl_impact* out);

/* recorder_summary.c: warnings and all lines of the summary. False without memory. */
bool apl_recorder_summarise(apl_recorder* r);

/* The head of a result, whose tolerance and pictures stand in the caller's memory. */
typedef struct recorder_head {
  apl_record_head head;
  apl_record_array carry;
  char tolerance[APL_NUMBER_SIZE], program[64], options[560];
  char* pictures;
} recorder_head;
apl_status apl_recorder_head(const apl_recorder* r, recorder_head* out, apl_error* err);
void apl_recorder_head_free(recorder_head* head);

/* The page of what has been collected. */
apl_status apl_recorder_page(const apl_recorder* r, const apl_replay* replay, const char* path,
                             apl_error* err);
