/* SPDX-License-Identifier: Apache-2.0 */
/* beam_table.c: see beam_table.h. Theory: docs/theory/beam.md, 5. */
#include "element/beam_table.h"

#include <stdlib.h>
#include <string.h>

/* A spline with the not-a-knot condition at both ends needs four stations. The upper limit catches
   mistakes that would take long to integrate. */
enum { STATIONS_LEAST = 4, STATIONS_MOST = 10000 };

int apl_beam_table_find(const beam_table* t, const char* name) {
  int c = t->given == NULL ? -1 : t->given->ncolumn - 1;

  while (c >= 0 && strcmp(t->given->name[c], name) != 0)
    --c;
  return c;
}

static apl_status check_stations(const double* x, int n, apl_error* err) {
  if (n < STATIONS_LEAST || n > STATIONS_MOST) {
    return apl_fail(err, APL_ERR_MODEL, "shape-table needs %s %d stations, got %d",
                    n < STATIONS_LEAST ? "at least" : "at most",
                    n < STATIONS_LEAST ? STATIONS_LEAST : STATIONS_MOST, n);
  }
  for (int i = 1; i < n; ++i) {
    if (x[i] > x[i - 1]) continue;
    return apl_fail(err, APL_ERR_MODEL,
                    "shape-table must have increasing stations, got %g after %g as number %d", x[i],
                    x[i - 1], i + 1);
  }
  if (x[0] != 0.0 || x[n - 1] != 1.0) {
    return apl_fail(err, APL_ERR_MODEL,
                    "shape-table must have stations from 0, the root, to 1, the tip, got %g to %g",
                    x[0], x[n - 1]);
  }
  return APL_OK;
}

/* Slopes s_i of the spline through f_i with continuous second derivatives; with h_i = x_i+1 - x_i,
   d_i = (f_i+1 - f_i)/h_i:

     h_i s_i-1 + 2 (h_i-1 + h_i) s_i + h_i-1 s_i+1 = 3 (h_i d_i-1 + h_i-1 d_i)

   At an end s = 0 (held), or no knot at the neighbour: one cubic on the first two pieces,
     h_1 s_0 + (h_0 + h_1) s_1 = ((3 h_0 + 2 h_1) h_1 d_0 + h_0^2 d_1)/(h_0 + h_1)
   and likewise at the tip. Elimination needs no pivots. upper[n] is scratch. */
static void find_slopes(const double* x, const double* f, int n, bool held, double* s,
                        double* upper) {
  double h0 = x[1] - x[0], h1 = x[2] - x[1];
  double d0 = (f[1] - f[0]) / h0, d1 = (f[2] - f[1]) / h1;

  upper[0] = held ? 0.0 : (h0 + h1) / h1;
  s[0] = held ? 0.0 : ((3.0 * h0 + 2.0 * h1) * d0 + h0 * h0 / h1 * d1) / (h0 + h1);
  for (int i = 1; i < n - 1; ++i) {
    h0 = x[i] - x[i - 1], h1 = x[i + 1] - x[i];
    d0 = (f[i] - f[i - 1]) / h0, d1 = (f[i + 1] - f[i]) / h1;
    const double pivot = 2.0 * (h0 + h1) - h1 * upper[i - 1];
    upper[i] = h0 / pivot;
    s[i] = (3.0 * (h1 * d0 + h0 * d1) - h1 * s[i - 1]) / pivot;
  }
  /* (h_n-3 + h_n-2) s_n-2 + h_n-3 s_n-1 = .., h0 and h1 are the last two pieces */
  const double right = ((3.0 * h1 + 2.0 * h0) * h0 * d1 + h1 * h1 * d0) / (h0 + h1);
  s[n - 1] = (right - (h0 + h1) * s[n - 2]) / (h0 - (h0 + h1) * upper[n - 2]);
  for (int i = n - 2; i >= 0; --i)
    s[i] -= upper[i] * s[i + 1];
}

apl_status apl_beam_table_new(const apl_columns* given, const bool* held, beam_table* out,
                              apl_error* err) {
  *out = (beam_table){.given = given};
  if (given == NULL) return APL_OK;

  const int n = given->nrow;
  out->station = apl_beam_table_find(out, "station");
  if (out->station < 0) {
    return apl_fail(err, APL_ERR_MODEL, "shape-table has no column 'station'");
  }
  const double* x = given->value[out->station];
  const apl_status st = check_stations(x, n, err);
  if (st != APL_OK) return st;

  /* one column more: scratch */
  out->slope = malloc(sizeof *out->slope * (size_t)n * (size_t)(given->ncolumn + 1));
  if (out->slope == NULL) return apl_fail(err, APL_ERR_MEMORY, "out of memory for a table");
  for (int c = 0; c < given->ncolumn; ++c) {
    find_slopes(x, given->value[c], n, held[c], out->slope + n * c,
                out->slope + n * given->ncolumn);
  }
  return APL_OK;
}

void apl_beam_table_free(beam_table* t) {
  free(t->slope);
  t->slope = NULL;
}

/* The cubic between stations i and i + 1 with f and s at both, u = (x - x_i)/h:
     f_i + h u (s_i + u ((3 d - 2 s_i - s_i+1) + u (s_i + s_i+1 - 2 d))) */
void apl_beam_table_at(const beam_table* t, int column, double at, double out[3]) {
  const int n = t->given->nrow;
  const double *x = t->given->value[t->station], *f = t->given->value[column];
  const double* s = t->slope + n * column;
  int i = 0, after = n - 1;

  while (after - i > 1) {
    const int mid = (i + after) / 2;
    if (x[mid] <= at)
      i = mid;
    else
      after = mid;
  }
  const double h = x[i + 1] - x[i], d = (f[i + 1] - f[i]) / h, u = (at - x[i]) / h;
  const double b = 3.0 * d - 2.0 * s[i] - s[i + 1], c = s[i] + s[i + 1] - 2.0 * d;

  out[0] = f[i] + h * u * (s[i] + u * (b + u * c));
  out[1] = s[i] + u * (2.0 * b + u * 3.0 * c);
  out[2] = (2.0 * b + u * 6.0 * c) / h;
}
