/* lu.c: right-looking elimination, row by row, so that the inner loops run along rows. */
#include "couple/lu.h"

#include "couple/kernel.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

void apl_lu_place(apl_lu* f, int most, apl_arena* a) {
  const size_t n = (size_t)most;

  f->n = 0;
  f->ld = 0;
  f->rank = 0;
  f->smallest = 1;
  f->A = apl_arena_take(a, n * (size_t)kernel_padded(most) * sizeof(double));
  f->below = apl_arena_take(a, n * (size_t)kernel_padded(most) * sizeof(double));
  f->above = apl_arena_take(a, n * (size_t)kernel_padded(most) * sizeof(double));
  f->inverse = apl_arena_take(a, n * sizeof(double));
  f->pivot = apl_arena_take(a, (size_t)kernel_padded(most) * sizeof(double));
  f->row = apl_arena_take(a, n * sizeof(int));
  f->column = apl_arena_take(a, n * sizeof(int));
}

void apl_lu_begin(apl_lu* f, int n) {
  f->n = n;
  f->ld = kernel_padded(n);
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

static void swap_columns(apl_lu* f, int i, int k) {
  const int c = f->column[i];

  for (int j = 0; j < f->n; ++j) {
    double* x = f->A + (ptrdiff_t)j * f->ld;
    const double t = x[i];
    x[i] = x[k];
    x[k] = t;
  }
  f->column[i] = f->column[k];
  f->column[k] = c;
}

/* Bring the next pivot to (k, k). */
static void choose(apl_lu* f, apl_lu_pivot how, int k) {
  int row = k, column = k;
  double most = -1;

  for (int i = k; i < f->n; ++i) {
    const double* a = f->A + (ptrdiff_t)i * f->ld;
    const int from = how == APL_LU_DIAGONAL ? i : k;
    const int to = how == APL_LU_COMPLETE ? f->n : from + 1;
    for (int j = from; j < to; ++j) {
      if (fabs(a[j]) > most) {
        most = fabs(a[j]);
        row = i;
        column = j;
      }
    }
  }
  if (row != k) swap_rows(f, row, k);
  if (column != k) swap_columns(f, column, k);
}

/* a_i -= l_i pivot for the rows after k, two at a time. `pivot` is zero up to column k, so that
   whole lanes can be taken from the lane of column k + 1 on. */
static void eliminate(apl_lu* f, int k, const double* restrict pivot) {
  const int n = f->n, ld = f->ld, first = (k + 1) / KERNEL_LANES * KERNEL_LANES;
  int i = k + 1;

  for (; i + 1 < n; i += 2) {
    double* restrict a = f->A + (ptrdiff_t)i * ld;
    double* restrict b = a + ld;
    const double la = a[k] * f->inverse[k], lb = b[k] * f->inverse[k];
    for (int j = first; j < ld; j += KERNEL_LANES) {
      for (int c = 0; c < KERNEL_LANES; ++c) {
        a[j + c] -= la * pivot[j + c];
        b[j + c] -= lb * pivot[j + c];
      }
    }
    a[k] = la;
    b[k] = lb;
  }
  if (i < n) {
    double* restrict a = f->A + (ptrdiff_t)i * ld;
    const double la = a[k] * f->inverse[k];
    for (int j = first; j < ld; ++j)
      a[j] -= la * pivot[j];
    a[k] = la;
  }
}

/* Substitution by columns: each number, once known, is taken out of all that are left. Those steps
   run along rows of the transposed factors, in whole lanes, and do not wait for one another. */
static void turn(apl_lu* f) {
  const int k = f->rank, ld = f->ld;

  for (int i = 0; i < k; ++i) {
    double* below = f->below + (ptrdiff_t)i * ld;
    double* above = f->above + (ptrdiff_t)i * ld;
    const int first = (i + 1) / KERNEL_LANES * KERNEL_LANES, last = kernel_padded(i);
    for (int j = first; j <= i; ++j)
      below[j] = 0;
    for (int j = i + 1; j < k; ++j)
      below[j] = f->A[(ptrdiff_t)j * ld + i];
    for (int j = k; j < ld; ++j)
      below[j] = 0;
    for (int j = 0; j < i; ++j)
      above[j] = f->A[(ptrdiff_t)j * ld + i];
    for (int j = i; j < last; ++j)
      above[j] = 0;
  }
}

void apl_lu_factor(apl_lu* f, apl_lu_pivot how, double tiny) {
  const int n = f->n;

  f->smallest = n > 0 ? HUGE_VAL : 1;
  for (int i = 0; i < n; ++i) {
    f->row[i] = f->column[i] = i;
    for (int j = n; j < f->ld; ++j)
      f->A[(ptrdiff_t)i * f->ld + j] = 0;
  }
  for (f->rank = 0; f->rank < n; ++f->rank) {
    const int k = f->rank;
    choose(f, how, k);
    const double* row = f->A + (ptrdiff_t)k * f->ld;
    if (!(fabs(row[k]) > tiny)) break;
    f->inverse[k] = 1 / row[k];
    f->smallest = fmin(f->smallest, fabs(row[k]));
    f->pivot[k] = 0;
    memcpy(f->pivot + k + 1, row + k + 1, (size_t)(f->ld - k - 1) * sizeof *row);
    eliminate(f, k, f->pivot);
  }
  turn(f);
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
