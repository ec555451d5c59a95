/* SPDX-License-Identifier: Apache-2.0 */
/* efforts.h: collecting the applied forces: Q on the quasi-velocities, F on frames, and their
   powers. The functions are parts of the hot code, see hot.c. */
#pragma once

#include "dynamics/motion.h"

static inline bool has_efforts(const apl_model* m) {
  return m->npassive + m->ninput + m->ndrag + m->ntendon + m->ncoupling > 0;
}

/* Each adds the forces of one source and returns, or books, their power. */
static void contact_efforts(const apl_model* m, state* s);      /* contacts.c */
static real tendon_effort(const apl_model* m, state* s, int i); /* tendons.c */
static real loop_efforts(const apl_model* m, state* s);         /* loops.c */

/* efforts.c */
static real structures(const apl_model* m, const state* s);
static void cut_efforts(const apl_model* m, state* s);
static void efforts(const apl_model* m, state* s);
