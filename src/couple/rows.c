/* SPDX-License-Identifier: Apache-2.0 */
/* rows.c: see rows.h. */
#include "couple/rows.h"

#include "base/assert.h"
#include "couple/solve/kernel.h"
#include "dynamics/factor.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TAKE(p, count) ((p) = apl_arena_take(a, sizeof *(p) * (count)))

/* The list of rows: memory that grows linearly with `most` and `broad`. */
static void layout_list(apl_rows* r, int most, int broad, apl_arena* a) {
  const size_t n = (size_t)most;

  TAKE(r->way, n);
  TAKE(r->number, n * ROW_NUMBERS);
  TAKE(r->broad, (size_t)broad);
  TAKE(r->J, (size_t)broad * (size_t)r->nv);
  TAKE(r->block, n);
  TAKE(r->q, n);
  TAKE(r->r, n);
  TAKE(r->u, n);
  TAKE(r->diagonal, n);
  TAKE(r->in, n * ROW_NUMBERS);
  TAKE(r->rest_q, n);
  TAKE(r->column, n);
  TAKE(r->force, n);
}

/* The matrices of `most` rows, of which up to `equal` are equalities. */
static void layout_matrices(apl_rows* r, int most, int equal, apl_arena* a) {
  const size_t n = (size_t)most, nv = (size_t)r->nv, ne = (size_t)equal;

  TAKE(r->z, n * nv);
  TAKE(r->W, n * n);
  TAKE(r->z_in, n * nv);
  TAKE(r->part, ne * ne);
  TAKE(r->answer, ne * (n + 1));
  TAKE(r->rest, ne > 0 ? n * n : 0);
  apl_cone_place(&r->cone, most, most, a);
  apl_equal_place(&r->equal, equal, a);
}

#undef TAKE

apl_status apl_rows_reserve(apl_rows* r, const apl_model* m, int most, int broad) {
  apl_arena arena = {0};
  if (r->memory != NULL && most <= r->most && broad <= r->most_broad) return APL_OK;

  free(r->memory);
  r->nv = m->nv;
  apl_rows_clear(r);
  most = most > r->most ? most : r->most;
  broad = broad > r->most_broad ? broad : r->most_broad;
  r->most = r->most_broad = 0;
  layout_list(r, most, broad, &arena);
  r->memory = apl_arena_open(&arena);
  if (r->memory == NULL) return APL_ERR_MEMORY;
  layout_list(r, most, broad, &arena);
  r->most = most;
  r->most_broad = broad;
  return APL_OK;
}

static size_t measure_matrices(const apl_rows* r, int most, int equal) {
  apl_rows measured = {.nv = r->nv};
  apl_arena arena = {0};

  layout_matrices(&measured, most, equal, &arena);
  return arena.used;
}

static void free_matrices(apl_rows* r) {
  free(r->matrices);
  if (r->budget != NULL) r->budget->taken -= (double)r->bytes;
  r->matrices = NULL;
  r->bytes = 0;
  r->room = r->room_equal = 0;
}

/* Make room for the matrices of the rows that are in the list, and for a quarter more, so that a
   growing number of contacts seldom asks for memory; without that quarter if the budget does not
   have it. No matrix keeps numbers from one list to the next. */
static apl_status reserve_matrices(apl_rows* r) {
  const int equal = r->nequal > r->room_equal ? r->nequal : r->room_equal;
  int most = r->n > r->room ? r->n + r->n / 4 : r->room;
  apl_arena arena = {0};
  if (r->matrices != NULL && r->n <= r->room && r->nequal <= r->room_equal) return APL_OK;

  size_t bytes = measure_matrices(r, most, equal);
  if (!apl_budget_fits(r->budget, r->bytes, bytes)) {
    most = r->n;
    bytes = measure_matrices(r, most, equal);
  }
  const apl_status st =
      apl_budget_take(r->budget, r->bytes, bytes, r->n, "rows of contacts and constraints");
  if (st != APL_OK) return st;
  r->bytes = bytes;
  free(r->matrices);
  layout_matrices(r, most, equal, &arena);
  r->matrices = apl_arena_open(&arena);
  if (r->matrices == NULL) {
    free_matrices(r);
    return APL_ERR_MEMORY;
  }
  layout_matrices(r, most, equal, &arena);
  r->room = most;
  r->room_equal = equal;
  return APL_OK;
}

void apl_rows_free(apl_rows* r) {
  free_matrices(r);
  free(r->memory);
  *r = (apl_rows){0};
}

void apl_rows_clear(apl_rows* r) {
  r->n = r->nblock = r->nequal = r->nbroad = 0;
}

int apl_rows_add(apl_rows* r, apl_set set, int count) {
  const int first = r->n;

  APL_ASSERT(first + count <= r->most); /* callers reserve enough rows for all providers */
  r->block[r->nblock++] = (apl_cone_block){.set = set, .row = first};
  r->n += count;
  memset(r->number + first * ROW_NUMBERS, 0, sizeof(double) * (size_t)(count * ROW_NUMBERS));
  memset(r->in + first * ROW_NUMBERS, 0, sizeof(double) * (size_t)(count * ROW_NUMBERS));
  for (int i = first; i < r->n; ++i)
    r->way[i] = (apl_way){.velocity = {-1, -1}};
  return first;
}

int apl_rows_add_broad(apl_rows* r, apl_set set, double** J) {
  const int at = apl_rows_add(r, set, 1);

  APL_ASSERT(r->nbroad < r->most_broad);
  *J = r->J + r->nbroad * r->nv;
  r->broad[r->nbroad++] = at;
  return at;
}

/* For rows without own force numbers, forces act along the same directions as velocities are
   measured. */
static void complete_forces(apl_rows* r) {
  for (int i = 0; i < r->n; ++i) {
    double* in = r->in + i * ROW_NUMBERS;
    bool any = false;
    for (int k = 0; k < ROW_NUMBERS; ++k)
      any = any || in[k] != 0.0;
    if (!any) memcpy(in, r->number + i * ROW_NUMBERS, sizeof *in * ROW_NUMBERS);
  }
}

/* A broad row needs a complete solution x = A^-1 J^T. Its product with other rows follows from the
   innovations, and with other broad rows from their vectors. */
static apl_status broad_inertia(apl_rows* r, const apl_model* m, apl_state* s) {
  const int n = r->n, nv = r->nv;
  double* x = r->z_in; /* scratch: lists with broad rows do not use z_in */
  apl_status st = APL_OK;

  for (int b = 0; b < r->nbroad && st == APL_OK; ++b) {
    const int i = r->broad[b];
    double *z = r->z + i * nv, *along = r->column;
    memset(x, 0, sizeof *x * (size_t)nv);
    apl_push_clear(m, s);
    st = apl_push_solve(m, s, r->J + b * nv, x, NULL);
    memcpy(z, apl_innovations(s), sizeof *z * (size_t)nv);
    if (st == APL_OK) st = apl_push_along(m, s, r->way, r->z, n, along);
    for (int c = 0; c < r->nbroad; ++c)
      along[r->broad[c]] = kernel_dot(r->J + c * nv, x, nv);
    for (int j = 0; j < n; ++j)
      r->W[i * n + j] = r->W[j * n + i] = along[j];
  }
  return st;
}

apl_status apl_rows_inertia(apl_rows* r, const apl_model* m, apl_state* s, bool skewed) {
  apl_status st = reserve_matrices(r);
  const apl_ways out = {r->way, r->z, r->n}, in = {r->way, r->z_in, r->n};

  if (st == APL_OK) st = apl_ways_halve(m, s, r->way, r->number, r->n, r->z);
  if (skewed) complete_forces(r);
  if (skewed && st == APL_OK) st = apl_ways_halve(m, s, r->way, r->in, r->n, r->z_in);
  if (st == APL_OK) st = apl_ways_inertia(m, s, &out, skewed ? &in : NULL, r->W, r->n);
  return st == APL_OK && r->nbroad > 0 ? broad_inertia(r, m, s) : st;
}

/* True for rows of contacts, whose loads may be distributed in several ways; the forces of other
   rows are determined by their constraints. */
static bool is_shared(apl_set set) {
  return set != APL_SET_FREE && set != APL_SET_INTERVAL;
}

/* Add softness * diag(W) of the contact rows to W; -softness removes it again. */
static void soften(apl_rows* r, double softness) {
  for (int b = 0; b < r->nblock; ++b) {
    const int first = r->block[b].row;
    if (!is_shared(r->block[b].set)) continue;
    for (int i = first; i < first + apl_set_rows(r->block[b].set); ++i)
      r->W[i * r->n + i] = r->diagonal[i] * (1.0 + softness);
  }
}

static apl_cone_options options_of(const apl_rows* r) {
  apl_cone_options o = apl_cone_defaults();

  if (r->tolerance != 0.0) o.tolerance = o.rough = r->tolerance;
  return o;
}

/* If a load can be distributed in several ways, W is singular or nearly so (a box on four corners,
   tilted by 1e-6), and forces are not unique, or unbounded. With equal compliance of all contacts,
   W + d diag(W), the distribution is unique. Further rounds,

     (W + d diag(W)) r + q = d diag(W) r_before,

   remove the effect of the compliance on all motions that forces of ordinary size can change, and
   hardly change the distribution. The rounds end when nothing changes any more, or when the
   remainder does not decrease: that is a motion which no force can change. */
static apl_cone_result share_loads(apl_rows* r, const apl_cone_problem* problem, bool warm) {
  enum { MOST_ROUNDS = 12 };
  const double softness = 1e-2;
  apl_cone_options o = options_of(r);
  double* q = r->in; /* holds the given q */
  apl_cone_result result = {0};

  memcpy(q, r->q, sizeof *q * (size_t)r->n);
  soften(r, softness);
  if (r->tolerance == 0.0) o.tolerance = 1e-12;
  o.warm = warm;
  for (int k = 0; k <= MOST_ROUNDS; ++k) {
    double size = 0.0, change = 0.0;

    for (int i = 0; i < r->n && k > 0; ++i) {
      const double before = r->q[i];
      r->q[i] = q[i] - (r->W[i * r->n + i] - r->diagonal[i]) * r->r[i];
      change = fmax(change, fabs(r->q[i] - before));
      size = fmax(size, fabs(q[i]));
    }
    if (k > 1 && change <= 1e-13 * size) break;
    result = apl_cone_solve(&r->cone, problem, &o, r->r, r->u);
    o.warm = true;
  }
  for (int i = 0; i < r->n; ++i) {
    r->u[i] += q[i] - r->q[i] - (r->W[i * r->n + i] - r->diagonal[i]) * r->r[i];
    r->W[i * r->n + i] = r->diagonal[i];
  }
  memcpy(r->q, q, sizeof *q * (size_t)r->n);
  result.unique = false;
  return result;
}

static apl_cone_result solve_cones(apl_rows* r, bool symmetric, bool warm, bool share) {
  const apl_cone_problem problem = {.n = r->n,
                                    .nblock = r->nblock,
                                    .symmetric = symmetric,
                                    .W = r->W,
                                    .q = r->q,
                                    .block = r->block};
  apl_cone_options o = options_of(r);

  o.warm = warm;
  o.unique = share || r->asks;
  for (int i = 0; i < r->n; ++i)
    r->diagonal[i] = r->W[i * r->n + i];
  if (warm && share && r->shared) return share_loads(r, &problem, true);
  if (share) o.most_steps = 20; /* more steps mean that the forces are not unique */
  const apl_cone_result result = apl_cone_solve(&r->cone, &problem, &o, r->r, r->u);
  r->shared = !result.unique;
  const bool failed = result.status == APL_CONE_FAILED;
  return failed || (share && !result.unique) ? share_loads(r, &problem, false) : result;
}

void apl_rows_equate(apl_rows* r, int count) {
  r->nequal = count;
}

/* Forces of the equality rows as a function of the others: r_e = answer [1; r_c], the smallest ones
   if rows are redundant,

     r_e = -W_ee^+ q_e - W_ee^+ W_ec r_c,     W' = W_cc + W_ce answer,   q' = q_c + W_ce answer_0 */
static void eliminate_equal(apl_rows* r) {
  const int n = r->n, ne = r->nequal, nc = n - ne;

  for (int i = 0; i < ne; ++i)
    memcpy(r->part + i * ne, r->W + (nc + i) * n + nc, sizeof *r->part * (size_t)ne);
  apl_equal_factor(&r->equal, ne, r->part, true);
  for (int j = -1; j < nc; ++j) {
    for (int i = 0; i < ne; ++i)
      r->column[i] = j < 0 ? r->q[nc + i] : r->W[(nc + i) * n + j];
    apl_equal_solve(&r->equal, r->column, r->force);
    for (int i = 0; i < ne; ++i)
      r->answer[(j + 1) * ne + i] = r->force[i];
  }
  for (int i = 0; i < nc; ++i) {
    const double* W_ce = r->W + i * n + nc;
    for (int j = -1; j < nc; ++j) {
      const double* x = r->answer + (j + 1) * ne;
      double sum = j < 0 ? r->q[i] : r->W[i * n + j];
      for (int k = 0; k < ne; ++k)
        sum += W_ce[k] * x[k];
      *(j < 0 ? &r->rest_q[i] : &r->rest[i * nc + j]) = sum;
    }
  }
}

/* r_e from r_c. Redundant rows may contradict each other; `unmet` is what remains. */
static void complete_equal(apl_rows* r) {
  const int n = r->n, ne = r->nequal, nc = n - ne;

  r->unmet = 0.0;
  for (int i = 0; i < ne; ++i) {
    double sum = r->answer[i];
    for (int j = 0; j < nc; ++j)
      sum += r->answer[(j + 1) * ne + i] * r->r[j];
    r->r[nc + i] = sum;
    r->u[nc + i] = 0.0;
  }
  for (int i = nc; i < n && !apl_equal_unique(&r->equal); ++i) {
    double sum = r->q[i];
    for (int j = 0; j < n; ++j)
      sum += r->W[i * n + j] * r->r[j];
    r->unmet = fmax(r->unmet, fabs(sum));
  }
}

apl_cone_result apl_rows_solve(apl_rows* r, bool symmetric, bool warm, bool share) {
  double *W = r->W, *q = r->q;
  const int n = r->n, nblock = r->nblock, ne = r->nequal;
  apl_cone_result result = {.status = APL_CONE_SOLVED, .worst = -1, .unique = true};
  if (ne == 0) return solve_cones(r, symmetric, warm, share);

  eliminate_equal(r);
  if (n > ne) {
    r->W = r->rest, r->q = r->rest_q, r->n = n - ne, r->nblock = nblock - ne;
    result = solve_cones(r, symmetric, warm, share);
    r->W = W, r->q = q, r->n = n, r->nblock = nblock;
  }
  complete_equal(r);
  return result;
}

apl_status apl_rows_spread(const apl_rows* r, const apl_model* m, apl_state* s, double* z,
                           double* a, double* effort) {
  const apl_ways ways = {r->way, r->z, r->n};
  const apl_status st = apl_ways_combine(m, s, &ways, r->r, z);

  for (int b = 0; b < r->nbroad; ++b) {
    const int i = r->broad[b];
    for (int k = 0; k < r->nv; ++k)
      z[k] += r->z[i * r->nv + k] * r->r[i];
  }
  return st == APL_OK ? apl_spread(m, s, z, a, effort) : st;
}
