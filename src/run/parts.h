/* SPDX-License-Identifier: Apache-2.0 */
/* parts.h: parts of a run: checkpoints and the text of its progress. */
#pragma once

#include "appell/run.h"

/* Where to continue; `from` of the options remains that of the first run. */
typedef struct apl_resume {
  double t;
  const double* y;      /* [apl_system_size]                                                     */
  const double* memory; /* [apl_run_memory_size]                                                 */
} apl_resume;

/* One sentence: length of the steps, what limits them, what to use instead. */
void apl_progress_text(const apl_progress* progress, char* text, size_t size);

/* How many numbers a checkpoint of such a run stores beside y: those of the run, its method, and
   the discrete state of contacts and loops. */
int apl_run_memory_size(apl_system* system, const apl_run_options* options);
