/* SPDX-License-Identifier: Apache-2.0 */
/* solver.h: forward dynamics and the quantities that follow from it, in space or in the plane of a
   planar robot. The choice is made once, when a state is laid out (solver.c): no pass tests for
   it. */
#pragma once

#include "dynamics/sweeps.h"

struct solver {
  /* Accelerations for the efforts tau, Q and F that the state holds. */
  failure (*sweeps)(const apl_model* m, state* s);

  /* true if the sweeps leave factors of the mass matrix in space (factor.c). */
  bool factors;

  /* Computes A of all frames in space after the sweeps; NULL if the sweeps have done so. */
  void (*raise)(const apl_model* m, state* s);

  /* External wrench on the whole robot, after the sweeps. */
  wrench (*external)(const apl_model* m, state* s);

  /* Energies and momentum for the check of the ledgers, in the order of TALLY_*: from the state
     alone, or after the sweeps. */
  apl_status (*tally)(const apl_model* m, state* s, real* out);
  apl_status (*tally_last)(const apl_model* m, state* s, real* out);
};

/* forward.c, accounts.c, energy.c */
static failure space_sweeps(const apl_model* m, state* s);
static wrench space_external(const apl_model* m, state* s);
static apl_status space_tally(const apl_model* m, state* s, real* out);
static apl_status space_tally_last(const apl_model* m, state* s, real* out);

/* plane.c, plane_tally.c */
static failure plane_sweeps(const apl_model* m, state* s);
static void plane_raise(const apl_model* m, state* s);
static wrench plane_external(const apl_model* m, state* s);
static apl_status plane_tally(const apl_model* m, state* s, real* out);
static apl_status plane_tally_last(const apl_model* m, state* s, real* out);
