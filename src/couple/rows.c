/* rows.c: see rows.h. */
#include "couple/rows.h"

#include "appell/rows.h"

#include <stdlib.h>
#include <string.h>

static void layout(apl_rows* r, int most, apl_arena* a) {
  const size_t n = (size_t)most, nv = (size_t)r->nv;

#define TAKE(p, count) ((p) = apl_arena_take(a, sizeof *(p) * (count)))
  TAKE(r->way, n);
  TAKE(r->number, n * ROW_NUMBERS);
  TAKE(r->block, n);
  TAKE(r->z, n * nv);
  TAKE(r->W, n * n);
  TAKE(r->q, n);
  TAKE(r->r, n);
  TAKE(r->u, n);
  TAKE(r->in, n * ROW_NUMBERS);
  TAKE(r->z_in, n * nv);
#undef TAKE
  apl_cone_place(&r->cone, most, most, a);
}

apl_status apl_rows_reserve(apl_rows* r, const apl_model* m, int most) {
  apl_arena arena = {0};
  if (r->memory != NULL && most <= r->most) return APL_OK;

  free(r->memory);
  *r = (apl_rows){.nv = m->nv};
  layout(r, most, &arena);
  const size_t bytes = (arena.used + 63u) & ~(size_t)63u;
  arena = (apl_arena){.base = aligned_alloc(64, bytes + 64)};
  r->memory = arena.base;
  if (r->memory == NULL) return APL_ERR_MEMORY;
  memset(r->memory, 0, bytes);
  layout(r, most, &arena);
  r->most = most;
  return APL_OK;
}

void apl_rows_free(apl_rows* r) {
  free(r->memory);
  *r = (apl_rows){0};
}

void apl_rows_clear(apl_rows* r) {
  r->n = r->nblock = 0;
}

int apl_rows_add(apl_rows* r, apl_set set, int count) {
  const int first = r->n;

  r->block[r->nblock++] = (apl_cone_block){.set = set, .row = first};
  r->n += count;
  memset(r->number + first * ROW_NUMBERS, 0, sizeof(double) * (size_t)(count * ROW_NUMBERS));
  memset(r->in + first * ROW_NUMBERS, 0, sizeof(double) * (size_t)(count * ROW_NUMBERS));
  for (int i = first; i < r->n; ++i)
    r->way[i] = (apl_way){.velocity = -1};
  return first;
}

/* Rows whose forces act as their velocities are measured. */
static void complete_forces(apl_rows* r) {
  for (int i = 0; i < r->n; ++i) {
    double* in = r->in + i * ROW_NUMBERS;
    bool any = false;
    for (int k = 0; k < ROW_NUMBERS; ++k)
      any = any || in[k] != 0.0;
    if (!any) memcpy(in, r->number + i * ROW_NUMBERS, sizeof *in * ROW_NUMBERS);
  }
}

apl_status apl_rows_inertia(apl_rows* r, const apl_model* m, apl_state* s, bool skewed) {
  const apl_ways out = {r->way, r->z, r->n}, in = {r->way, r->z_in, r->n};
  apl_status st = apl_ways_halve(m, s, r->way, r->number, r->n, r->z);

  if (skewed) complete_forces(r);
  if (skewed && st == APL_OK) st = apl_ways_halve(m, s, r->way, r->in, r->n, r->z_in);
  return st == APL_OK ? apl_ways_inertia(m, s, &out, skewed ? &in : NULL, r->W, r->n) : st;
}

/* How much softer rows that share a load are made, against what they can move. */
static const double softness = 1e-5;

/* The rows a contact has: their load may be shared, that of other rows follows from what they hold.
 */
static bool is_shared(apl_set set) {
  return set != APL_SET_FREE && set != APL_SET_INTERVAL;
}

static int rows_of(apl_set set) {
  return set == APL_SET_CONE ? 3 : set == APL_SET_DISC ? 2 : 1;
}

/* (W + D) r + q = D r_before holds the same rows after a few rounds, r = r_before, and of all
   shares it has chosen the one in which equally soft contacts would carry the load. */
static apl_cone_result share_loads(apl_rows* r, const apl_cone_problem* problem) {
  enum { ROUNDS = 3 };
  const apl_cone_options again = {.tolerance = 1e-12,
                                  .rough = apl_cone_defaults().rough,
                                  .most_steps = apl_cone_defaults().most_steps,
                                  .warm = true};
  apl_cone_result result = {0};

  memcpy(r->in, r->q, sizeof *r->q * (size_t)r->n); /* q as it is */
  for (int b = 0; b < r->nblock; ++b) {
    for (int i = r->block[b].row; i < r->block[b].row + rows_of(r->block[b].set); ++i) {
      double* w = &r->W[i * r->n + i];
      r->u[i] = is_shared(r->block[b].set) ? softness * *w : 0.0;
      *w += r->u[i];
      r->in[r->n + i] = r->u[i]; /* D */
    }
  }
  for (int k = 0; k < ROUNDS; ++k) {
    for (int i = 0; i < r->n; ++i)
      r->q[i] = r->in[i] - (k == 0 ? 0.0 : r->in[r->n + i] * r->r[i]);
    result = apl_cone_solve(&r->cone, problem, &again, r->r, r->u);
  }
  for (int i = 0; i < r->n; ++i) {
    r->u[i] -= r->in[r->n + i] * r->r[i] + (r->q[i] - r->in[i]);
    r->W[i * r->n + i] -= r->in[r->n + i];
  }
  memcpy(r->q, r->in, sizeof *r->q * (size_t)r->n);
  result.unique = false;
  return result;
}

apl_cone_result apl_rows_solve(apl_rows* r, bool symmetric, bool warm, bool share) {
  const apl_cone_problem problem = {.n = r->n,
                                    .nblock = r->nblock,
                                    .symmetric = symmetric,
                                    .W = r->W,
                                    .q = r->q,
                                    .block = r->block};
  apl_cone_options o = apl_cone_defaults();

  o.warm = warm;
  const apl_cone_result result = apl_cone_solve(&r->cone, &problem, &o, r->r, r->u);
  return share && !result.unique ? share_loads(r, &problem) : result;
}

apl_status apl_rows_spread(const apl_rows* r, const apl_model* m, apl_state* s, double* z,
                           double* a, double* effort) {
  const apl_ways ways = {r->way, r->z, r->n};
  const apl_status st = apl_ways_combine(m, s, &ways, r->r, z);

  return st == APL_OK ? apl_spread(m, s, z, a, effort) : st;
}
