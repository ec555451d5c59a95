/* SPDX-License-Identifier: Apache-2.0 */
/* eigen.c: see eigen.h. Zero eigenvalues are found first and removed: rigid-body motions give
   double zeros, which a solver would return as small frequencies. The rest is solved by LAPACK in
   coordinates in which M is the identity. Theory: docs/modes.md, 2. */
#include "analyse/eigen.h"

#include "analyse/dense.h"
#include "analyse/rigid_motion.h"

#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct eigen {
  const linear* l;
  int n, m;          /* freedoms; rigid motions                                               */
  double *M, *D, *K; /* in the units of l                                                    */
  rigid_motions rigid;
  double *L, *Q;       /* M = L L^T; Q: first the orthonormalised L^T right, then its complement */
  double *Kq, *Dq;     /* Q^T L^-1 (K, D) L^-T Q                                               */
  double *s, *scratch; /* [n], [n*n]                                                           */
  bool symmetric;      /* K is symmetric, and D = 0 */
  apl_pool* pool;
  eigen_mode* mode;
  int count;
} eigen;

static double* matrix(eigen* e, int n) {
  return apl_pool_take(e->pool, sizeof(double) * (size_t)(n * n + 1));
}

static bool take_room(eigen* e) {
  double** const all[] = {&e->M, &e->D, &e->K, &e->L, &e->Q, &e->Kq, &e->Dq, &e->scratch};
  bool ok = true;

  for (size_t i = 0; i < sizeof all / sizeof *all; ++i) {
    *all[i] = matrix(e, e->n);
    ok = ok && *all[i] != NULL;
  }
  e->s = apl_pool_take(e->pool, sizeof(double) * (size_t)(e->n + 1));
  e->mode = apl_pool_take(e->pool, sizeof *e->mode * (size_t)(2 * e->n + 1));
  return ok && e->s != NULL && e->mode != NULL;
}

/* out = A^T B, or A B */
static void product(int n, const double* A, bool transposed, const double* B, double* out) {
  for (int k = 0; k < n; ++k) {
    for (int i = 0; i < n; ++i) {
      double sum = 0.0;
      for (int j = 0; j < n; ++j)
        sum += (transposed ? A[i * n + j] : A[j * n + i]) * B[k * n + j];
      out[k * n + i] = sum;
    }
  }
}

static void transpose_matrix(int n, double* A) {
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < i; ++k) {
      const double t = A[k * n + i];
      A[k * n + i] = A[i * n + k];
      A[i * n + k] = t;
    }
  }
}

/* ------------------------------------------------------------------------------- coordinates ----
 */

/* M = L L^T, and Q: in w with x = L^-T Q w the inertia is the identity, and the first m coordinates
   are rigid-body motions. */
static apl_status find_coordinates(eigen* e) {
  const int n = e->n, m = e->m;
  double* factor = e->s;

  memcpy(e->L, e->M, sizeof *e->L * (size_t)(n * n));
  if (LAPACKE_dpotrf(LAPACK_COL_MAJOR, 'L', n, e->L, n) != 0) return APL_ERR_SINGULAR;
  for (int k = 0; k < n; ++k)
    memset(e->L + k * n, 0, sizeof *e->L * (size_t)k); /* dpotrf leaves M above the diagonal */
  memset(e->Q, 0, sizeof *e->Q * (size_t)(n * n));
  memcpy(e->scratch, e->rigid.right, sizeof *e->scratch * (size_t)(n * m));
  memset(e->scratch + n * m, 0, sizeof *e->scratch * (size_t)(n * (n - m)));
  product(n, e->L, true, e->scratch, e->Q);
  if (m > 0 && LAPACKE_dgeqrf(LAPACK_COL_MAJOR, n, m, e->Q, n, factor) != 0) return APL_ERR_MEMORY;
  if (m > 0 && LAPACKE_dorgqr(LAPACK_COL_MAJOR, n, n, m, e->Q, n, factor) != 0)
    return APL_ERR_MEMORY;
  for (int k = 0; k < n && m == 0; ++k)
    e->Q[k * n + k] = 1.0;
  return APL_OK;
}

/* out = Q^T L^-1 A L^-T Q */
static bool transform(eigen* e, const double* A, double* out) {
  const int n = e->n;

  /* L^-1 A, then (L^-1 (L^-1 A)^T)^T */
  memcpy(out, A, sizeof *out * (size_t)(n * n));
  for (int side = 0; side < 2; ++side) {
    if (LAPACKE_dtrtrs(LAPACK_COL_MAJOR, 'L', 'N', 'N', n, n, e->L, n, out, n) != 0) return false;
    transpose_matrix(n, out);
  }
  product(n, e->Q, true, out, e->scratch);
  product(n, e->scratch, false, e->Q, out);
  return true;
}

/* A mode with the shape x = unit L^-T Q w, for w[n] as real and imaginary part. */
static bool add_mode(eigen* e, double complex lambda, const double* re, const double* im) {
  const int n = e->n;
  eigen_mode* mode = &e->mode[e->count];
  double* part[2] = {e->scratch, e->scratch + n};
  const double* w[2] = {re, im};

  mode->x = apl_pool_take(e->pool, sizeof *mode->x * (size_t)n);
  if (mode->x == NULL) return false;
  for (int p = 0; p < 2; ++p) {
    for (int i = 0; i < n; ++i) {
      part[p][i] = 0.0;
      for (int k = 0; k < n && w[p] != NULL; ++k)
        part[p][i] += e->Q[k * n + i] * w[p][k];
    }
    if (LAPACKE_dtrtrs(LAPACK_COL_MAJOR, 'L', 'T', 'N', n, 1, e->L, n, part[p], n) != 0)
      return false;
  }
  mode->lambda = lambda;
  for (int i = 0; i < n; ++i)
    mode->x[i] = complex_of(part[0][i], part[1][i]);
  ++e->count;
  return true;
}

static bool add_rigid(eigen* e) {
  for (int a = 0; a < e->m; ++a) {
    eigen_mode* mode = &e->mode[e->count++];
    *mode = (eigen_mode){.rigid = true};
    mode->x = apl_pool_take(e->pool, sizeof *mode->x * (size_t)e->n);
    if (mode->x == NULL) return false;
    for (int i = 0; i < e->n; ++i)
      mode->x[i] = e->rigid.right[a * e->n + i];
  }
  return true;
}

/* ---------------------------------------------------------------------------------- solvers ----
 */

/* K w = omega^2 w: real shapes, without round-off that looks like damping. For negative stiffness
   lambda is real, with both signs. */
static apl_status solve_symmetric(eigen* e) {
  const int n = e->n, m = e->m, k = n - m;
  double *A = matrix(e, k), *value = matrix(e, k), *w = matrix(e, n);
  if (A == NULL || value == NULL || w == NULL) return APL_ERR_MEMORY;

  for (int j = 0; j < k; ++j)
    memcpy(A + j * k, e->Kq + (m + j) * n + m, sizeof *A * (size_t)k);
  if (!apl_dense_symmetric(k, A, value)) return APL_ERR_NOT_FINITE;
  for (int j = 0; j < k; ++j) {
    const double omega = sqrt(fabs(value[j]));
    memcpy(w + m, A + j * k, sizeof *w * (size_t)k);
    if (value[j] > 0.0) {
      if (!add_mode(e, complex_of(0.0, omega), w, NULL)) return APL_ERR_MEMORY;
    } else if (!add_mode(e, omega, w, NULL) || !add_mode(e, -omega, w, NULL)) {
      return APL_ERR_MEMORY;
    }
  }
  return APL_OK;
}

/* Eigenvalues ordered by size, to identify those that must be zero. */
typedef struct ranked {
  double size;
  int at;
} ranked;

static int by_size(const void* a, const void* b) {
  const double x = ((const ranked*)a)->size, y = ((const ranked*)b)->size;
  return (x > y) - (x < y);
}

/* First-order form: b' = w without its rigid part, w' = -K b - D w; the shape is w. */
static apl_status solve_general(eigen* e) {
  const int n = e->n, m = e->m, N = 2 * n - m;
  double *B = matrix(e, N), *V = matrix(e, N), *re = matrix(e, N), *im = re + N;
  ranked* order = apl_pool_take(e->pool, sizeof *order * (size_t)(N + 1));
  if (B == NULL || V == NULL || re == NULL || order == NULL) return APL_ERR_MEMORY;

  for (int j = 0; j < n - m; ++j) {
    B[(n + j) * N + j] = 1.0;
    for (int i = 0; i < n; ++i)
      B[j * N + n - m + i] = -e->Kq[(m + j) * n + i];
  }
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i)
      B[(n - m + j) * N + n - m + i] = -e->Dq[j * n + i];
  }
  if (LAPACKE_dgeev(LAPACK_COL_MAJOR, 'N', 'V', N, B, N, re, im, NULL, N, V, N) != 0)
    return APL_ERR_NOT_FINITE;

  for (int k = 0; k < N; ++k)
    order[k] = (ranked){hypot(re[k], im[k]), k};
  qsort(order, (size_t)N, sizeof *order, by_size);
  for (int k = e->rigid.undamped; k < N; ++k) {
    const int at = order[k].at;
    if (im[at] < 0.0) continue; /* the other of a complex pair represents both */
    const double* w = V + at * N + n - m;
    if (!add_mode(e, complex_of(re[at], im[at]), w, im[at] > 0.0 ? w + N : NULL))
      return APL_ERR_MEMORY;
  }
  return APL_OK;
}

/* ------------------------------------------------------------------------------- refinement ----
 */

/* One Newton step, T(lambda) u = T'(lambda) x, lambda -= x*x / x*u, with T = lambda^2 M + lambda D
   + K. The error of a solver is relative to the largest eigenvalue; here each freedom has its own
   scale, so that the slowest mode of a stiff robot keeps its digits. */
static void refine(const eigen* e, eigen_mode* mode, double complex* T, lapack_int* pivot) {
  const int n = e->n;
  const double complex lambda = mode->lambda;
  double complex* u = T + n * n;
  double* size = e->s;
  double complex up = 0.0, down = 0.0;

  for (int i = 0; i < n; ++i) {
    const int own = i * n + i;
    const double a = cabs(lambda);
    size[i] = sqrt(a * a * e->M[own] + a * fabs(e->D[own]) + fabs(e->K[own]));
    u[i] = 0.0;
  }
  for (int k = 0; k < n; ++k) {
    for (int i = 0; i < n; ++i) {
      const int at = k * n + i;
      const double complex slope = 2.0 * lambda * e->M[at] + e->D[at];
      T[at] = (lambda * lambda * e->M[at] + lambda * e->D[at] + e->K[at]) / (size[i] * size[k]);
      u[i] += slope * mode->x[k] / size[i];
    }
  }
  if (LAPACKE_zgesv(LAPACK_COL_MAJOR, n, 1, T, n, pivot, u, n) != 0)
    return; /* singular: lambda is
               exact */
  for (int i = 0; i < n; ++i) {
    const double complex y = mode->x[i] * size[i];
    up += conj(y) * y;
    down += conj(y) * u[i];
  }
  const double complex step = up / down;
  if (cabs(step) < 1e-3 * cabs(lambda)) mode->lambda = lambda - step;
}

/* Remove real parts that are round-off; keep real eigenvalues real. */
static void clean(eigen_mode* mode, bool real) {
  const double re = creal(mode->lambda), im = cimag(mode->lambda);

  if (real) mode->lambda = re;
  if (!real && fabs(re) < 1e-9 * fabs(im)) mode->lambda = complex_of(0.0, im);
}

static int by_lambda(const void* a, const void* b) {
  const eigen_mode *x = a, *y = b;
  const double p = cabs(x->lambda), q = cabs(y->lambda);

  if (x->rigid || y->rigid) return y->rigid - x->rigid;
  return (p > q) - (p < q);
}

static apl_status finish(eigen* e, int exact) {
  const size_t n = (size_t)e->n;
  double complex* T = apl_pool_take(e->pool, sizeof *T * (n * n + n + 1));
  lapack_int* pivot = apl_pool_take(e->pool, sizeof *pivot * (n + 1));
  if (T == NULL || pivot == NULL) return APL_ERR_MEMORY;

  qsort(e->mode + e->m, (size_t)(e->count - e->m), sizeof *e->mode, by_lambda);
  for (int i = e->m; i < e->count; ++i) {
    const bool real = cimag(e->mode[i].lambda) == 0.0;
    if (i - e->m < exact) refine(e, &e->mode[i], T, pivot);
    clean(&e->mode[i], real);
  }
  for (int i = 0; i < e->count; ++i) {
    for (int k = 0; k < e->n; ++k)
      e->mode[i].x[k] *= e->l->unit[k];
  }
  return APL_OK;
}

/* ------------------------------------------------------------------------------------- call ----
 */

/* Scale the matrices by units, and test for an undamped robot with a potential. */
static void scale(eigen* e) {
  const double *unit = e->l->unit, *work = e->l->work;
  const int n = e->n;

  e->symmetric = true;
  for (int k = 0; k < n; ++k) {
    for (int i = 0; i < n; ++i) {
      const int at = k * n + i;
      const double both = unit[i] * unit[k];
      e->M[at] = e->l->M[at] * both;
      e->D[at] = e->l->D[at] * both;
      e->K[at] = e->l->K[at] * both;
      if (e->D[at] != 0.0) e->symmetric = false;
    }
  }
  for (int k = 0; k < n; ++k) {
    for (int i = 0; i < k; ++i) {
      const double skew = e->K[k * n + i] - e->K[i * n + k];
      if (fabs(skew) > 1e-9 * sqrt(work[i] * work[k])) e->symmetric = false;
    }
  }
}

apl_status apl_eigen(const linear* l, int exact, apl_pool* pool, eigen_mode** out, int* count) {
  eigen e = {.l = l, .n = l->n, .pool = pool};
  *count = 0;
  *out = NULL;
  if (l->n == 0) return APL_OK;
  if (!take_room(&e)) return APL_ERR_MEMORY;

  scale(&e);
  if (!apl_rigid_motions(&(rigid_problem){e.n, e.M, e.D, e.K, l->work}, pool, &e.rigid))
    return APL_ERR_NOT_FINITE;
  e.m = e.rigid.m;
  apl_status st = find_coordinates(&e);
  if (st == APL_OK && !(transform(&e, e.K, e.Kq) && transform(&e, e.D, e.Dq)))
    st = APL_ERR_NOT_FINITE;
  if (st == APL_OK && !add_rigid(&e)) st = APL_ERR_MEMORY;
  if (st == APL_OK) st = e.symmetric ? solve_symmetric(&e) : solve_general(&e);
  if (st == APL_OK) st = finish(&e, exact);
  *out = e.mode;
  *count = e.count;
  return st;
}
