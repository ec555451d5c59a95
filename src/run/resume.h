/* SPDX-License-Identifier: Apache-2.0 */
/* resume.h: checks of the checkpoint from which a run is to be resumed. */
#pragma once

#include "appell/run.h"

/* A checkpoint may come from a damaged file or from another program. Refuse it if a number is not
   finite or its time is outside of the run. All other checks are made where the numbers are read
   (run_memory.c). */
apl_status apl_resume_check(apl_system* system, const apl_run_options* o, apl_error* err);

/* Refuse a checkpoint at time t whose number of the next output does not fit that time. */
apl_status apl_resume_check_outputs(const apl_run_options* o, double t, long outputs,
                                    apl_error* err);
