/* SPDX-License-Identifier: Apache-2.0 */
/* ldl.h: factor and solve small symmetric positive definite blocks, M = L D L^T, without square
   roots. Pivots that are not positive relative to their diagonal entry are reported. */
#pragma once

#include "math/real.h"

/* A pivot below this fraction of its diagonal entry is round-off. */
#define LDL_TINY 1e-14

/* In place, row-major with ld numbers per row; only the lower triangle is read. Afterwards the
   diagonal holds 1/D and the strict lower triangle L. Returns a mask of failed pivots (NaN fails
   too). */
static inline mask ldl_factor(real* M, int n, int ld) {
  mask bad = real_less(real_of(0.0), real_of(0.0));

  for (int i = 0; i < n; ++i) {
    real* row = M + i * ld;
    const real diagonal = row[i];
    real d = diagonal;

    for (int j = 0; j < i; ++j) {
      real s = row[j];
      for (int k = 0; k < j; ++k)
        s -= row[k] * M[j * ld + k];
      row[j] = s; /* L_ij D_j for now */
    }
    for (int j = 0; j < i; ++j) {
      const real l = row[j] * M[j * ld + j];
      d -= l * row[j];
      row[j] = l;
    }
    bad = mask_or(bad, mask_not(real_less(LDL_TINY * diagonal, d)));
    bad = mask_or(bad, mask_not(real_less(real_of(0.0), d)));
    row[i] = 1.0 / d;
  }
  return bad;
}

/* b := M^-1 b */
static inline void ldl_solve(const real* F, int n, int ld, real* b) {
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < i; ++k)
      b[i] -= F[i * ld + k] * b[k];
  }
  for (int i = 0; i < n; ++i)
    b[i] *= F[i * ld + i];
  for (int i = n - 1; i >= 0; --i) {
    for (int k = i + 1; k < n; ++k)
      b[i] -= F[k * ld + i] * b[k];
  }
}
