/* SPDX-License-Identifier: Apache-2.0 */
/* run_memory.h: checkpoints: how a run is written, and how another one continues from there. */
#pragma once

#include "run/parts.h"
#include "run/runner.h"

/* Update the counts of the report: those of this stepper, plus those of the run before it was
 * resumed.
 */
void apl_run_count_work(runner* r);

/* Write a checkpoint, if one is due and the method can be interrupted here. To be called between
   steps, after the events and outputs of the last step. */
apl_status apl_run_checkpoint(runner* r);

/* Before a resumed run is opened: restore what the caller had set (held velocities), because the
   order of the accounts in y depends on it. apl_run_go_on_from() reads these numbers again and
   reports damage. */
void apl_run_restore_settings(apl_system* system, const apl_run_options* options);

/* Continue from a checkpoint. Refuses numbers that no run writes, with a sentence. */
apl_status apl_run_go_on_from(runner* r, const apl_resume* from, apl_error* err);
