/* SPDX-License-Identifier: Apache-2.0 */
/* history.c: see history.h. All weights are Lagrange's, for unequal distances of points. */
#include "step/history.h"

#include "base/assert.h"

#include <stdlib.h>
#include <string.h>

apl_status apl_history_open(history* h, int n) {
  h->n = n;
  h->count = 0;
  h->y[0] = calloc((size_t)n * HISTORY_ROOM, sizeof *h->y[0]);
  if (h->y[0] == NULL) return APL_ERR_MEMORY;
  for (int i = 1; i < HISTORY_ROOM; ++i)
    h->y[i] = h->y[i - 1] + n;
  return APL_OK;
}

void apl_history_close(history* h) {
  double* first = h->y[0];

  /* pointers have been rotated: the block begins at the lowest address */
  for (int i = 1; i < HISTORY_ROOM; ++i)
    first = h->y[i] < first ? h->y[i] : first;
  free(first);
}

void apl_history_push(history* h, double t, const double* y) {
  double* oldest = h->y[HISTORY_ROOM - 1];
  APL_ASSERT(h->count == 0 || t > h->t[0]); /* newest first */

  memmove(h->t + 1, h->t, (HISTORY_ROOM - 1) * sizeof *h->t);
  memmove(h->y + 1, h->y, (HISTORY_ROOM - 1) * sizeof *h->y);
  h->t[0] = t;
  h->y[0] = oldest;
  memcpy(oldest, y, sizeof *y * (size_t)h->n);
  if (h->count < HISTORY_ROOM) h->count += 1;
}

void apl_history_drop(history* h, double t) {
  while (h->count > 0 && h->t[0] > t) {
    double* newest = h->y[0];
    memmove(h->t, h->t + 1, (HISTORY_ROOM - 1) * sizeof *h->t);
    memmove(h->y, h->y + 1, (HISTORY_ROOM - 1) * sizeof *h->y);
    h->y[HISTORY_ROOM - 1] = newest;
    h->count -= 1;
  }
}

/* out = sum of w_i y_i over the newest `points` points */
static void combine(const history* h, const double* w, int points, int count, double* out) {
  APL_ASSERT(points >= 1 && points <= h->count && count <= h->n);
  for (int j = 0; j < count; ++j)
    out[j] = w[0] * h->y[0][j];
  for (int i = 1; i < points; ++i) {
    const double *y = h->y[i], a = w[i];
    for (int j = 0; j < count; ++j)
      out[j] += a * y[j];
  }
}

/* w_i = product over m != i of (t - t_m) / (t_i - t_m) */
void apl_history_at(const history* h, int points, double t, int count, double* out) {
  double w[HISTORY_ROOM];

  for (int i = 0; i < points; ++i) {
    w[i] = 1.0;
    for (int m = 0; m < points; ++m) {
      if (m != i) w[i] *= (t - h->t[m]) / (h->t[i] - h->t[m]);
    }
  }
  combine(h, w, points, count, out);
}

/* 1 / c = sum over i < k of 1 / (t - t_i) */
double apl_history_span(const history* h, int k, double t) {
  double sum = 0.0;

  for (int i = 0; i < k; ++i)
    sum += 1.0 / (t - h->t[i]);
  return 1.0 / sum;
}

/* y'(t) of the polynomial through y at t and the k newest points is y / c + sum of w_i y_i,
     w_i = -1 / (t - t_i) product over m != i of (t - t_m) / (t_i - t_m)
   so that psi = -c sum of w_i y_i. */
double apl_history_formula(const history* h, int k, double t, int count, double* psi) {
  const double c = apl_history_span(h, k, t);
  double w[HISTORY_ROOM];

  for (int i = 0; i < k; ++i) {
    w[i] = c / (t - h->t[i]);
    for (int m = 0; m < k; ++m) {
      if (m != i) w[i] *= (t - h->t[m]) / (h->t[i] - h->t[m]);
    }
  }
  combine(h, w, k, count, psi);
  return c;
}

/* Lagrange polynomials at four Gauss points: exact up to degree 7 */
void apl_history_integral(const history* h, int points, double t, double* w) {
  static const double place[2] = {0.8611363115940525752, 0.3399810435848562648};
  static const double share[2] = {0.3478548451374538574, 0.6521451548625461426};
  const double half = 0.5 * (t - h->t[0]), middle = 0.5 * (t + h->t[0]);
  double node[HISTORY_ROOM + 1];

  node[0] = t;
  memcpy(node + 1, h->t, sizeof *node * (size_t)points);
  memset(w, 0, sizeof *w * (size_t)(points + 1));
  for (int g = 0; g < 4; ++g) {
    const double x = middle + half * (g < 2 ? -place[g] : place[3 - g]);
    for (int i = 0; i <= points; ++i) {
      double part = half * share[g < 2 ? g : 3 - g];
      for (int m = 0; m <= points; ++m) {
        if (m != i) part *= (x - node[m]) / (node[i] - node[m]);
      }
      w[i] += part;
    }
  }
}
