/* SPDX-License-Identifier: Apache-2.0 */
/* beam_par.h: the constants of a beam with n coordinates: integrals of its shapes. Written by
   beam_integrals.c, read by beam_motion.c. Theory: docs/theory/beam.md, 4. */
#pragma once

#include "element/element.h"

/* Constants of one coordinate. */
typedef struct beam_own_par {
  vec3 W, T; /* direction of the deflection, axis of the rotation of sections */
  real a, b, j;
} beam_own_par;

/* n x n matrices that follow: int mu W W, mass matrix, stiffness, damping. */
enum { BEAM_MU, BEAM_D, BEAM_K, BEAM_C, BEAM_MATRICES };

typedef struct beam_par {
  real m, S1, I2; /* mass, first and second moment of the whole beam */
  vec3 J;
  beam_own_par own[]; /* [n] */
} beam_par;

static inline int beam_npar(int n) {
  return APL_NPAR(beam_par) + APL_NPAR(beam_own_par) * n + BEAM_MATRICES * n * n;
}
