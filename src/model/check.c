/* check.c: can matter have this inertia? */
#include "model/model_impl.h"

/* Smallest eigenvalue of a symmetric 3x3, by cyclic Jacobi rotations. */
static double smallest_eigenvalue(sym3 A) {
  double a[3][3] = {{A.xx, A.xy, A.xz}, {A.xy, A.yy, A.yz}, {A.xz, A.yz, A.zz}};

  for (int sweep = 0; sweep < 30; ++sweep) {
    for (int p = 0; p < 2; ++p) {
      for (int q = p + 1; q < 3; ++q) {
        if (a[p][q] == 0.0) continue;
        const double t0 = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
        const double t = (t0 < 0.0 ? -1.0 : 1.0) / (fabs(t0) + sqrt(t0 * t0 + 1.0));
        const double c = 1.0 / sqrt(t * t + 1.0), s = t * c;
        for (int k = 0; k < 3; ++k) {
          const double u = a[k][p], v = a[k][q];
          a[k][p] = c * u - s * v;
          a[k][q] = s * u + c * v;
        }
        for (int k = 0; k < 3; ++k) {
          const double u = a[p][k], v = a[q][k];
          a[p][k] = c * u - s * v;
          a[q][k] = s * u + c * v;
        }
      }
    }
  }
  return fmin(a[0][0], fmin(a[1][1], a[2][2]));
}

apl_status apl_check_inertia(const char* link, sym3 I, double noise, apl_freedom freedom, vec3 n,
                             apl_error* err) {
  const double trace = I.xx + I.yy + I.zz;
  const double size = fabs(I.xx) + fabs(I.yy) + fabs(I.zz);

  /* a body that turns about one axis, or not at all, may leave the moments that are never felt at
     zero; what is given must be possible all the same */
  const bool given = fabs(I.xx) > noise && fabs(I.yy) > noise && fabs(I.zz) > noise;
  if (freedom != APL_MOVES_FREELY && !given) {
    const double felt = freedom == APL_MOVES_ABOUT_AXIS ? dot(n, sym3_mul(I, n)) : 0.0;
    const double least = fmin(fmin(I.xx, I.yy), fmin(I.zz, felt));
    if (least >= -1e-12 * size - noise) return APL_OK;
    return apl_fail(err, APL_ERR_MODEL, "link '%s' has a negative moment of inertia (%g kg m^2)",
                    link, least);
  }

  /* the second moments of the mass, 1/2 tr(I) 1 - I, must not be negative in any direction: this is
     the triangle inequality of the principal moments. Files round to six digits: allow 1e-6. */
  const double half = 0.5 * trace;
  const sym3 second = {half - I.xx, half - I.yy, half - I.zz, -I.xy, -I.xz, -I.yz};
  if (smallest_eigenvalue(second) >= -1e-6 * size - noise) return APL_OK;
  return apl_fail(err, APL_ERR_MODEL,
                  "link '%s': no body has the inertia xx %g yy %g zz %g xy %g xz %g yz %g: each "
                  "principal moment must be at most the sum of the other two",
                  link, I.xx, I.yy, I.zz, I.xy, I.xz, I.yz);
}
