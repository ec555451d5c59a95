/* SPDX-License-Identifier: Apache-2.0 */
/* lu.c: elimination in panels of up to four pivots, so that each remaining row is read and written
   once per four pivots. Panels end at multiples of the lane width, and at the end of the definite
   block. */
#include "couple/solve/lu.h"

#include "couple/solve/kernel.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

void apl_lu_place(apl_lu* f, int most, apl_arena* a) {
  const size_t n = (size_t)most;

  f->n = f->ld = f->definite = 0;
  f->rank = 0;
  f->smallest = 1;
  f->A = apl_arena_take(a, n * (size_t)kernel_padded(most) * sizeof(double));
  f->below = apl_arena_take(a, n * (size_t)kernel_padded(most) * sizeof(double));
  f->above = apl_arena_take(a, n * (size_t)kernel_padded(most) * sizeof(double));
  f->inverse = apl_arena_take(a, n * sizeof(double));
  f->pivot = apl_arena_take(a, KERNEL_LANES * (size_t)kernel_padded(most) * sizeof(double));
  f->row = apl_arena_take(a, n * sizeof(int));
  f->column = apl_arena_take(a, n * sizeof(int));
}

void apl_lu_begin(apl_lu* f, int n, int definite) {
  f->n = n;
  f->definite = definite;
  f->ld = kernel_padded(n);
  f->smallest = n > 0 ? HUGE_VAL : 1;
  for (int i = 0; i < n; ++i) {
    f->row[i] = f->column[i] = i;
    for (int j = n; j < f->ld; ++j)
      f->A[(ptrdiff_t)i * f->ld + j] = 0;
  }
}

static double* row_of(const apl_lu* f, int i) {
  return f->A + (ptrdiff_t)i * f->ld;
}

static void swap_rows(apl_lu* f, int i, int k) {
  double* restrict x = f->A + (ptrdiff_t)i * f->ld;
  double* restrict y = f->A + (ptrdiff_t)k * f->ld;
  const int r = f->row[i];

  for (int j = 0; j < f->n; ++j) {
    const double t = x[j];
    x[j] = y[j];
    y[j] = t;
  }
  f->row[i] = f->row[k];
  f->row[k] = r;
}

/* --------------------------------------------------------------------------------- panels ---- */

static int panel_end(const apl_lu* f, int k) {
  const int lane = (k / KERNEL_LANES + 1) * KERNEL_LANES;
  const int end = lane < f->n ? lane : f->n;
  return k < f->definite && f->definite < end ? f->definite : end;
}

static bool keep_pivot(apl_lu* f, int k) {
  const double value = row_of(f, k)[k], size = fabs(value);

  if (!(size > 0)) return false;
  f->inverse[k] = 1 / value;
  if (size < f->smallest) f->smallest = size;
  return true;
}

/* Pivots k0..k1-1 of the definite block: rows of U, which also give L by symmetry. Returns how many
   were accepted. */
static int definite_panel(apl_lu* f, int k0, int k1) {
  for (int k = k0; k < k1; ++k) {
    const double* restrict u = row_of(f, k);
    if (!keep_pivot(f, k)) return k - k0;
    for (int i = k + 1; i < k1; ++i) {
      double* restrict a = row_of(f, i);
      const double l = u[i] * f->inverse[k];
      for (int j = i; j < f->n; ++j)
        a[j] -= l * u[j];
    }
  }
  return k1 - k0;
}

/* Partial pivoting: move the largest entry of column k to the diagonal. */
static void exchange(apl_lu* f, int k) {
  int best = k;

  for (int i = k + 1; i < f->n; ++i)
    if (fabs(row_of(f, i)[k]) > fabs(row_of(f, best)[k])) best = i;
  if (best != k) swap_rows(f, best, k);
}

/* Pivots k0..k1-1 with row exchanges: first L and U in these columns, then the rest of their
   rows. */
static int pivoted_panel(apl_lu* f, int k0, int k1) {
  for (int k = k0; k < k1; ++k) {
    exchange(f, k);
    const double* restrict u = row_of(f, k);
    if (!keep_pivot(f, k)) return k - k0;
    for (int i = k + 1; i < f->n; ++i) {
      double* restrict a = row_of(f, i);
      a[k] *= f->inverse[k];
      for (int j = k + 1; j < k1; ++j)
        a[j] -= a[k] * u[j];
    }
  }
  for (int i = k0 + 1; i < k1; ++i) {
    double* restrict a = row_of(f, i);
    for (int k = k0; k < i; ++k) {
      const double* restrict u = row_of(f, k);
      const double l = a[k];
      for (int j = k1; j < f->n; ++j)
        a[j] -= l * u[j];
    }
  }
  return k1 - k0;
}

/* Row i of L in the columns of a definite panel, for a row after the definite block. */
static void row_multipliers(apl_lu* f, int i, int k0, int k1) {
  double* restrict a = row_of(f, i);

  for (int k = k0; k < k1; ++k) {
    const double* restrict u = row_of(f, k);
    a[k] *= f->inverse[k];
    for (int j = k + 1; j < k1; ++j)
      a[j] -= a[k] * u[j];
  }
}

/* a -= l_0 u_0 + l_1 u_1 + l_2 u_2 + l_3 u_3, from the lane of column `from` on */
static void take_four(double* restrict a, const double l[4], const double* restrict u, int from,
                      int ld) {
  const double *u0 = u, *u1 = u + ld, *u2 = u1 + ld, *u3 = u2 + ld;
  const double l0 = l[0], l1 = l[1], l2 = l[2], l3 = l[3];

  for (int j = from / KERNEL_LANES * KERNEL_LANES; j < ld; j += KERNEL_LANES) {
    for (int c = j; c < j + KERNEL_LANES; ++c)
      a[c] -= (l0 * u0[c] + l1 * u1[c]) + (l2 * u2[c] + l3 * u3[c]);
  }
}

/* Update the rows k1 and later after a panel. */
static void take_panel(apl_lu* f, int k0, int k1) {
  const bool definite = k0 < f->definite;
  double* u = f->pivot;

  memset(u, 0, KERNEL_LANES * (size_t)f->ld * sizeof *u);
  for (int k = k0; k < k1; ++k)
    memcpy(u + (ptrdiff_t)(k - k0) * f->ld + k1, row_of(f, k) + k1,
           (size_t)(f->n - k1) * sizeof *u);
  for (int i = k1; i < f->n; ++i) {
    double l[KERNEL_LANES] = {0, 0, 0, 0};
    const bool half = i < f->definite;
    if (definite && !half) row_multipliers(f, i, k0, k1);
    for (int k = k0; k < k1; ++k)
      l[k - k0] = half ? row_of(f, k)[i] * f->inverse[k] : row_of(f, i)[k];
    take_four(row_of(f, i), l, u, half ? i : k1, f->ld);
  }
}

void apl_lu_factor(apl_lu* f) {
  f->rank = 0;
  while (f->rank < f->n) {
    const int k0 = f->rank, k1 = panel_end(f, k0);
    f->rank += k0 < f->definite ? definite_panel(f, k0, k1) : pivoted_panel(f, k0, k1);
    if (f->rank < k1) break;
    take_panel(f, k0, k1);
  }
  apl_lu_turn(f);
}

/* --------------------------------------------------------------------------- substitutions ---- */

/* Store the transposed factors for substitution by columns: each component, once known, is
   subtracted from all remaining ones. These updates run along whole lanes and are independent. */
void apl_lu_turn(apl_lu* f) {
  const int k = f->rank, ld = f->ld;

  for (int i = 0; i < k; ++i) {
    double* below = f->below + (ptrdiff_t)i * ld;
    double* above = f->above + (ptrdiff_t)i * ld;
    const int first = (i + 1) / KERNEL_LANES * KERNEL_LANES, last = kernel_padded(i);
    for (int j = first; j <= i; ++j)
      below[j] = 0;
    int j = i + 1;
    for (; j < k && j < f->definite; ++j)
      below[j] = f->A[(ptrdiff_t)i * ld + j] * f->inverse[i];
    for (; j < k; ++j)
      below[j] = f->A[(ptrdiff_t)j * ld + i];
    for (; j < ld; ++j)
      below[j] = 0;
    for (j = 0; j < i; ++j)
      above[j] = f->A[(ptrdiff_t)j * ld + i];
    for (; j < last; ++j)
      above[j] = 0;
  }
}

/* x -= y a, over the lanes from..to-1 */
static void take_out(double* restrict x, double y, const double* restrict a, int from, int to) {
  for (int j = from; j < to; j += KERNEL_LANES) {
    for (int c = 0; c < KERNEL_LANES; ++c)
      x[j + c] -= y * a[j + c];
  }
}

void apl_lu_solve_lead(const apl_lu* f, double* x) {
  const int k = f->rank, ld = f->ld;

  for (int i = k; i < ld; ++i)
    x[i] = 0;
  for (int i = 0; i < k; ++i)
    take_out(x, x[i], f->below + (ptrdiff_t)i * ld, (i + 1) / KERNEL_LANES * KERNEL_LANES, ld);
  for (int i = k - 1; i >= 0; --i) {
    x[i] *= f->inverse[i];
    take_out(x, x[i], f->above + (ptrdiff_t)i * ld, 0, kernel_padded(i));
  }
}

void apl_lu_solve(const apl_lu* f, const double* b, double* x) {
  for (int i = 0; i < f->n; ++i)
    x[i] = b[f->row[i]];
  apl_lu_solve_lead(f, x);
}
