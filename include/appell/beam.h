/* SPDX-License-Identifier: Apache-2.0 */
/* beam.h: the mode shapes of a beam, a body that deforms by assumed modes. Theory:
   docs/theory/beam.md. */
#pragma once

#include "appell/spec.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One deformation coordinate x of a beam. The section at z moves by x W(z) along `along` and
   rotates by x T(z) about `about`. */
typedef struct apl_beam_shape {
  const char* direction; /* "bend-y"                                                     */
  const char* kind;      /* "mode", "static", "polynomial", "table"                             */
  int number;            /* from 1, within its direction                                 */
  const char *root_end, *tip_end; /* end conditions of a mode: clamped, pinned, free              */
  double omega;                   /* natural angular frequency of the body alone with these ends
                                     [rad/s]; 0 if not a mode */
  double length;                  /* of the body [m]                                              */
  double largest;                 /* largest |W| (torsion: |T|); 1 except for polynomials and
                                     tables */
  double along[3], about[3];      /* in the frame of the body                                     */
} apl_beam_shape;

/* The shape at one station. */
typedef struct apl_beam_section {
  double deflection; /* W                                                                         */
  double slope;      /* dW/dz [1/m]                                                               */
  double turn;       /* T [1/m]; of torsion [1]                                                   */
} apl_beam_section;

/* Shape k of the body of a link, and its values at n stations in 0 root .. 1 tip (n may be 0).
   APL_ERR_ARGUMENT if the body has no shape k; err may then be empty. */
APL_API apl_status apl_spec_beam_shape(const apl_spec* spec, int link, int k, apl_beam_shape* out,
                                       const double* station, int n, apl_beam_section* section,
                                       apl_error* err);

#ifdef __cplusplus
}
#endif
