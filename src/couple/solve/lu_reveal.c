/* SPDX-License-Identifier: Apache-2.0 */
/* lu_reveal.c: rank-revealing elimination: pivots from the diagonal or from the whole matrix, one
   at a time, until the remainder is round-off. */
#include "couple/solve/lu.h"

#include <math.h>
#include <stddef.h>

static void swap(double* a, double* b) {
  const double t = *a;
  *a = *b;
  *b = t;
}

/* Exchange row `row` and column `column` with row and column k. */
static void exchange(apl_lu* f, int row, int column, int k) {
  const int r = f->row[row], c = f->column[column];

  for (int j = 0; j < f->n; ++j)
    swap(f->A + (ptrdiff_t)row * f->ld + j, f->A + (ptrdiff_t)k * f->ld + j);
  for (int i = 0; i < f->n; ++i)
    swap(f->A + (ptrdiff_t)i * f->ld + column, f->A + (ptrdiff_t)i * f->ld + k);
  f->row[row] = f->row[k];
  f->row[k] = r;
  f->column[column] = f->column[k];
  f->column[k] = c;
}

/* Bring the next pivot to (k, k). */
static void choose(apl_lu* f, apl_lu_pivot how, int k) {
  int row = k, column = k;
  double most = -1;

  for (int i = k; i < f->n; ++i) {
    const double* a = f->A + (ptrdiff_t)i * f->ld;
    const int from = how == APL_LU_DIAGONAL ? i : k;
    const int to = how == APL_LU_DIAGONAL ? i + 1 : f->n;
    for (int j = from; j < to; ++j) {
      if (fabs(a[j]) > most) {
        most = fabs(a[j]);
        row = i;
        column = j;
      }
    }
  }
  exchange(f, row, column, k);
}

void apl_lu_reveal(apl_lu* f, apl_lu_pivot how, double tiny) {
  for (f->rank = 0; f->rank < f->n; ++f->rank) {
    const int k = f->rank;
    choose(f, how, k);
    const double* restrict u = f->A + (ptrdiff_t)k * f->ld;
    if (!(fabs(u[k]) > tiny)) break;
    f->inverse[k] = 1 / u[k];
    f->smallest = fmin(f->smallest, fabs(u[k]));
    for (int i = k + 1; i < f->n; ++i) {
      double* restrict a = f->A + (ptrdiff_t)i * f->ld;
      const double l = a[k] * f->inverse[k];
      a[k] = l;
      for (int j = k + 1; j < f->n; ++j)
        a[j] -= l * u[j];
    }
  }
  apl_lu_turn(f);
}
