/* eigen.h: (lambda^2 M + lambda D + K) x = 0. */
#pragma once

#include "analyse/linear.h"

#include <complex.h>

/* CMPLX() of C11, which not every C library gives to every compiler. */
static inline double complex complex_of(double re, double im) {
  return re + im * (double complex)_Complex_I;
}

typedef struct eigen_mode {
  bool rigid;            /* K x = 0: a motion that nothing resists; lambda is zero               */
  double complex lambda; /* imag >= 0: of a complex pair only this one                           */
  double complex* x;     /* [n] shape                                                            */
} eigen_mode;

/* All modes, rigid ones first, then by |lambda|: at most 2n in *out, from the pool. `exact` of them
   are made exact to round-off. APL_ERR_SINGULAR when M is not positive definite. */
apl_status apl_eigen(const linear* l, int exact, apl_pool* pool, eigen_mode** out, int* count);
