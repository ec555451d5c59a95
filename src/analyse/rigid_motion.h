/* SPDX-License-Identifier: Apache-2.0 */
/* rigid_motion.h: motions without stiffness, K r = 0. Matrices are n*n, by columns. */
#pragma once

#include "base/pool.h"

#include <stdbool.h>

typedef struct rigid_problem {
  int n;
  const double *M, *D, *K;
  const double* work; /* [n] energy scale of K_ii */
} rigid_problem;

typedef struct rigid_motions {
  int m;         /* how many                                                                     */
  double* right; /* [n*m] K right = 0, each the only one that moves its leading freedom          */
  double* left;  /* [n*m] left^T K = 0                                                           */
  int undamped;  /* number of combinations that are also undamped */
} rigid_motions;

/* False without memory, or when numbers are not finite. */
bool apl_rigid_motions(const rigid_problem* p, apl_pool* pool, rigid_motions* out);
