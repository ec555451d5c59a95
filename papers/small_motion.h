/* SPDX-License-Identifier: Apache-2.0 */
/* small_motion.h: a robot near a shape at rest: stiffness and natural frequencies. For robots with
   q' = v. Inputs of the state are constant. */
#pragma once

#include "appell/dynamics.h"

#include "base/error.h"

/* K[nv*nv] = d bias / d q at the present q of a scalar state, exact to round-off. */
apl_status apl_stiffness_matrix(const apl_model* model, apl_state* state, double* K,
                                apl_error* err);

/* omega[nv] of det(K - omega^2 M) = 0, ascending [rad/s]; negative for negative stiffness. */
apl_status apl_natural_frequencies(const apl_model* model, apl_state* state, double* omega,
                                   apl_error* err);

/* Eigenvalues[nv] of the mass matrix, ascending. */
apl_status apl_inertia_values(const apl_model* model, apl_state* state, double* value,
                              apl_error* err);
