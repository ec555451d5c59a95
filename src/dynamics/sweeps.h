/* SPDX-License-Identifier: Apache-2.0 */
/* sweeps.h: the recursions of forward dynamics, and the report of a failed elimination. */
#pragma once

#include "dynamics/motion.h"

/* The joint or body whose block is not positive definite. The first one found is the cause;
   failures closer to the root only follow from it. */
typedef struct failure {
  mask any;
  int link;
} failure;

static inline failure no_failure(void) {
  return (failure){real_less(real_of(0.0), real_of(0.0)), -1};
}

static inline void note(failure* fail, mask bad, int link) {
  if (fail->link < 0 && mask_any(bad)) fail->link = link;
  fail->any = mask_or(fail->any, bad);
}

/* A pivot also fails if the state has values that are not finite: then the state is to blame, not
   the model. */
static apl_status singular_or_not_finite(const apl_model* m, state* s) {
  const bool fine = all_finite(s->q, m->nq) && all_finite(s->v, m->nv) && all_finite(s->tau, m->nv);

  if (!fine) s->head.trouble = -1;
  return fine ? APL_ERR_SINGULAR : APL_ERR_NOT_FINITE;
}

/* forward.c: accelerations for the efforts tau, Q and F that the state holds. */
static apl_status forward_sweeps(const apl_model* m, apl_state* head);
