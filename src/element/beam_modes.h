/* SPDX-License-Identifier: Apache-2.0 */
/* beam_modes.h: mode shapes of a uniform Timoshenko or Euler-Bernoulli beam, below and above the
   cut-off frequency, with any pair of end conditions and a body at the tip. Cold code only.

   All quantities are for a beam of length 1, mass per length 1 and bending stiffness 1; x runs from
   0 to 1. Theory: docs/theory/beam.md, 5. */
#pragma once

#include "base/error.h"

#include <stdbool.h>

typedef enum beam_end { BEAM_CLAMPED, BEAM_PINNED, BEAM_FREE } beam_end;

typedef struct beam_basis {
  double s2, r2;      /* EI/(kAG L^2) and J/(mu L^2); both 0: Euler-Bernoulli                     */
  beam_end root, tip; /* the root is not free                                                     */
  double mass;        /* body at a free tip: over mu L,                                           */
  double inertia;     /* about its centre, over mu L^3,                                           */
  double offset;      /* centre beyond the tip, over L                                            */
} beam_basis;

typedef struct beam_mode {
  double lambda;  /* mu omega^2 L^4/EI                                                            */
  double p, s, g; /* parameters of its basis functions, see basis_at() */
  bool entire;    /* uses the basis for s <= 1, which is regular at s = 0 */
  double k[4];    /* coefficients                                                                 */
} beam_mode;

/* A mode at x. */
typedef struct beam_shape {
  double W, W1, W2; /* deflection and its derivatives                                             */
  double T, T1;     /* rotation of the section and its derivative */
  double shear;     /* W1 - T, without cancellation                                               */
} beam_shape;

enum { BEAM_MOST_MODES = 32 };

/* The first n modes in the order of their frequencies, scaled to a largest |W| of one, with W > 0
   next to the root. Modes without deflection are left out: the rigid rotation of pinned-free, and
   the pure shear of pinned-pinned at the cut-off frequency. */
apl_status apl_beam_modes(const beam_basis* basis, int n, beam_mode* out, apl_error* err);

beam_shape apl_beam_mode_at(const beam_mode* mode, double x);

/* Gauss-Legendre points and weights on 0 .. 1. */
void apl_gauss(int n, double* x, double* weight);
