/* energy.h: parts of the energy, and the tally for those who know the motion already. */
#pragma once

#include "dynamics/motion.h"

/* springs, and stops while they are pressed */
static real spring_energy(const state* s, const apl_node* n);

static real spin_energy(const apl_model* m, state* s, const apl_node* n);

/* The tally (solver.h) where inverse dynamics of the same state has just been: X_up, S and the
   blocks of bodies are known, and with wrenches X and V too. */
static apl_status tally_moved(const apl_model* m, state* s, real* out);
