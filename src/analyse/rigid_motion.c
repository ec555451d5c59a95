/* SPDX-License-Identifier: Apache-2.0 */
/* rigid_motion.c: see rigid_motion.h. Theory: docs/modes.md, 2. */
#include "analyse/rigid_motion.h"

#include "analyse/dense.h"

#include <math.h>

/* Stiffness below this fraction of its freedoms' energy scale counts as zero. */
static const double ZERO = 1e-11;

/* Scratch of one call. */
typedef struct room {
  double *A, *U, *s;
} room;

/* Vectors w with w^T K = 0, in the columns of out; with `flip`, K w = 0. K_ik is scaled by
   sqrt(work_i work_k), so that a soft freedom beside a stiff one is not lost. They are the last *m,
   or, if that is negative, as many as have no stiffness. */
static bool null_vectors(const rigid_problem* p, room r, bool flip, int* m, double* out) {
  const int n = p->n;

  for (int k = 0; k < n; ++k) {
    for (int i = 0; i < n; ++i)
      r.A[flip ? i * n + k : k * n + i] = p->K[k * n + i] / sqrt(p->work[i] * p->work[k]);
  }
  if (!apl_dense_left(n, r.A, r.s, r.U)) return false;
  if (*m < 0) {
    *m = 0;
    while (*m < n && r.s[n - 1 - *m] <= ZERO * fmax(r.s[0], 1.0))
      ++*m;
  }
  for (int k = 0; k < *m; ++k) {
    for (int i = 0; i < n; ++i)
      out[k * n + i] = r.U[(n - *m + k) * n + i] / sqrt(p->work[i]);
  }
  return true;
}

/* Combine the vectors so that each is the only one that moves its leading freedom, which is easier
   to read. */
static void sort_out(const rigid_problem* p, rigid_motions* out) {
  const int n = p->n;

  for (int a = 0; a < out->m; ++a) {
    double* own = out->right + a * n;
    int lead = 0;
    for (int i = 0; i < n; ++i) {
      if (own[i] * own[i] * p->M[i * n + i] > own[lead] * own[lead] * p->M[lead * n + lead])
        lead = i;
    }
    const double pivot = own[lead];
    for (int i = 0; i < n; ++i)
      own[i] /= pivot;
    for (int b = 0; b < out->m; ++b) {
      const double share = out->right[b * n + lead];
      for (int i = 0; i < n && b != a; ++i)
        out->right[b * n + i] -= share * own[i];
    }
  }
  for (int i = 0; i < out->m * n; ++i) {
    if (fabs(out->right[i]) < 1e-9) out->right[i] = 0.0; /* round-off beside a leading entry */
  }
}

/* Rank of left^T D right: combinations c of rigid motions with left^T D right c = 0 are
   undamped. */
static bool count_undamped(const rigid_problem* p, room r, rigid_motions* out) {
  const int n = p->n, m = out->m;
  double size = 0.0, most = 0.0;

  for (int i = 0; i < n * n; ++i)
    most = fmax(most, fabs(p->D[i]));
  for (int b = 0; b < m; ++b) {
    for (int a = 0; a < m; ++a) {
      double sum = 0.0, terms = 0.0, floor = 0.0;
      for (int k = 0; k < n; ++k) {
        for (int i = 0; i < n; ++i) {
          const double part = out->left[a * n + i] * p->D[k * n + i] * out->right[b * n + k];
          sum += part;
          terms += fabs(part);
          floor += fabs(out->left[a * n + i] * out->right[b * n + k]);
        }
      }
      /* values at the round-off of the largest damping count as zero: a heavy foot on the ground */
      r.A[b * m + a] = fabs(sum) > fmax(ZERO * terms, 1e-18 * most * floor) ? sum : 0.0;
      size = fmax(size, fabs(r.A[b * m + a]));
    }
  }
  if (!apl_dense_left(m, r.A, r.s, r.U)) return false;
  for (int a = 0; a < m; ++a)
    out->undamped += r.s[a] <= ZERO * size;
  return true;
}

bool apl_rigid_motions(const rigid_problem* p, apl_pool* pool, rigid_motions* out) {
  const size_t bytes = sizeof(double) * (size_t)(p->n * p->n + 1);
  const room r = {apl_pool_take(pool, bytes), apl_pool_take(pool, bytes),
                  apl_pool_take(pool, bytes)};

  *out = (rigid_motions){.right = apl_pool_take(pool, bytes), .left = apl_pool_take(pool, bytes)};
  if (r.A == NULL || r.U == NULL || r.s == NULL || out->right == NULL || out->left == NULL)
    return false;
  out->m = -1;
  if (!null_vectors(p, r, true, &out->m, out->right) ||
      !null_vectors(p, r, false, &out->m, out->left))
    return false;
  sort_out(p, out);
  return count_undamped(p, r, out);
}
