/* SPDX-License-Identifier: Apache-2.0 */
/* options.c: the options of a run: their defaults and their checks. */
#include "run/runner.h"

#include "base/budget.h"
#include "base/error.h"
#include "spec/words.h"
#include "step/methods.h"
#include "system/system.h"

#include <float.h>
#include <math.h>

apl_run_options apl_run_options_default(void) {
  return (apl_run_options){.to = 1.0,
                           .output_every = 0.01,
                           .method = "auto",
                           .tolerance = 1e-8,
                           .spectral_radius = 0.5,
                           .memory_limit = APL_MEMORY_LIMIT,
                           .loops = apl_loop_options_default()};
}

apl_status apl_run_check_options(const apl_run_options* o, apl_error* err) {
  if (o->method == NULL) return apl_fail(err, APL_ERR_ARGUMENT, "a run needs a method");
  if (o->nevent < 0 || (o->nevent > 0 && o->event == NULL)) {
    return apl_fail(err, APL_ERR_ARGUMENT, "a run with %d events needs their list", o->nevent);
  }
  for (int i = 0; i < o->nevent; ++i) {
    if (o->event[i].g == NULL) {
      return apl_fail(err, APL_ERR_ARGUMENT, "event %d has no function g", i + 1);
    }
  }
  if (!isfinite(o->from) || !isfinite(o->to) || !(o->to >= o->from)) {
    return apl_fail(err, APL_ERR_ARGUMENT, "a run must end after it begins, got %g to %g s",
                    o->from, o->to);
  }
  if (!(o->memory_limit >= 0.0)) {
    return apl_fail(err, APL_ERR_ARGUMENT, "memory-limit must not be negative, got %g GB",
                    o->memory_limit);
  }
  if (!(o->output_every >= 0.0)) {
    return apl_fail(err, APL_ERR_ARGUMENT, "output-every must not be negative, got %g s",
                    o->output_every);
  }
  if (o->output_every > 0.0 && (o->to - o->from) / o->output_every > 1e8) {
    return apl_fail(err, APL_ERR_ARGUMENT, "output-every %g s would give more than 1e8 outputs",
                    o->output_every);
  }
  const double resolved = 64.0 * DBL_EPSILON * fmax(fabs(o->from), fabs(o->to));
  if (o->output_every > 0.0 && o->output_every < resolved) {
    return apl_fail(
        err, APL_ERR_ARGUMENT,
        "output-every %g s is too small at t = %g s, where floating-point times are %.1g s apart",
        o->output_every, fmax(fabs(o->from), fabs(o->to)), resolved / 64.0);
  }
  if (!apl_method_adapts(o->method) && o->step > 0.0 && (o->to - o->from) / o->step > 1e10) {
    return apl_fail(err, APL_ERR_ARGUMENT,
                    "a step of %g s would need %.1e steps: use a larger step", o->step,
                    (o->to - o->from) / o->step);
  }
  if (o->control != NULL && (o->checkpoint != NULL || o->resume != NULL)) {
    return apl_fail(err, APL_ERR_ARGUMENT,
                    "a run with a controller cannot be resumed: results do not contain the state "
                    "of the controller");
  }
  if (o->control != NULL && !(o->control_every >= 0.0)) {
    return apl_fail(err, APL_ERR_ARGUMENT, "a controller needs a positive period, got %g s",
                    o->control_every);
  }
  if (o->control != NULL && o->control_every == 0.0 && apl_method_adapts(o->method)) {
    char fixed[120];
    apl_fixed_methods("or", fixed, sizeof fixed);
    return apl_fail(err, APL_ERR_ARGUMENT,
                    "a controller without a period is called at every step and needs fixed steps, "
                    "but the integrator '%s' chooses its own: give a period (control_every), or "
                    "use %s with a step",
                    o->method, fixed);
  }
  return APL_OK;
}
