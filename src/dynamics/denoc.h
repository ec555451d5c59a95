/* SPDX-License-Identifier: Apache-2.0 */
/* denoc.h: the DeNOC algorithm, a second, independent algorithm for rigid trees. Tests compare the
   passes with it. */
#pragma once

#include "appell/dynamics.h"

/* The independent algorithm for rigid trees, in world axes: twists = N_l N_d v, the decoupled
   natural orthogonal complement, and M = U D U^T with U unit upper triangular by blocks of links,
   parents before children (U_ij is zero unless i is at or below j on the way to the world). D is
   block diagonal; both are [nv*nv]. APL_ERR_ARGUMENT when the tree has bodies that deform or slaved
   joints, and for apl_denoc_forward() also when a joint is prescribed. */
apl_status apl_denoc_inverse(const apl_model* model, apl_state* state);
apl_status apl_denoc_forward(const apl_model* model, apl_state* state);
apl_status apl_denoc_factor(const apl_model* model, apl_state* state, double* U, double* D);
