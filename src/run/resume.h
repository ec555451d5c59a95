/* resume.h: is a place to resume from one that a run could have left? */
#pragma once

#include "appell/run.h"

/* Numbers of a checkpoint may come from a damaged or foreign file: all finite, the time inside the
   run, counts that are possible. */
apl_status apl_resume_check(apl_system* system, const apl_run_options* o, apl_error* err);
