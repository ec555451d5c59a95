/* SPDX-License-Identifier: Apache-2.0 */
/* energy.h: parts of the energy, and the tally for callers that have computed the motion
   already. */
#pragma once

#include "dynamics/motion.h"

/* potential energy of springs and of compressed stops */
static real spring_energy(const state* s, const apl_node* n);

static real spin_energy(const apl_model* m, state* s, const apl_node* n);

/* The tally (solver.h) after inverse dynamics of the same state: X_up, S and the inertia blocks of
   deformable bodies are known, and X and V too if wrenches act. */
static apl_status tally_moved(const apl_model* m, state* s, real* out);
