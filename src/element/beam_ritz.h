/* SPDX-License-Identifier: Apache-2.0 */
/* beam_ritz.h: approximate eigenvalues of a beam by the Ritz method with polynomials. Cold code. */
#pragma once

#include "element/beam_modes.h"

/* The lowest n values of lambda = mu omega^2 L^4/EI, ascending, rigid and pure shear motions
   included. False if memory is lacking or the eigenvalue solver fails. */
apl_status apl_beam_ritz(const beam_basis* basis, int n, double* lambda, apl_error* err);
