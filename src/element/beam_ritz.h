/* beam_ritz.h: frequencies of a beam from polynomials, to know how many there are. Cold code. */
#pragma once

#include "element/beam_modes.h"

/* The lowest n values of lambda, ascending, rigid and pure shear motions included. False when there
   is no memory or no answer. */
bool apl_beam_ritz(const beam_basis* basis, int n, double* lambda);
