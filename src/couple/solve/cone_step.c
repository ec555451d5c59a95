/* SPDX-License-Identifier: Apache-2.0 */
/* cone_step.c: the Newton step for F = r - P(r - u), u = W r + q:

     (1 - D + D (W + weight)) dr = -F        D = dP/dz

   Fixed rows go to their fixed value. Held rows satisfy W dr = -u. On an edge the unknowns are dr_N
   and x_t, the component of dr_T along the edge; normal to the edge, r_T follows the normal force,

     n . dr_T = gn dr_N + (gn u_N - n . F_T)
     (1 - shrink) x_t + shrink t . (W dr)_T - gt dr_N = gt u_N - t . F_T

   so a sliding contact has two unknowns, and one in a plane. The weight makes the matrix regular if
   rows are redundant; it is in the matrix only and does not change the solution. */
#include "couple/solve/cone_impl.h"

#include "couple/solve/kernel.h"

#include <stdint.h>
#include <string.h>

/* Number of unknowns of a part in its mode. */
static int unknowns(const apl_cone_part* part, const apl_cone_point* at) {
  if (at->mode == POINT_FIXED) return 0;
  return at->mode == POINT_HELD || part->kind == PART_LINE ? part->rows : part->rows - 1;
}

/* Express a row over all forces by the unknowns: to = w Q. */
static void narrow(const apl_cone* c, const double* w, double* to) {
  if (c->plain) {
    memcpy(to, w, (size_t)c->m * sizeof *to);
    return;
  }
  for (int k = 0; k < c->nparts; ++k) {
    const apl_cone_part* part = &c->part[k];
    const apl_cone_point* at = &c->point[k];
    const double* from = w + part->row;
    double* x = to + at->column;
    if (at->mode == POINT_HELD) {
      for (int i = 0; i < part->rows; ++i)
        x[i] = from[i];
    } else if (at->mode == POINT_EDGE && part->kind == PART_CONE) {
      x[0] = from[0] + at->gn * (at->n[0] * from[1] + at->n[1] * from[2]);
      x[1] = at->n[0] * from[2] - at->n[1] * from[1];
    } else if (at->mode == POINT_EDGE && part->kind == PART_WEDGE) {
      x[0] = from[0] + at->gn * from[1];
    } else if (at->mode == POINT_EDGE) {
      x[0] = at->n[0] * from[1] - at->n[1] * from[0];
    }
  }
}

/* The equation along the edge, of a part on its edge. */
static void edge_row(apl_cone* c, int k, double weight, double* to) {
  const apl_cone_part* part = &c->part[k];
  const apl_cone_point* at = &c->point[k];
  const int first = cone_tangential(part), own = at->column + first;
  const double* w1 = c->W + (long)(part->row + first) * c->ld;
  const double* w2 = w1 + c->ld;
  const double t1 = -at->shrink * at->n[1], t2 = at->shrink * at->n[0];

  for (int j = 0; j < c->m; ++j)
    c->b[j] = t1 * w1[j] + t2 * w2[j];
  narrow(c, c->b, to);
  to[own] += 1 - at->shrink * (1 - weight);
  if (first == 1) to[own - 1] -= at->gt;
}

/* Assign columns to all unknowns, those of held parts first; returns how many these are. */
static int place_unknowns(apl_cone* c) {
  int n = 0, held = 0;

  for (int k = 0; k < c->nparts; ++k) {
    if (c->point[k].mode != POINT_HELD) continue;
    c->point[k].column = held;
    held += c->part[k].rows;
  }
  n = held;
  for (int k = 0; k < c->nparts; ++k) {
    if (c->point[k].mode == POINT_HELD) continue;
    c->point[k].column = n;
    n += unknowns(&c->part[k], &c->point[k]);
  }
  c->unknowns = n;
  return held;
}

void apl_cone_factor(apl_cone* c, double weight) {
  const int held = place_unknowns(c);

  for (int k = 0; k < c->nparts; ++k)
    c->factored[k] = (char)c->point[k].mode;
  c->plain = held == c->m;
  c->factored_size = weight == CONE_WEIGHT ? c->nparts : 0;
  apl_lu_begin(&c->lu, c->unknowns, c->symmetric ? held : 0);
  for (int k = 0; k < c->nparts; ++k) {
    const apl_cone_part* part = &c->part[k];
    const apl_cone_point* at = &c->point[k];
    const int all = unknowns(part, at);
    const int plain = at->mode == POINT_EDGE ? cone_tangential(part) : all;
    for (int i = 0; i < plain; ++i) {
      double* to = c->lu.A + (long)(at->column + i) * c->lu.ld;
      narrow(c, c->W + (long)(part->row + i) * c->ld, to);
      to[at->column + i] += weight;
    }
    if (plain < all) edge_row(c, k, weight, c->lu.A + (long)(at->column + plain) * c->lu.ld);
  }
  apl_lu_factor(&c->lu);
}

bool apl_cone_factored(const apl_cone* c) {
  for (int k = 0; k < c->nparts; ++k)
    if (c->factored[k] != (char)c->point[k].mode) return false;
  return true;
}

/* The part of dr that is known before solving; du = W dr. */
static void step_known(apl_cone* c) {
  bool moves = false;

  memset(c->dr, 0, (size_t)c->ld * sizeof *c->dr);
  for (int k = 0; k < c->nparts; ++k) {
    const apl_cone_part* part = &c->part[k];
    const apl_cone_point* at = &c->point[k];
    const int first = cone_tangential(part);
    double* dr = c->dr + part->row;
    if (at->mode == POINT_FIXED) {
      for (int i = 0; i < part->rows; ++i)
        dr[i] = -at->F[i];
    } else if (at->mode == POINT_EDGE && part->kind == PART_WEDGE) {
      dr[1] = at->gn * at->F[0] - at->F[1];
    } else if (at->mode == POINT_EDGE) {
      const double* F = at->F + first;
      const double across =
          (first == 1 ? at->gn * at->F[0] : 0) - at->n[0] * F[0] - at->n[1] * F[1];
      dr[first] = at->n[0] * across;
      dr[first + 1] = at->n[1] * across;
    }
    for (int i = 0; i < part->rows; ++i)
      moves = moves || dr[i] != 0;
  }
  if (moves) {
    kernel_times(c->W, c->ld, c->m, c->dr, c->du);
  } else {
    memset(c->du, 0, (size_t)c->ld * sizeof *c->du);
  }
}

/* Right-hand sides of a part. */
static void load(const apl_cone* c, int k, double* b) {
  const apl_cone_part* part = &c->part[k];
  const apl_cone_point* at = &c->point[k];
  const int first = cone_tangential(part);
  const double* du = c->du + part->row;
  const int held = at->mode == POINT_HELD ? part->rows : at->mode == POINT_EDGE ? first : 0;

  for (int i = 0; i < held; ++i)
    b[i] = -at->F[i] - du[i];
  if (at->mode != POINT_EDGE || part->kind == PART_WEDGE) return;
  const double* F = at->F + first;
  b[first] =
      at->n[1] * (F[0] + at->shrink * du[first]) - at->n[0] * (F[1] + at->shrink * du[first + 1]);
  if (first == 1) b[first] += at->gt * at->F[0];
}

/* dr of a part from its unknowns: dr += Q x */
static void spread(const apl_cone_part* part, const apl_cone_point* at, const double* x,
                   double* dr) {
  const int first = cone_tangential(part);

  if (at->mode == POINT_HELD) {
    for (int i = 0; i < part->rows; ++i)
      dr[i] = x[i];
  } else if (at->mode == POINT_EDGE && part->kind == PART_WEDGE) {
    dr[0] = x[0];
    dr[1] += at->gn * x[0];
  } else if (at->mode == POINT_EDGE) {
    const double along = x[first], across = first == 1 ? at->gn * x[0] : 0;
    if (first == 1) dr[0] = x[0];
    dr[first] += at->n[0] * across - at->n[1] * along;
    dr[first + 1] += at->n[1] * across + at->n[0] * along;
  }
}

void apl_cone_direction(apl_cone* c) {
  step_known(c);
  for (int k = 0; k < c->nparts; ++k)
    load(c, k, c->b + c->point[k].column);
  apl_lu_solve(&c->lu, c->b, c->x);
  for (int k = 0; k < c->nparts; ++k)
    spread(&c->part[k], &c->point[k], c->x + c->point[k].column, c->dr + c->part[k].row);
}

/* True if the step is determined without the weight. With a null vector |J^-1 b| would be about 1e7
   |b| for a generic b. If all pivots are large, the test is skipped. */
bool apl_cone_unique(apl_cone* c) {
  const double suspicious = 1e-3, singular = 50 * CONE_WEIGHT;
  double b2 = 0, x2 = 0;
  uint32_t seed = 1;

  if (c->factored_size != c->nparts || !apl_cone_factored(c)) apl_cone_factor(c, CONE_WEIGHT);
  if (c->lu.smallest > suspicious) return true;
  if (c->lu.rank < c->lu.n) return false;
  for (int i = 0; i < c->lu.n; ++i) {
    /* pseudo-random signs: a regular pattern could be orthogonal to null vectors such as (1, -1,
       -1, 1) */
    seed = 1664525u * seed + 1013904223u;
    c->b[i] = (seed >> 31 ? 1.0 : -1.0) * (1.0 + (seed >> 16 & 0x7fff) / 32768.0);
  }
  apl_lu_solve(&c->lu, c->b, c->x);
  for (int i = 0; i < c->lu.n; ++i) {
    b2 += c->b[i] * c->b[i];
    x2 += c->x[i] * c->x[i];
  }
  return b2 > singular * singular * x2;
}
