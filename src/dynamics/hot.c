/* SPDX-License-Identifier: Apache-2.0 */
/* hot.c: the hot code as one translation unit over `real`. CMake compiles it once per number type,
   with APL_REAL_SCALAR, APL_REAL_LANES or APL_REAL_COMPLEX, and APL_PASSES, the name of the table
   that it exports. It never allocates, prints or exits (tools/check_hot.py). Each file includes
   what it uses, so their order is free (tools/check_alone.py): a function that one file defines and
   another calls is declared static in a header. */
#define APL_HOT 1

#include "dynamics/passes.h"
#include "element/registry.c"

#include "dynamics/tendons.c"
#include "dynamics/contacts.c"
#include "dynamics/loops.c"
#include "dynamics/efforts.c"
#include "dynamics/inverse.c"
#include "dynamics/solver.c"
#include "dynamics/plane.c"
#include "dynamics/forward.c"
#include "dynamics/coordinates.c"
#include "dynamics/kinematics.c"
#include "dynamics/mass.c"
#include "dynamics/energy.c"
#include "dynamics/plane_tally.c"
#include "dynamics/accounts.c"
#include "dynamics/loop_rows.c"
#include "dynamics/reactions.c"
#include "dynamics/regressor.c"
#include "dynamics/denoc.c"
#include "dynamics/stiffness.c"
#include "dynamics/factor.c"
#include "dynamics/rows.c"
#include "dynamics/solve.c"
#include "dynamics/row_motion.c"
#include "dynamics/row_jacobian.c"
#include "dynamics/slopes.c"

const apl_passes APL_PASSES = {
    .width = REAL_WIDTH,
    .layout = layout,
    .reset = reset,
    .load = load,
    .load_of = load_of,
    .lane_parameters = lane_parameters,
    .inverse = inverse,
    .forward = forward,
    .bias = bias,
    .mass_matrix = mass_matrix,
    .rates = rates,
    .rates_last = rates_last,
    .tangent_rates = tangent_rates,
    .add = coordinates_add,
    .subtract = coordinates_subtract,
    .port_pose = port_pose,
    .poses = poses,
    .sections = sections,
    .port_motion = port_motion,
    .jacobian = jacobian,
    .energy = energy,
    .contacts = contacts,
    .accounts = accounts,
    .tendons = tendons,
    .tendon_points = tendon_points,
    .loop_rows = loop_rows,
    .forward_cut = forward_cut,
    .forward_closed = forward_closed,
    .loop_numbers = loop_numbers,
    .loop_jacobian = loop_jacobian,
    .external = external,
    .reactions = reactions,
    .joint_wrenches = joint_wrenches,
    .ledger = ledger,
    .ledger_given = ledger_given,
    .momentum = momentum,
    .tally = tally,
    .tally_last = tally_last,
    .center = center,
    .center_placed = center_placed,
    .regressor = regressor,
    .denoc_inverse = denoc_inverse,
    .denoc_forward = denoc_forward,
    .denoc_factor = denoc_factor,
    .factor = factor,
    .factor_last = factor_last,
    .stiffness = stiffness,
    .ways_halve = ways_halve,
    .ways_inertia = ways_inertia,
    .ways_combine = ways_combine,
    .ways_meet = ways_meet,
    .ways_motion = ways_motion,
    .ways_jacobian = ways_jacobian,
    .tendon_jacobian = tendon_jacobian,
    .frames_move = frames_move,
    .frames_speed = frames_speed,
    .stop_is_row = stop_is_row,
    .frame_motion = frame_motion,
    .push_clear = push_clear,
    .push_add = push_add,
    .innovations = innovations,
    .push_solve = push_solve,
    .spread = spread,
    .row_of_ports = row_of_ports,
    .port_row_motion = port_row_motion,
    .has_wrenches = loaded_wrenches,
    .tells_tangent = tells_tangent,
    .rigid_slopes = rigid_slopes,
    .local_slopes = local_slopes,
};
