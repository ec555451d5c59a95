/* SPDX-License-Identifier: Apache-2.0 */
/* sample.h: a result to test with: a pendulum's numbers from closed forms, with events, checkpoints
   and a summary. The same arguments give the same calls. */
#pragma once

#include "appell/base.h"
#include "appell/result.h"

#include "record/record.h"

enum { SAMPLE_CHANNELS = 4, SAMPLE_STATE = 3, SAMPLE_EXTRA = 2 };

typedef struct sample_plan {
  int rows;
  int flush_every;      /* rows between flushes, 0 for none                                       */
  int checkpoint_every; /* rows between checkpoints, 0 for none                                   */
  int event_every;      /* rows between events, 0 for none                                        */
} sample_plan;

apl_record_head sample_head(void);

/* Row i. */
void sample_row(int i, double row[SAMPLE_CHANNELS]);

/* Record rows from .. to - 1 with what belongs to them. */
apl_status sample_fill(apl_record* rec, const sample_plan* plan, int from, int to, apl_error* err);

/* Close with the status "finished" and a summary of two lines. */
apl_status sample_close(apl_record* rec, apl_error* err);

/* Check that the result holds a prefix of the sample: every row, event and checkpoint in it is as
   recorded. Returns a sentence or NULL. */
const char* sample_check(apl_result* res, const sample_plan* plan);
