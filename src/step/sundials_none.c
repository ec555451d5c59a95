/* SPDX-License-Identifier: Apache-2.0 */
/* sundials_none.c: stands in for sundials.c in the core, which links the C library alone. adams and
   bdf keep their lines in the table of methods, and are refused by a sentence when one of them is
   opened. */
#include "step/stepper.h"

#include "base/error.h"

static apl_status refuse(apl_stepper* s, apl_error* err) {
  return apl_fail(err, APL_ERR_ARGUMENT,
                  "the integrator %s needs SUNDIALS, which the core of Appell does not link: use "
                  "dop853 in place of adams, stiff in place of bdf, or the whole library",
                  s->word);
}

static void nothing_to_close(apl_stepper* s) {
  (void)s;
}

const stepper_ops apl_stepper_multistep = {.open = refuse, .close = nothing_to_close};
