/* SPDX-License-Identifier: Apache-2.0 */
/* beam_ritz.c: see beam_ritz.h.

   W = w + sqrt(s2) u with the turn T = w', so that shear is sqrt(s2) u' and thin beams do not lock:
     w(x) = t0 x + sum c_i I I P_i,  u(x) = sum e_i I P_i
   with P_i orthonormal Legendre polynomials on 0 .. 1 and I the integral from 0. The elastic energy
   is then sum c_i^2 + sum e_i^2, and only t0, c_0, c_1, e_0 are felt by W and T at the tip. */
#include "element/beam_ritz.h"

#include "math/eigen_pair.h"

#include <math.h>
#include <stdlib.h>

void apl_gauss(int n, double* x, double* weight) {
  for (int i = 0; i < n; ++i) {
    double z = cos(3.14159265358979323846 * (i + 0.75) / (n + 0.5)), d = 1.0;

    /* Newton on P_n, by (k+1) P_{k+1} = (2k+1) z P_k - k P_{k-1} */
    for (int it = 0; it < 20; ++it) {
      double a = 1.0, b = z;
      for (int k = 1; k < n; ++k) {
        const double c = ((2.0 * k + 1.0) * z * b - k * a) / (k + 1.0);
        a = b, b = c;
      }
      d = n * (z * b - a) / (z * z - 1.0);
      const double step = b / d;
      z -= step;
      if (fabs(step) < 1e-15) break;
    }
    x[i] = 0.5 * (1.0 - z);
    weight[i] = 1.0 / ((1.0 - z * z) * d * d);
  }
}

/* Legendre polynomials of 2x - 1 divided by their norm, and their first and second integrals. */
static void polynomials(int n, double x, double* P, double* P1, double* P2) {
  enum { ROOM = 2 * BEAM_MOST_MODES + 32 };
  const double z = 2.0 * x - 1.0;
  double p[ROOM + 3];

  p[0] = 1.0, p[1] = z;
  for (int k = 1; k < n + 2; ++k)
    p[k + 1] = ((2.0 * k + 1.0) * z * p[k] - k * p[k - 1]) / (k + 1.0);
  for (int k = 0; k < n; ++k) {
    const double norm = sqrt(2.0 * k + 1.0), h = 0.5 / (2.0 * k + 1.0);
    P[k] = norm * p[k];

    /* I P_k = (P_{k+1} - P_{k-1}) / (2 (2k+1)) */
    P1[k] = norm * (k == 0 ? x : h * (p[k + 1] - p[k - 1]));
    if (k == 0) P2[k] = 0.5 * x * x;
    if (k == 1) P2[k] = norm * (x * x * x / 3.0 - 0.5 * x * x);
    if (k > 1) {
      P2[k] = norm * 0.5 * h *
              ((p[k + 2] - p[k]) / (2.0 * k + 3.0) - (p[k] - p[k - 2]) / (2.0 * k - 1.0));
    }
  }
}

/* Numbers of unknowns: t0 when the root is pinned, c_0 .., e_0 .. unless Euler-Bernoulli. */
typedef struct ritz {
  const beam_basis* b;
  int n, nt, nc, ne; /* n = nt + nc + ne                                                        */
  double *K, *M;
} ritz;

/* W and T of all unknowns at x. */
static void functions(const ritz* r, double x, double* W, double* T) {
  enum { ROOM = 2 * BEAM_MOST_MODES + 32 };
  double P[ROOM], P1[ROOM], P2[ROOM];
  int k = 0;

  polynomials(r->nc, x, P, P1, P2);
  if (r->nt) W[k] = x, T[k++] = 1.0;
  for (int i = 0; i < r->nc; ++i)
    W[k] = P2[i], T[k++] = P1[i];
  for (int i = 0; i < r->ne; ++i)
    W[k] = sqrt(r->b->s2) * P1[i], T[k++] = 0.0;
}

/* M += w (W W^T + r T T^T) */
static void add_mass(ritz* r, const double* W, const double* T, double w, double rotary) {
  for (int i = 0; i < r->n; ++i) {
    for (int j = 0; j <= i; ++j)
      r->M[i * r->n + j] += w * W[i] * W[j] + rotary * T[i] * T[j];
  }
}

/* Unknown `gone` follows from the others by row . x = 0: A := Z^T A Z, with a one left behind on
   the diagonal where it stood. */
static void eliminate_unknown(double* A, int n, const double* row, int gone, double diagonal) {
  double* z = A + gone * n;

  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < i; ++j)
      A[j * n + i] = A[i * n + j];
  }
  const double a = z[gone];
  for (int i = 0; i < n; ++i) {
    if (i == gone) continue;
    const double ri = -row[i] / row[gone];
    for (int j = 0; j < n; ++j) {
      const double rj = -row[j] / row[gone];
      if (j != gone) A[i * n + j] += ri * z[j] + A[i * n + gone] * rj + ri * a * rj;
    }
  }
  for (int i = 0; i < n; ++i)
    A[i * n + gone] = A[gone * n + i] = 0.0;
  A[gone * n + gone] = diagonal;
}

/* W = 0 at the tip takes c_1 out, T = 0 takes c_0. */
static void hold_tip(ritz* r, double* W, double* T) {
  const beam_end tip = r->b->tip;

  functions(r, 1.0, W, T);
  if (tip == BEAM_CLAMPED) {
    eliminate_unknown(r->K, r->n, T, r->nt, 1.0);
    eliminate_unknown(r->M, r->n, T, r->nt, 0.0);

    /* the row of W without c_0 */
    const double w0 = W[r->nt] / T[r->nt];
    for (int i = 0; i < r->n; ++i)
      W[i] -= w0 * T[i];
  }
  if (tip != BEAM_FREE) {
    eliminate_unknown(r->K, r->n, W, r->nt + 1, 1.0);
    eliminate_unknown(r->M, r->n, W, r->nt + 1, 0.0);
  }
}

static bool solve(ritz* r, int want, double* lambda) {
  enum { POINTS = 4 * BEAM_MOST_MODES + 64 };
  const beam_basis* b = r->b;
  const int n = r->n, points = 2 * r->nc;
  double *W = r->K + 2 * n * n, *T = W + n, *mu = T + n;
  double x[POINTS], weight[POINTS];

  apl_gauss(points, x, weight);
  for (int g = 0; g < points; ++g) {
    functions(r, x[g], W, T);
    add_mass(r, W, T, weight[g], weight[g] * b->r2);
  }
  for (int i = r->nt; i < n; ++i)
    r->K[i * n + i] = 1.0;

  /* body at the tip: m (W + d T)^2 + J T^2 */
  functions(r, 1.0, W, T);
  for (int i = 0; i < n; ++i)
    W[i] += b->offset * T[i];
  if (b->tip == BEAM_FREE) add_mass(r, W, T, b->mass, b->inertia);
  hold_tip(r, W, T);

  /* M y = mu (K + M) y: the largest mu = 1/(lambda + 1) are the lowest modes, well conditioned */
  for (int i = 0; i < n * n; ++i)
    r->K[i] += r->M[i];
  if (!apl_eigen_pair(n, r->M, r->K, mu)) return false;
  for (int i = 0; i < want; ++i) {
    if (!(mu[n - 1 - i] > 0.0)) return false;
    lambda[i] = fmax(1.0 / mu[n - 1 - i] - 1.0, 0.0);
  }
  return true;
}

apl_status apl_beam_ritz(const beam_basis* b, int want, double* lambda, apl_error* err) {
  const int nc =
      16 + 2 * want > 2 * BEAM_MOST_MODES + 30 ? 2 * BEAM_MOST_MODES + 30 : 16 + 2 * want;
  ritz r = {.b = b, .nt = b->root == BEAM_PINNED, .nc = nc, .ne = b->s2 > 0.0 ? nc : 0};

  r.n = r.nt + r.nc + r.ne;
  r.K = calloc((size_t)(2 * r.n * r.n + 3 * r.n), sizeof *r.K);
  if (r.K == NULL) return apl_fail(err, APL_ERR_MEMORY, "out of memory for the modes of a beam");
  r.M = r.K + r.n * r.n;
  const bool ok = solve(&r, want, lambda);
  free(r.K);
  if (ok) return APL_OK;
  return apl_fail(err, APL_ERR_MODEL, "modes cannot be computed for this section and tip body");
}
