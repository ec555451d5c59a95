/* SPDX-License-Identifier: Apache-2.0 */
/* resume.c: see resume.h. */
#include "run/resume.h"

#include "run/run_memory.h"

#include "base/error.h"
#include "system/system.h"

#include <math.h>

static apl_status refuse(const char* what, double x, apl_error* err) {
  return apl_fail(err, APL_ERR_ARGUMENT, "the checkpoint is damaged: %s is %g", what, x);
}

apl_status apl_resume_check(apl_system* system, const apl_run_options* o, apl_error* err) {
  const apl_resume* at = o->resume;
  const int nmemory = apl_run_memory_size(system, o);

  if (!(at->t >= o->from) || !isfinite(at->t)) return refuse("its time", at->t, err);
  if (!(at->t <= o->to)) {
    return apl_fail(err, APL_ERR_ARGUMENT,
                    "the run to resume has come to t = %.9g s, beyond the end at %.9g s", at->t,
                    o->to);
  }
  for (int i = 0; i < apl_system_size(system); ++i) {
    if (!isfinite(at->y[i])) return refuse("a number of the state", at->y[i], err);
  }
  for (int i = 0; i < nmemory; ++i) {
    if (!isfinite(at->memory[i])) return refuse("a number of its memory", at->memory[i], err);
  }
  return APL_OK;
}

apl_status apl_resume_check_outputs(const apl_run_options* o, double t, long outputs,
                                    apl_error* err) {
  /* the number of outputs follows from the time: one more or less is rounding */
  const double due =
      o->output_every > 0.0 ? (t - o->from) / o->output_every + 1.0 : (double)outputs;

  if (!(fabs((double)outputs - due) <= 1.0))
    return refuse("its number of outputs", (double)outputs, err);
  return APL_OK;
}
