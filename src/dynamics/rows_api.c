/* SPDX-License-Identifier: Apache-2.0 */
/* rows_api.c: factors and rows: checks the arguments, then calls the passes of the state's
   build. */
#include "dynamics/passes.h"

#include "base/assert.h"

#include <math.h>

/* Rows on ports are converted to rows on frames a few at a time, in memory on the stack. */
enum { TILE = 16, WIDEST = 4 };

static bool mismatch(const apl_model* m, apl_state* s) {
  s->trouble = -1;
  return s->model != m;
}

static bool unfactored(const apl_model* m, apl_state* s) {
  return mismatch(m, s) || s->factored != FACTORED;
}

static bool bad_rows(const apl_model* m, const apl_row* row, int n) {
  for (int i = 0; i < n; ++i) {
    if (row[i].velocity >= m->nv) return true;
    if (row[i].port[0] >= m->nport || row[i].port[1] >= m->nport) return true;
  }
  return n < 0;
}

/* -------------------------------------------------------------------------------- factors ---- */

apl_status apl_factor(const apl_model* m, apl_state* s, double g) {
  if (mismatch(m, s) || !(g >= 0.0) || !isfinite(g)) return APL_ERR_ARGUMENT;
  return s->passes->factor(m, s, g);
}

apl_status apl_factor_last(const apl_model* m, apl_state* s) {
  return mismatch(m, s) ? APL_ERR_ARGUMENT : s->passes->factor_last(m, s);
}

apl_status apl_stiffness(const apl_model* m, apl_state* s, const double* v, double* Kv,
                         double* Cv) {
  return mismatch(m, s) ? APL_ERR_ARGUMENT : s->passes->stiffness(m, s, v, Kv, Cv);
}

apl_status apl_spread(const apl_model* m, apl_state* s, const double* z, double* a,
                      double* effort) {
  return unfactored(m, s) ? APL_ERR_ARGUMENT : s->passes->spread(m, s, z, a, effort);
}

/* ------------------------------------------------------------------------- rows of frames ---- */

apl_status apl_ways_halve(const apl_model* m, apl_state* s, const apl_way* way,
                          const double* number, int n, double* z) {
  return unfactored(m, s) ? APL_ERR_ARGUMENT : s->passes->ways_halve(m, s, way, number, n, z);
}

apl_status apl_ways_inertia(const apl_model* m, apl_state* s, const apl_ways* a, const apl_ways* b,
                            double* G, int ld) {
  return unfactored(m, s) ? APL_ERR_ARGUMENT : s->passes->ways_inertia(m, s, a, b, G, ld);
}

apl_status apl_ways_combine(const apl_model* m, apl_state* s, const apl_ways* a, const double* p,
                            double* z) {
  return mismatch(m, s) ? APL_ERR_ARGUMENT : s->passes->ways_combine(m, s, a, p, z);
}

apl_status apl_frames_move(const apl_model* m, apl_state* s, bool accelerations) {
  return mismatch(m, s) ? APL_ERR_ARGUMENT : s->passes->frames_move(m, s, accelerations);
}

apl_status apl_frames_speed(const apl_model* m, apl_state* s) {
  return mismatch(m, s) ? APL_ERR_ARGUMENT : s->passes->frames_speed(m, s);
}

void apl_frame_motion(const apl_model* m, apl_state* s, int frame, double* X, double* V,
                      double* A) {
  APL_ASSERT(s->model == m && frame >= 0 && frame < m->nframe);
  (void)m;
  s->passes->frame_motion(s, frame, X, V, A);
}

apl_status apl_ways_motion(const apl_model* m, apl_state* s, const apl_way* way,
                           const double* number, int n, double* velocity, double* acceleration) {
  if (mismatch(m, s)) return APL_ERR_ARGUMENT;
  return s->passes->ways_motion(m, s, way, number, n, velocity, acceleration);
}

apl_status apl_ways_jacobian(const apl_model* m, apl_state* s, const apl_way* way,
                             const double* number, int n, double* J) {
  return mismatch(m, s) ? APL_ERR_ARGUMENT : s->passes->ways_jacobian(m, s, way, number, n, J);
}

apl_status apl_tendon_jacobian(const apl_model* m, apl_state* s, double* J) {
  return mismatch(m, s) ? APL_ERR_ARGUMENT : s->passes->tendon_jacobian(m, s, J);
}

void apl_push_clear(const apl_model* m, apl_state* s) {
  s->passes->push_clear(m, s);
}

apl_status apl_push_add(const apl_model* m, apl_state* s, const apl_way* way, const double* number,
                        const double* p, int n) {
  if (mismatch(m, s)) return APL_ERR_ARGUMENT;
  s->passes->push_add(m, s, way, number, p, n);
  return APL_OK;
}

apl_status apl_push_solve(const apl_model* m, apl_state* s, const double* tau, double* a,
                          double* effort) {
  return unfactored(m, s) ? APL_ERR_ARGUMENT : s->passes->push_solve(m, s, tau, a, effort);
}

const double* apl_innovations(apl_state* s) {
  return s->passes->innovations(s);
}

apl_status apl_push_along(const apl_model* m, apl_state* s, const apl_way* way, const double* z,
                          int n, double* out) {
  const apl_ways ways = {way, z, n};

  return unfactored(m, s) ? APL_ERR_ARGUMENT : s->passes->ways_meet(m, s, &ways, out);
}

/* -------------------------------------------------------------------------- rows of ports ---- */

apl_status apl_row_half(const apl_model* m, apl_state* s, const apl_row* row, int n, double* z) {
  const int width = s->passes->width;

  if (unfactored(m, s) || bad_rows(m, row, n)) return APL_ERR_ARGUMENT;
  for (int i = 0; i < n; i += TILE) {
    double number[TILE * ROW_NUMBERS * WIDEST];
    apl_way way[TILE];
    const int count = n - i < TILE ? n - i : TILE;

    for (int k = 0; k < count; ++k)
      s->passes->row_of_ports(m, s, &row[i + k], &way[k], number + k * ROW_NUMBERS * width);
    s->passes->ways_halve(m, s, way, number, count, z + (size_t)i * (size_t)(m->nv * width));
  }
  return APL_OK;
}

/* The ways of the rows of one tile; their z have been computed already. */
static apl_ways tile_ways(const apl_model* m, const apl_row* row, const double* z, int width, int i,
                          int n, apl_way* way) {
  const int count = n - i < TILE ? n - i : TILE;

  for (int k = 0; k < count; ++k) {
    const apl_row* r = &row[i + k];
    way[k].velocity[0] = r->velocity;
    way[k].velocity[1] = -1;
    for (int e = 0; e < 2; ++e)
      way[k].frame[e] = r->port[e] < 0 ? 0 : m->port[r->port[e]].frame;
  }
  return (apl_ways){way, z + (size_t)i * (size_t)(m->nv * width), count};
}

apl_status apl_row_inertia(const apl_model* m, apl_state* s, const apl_row* row, int n,
                           const double* z, double* G) {
  const int width = s->passes->width;
  apl_way upper[TILE], left[TILE];

  if (unfactored(m, s) || bad_rows(m, row, n)) return APL_ERR_ARGUMENT;
  for (int i = 0; i < n; i += TILE) {
    const apl_ways a = tile_ways(m, row, z, width, i, n, upper);

    s->passes->ways_inertia(m, s, &a, NULL, G + (size_t)(i * n + i) * (size_t)width, n);
    for (int j = 0; j < i; j += TILE) {
      const apl_ways b = tile_ways(m, row, z, width, j, n, left);
      s->passes->ways_inertia(m, s, &a, &b, G + (size_t)(i * n + j) * (size_t)width, n);
    }
  }
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < i * width; ++k)
      G[(size_t)((k / width) * n + i) * (size_t)width + (size_t)(k % width)] =
          G[(size_t)(i * n * width + k)];
  }
  return APL_OK;
}

apl_status apl_solve(const apl_model* m, apl_state* s, const double* tau, const apl_row* row,
                     const double* p, int n, double* a, double* effort) {
  const int width = s->passes->width;

  if (unfactored(m, s) || bad_rows(m, row, n)) return APL_ERR_ARGUMENT;
  s->passes->push_clear(m, s);
  for (int i = 0; i < n; ++i) {
    double number[ROW_NUMBERS * WIDEST];
    apl_way way;

    s->passes->row_of_ports(m, s, &row[i], &way, number);
    s->passes->push_add(m, s, &way, number, p + (size_t)(i * width), 1);
  }
  return s->passes->push_solve(m, s, tau, a, effort);
}

apl_status apl_row_motion(const apl_model* m, apl_state* s, const apl_row* row, int n,
                          double* velocity, double* acceleration) {
  const int width = s->passes->width;

  if (mismatch(m, s) || bad_rows(m, row, n)) return APL_ERR_ARGUMENT;
  const apl_status st = s->passes->frames_move(m, s, acceleration != NULL);
  for (int i = 0; i < n; ++i) {
    s->passes->port_row_motion(m, s, &row[i], velocity == NULL ? NULL : velocity + i * width,
                               acceleration == NULL ? NULL : acceleration + i * width);
  }
  return st;
}
