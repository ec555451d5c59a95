/* SPDX-License-Identifier: Apache-2.0 */
/* solver.c: chooses the recursion for a model: the one in space or, for planar robots
   (model/flat.c), the one in their plane. */
#include "dynamics/solver.h"

static const solver solver_space = {
    .sweeps = space_sweeps,
    .factors = true,
    .external = space_external,
    .tally = space_tally,
    .tally_last = space_tally_last,
};

static const solver solver_plane = {
    .sweeps = plane_sweeps,
    .raise = plane_raise,
    .external = plane_external,
    .tally = plane_tally,
    .tally_last = plane_tally_last,
};

/* The tally in the plane does not cover bending bodies or loops; these use the one in space. */
static const solver solver_plane_bends = {
    .sweeps = plane_sweeps,
    .raise = plane_raise,
    .external = plane_external,
    .tally = space_tally,
    .tally_last = space_tally,
};

static const solver* solver_of(const apl_model* m) {
  if (m->nplane == 0) return &solver_space;
  return m->flat_rigid && m->npart == 0 ? &solver_plane : &solver_plane_bends;
}
