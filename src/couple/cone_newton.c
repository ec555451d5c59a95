/* cone_newton.c: damped semi-smooth Newton on the natural map F of all parts.

     F = r - P(r - u)     u = W r + q     J = 1 - D + D (W + weight)

   Rows that are fixed leave the system: their step is -F. The weight makes J regular where rows are
   redundant; it stands in J only, so it slows the last steps a little and moves no solution. */
#include "couple/cone_impl.h"

#include "couple/kernel.h"

#include <math.h>
#include <string.h>

#define NEWTON_WEIGHT 1e-7
enum {
  NEWTON_MEMORY = 5,   /* values of |F| the search looks back on      */
  NEWTON_HALVINGS = 8, /* of a step                                   */
  NEWTON_PATIENCE = 8, /* steps without halving the best |F|          */
  POLISH_PATIENCE = 2, /* polishing steps that do not halve it */
  NEWTON_SWEEPS = 20   /* after the third stall, then twice as many   */
};

/* ------------------------------------------------------------------------------ direction ---- */

/* Rows of J, in the order of the parts that are not fixed. */
static int list_active(apl_cone* c) {
  int n = 0;

  for (int k = 0; k < c->nparts; ++k) {
    if (c->point[k].mode == POINT_FIXED) continue;
    for (int i = 0; i < c->part[k].rows; ++i)
      c->active[n++] = c->part[k].row + i;
  }
  return n;
}

/* to = sum_k D_k w_k over the columns that are not fixed */
static void combine(const apl_cone* c, const double* w, int rows, const double* D, double* to) {
  const int n = c->lu.n;
  const double* w1 = rows > 1 ? w + c->ld : w;
  const double* w2 = rows > 2 ? w + 2 * (long)c->ld : w;
  const double d0 = D[0], d1 = rows > 1 ? D[1] : 0, d2 = rows > 2 ? D[2] : 0;

  if (n == c->m) {
    for (int j = 0; j < n; ++j)
      to[j] = d0 * w[j] + d1 * w1[j] + d2 * w2[j];
    return;
  }
  for (int j = 0; j < n; ++j) {
    const int at = c->active[j];
    to[j] = d0 * w[at] + d1 * w1[at] + d2 * w2[at];
  }
}

static void take(const apl_cone* c, const double* w, double* to) {
  if (c->lu.n == c->m) {
    memcpy(to, w, (size_t)c->m * sizeof *to);
    return;
  }
  for (int j = 0; j < c->lu.n; ++j)
    to[j] = w[c->active[j]];
}

/* J = 1 - D + D (W + weight), factored. */
static void factor(apl_cone* c, double weight) {
  int row = 0;

  apl_lu_begin(&c->lu, list_active(c));
  for (int k = 0; k < c->nparts; ++k) {
    const apl_cone_part* part = &c->part[k];
    const apl_cone_point* at = &c->point[k];
    const double* w = c->W + (long)part->row * c->ld;
    c->factored[k] = (char)at->mode;
    if (at->mode == POINT_FIXED) continue;
    for (int i = 0; i < part->rows; ++i) {
      double* to = c->lu.A + (long)(row + i) * c->lu.ld;
      if (at->mode == POINT_HELD) {
        take(c, w + (long)i * c->ld, to);
        to[row + i] += weight;
        continue;
      }
      const double* D = at->D + i * part->rows;
      combine(c, w, part->rows, D, to);
      for (int j = 0; j < part->rows; ++j)
        to[row + j] += (i == j) - (1 - weight) * D[j];
    }
    row += part->rows;
  }
  c->factored_size = weight == NEWTON_WEIGHT ? c->nparts : 0;
  apl_lu_factor(&c->lu, APL_LU_COLUMN, 0);
}

/* Fixed rows go to where they are fixed; du = W of that. False if they all stand there. */
static bool step_fixed(apl_cone* c) {
  bool moves = false;

  memset(c->dr, 0, (size_t)c->ld * sizeof *c->dr);
  for (int k = 0; k < c->nparts; ++k) {
    const apl_cone_point* at = &c->point[k];
    if (at->mode != POINT_FIXED) continue;
    for (int i = 0; i < c->part[k].rows; ++i) {
      c->dr[c->part[k].row + i] = -at->F[i];
      moves = moves || at->F[i] != 0;
    }
  }
  if (moves) kernel_times(c->W, c->ld, c->m, c->dr, c->du);
  return moves;
}

/* dr = -J^-1 F, with the factors at hand. */
static void direction(apl_cone* c) {
  const bool moves = step_fixed(c);
  int row = 0;

  for (int k = 0; k < c->nparts; ++k) {
    const apl_cone_part* part = &c->part[k];
    const apl_cone_point* at = &c->point[k];
    if (at->mode == POINT_FIXED) continue;
    for (int i = 0; i < part->rows; ++i) {
      double b = -at->F[i];
      if (moves && at->mode == POINT_HELD) b -= c->du[part->row + i];
      if (moves && at->mode == POINT_EDGE) {
        for (int j = 0; j < part->rows; ++j)
          b -= at->D[i * part->rows + j] * c->du[part->row + j];
      }
      c->b[row++] = b;
    }
  }
  apl_lu_solve(&c->lu, c->b, c->x);
  for (int i = 0; i < row; ++i)
    c->dr[c->active[i]] = c->x[i];
}

/* The factors still belong to the points: nothing changed its kind since. */
static bool same_kinds(const apl_cone* c) {
  for (int k = 0; k < c->nparts; ++k)
    if (c->factored[k] != (char)c->point[k].mode) return false;
  return true;
}

/* --------------------------------------------------------------------------------- search ---- */

static void swap(double** a, double** b) {
  double* t = *a;
  *a = *b;
  *b = t;
}

static double try_step(apl_cone* c, double t) {
  for (int i = 0; i < c->m; ++i) {
    c->r_next[i] = c->r[i] + t * c->dr[i];
    c->u_next[i] = c->u[i] + t * c->du[i];
  }
  return cone_evaluate(c, c->r_next, c->u_next);
}

static void go(apl_cone* c) {
  swap(&c->r, &c->r_next);
  swap(&c->u, &c->u_next);
}

/* Halve the step until |F| is below the largest of the last values; the last try is kept anyway. */
static double search(apl_cone* c, double bound, bool* found) {
  double t = 1, e = 0;

  kernel_times(c->W, c->ld, c->m, c->dr, c->du);
  *found = false;
  for (int k = 0; k <= NEWTON_HALVINGS && !*found; ++k, t *= 0.5) {
    e = try_step(c, t);
    *found = e <= (1 - 1e-4 * t) * bound;
  }
  go(c);
  return e;
}

static double largest(const double* x, int n) {
  double most = x[0];
  for (int i = 1; i < n; ++i)
    most = fmax(most, x[i]);
  return most;
}

/* ------------------------------------------------------------------------------- iteration ---- */

/* To the best point. */
static double back(apl_cone* c) {
  memcpy(c->r, c->r_best, (size_t)c->ld * sizeof *c->r);
  cone_velocity(c);
  return cone_evaluate(c, c->r, c->u);
}

/* From the best point, some sweeps. */
static double restart(apl_cone* c, int sweeps, apl_cone_result* result) {
  memcpy(c->r, c->r_best, (size_t)c->ld * sizeof *c->r);
  cone_sweep_begin(c);
  for (int k = 0; k < sweeps; ++k)
    cone_sweep(c);
  result->sweeps += sweeps;
  cone_velocity(c);
  return cone_evaluate(c, c->r, c->u);
}

double cone_newton(apl_cone* c, double e, double goal, int most, apl_cone_result* result) {
  double weight = NEWTON_WEIGHT, best = e, mark = e, past[NEWTON_MEMORY];
  int stalls = 0, since = 0, sweeps = NEWTON_SWEEPS, kept = 0;
  bool fresh = true;

  memcpy(c->r_best, c->r, (size_t)c->ld * sizeof *c->r);
  for (int k = 0; k < most && e > goal; ++k, ++result->steps) {
    bool found;
    const double before = e;
    past[kept++ % NEWTON_MEMORY] = e;
    if (fresh || !same_kinds(c)) factor(c, weight);
    direction(c);
    e = search(c, largest(past, kept < NEWTON_MEMORY ? kept : NEWTON_MEMORY), &found);
    fresh = !(e < 0.01 * before);
    if (e < best) {
      best = e;
      memcpy(c->r_best, c->r, (size_t)c->ld * sizeof *c->r);
    }
    if (best <= 0.5 * mark) {
      mark = best;
      since = 0;
    } else {
      ++since;
    }
    if (found && since < NEWTON_PATIENCE) continue;
    since = kept = 0;
    fresh = true;
    weight *= 100;
    if (++stalls % 3 != 0) continue;
    e = restart(c, sweeps, result);
    sweeps *= 2;
    weight = NEWTON_WEIGHT;
  }
  return e <= best ? e : back(c);
}

/* Full steps down to `least`, which is round-off: rows that are held then do not move at all. A
   step may go up once or twice where rows change their kind; the best point is kept. */
double cone_descend(apl_cone* c, double e, double least, apl_cone_result* result) {
  double best = e;
  bool fresh = true;
  int worse = 0;

  memcpy(c->r_best, c->r, (size_t)c->ld * sizeof *c->r);
  for (int k = 0; k < NEWTON_PATIENCE && worse < POLISH_PATIENCE && e > least; ++k) {
    const double before = e;
    if (fresh || !same_kinds(c)) factor(c, NEWTON_WEIGHT);
    direction(c);
    for (int i = 0; i < c->m; ++i)
      c->r[i] += c->dr[i];
    cone_velocity(c);
    e = cone_evaluate(c, c->r, c->u);
    ++result->steps;
    fresh = !(e < 1e-3 * before);
    if (!(e < 0.5 * best)) ++worse;
    if (e < best) {
      best = e;
      memcpy(c->r_best, c->r, (size_t)c->ld * sizeof *c->r);
    }
  }
  return e <= best ? e : back(c);
}

/* ------------------------------------------------------------------------------- uniqueness ----
 */

/* Whether J is regular without its weight. A null vector of J would make |J^-1 b| some 1e7 |b| with
   it, for any b that is not chosen against it. Large pivots save the question. */
bool cone_unique(apl_cone* c) {
  const double suspicious = 1e-3, singular = 50 * NEWTON_WEIGHT;
  double b2 = 0, x2 = 0;

  if (c->factored_size != c->nparts || !same_kinds(c)) factor(c, NEWTON_WEIGHT);
  if (c->lu.smallest > suspicious) return true;
  if (c->lu.rank < c->lu.n) return false;
  for (int i = 0; i < c->lu.n; ++i) {
    /* the fractions of multiples of the golden section: as unlike a mode as numbers can be */
    const double part = 0.6180339887498949 * (i + 1);
    c->b[i] = 1.5 + (part - floor(part));
    if (i % 2 == 1) c->b[i] = -c->b[i];
  }
  apl_lu_solve(&c->lu, c->b, c->x);
  for (int i = 0; i < c->lu.n; ++i) {
    b2 += c->b[i] * c->b[i];
    x2 += c->x[i] * c->x[i];
  }
  return b2 > singular * singular * x2;
}
