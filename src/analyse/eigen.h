/* SPDX-License-Identifier: Apache-2.0 */
/* eigen.h: the quadratic eigenvalue problem (lambda^2 M + lambda D + K) x = 0. */
#pragma once

#include "analyse/linear.h"

#include <complex.h>

/* CMPLX() of C11, which is missing in some combinations of C library and compiler. */
static inline double complex complex_of(double re, double im) {
  return re + im * (double complex)_Complex_I;
}

typedef struct eigen_mode {
  bool rigid;            /* K x = 0: a rigid-body motion, lambda = 0 */
  double complex lambda; /* imag >= 0: one of each complex pair */
  double complex* x;     /* [n] shape                                                            */
} eigen_mode;

/* All modes, rigid ones first, then by |lambda|: at most 2n in *out, from the pool. The first
   `exact` of them are refined to round-off. APL_ERR_SINGULAR if M is not positive definite. */
apl_status apl_eigen(const linear* l, int exact, apl_pool* pool, eigen_mode** out, int* count);
