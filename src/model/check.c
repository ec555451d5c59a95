/* SPDX-License-Identifier: Apache-2.0 */
/* check.c: tests whether an inertia is physically possible. */
#include "model/model_impl.h"

/* Eigenvalues w and eigenvectors (columns of V) of a symmetric 3x3, by cyclic Jacobi rotations. */
static void eigen3(sym3 A, double w[3], double V[3][3]) {
  double a[3][3] = {{A.xx, A.xy, A.xz}, {A.xy, A.yy, A.yz}, {A.xz, A.yz, A.zz}};

  for (int i = 0; i < 9; ++i)
    V[i / 3][i % 3] = i % 4 == 0;
  for (int sweep = 0; sweep < 30; ++sweep) {
    for (int p = 0; p < 2; ++p) {
      for (int q = p + 1; q < 3; ++q) {
        if (a[p][q] == 0.0) continue;
        const double t0 = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
        const double t = (t0 < 0.0 ? -1.0 : 1.0) / (fabs(t0) + sqrt(t0 * t0 + 1.0));
        const double c = 1.0 / sqrt(t * t + 1.0), s = t * c;
        for (int k = 0; k < 3; ++k) {
          const double u = a[k][p], v = a[k][q], x = V[k][p], y = V[k][q];
          a[k][p] = c * u - s * v;
          a[k][q] = s * u + c * v;
          V[k][p] = c * x - s * y;
          V[k][q] = s * x + c * y;
        }
        for (int k = 0; k < 3; ++k) {
          const double u = a[p][k], v = a[q][k];
          a[p][k] = c * u - s * v;
          a[q][k] = s * u + c * v;
        }
      }
    }
  }
  for (int k = 0; k < 3; ++k)
    w[k] = a[k][k];
}

/* The second moments of the mass, P = int r r^T dm = 1/2 tr(I) 1 - I. */
static sym3 second_moments(sym3 I) {
  const double half = 0.5 * (I.xx + I.yy + I.zz);
  return (sym3){half - I.xx, half - I.yy, half - I.zz, -I.xy, -I.xz, -I.yz};
}

/* The possible inertia whose second moments are nearest to those of I: negative eigenvalues of P
   become zero (projection in the Frobenius norm), and I = tr(P) 1 - P. */
static sym3 nearest_inertia(sym3 I) {
  double w[3], V[3][3], P[3][3] = {{0}};

  eigen3(second_moments(I), w, V);
  for (int k = 0; k < 3; ++k) {
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j)
        P[i][j] += fmax(w[k], 0.0) * V[i][k] * V[j][k];
    }
  }
  const double trace = P[0][0] + P[1][1] + P[2][2];
  return (sym3){trace - P[0][0], trace - P[1][1], trace - P[2][2],
                0.0 - P[0][1],   0.0 - P[0][2],   0.0 - P[1][2]};
}

apl_status apl_check_inertia(const char* link, sym3 I, double noise, apl_freedom freedom, vec3 n,
                             apl_error* err) {
  const double size = fabs(I.xx) + fabs(I.yy) + fabs(I.zz);

  /* a body that turns about one axis only, or not at all, may have zero for the moments without
     effect; if all are given, they must be possible */
  const bool given = fabs(I.xx) > noise && fabs(I.yy) > noise && fabs(I.zz) > noise;
  if (freedom != APL_MOVES_FREELY && !given) {
    const double felt = freedom == APL_MOVES_ABOUT_AXIS ? dot(n, sym3_mul(I, n)) : 0.0;
    const double least = fmin(fmin(I.xx, I.yy), fmin(I.zz, felt));
    if (least >= -1e-12 * size - noise) return APL_OK;
    return apl_fail(err, APL_ERR_MODEL, "link '%s' has a negative moment of inertia (%g kg m^2)",
                    link, least);
  }

  /* P must be positive semidefinite: this is the triangle inequality of the principal moments.
     Files often round to six digits, so 1e-6 is allowed. */
  double w[3], V[3][3];
  eigen3(second_moments(I), w, V);
  if (fmin(w[0], fmin(w[1], w[2])) >= -1e-6 * size - noise) return APL_OK;
  return apl_fail(err, APL_ERR_MODEL,
                  "link '%s': the inertia xx %g yy %g zz %g xy %g xz %g yz %g is not possible: "
                  "each principal moment must be at most the sum of the other two",
                  link, I.xx, I.yy, I.zz, I.xy, I.xz, I.yz);
}

void apl_doubt_inertia(const char* link, sym3 I, apl_error* err) {
  const sym3 n = nearest_inertia(I);

  apl_fail(err, APL_ERR_MODEL,
           "link '%.60s': this inertia is not possible (a principal moment exceeds the sum of the "
           "others); it is kept; the nearest possible is xx %.4g yy %.4g zz %.4g xy %.3g xz %.3g "
           "yz %.3g",
           link, n.xx, n.yy, n.zz, n.xy, n.xz, n.yz);
}
