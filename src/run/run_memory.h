/* run_memory.h: a run that is left and resumed. */
#pragma once

#include "run/parts.h"
#include "run/runner.h"

/* How many numbers a checkpoint begins with, the last of which are counts. */
int apl_run_carry_size(void);
int apl_run_count_size(void);

/* Steps and evaluations of this stepper, on top of what the run had when it began. */
void apl_run_count_work(runner* r);

/* Where a step has ended, all events have happened and outputs are given: a place to resume from,
   if one is due and the method can be left here. */
apl_status apl_run_checkpoint(runner* r);

/* To where an earlier run was left. */
apl_status apl_run_go_on_from(runner* r, const apl_resume* from);
