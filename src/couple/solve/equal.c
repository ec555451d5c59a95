/* SPDX-License-Identifier: Apache-2.0 */
/* equal.c: least-norm solution of equalities from one pivoted factorisation.

     P W' Q = [L1; L2] [U1 U2]          rank k, what is left is round-off

   Null vectors on the left are [-A^T; 1] with A = L2 L1^-1, on the right the same with
   A = (U1^-1 U2)^T; for symmetric W' they agree. The projection that removes them,

     Pi x = x - N (N^T N)^-1 N^T x,     N^T N = 1 + A A^T,

   is well conditioned, since pivoting keeps A small. Then
     r' = -Pi_right [ (L1 U1)^-1 (Pi_left q')_1 ; 0 ]. */
#include "couple/solve/equal.h"

#include "couple/solve/kernel.h"
#include "couple/solve/scale.h"

#include <string.h>

static double* numbers(apl_arena* a, int rows, int each) {
  return apl_arena_take(a, (size_t)rows * (size_t)each * sizeof(double));
}

static void place_null(apl_equal_null* s, int most, apl_arena* a) {
  s->A = numbers(a, most, kernel_padded(most));
  apl_lu_place(&s->gram, most, a);
}

void apl_equal_place(apl_equal* e, int most, apl_arena* a) {
  const int padded = kernel_padded(most);

  e->n = e->ld = e->idle = 0;
  e->symmetric = true;
  e->W = numbers(a, most, padded);
  e->d = numbers(a, most, 1);
  apl_lu_place(&e->lu, most, a);
  place_null(&e->left, most, a);
  place_null(&e->right, most, a);
  e->b = numbers(a, padded, 1);
  e->x = numbers(a, padded, 1);
  e->y = numbers(a, padded, 1);
}

/* d_i = 1/sqrt(W_ii + soft_i), 0 on idle rows; W' = d (W + diag(soft)) d. soft may be NULL: zero.
 */
static void scale(apl_equal* e, const double* W, const double* soft) {
  const int n = e->n;
  double most = 0;

  for (int i = 0; i < n; ++i) {
    e->d[i] = scale_size(W + (long)i * n, i, n, e->symmetric);
    most = fmax(most, e->d[i]);
  }
  e->idle = 0;
  for (int i = 0; i < n; ++i) {
    const double compliance = soft != NULL ? soft[i] : 0;
    const bool idle = !(e->d[i] > SCALE_IDLE * most) || isinf(compliance);
    e->d[i] = idle ? 0 : scale_of(e->d[i] + compliance);
    e->idle += idle;
  }
  for (int i = 0; i < n; ++i) {
    double* row = e->W + (long)i * e->ld;
    for (int j = 0; j < n; ++j)
      row[j] = e->d[i] * W[(long)i * n + j] * e->d[j];
    for (int j = n; j < e->ld; ++j)
      row[j] = 0;
    if (soft != NULL && e->d[i] > 0) row[i] += e->d[i] * soft[i] * e->d[i];
  }
}

static void gram_factor(apl_equal_null* s, int dependent, int k, int ld) {
  apl_lu_begin(&s->gram, dependent, 0);
  for (int i = 0; i < dependent; ++i) {
    for (int j = 0; j < dependent; ++j)
      s->gram.A[(long)i * s->gram.ld + j] =
          (i == j) + kernel_dot(s->A + (long)i * ld, s->A + (long)j * ld, k);
  }
  apl_lu_reveal(&s->gram, APL_LU_DIAGONAL, 0);
}

/* A L1 = L2, row by row from the last column. */
static void left_null(apl_equal* e) {
  const apl_lu* f = &e->lu;
  const int k = f->rank;

  for (int i = k; i < e->n; ++i) {
    double* a = e->left.A + (long)(i - k) * e->ld;
    memcpy(a, f->A + (long)i * f->ld, (size_t)k * sizeof *a);
    for (int j = k - 1; j >= 0; --j) {
      for (int c = 0; c < j; ++c)
        a[c] -= a[j] * f->A[(long)j * f->ld + c];
    }
  }
  gram_factor(&e->left, e->n - k, k, e->ld);
}

/* U1 A^T = U2 */
static void right_null(apl_equal* e) {
  const apl_lu* f = &e->lu;
  const int k = f->rank;

  for (int i = k; i < e->n; ++i) {
    double* a = e->right.A + (long)(i - k) * e->ld;
    for (int j = k - 1; j >= 0; --j) {
      const double* u = f->A + (long)j * f->ld;
      a[j] = (u[i] - kernel_dot(u + j + 1, a + j + 1, k - 1 - j)) * f->inverse[j];
    }
  }
  gram_factor(&e->right, e->n - k, k, e->ld);
}

void apl_equal_factor_soft(apl_equal* e, int n, const double* W, const double* soft,
                           bool symmetric) {
  e->n = n;
  e->ld = kernel_padded(n);
  e->symmetric = symmetric;
  scale(e, W, soft);
  apl_lu_begin(&e->lu, n, 0);
  memcpy(e->lu.A, e->W, (size_t)n * (size_t)e->ld * sizeof(double));
  apl_lu_reveal(&e->lu, symmetric ? APL_LU_DIAGONAL : APL_LU_COMPLETE, APL_EQUAL_TINY);
  if (e->lu.rank == n) return;
  left_null(e);
  if (!symmetric) right_null(e);
}

void apl_equal_factor(apl_equal* e, int n, const double* W, bool symmetric) {
  apl_equal_factor_soft(e, n, W, NULL, symmetric);
}

bool apl_equal_unique(const apl_equal* e) {
  return e->lu.rank == e->n - e->idle;
}

/* x := x - N (N^T N)^-1 N^T x,  N^T x = x_2 - A x_1 */
static void remove_null(apl_equal* e, apl_equal_null* s, double* x) {
  const int k = e->lu.rank, dependent = e->n - k;
  double* y = e->y;

  for (int i = 0; i < dependent; ++i)
    y[i] = x[k + s->gram.row[i]] - kernel_dot(s->A + (long)s->gram.row[i] * e->ld, x, k);
  apl_lu_solve_lead(&s->gram, y);
  for (int i = 0; i < dependent; ++i) {
    const int at = s->gram.column[i];
    const double* a = s->A + (long)at * e->ld;
    x[k + at] -= y[i];
    for (int j = 0; j < k; ++j)
      x[j] += a[j] * y[i];
  }
}

/* r' -= Pi_right [(L1 U1)^-1 (Pi_left b)_1; 0] */
static void correct(apl_equal* e, double* r) {
  const apl_lu* f = &e->lu;
  apl_equal_null* right = e->symmetric ? &e->left : &e->right;
  double* x = e->x;

  for (int i = 0; i < e->n; ++i)
    x[i] = e->b[f->row[i]];
  if (f->rank < e->n) remove_null(e, &e->left, x);
  for (int i = f->rank; i < e->n; ++i)
    x[i] = 0;
  apl_lu_solve_lead(f, x);
  if (f->rank < e->n) remove_null(e, right, x);
  for (int i = 0; i < e->n; ++i)
    r[f->column[i]] -= x[i];
}

/* b = W' r' + q' */
static double residual(apl_equal* e, const double* q, const double* r) {
  double s = 0;

  for (int i = 0; i < e->n; ++i) {
    e->b[i] = e->d[i] * q[i] + kernel_dot(e->W + (long)i * e->ld, r, e->n);
    s += e->b[i] * e->b[i];
  }
  return sqrt(s);
}

double apl_equal_solve(apl_equal* e, const double* q, double* r) {
  memset(r, 0, (size_t)e->n * sizeof *r);
  const double size = residual(e, q, r);
  double left = size;

  if (!(size > 0)) return 0;
  /* the second round is iterative refinement */
  for (int round = 0; round < 2; ++round) {
    correct(e, r);
    left = residual(e, q, r);
  }
  for (int i = 0; i < e->n; ++i)
    r[i] *= e->d[i];
  return left / size;
}
