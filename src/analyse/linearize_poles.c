/* SPDX-License-Identifier: Apache-2.0 */
/* linearize_poles.c: poles are the eigenvalues of A. Transmission zeros are the finite eigenvalues
   of the pencil

     [ A - s 1   B ]
     [ C         D ]

   which also has infinite ones. Round-off turns these into large finite numbers, which differ after
   a change of coordinates: values that agree in two orthogonal coordinate systems are zeros. */
#include "analyse/linearize.h"

#include <float.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct number {
  double re, im;
} number;

/* largest real part first, then by frequency */
static int by_growth(const void* a, const void* b) {
  const number *x = a, *y = b;

  if (x->re != y->re) return x->re > y->re ? -1 : 1;
  return x->im < y->im ? 1 : x->im > y->im ? -1 : 0;
}

static void put_sorted(number* x, int n, double* out) {
  qsort(x, (size_t)n, sizeof *x, by_growth);
  for (int i = 0; i < n; ++i)
    out[2 * i] = x[i].re, out[2 * i + 1] = x[i].im;
}

static apl_status find_poles(linear_work* w) {
  const int n = w->x.n;
  double* room = malloc(sizeof *room * (size_t)(n * n + 2 * n));
  number* x = malloc(sizeof *x * (size_t)n);
  apl_status st = room == NULL || x == NULL ? APL_ERR_MEMORY : APL_OK;

  if (st == APL_OK) {
    double *re = room + n * n, *im = re + n;
    memcpy(room, w->A, sizeof *room * (size_t)(n * n));
    if (LAPACKE_dgeev(LAPACK_ROW_MAJOR, 'N', 'N', n, room, n, re, im, NULL, 1, NULL, 1) != 0)
      st = APL_ERR_NOT_FINITE;
    for (int i = 0; i < n; ++i)
      x[i] = (number){re[i], im[i]};
    if (st == APL_OK) put_sorted(x, n, w->pole);
  }
  free(room);
  free(x);
  return st;
}

/* x -> H x with H = 1 - 2 h h^T, h a fixed direction in general position: A' = H A H, ... */
static void reflect(double* A, int rows, int columns, int ld, const double* h, bool left) {
  const int n = left ? columns : rows, len = left ? rows : columns;
  const int along = left ? ld : 1, across = left ? 1 : ld;

  for (int i = 0; i < n; ++i) {
    double sum = 0.0;
    for (int k = 0; k < len; ++k)
      sum += h[k] * A[i * across + k * along];
    for (int k = 0; k < len; ++k)
      A[i * across + k * along] -= 2.0 * h[k] * sum;
  }
}

/* Finite eigenvalues of the pencil; turned: in other coordinates. Returns how many, -1: failed. */
static int pencil(const linear_work* w, bool turned, number* out) {
  const int n = w->x.n, m = w->u.n, N = n + m;
  const size_t all = (size_t)(N * N);
  double* room = calloc(2 * all + 3 * (size_t)N + (size_t)n, sizeof *room);
  double *P = room, *E = P + all, *re = E + all, *im = re + N, *b = im + N, *h = b + N;
  int count = 0;
  if (room == NULL) return -1;

  double size = 0.0;
  for (int i = 0; i < n; ++i) {
    memcpy(P + i * N, w->A + i * n, sizeof *P * (size_t)n);
    memcpy(P + i * N + n, w->B + i * m, sizeof *P * (size_t)m);
    E[i * N + i] = 1.0;
    h[i] = sin(1.0 + 2.0 * i);
    size += h[i] * h[i];
  }
  for (int i = 0; i < m; ++i) {
    memcpy(P + (n + i) * N, w->C + i * n, sizeof *P * (size_t)n);
    memcpy(P + (n + i) * N + n, w->D + i * m, sizeof *P * (size_t)m);
  }
  for (int i = 0; i < n; ++i)
    h[i] /= sqrt(size);
  if (turned) {
    reflect(P, n, N, N, h, true);
    reflect(P, N, n, N, h, false);
  }
  if (LAPACKE_dggev(LAPACK_ROW_MAJOR, 'N', 'N', N, P, N, E, N, re, im, b, NULL, 1, NULL, 1) != 0)
    count = -1;
  for (int i = 0; i < N && count >= 0; ++i) {
    if (!(fabs(b[i]) > 1e3 * DBL_EPSILON * hypot(re[i], im[i]))) continue;
    out[count++] = (number){re[i] / b[i], im[i] / b[i]};
    /* the next one is its conjugate, but has a different divisor: make them exactly conjugate */
    if (im[i] <= 0.0 || i + 1 == N) continue;
    out[count] = (number){out[count - 1].re, -out[count - 1].im};
    ++count, ++i;
  }
  free(room);
  return count;
}

/* Scale of the zeros: the largest pole, or the size of A. */
static double scale_of(const linear_work* w) {
  double most = 1e-300;

  for (int i = 0; i < w->x.n; ++i)
    most = fmax(most, hypot(w->pole[2 * i], w->pole[2 * i + 1]));
  return most;
}

static apl_status find_zeros(linear_work* w) {
  const int N = w->x.n + w->u.n;
  number* x = malloc(sizeof *x * 2 * (size_t)N);
  number* y = x + N;
  int found = 0;

  w->out.nzero = -1;
  if (w->u.n != w->y.n || w->u.n == 0) {
    free(x);
    return APL_OK;
  }
  const int nx = x == NULL ? -1 : pencil(w, false, x), ny = x == NULL ? -1 : pencil(w, true, y);
  for (int i = 0; i < nx && ny >= 0; ++i) {
    double least = HUGE_VAL;
    for (int k = 0; k < ny; ++k)
      least = fmin(least, hypot(x[i].re - y[k].re, x[i].im - y[k].im));
    const double size = hypot(x[i].re, x[i].im) + 1e-3 * scale_of(w);
    if (least <= 1e-3 * size) x[found++] = x[i];
  }
  if (nx >= 0 && ny >= 0) {
    put_sorted(x, found, w->zero);
    w->out.nzero = found;
  }
  free(x);
  return nx >= 0 && ny >= 0 ? APL_OK : APL_ERR_NOT_FINITE;
}

apl_status apl_linear_poles(linear_work* w) {
  const apl_status st = find_poles(w);

  return st == APL_OK ? find_zeros(w) : st;
}
