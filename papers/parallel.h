/* SPDX-License-Identifier: Apache-2.0 */
/* parallel.h: the paper of the 3RRR robot, shared by its files: parallel.c runs it as the paper
   does, parallel_reactions.c evaluates the forces of its pins, parallel_steps.c whether springs are
   suitable for real time, parallel_denoc.c is the paper's exact method. */
#pragma once

#include "papers/paper.h"
#include "papers/rig.h"

enum { PARALLEL_FREEDOMS = 9, PARALLEL_ROWS = 6 };

/* Position of the platform's target at time t, and distance of q from it. */
void apl_parallel_rose(double t, double at[2]);
double apl_parallel_distance(double t, const double* q);

/* Groups of the paper. */
apl_status apl_parallel_reactions(apl_paper* paper, apl_error* err);
apl_status apl_parallel_steps(apl_paper* paper, apl_error* err);

/* Accelerations of the exact robot: limbs by the decoupled natural orthogonal complement, loops by
     (A M^-1 A^T) lam = -gam - A M^-1 (tau - h)
   `state` has q, v and inputs; a comes out there, and pin forces in its rows. */
apl_status apl_parallel_denoc(const apl_model* model, apl_state* state);
