/* SPDX-License-Identifier: Apache-2.0 */
/* beam_modes.c: see beam_modes.h. A Ritz method with polynomials gives approximate eigenvalues and
   their number; the roots of the characteristic equation then give each one to the last digits. */
#include "element/beam_modes.h"

#include "element/beam_ritz.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --------------------------------------------------------------------------------- basis ---- */

/* With B = lambda (s2 + r2), C = lambda (1 - lambda r2 s2), p^2 and -s are the roots of
   x^2 - B x - C = 0, and g = lambda s2; s < 0 above the cut-off                 (beam.md, 5) */
static beam_mode numbers_of(const beam_basis* b, double lambda, bool entire) {
  const double B = lambda * (b->s2 + b->r2), C = lambda * (1.0 - lambda * b->r2 * b->s2);
  const double p2 = 0.5 * B + sqrt(0.25 * B * B + C);

  return (beam_mode){lambda, sqrt(p2), C / p2, lambda * b->s2, entire, {0}};
}

/* cosh(sqrt(s) x) and sinh(sqrt(s) x)/sqrt(s), entire in s */
static void entire_pair(double s, double x, double* C, double* S) {
  const double y = s * x * x;

  if (fabs(y) < 1e-2) {
    *C = 1.0 + y / 2.0 * (1.0 + y / 12.0 * (1.0 + y / 30.0 * (1.0 + y / 56.0 * (1.0 + y / 90.0))));
    *S = x * (1.0 + y / 6.0 * (1.0 + y / 20.0 * (1.0 + y / 42.0 * (1.0 + y / 72.0))));
  } else if (s > 0.0) {
    *C = cosh(sqrt(s) * x);
    *S = sinh(sqrt(s) * x) / sqrt(s);
  } else {
    *C = cos(sqrt(-s) * x);
    *S = sin(sqrt(-s) * x) / sqrt(-s);
  }
}

/* One basis function: deflection W, rotation T, its derivative T', and the shear force V divided by
   mu omega^2. They satisfy T' = W'' + g W and V' = -W. V has its own formula, because V = (W' -
   T)/g would lose digits by cancellation. */
typedef struct basis_function {
  double W, T, T1, V;
} basis_function;

/* sin px, cos px, and e^-qx, e^-q(1-x) with q^2 = s; or, for s up to 1 and below 0, the functions
   {s S, (s + g) C, -C} and {C, (s + g) S, -S}                                  (beam.md, 5) */
static void basis_at(const beam_mode* m, double x, basis_function f[4]) {
  const double p = m->p, s = m->s, g = m->g, a = p - g / p;
  const double sine = sin(p * x), cosine = cos(p * x);

  f[0] = (basis_function){sine, a * cosine, -a * p * sine, cosine / p};
  f[1] = (basis_function){cosine, -a * sine, -a * p * cosine, -sine / p};
  if (m->entire) {
    double C, S;
    entire_pair(s, x, &C, &S);
    f[2] = (basis_function){s * S, (s + g) * C, (s + g) * s * S, -C};
    f[3] = (basis_function){C, (s + g) * S, (s + g) * C, -S};
  } else {
    const double q = sqrt(s), b = q + g / q, near = exp(-q * x), far = exp(-q * (1.0 - x));
    f[2] = (basis_function){near, -b * near, b * q * near, near / q};
    f[3] = (basis_function){far, b * far, b * q * far, -far / q};
  }
}

beam_shape apl_beam_mode_at(const beam_mode* m, double x) {
  basis_function f[4];
  double W = 0.0, T = 0.0, T1 = 0.0, V = 0.0;

  basis_at(m, x, f);
  for (int i = 0; i < 4; ++i) {
    W += m->k[i] * f[i].W;
    T += m->k[i] * f[i].T;
    T1 += m->k[i] * f[i].T1;
    V += m->k[i] * f[i].V;
  }
  return (beam_shape){W, T + m->g * V, T1 - m->g * W, T, T1, m->g * V};
}

/* ---------------------------------------------------------------------------------- ends ---- */

/* Boundary conditions at both ends, as rows over the four coefficients, each scaled to a largest
   entry of one. A body at the tip: V = omega^2 m (W + d T), EI T' = omega^2 [m d W + (J + m d^2)
   T] */
static void end_rows(const beam_basis* b, const beam_mode* m, double A[4][4]) {
  const double mass = b->mass, d = b->offset, J = b->inertia + mass * d * d;
  basis_function root[4], tip[4];

  basis_at(m, 0.0, root);
  basis_at(m, 1.0, tip);
  for (int i = 0; i < 4; ++i) {
    A[0][i] = root[i].W;
    A[1][i] = b->root == BEAM_CLAMPED ? root[i].T : root[i].T1;
    A[2][i] = tip[i].W;
    A[3][i] = b->tip == BEAM_CLAMPED ? tip[i].T : tip[i].T1;
    if (b->tip == BEAM_FREE) {
      A[2][i] = tip[i].V - mass * (tip[i].W + d * tip[i].T);
      A[3][i] -= m->lambda * (mass * d * tip[i].W + J * tip[i].T);
    }
  }
  for (int r = 0; r < 4; ++r) {
    double most = 0.0;
    for (int i = 0; i < 4; ++i)
      most = fmax(most, fabs(A[r][i]));
    for (int i = 0; i < 4; ++i)
      A[r][i] /= most;
  }
}

/* Gaussian elimination with full pivoting; order[k] is the original column at position k. Returns
   the determinant. */
static double factor(double A[4][4], int order[4]) {
  double det = 1.0;

  for (int i = 0; i < 4; ++i)
    order[i] = i;
  for (int k = 0; k < 4; ++k) {
    int row = k, col = k;
    for (int i = k; i < 4; ++i) {
      for (int j = k; j < 4; ++j) {
        if (fabs(A[i][j]) > fabs(A[row][col])) row = i, col = j;
      }
    }
    if (row != k) {
      for (int j = 0; j < 4; ++j) {
        const double t = A[k][j];
        A[k][j] = A[row][j], A[row][j] = t;
      }
      det = -det;
    }
    if (col != k) {
      for (int i = 0; i < 4; ++i) {
        const double t = A[i][k];
        A[i][k] = A[i][col], A[i][col] = t;
      }
      const int t = order[k];
      order[k] = order[col], order[col] = t;
      det = -det;
    }
    det *= A[k][k];
    if (A[k][k] == 0.0) return 0.0;
    for (int i = k + 1; i < 4; ++i) {
      const double l = A[i][k] / A[k][k];
      for (int j = k; j < 4; ++j)
        A[i][j] -= l * A[k][j];
    }
  }
  return det;
}

static double determinant(const beam_basis* b, double lambda, bool entire) {
  const beam_mode m = numbers_of(b, lambda, entire);
  double A[4][4];
  int order[4];

  end_rows(b, &m, A);
  return factor(A, order);
}

/* Coefficients at a root, where the matrix is singular: the last column of the elimination is free
   and set to one. */
static void coefficients(const beam_basis* b, beam_mode* m) {
  double A[4][4], y[4] = {0, 0, 0, 1};
  int order[4];

  end_rows(b, m, A);
  factor(A, order);
  for (int i = 2; i >= 0; --i) {
    for (int j = i + 1; j < 4; ++j)
      y[i] -= A[i][j] * y[j];
    y[i] /= A[i][i];
  }
  for (int i = 0; i < 4; ++i)
    m->k[order[i]] = y[i];
}

/* Bisection for the root between lo and hi, to the last bit of lambda. False if the sign does not
   change. */
static bool bisect(const beam_basis* b, double lo, double hi, bool entire, double* root) {
  double f = determinant(b, lo, entire);

  if (f * determinant(b, hi, entire) > 0.0) return false;
  for (int i = 0; i < 200; ++i) {
    const double mid = 0.5 * (lo + hi), h = determinant(b, mid, entire);
    if (mid <= lo || mid >= hi) break;
    if ((h > 0.0) == (f > 0.0)) {
      lo = mid, f = h;
    } else {
      hi = mid;
    }
  }
  *root = 0.5 * (lo + hi);
  return true;
}

/* ----------------------------------------------------------------------------------- size ---- */

/* Largest |W|: the best of many points, then Newton on W' = 0 */
static double largest(const beam_mode* m, int waves) {
  const int n = 64 * (waves + 1);
  double best = 0.0, at = 0.0;

  for (int i = 0; i <= n; ++i) {
    const double x = (double)i / n, W = fabs(apl_beam_mode_at(m, x).W);
    if (W > best) best = W, at = x;
  }
  for (int i = 0; i < 20 && at > 0.0 && at < 1.0; ++i) {
    const beam_shape f = apl_beam_mode_at(m, at);
    const double step = f.W2 != 0.0 ? -f.W1 / f.W2 : 0.0;
    if (!(fabs(step) < 2.0 / n)) break;
    at = fmin(fmax(at + step, 0.0), 1.0);
  }
  return fmax(best, fabs(apl_beam_mode_at(m, at).W));
}

static void scale_mode(beam_mode* m, int waves) {
  const double near = apl_beam_mode_at(m, 1e-2 / (waves + 1)).W;
  const double size = (near < 0.0 ? -1.0 : 1.0) / largest(m, waves);

  for (int i = 0; i < 4; ++i)
    m->k[i] *= size;
}

/* ---------------------------------------------------------------------------------- modes ---- */

/* True if the Ritz value belongs to a motion without deflection: the rigid rotation of pinned-free,
   or the pure shear of pinned-pinned, W = 0 and T = 1, at lambda = 1/(r2 s2). */
static bool left_out(const beam_basis* b, int index, double lambda) {
  if (b->root != BEAM_PINNED) return false;
  if (b->tip == BEAM_FREE) return index == 0;
  return b->tip == BEAM_PINNED && fabs(lambda * b->r2 * b->s2 - 1.0) < 1e-8;
}

apl_status apl_beam_modes(const beam_basis* b, int n, beam_mode* out, apl_error* err) {
  enum { MOST = BEAM_MOST_MODES + 3 };
  double guess[MOST];
  const int want = n + 3; /* two may be left out; one more bounds the last from above */
  int found = 0;

  const apl_status st = apl_beam_ritz(b, want, guess, err);
  if (st != APL_OK) return st;
  for (int i = 0; i + 1 < want && found < n; ++i) {
    if (left_out(b, i, guess[i])) continue;

    /* rounded to float, so that the result does not depend on the last digits of the Ritz solver */
    const double lambda = (double)(float)guess[i];
    const double below = i > 0 ? lambda - guess[i - 1] : lambda, above = guess[i + 1] - lambda;
    const double width = fmin(1e-4 * lambda, 0.45 * fmin(below, above));
    const bool entire = numbers_of(b, lambda, true).s <= 1.0;
    double root;

    if (!(width > 1e-10 * lambda) || !bisect(b, lambda - width, lambda + width, entire, &root)) {
      return apl_fail(err, APL_ERR_MODEL,
                      "modes of this beam can be computed up to number %d: the next one cannot be "
                      "distinguished from its neighbour (omega ratio %.10g)",
                      found, sqrt(guess[i + 1] / guess[i]));
    }
    out[found] = numbers_of(b, root, entire);
    coefficients(b, &out[found]);
    scale_mode(&out[found], found + 1);
    ++found;
  }
  return APL_OK;
}
