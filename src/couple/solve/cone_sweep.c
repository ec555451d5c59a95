/* SPDX-License-Identifier: Apache-2.0 */
/* cone_sweep.c: block Gauss-Seidel. Each part is solved for its own rows with fixed forces of the
   others: held if the result is in the set, else on its edge by a few Newton steps on the natural
   map of the part alone. */
#include "couple/solve/cone_impl.h"

#include "couple/solve/kernel.h"

#include <math.h>
#include <string.h>

enum { LOCAL_STEPS = 6 };

/* Added to the diagonal of a part's own W, so that it is invertible. */
#define LOCAL_WEIGHT 1e-9

/* x := A^-1 x for n = 1, 2, 3 by elimination with exchange of rows; false if singular. */
static bool small_solve(int n, double A[9], double x[3]) {
  for (int k = 0; k < n; ++k) {
    int best = k;
    for (int i = k + 1; i < n; ++i)
      if (fabs(A[i * n + k]) > fabs(A[best * n + k])) best = i;
    if (!(fabs(A[best * n + k]) > 1e-14)) return false;
    if (best != k) {
      for (int j = 0; j < n; ++j) {
        const double t = A[k * n + j];
        A[k * n + j] = A[best * n + j];
        A[best * n + j] = t;
      }
      const double t = x[k];
      x[k] = x[best];
      x[best] = t;
    }
    const double over = 1 / A[k * n + k];
    for (int i = k + 1; i < n; ++i) {
      const double l = A[i * n + k] * over;
      for (int j = k + 1; j < n; ++j)
        A[i * n + j] -= l * A[k * n + j];
      x[i] -= l * x[k];
    }
  }
  for (int k = n - 1; k >= 0; --k) {
    for (int j = k + 1; j < n; ++j)
      x[k] -= A[k * n + j] * x[j];
    x[k] /= A[k * n + k];
  }
  return true;
}

static const double* own(const apl_cone* c, const apl_cone_part* part, int i) {
  return c->W + (long)(part->row + i) * c->ld + part->row;
}

static void invert(const apl_cone* c, apl_cone_part* part) {
  const int n = part->rows;

  for (int j = 0; j < n; ++j) {
    double A[9], x[3] = {0, 0, 0};
    for (int i = 0; i < n; ++i)
      for (int k = 0; k < n; ++k)
        A[i * n + k] = own(c, part, i)[k] + (i == k) * LOCAL_WEIGHT;
    x[j] = 1;
    if (!small_solve(n, A, x)) memset(x, 0, sizeof x);
    for (int i = 0; i < n; ++i)
      part->inverse[i * n + j] = x[i];
  }
}

/* The part's residual at r, with u = W r + q of the part alone. */
static double local_map(const apl_cone* c, const apl_cone_part* part, const double q[3],
                        const double r[3], apl_cone_point* at) {
  double z[3], sum = 0;

  for (int i = 0; i < part->rows; ++i) {
    const double* w = own(c, part, i);
    double u = q[i];
    for (int j = 0; j < part->rows; ++j)
      u += w[j] * r[j];
    z[i] = r[i] - u;
  }
  apl_cone_project(part, z, at);
  for (int i = 0; i < part->rows; ++i) {
    at->F[i] = r[i] - at->p[i];
    sum += at->F[i] * at->F[i];
  }
  return sum;
}

/* D = dp/dz, rows by rows */
static void derivative(const apl_cone_part* part, const apl_cone_point* at, double D[9]) {
  const int n = part->rows, first = cone_tangential(part);
  const double t[2] = {-at->n[1], at->n[0]};

  memset(D, 0, 9 * sizeof *D);
  for (int i = 0; i < n && at->mode == POINT_HELD; ++i)
    D[i * n + i] = 1;
  if (at->mode != POINT_EDGE) return;
  if (first == 1) D[0] = 1;
  if (part->kind == PART_WEDGE) {
    D[2] = at->gn;
    return;
  }
  for (int i = 0; i < 2; ++i) {
    double* row = D + (first + i) * n;
    if (first == 1) row[0] = at->gn * at->n[i] + at->gt * t[i];
    for (int j = 0; j < 2; ++j)
      row[first + j] = at->shrink * t[i] * t[j];
  }
}

/* r := r - (1 - D + D W)^-1 F; false if the matrix is singular. */
static bool local_step(const apl_cone* c, const apl_cone_part* part, const apl_cone_point* at,
                       double r[3]) {
  const int n = part->rows;
  double A[9], D[9], x[3];

  derivative(part, at, D);
  for (int i = 0; i < n; ++i) {
    x[i] = at->F[i];
    for (int j = 0; j < n; ++j) {
      double s = i == j;
      for (int k = 0; k < n; ++k)
        s += D[i * n + k] * (own(c, part, k)[j] + (k == j) * (LOCAL_WEIGHT - 1));
      A[i * n + j] = s;
    }
  }
  if (!small_solve(n, A, x)) return false;
  for (int i = 0; i < n; ++i)
    r[i] -= x[i];
  return true;
}

/* Solution on the edge of the set: Newton from r; the projection itself if Newton does not
   descend. */
static void local_slide(const apl_cone* c, const apl_cone_part* part, const double q[3],
                        double r[3]) {
  apl_cone_point at;
  double e = local_map(c, part, q, r, &at), size = 0;

  for (int i = 0; i < part->rows; ++i)
    size += q[i] * q[i];
  for (int k = 0; k < LOCAL_STEPS && e > 1e-24 * size; ++k) {
    apl_cone_point next;
    double trial[3] = {r[0], r[1], r[2]};
    double e_next = local_step(c, part, &at, trial) ? local_map(c, part, q, trial, &next) : e;
    if (!(e_next < e)) {
      memcpy(trial, at.p, sizeof trial);
      e_next = local_map(c, part, q, trial, &next);
    }
    memcpy(r, trial, sizeof trial);
    at = next;
    e = e_next;
  }
  /* in any case, return a force inside the set */
  apl_cone_project(part, r, &at);
  memcpy(r, at.p, sizeof at.p);
}

/* Forces of one part for q = u - W r. */
static void local_solve(const apl_cone* c, const apl_cone_part* part, const double q[3],
                        double r[3]) {
  const int n = part->rows;
  const bool contact = part->kind == PART_CONE || part->kind == PART_WEDGE;
  apl_cone_point at;
  double held[3] = {0, 0, 0};

  if (contact && q[0] >= 0) {
    memset(r, 0, 3 * sizeof *r);
    return;
  }
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      held[i] -= part->inverse[i * n + j] * q[j];
  apl_cone_project(part, held, &at);
  if (n == 1 || at.mode == POINT_HELD) {
    memcpy(r, at.p, sizeof at.p);
    return;
  }
  if (contact && !(r[0] > 0)) {
    /* the contact was open: start from the normal force alone */
    const double w = own(c, part, 0)[0];
    held[0] = -q[0] / (w > LOCAL_WEIGHT ? w : 1);
    apl_cone_project(part, held, &at);
    memcpy(r, at.p, sizeof at.p);
  }
  local_slide(c, part, q, r);
}

/* One sweep over all parts in order; u is not updated. */
static void sweep_once(apl_cone* c) {
  for (int k = 0; k < c->nparts; ++k) {
    const apl_cone_part* part = &c->part[k];
    double* mine = c->r + part->row;
    double r[3] = {0, 0, 0}, q[3] = {0, 0, 0};
    for (int i = 0; i < part->rows; ++i) {
      r[i] = mine[i];
      mine[i] = 0;
    }
    for (int i = 0; i < part->rows; ++i)
      q[i] = c->q[part->row + i] +
             kernel_dot_lanes(c->W + (long)(part->row + i) * c->ld, c->r, 0, c->ld);
    local_solve(c, part, q, r);
    for (int i = 0; i < part->rows; ++i)
      mine[i] = r[i];
  }
}

double apl_cone_sweep(apl_cone* c, int sweeps, apl_cone_result* result) {
  for (int k = 0; k < c->nparts; ++k)
    invert(c, &c->part[k]);
  for (int k = 0; k < sweeps; ++k)
    sweep_once(c);
  result->sweeps += sweeps;
  apl_cone_velocity(c);
  return apl_cone_evaluate(c, c->r, c->u);
}
