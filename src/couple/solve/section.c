/* SPDX-License-Identifier: Apache-2.0 */
/* section.c: projection onto the section of a friction cone. The quadrant of a point is that of its
   projection, because the edge of C crosses each half-axis at a right angle; so all work is done on
   one ellipse, the one of the point's quadrant. */
#include "couple/solve/section.h"

#include <math.h>

apl_section apl_section_circle(double mu) {
  return (apl_section){{mu, mu}, {mu, mu}};
}

bool apl_section_is_circle(const apl_section* c) {
  const double mu = c->plus[0];
  return c->plus[1] == mu && c->minus[0] == mu && c->minus[1] == mu;
}

/* The semi-axes of the quadrant of z. */
static void axes_of(const apl_section* c, const double z[2], double a[2]) {
  for (int i = 0; i < 2; ++i)
    a[i] = z[i] >= 0 ? c->plus[i] : c->minus[i];
}

/* (z_1/a_1)^2 + (z_2/a_2)^2 <= load^2; an axis of length zero asks for z_i = 0. */
bool apl_section_holds(const apl_section* c, double load, const double z[2]) {
  double a[2], s = 0;

  axes_of(c, z, a);
  for (int i = 0; i < 2; ++i) {
    if (z[i] == 0) continue;
    if (!(a[i] > 0)) return false;
    s += (z[i] / a[i]) * (z[i] / a[i]);
  }
  return s <= load * load;
}

double apl_section_support(const apl_section* c, const double x[2]) {
  double a[2];

  axes_of(c, x, a);
  return sqrt(a[0] * a[0] * x[0] * x[0] + a[1] * a[1] * x[1] * x[1]);
}

/*  n = z/|z|     p = mu load n     dp/dz = (mu load/|z|) (1 - n n^T)     dp/dload = mu n  */
static void project_circle(double mu, double load, const double z[2], apl_section_point* out) {
  const double size = sqrt(z[0] * z[0] + z[1] * z[1]);

  out->shrink = mu * load / size;
  for (int i = 0; i < 2; ++i) {
    out->n[i] = z[i] / size;
    out->g[i] = mu * out->n[i];
    out->p[i] = load * out->g[i];
  }
}

/* At least one axis has zero length: C is a segment along the other axis k. */
static void project_segment(const double a[2], double load, const double z[2],
                            apl_section_point* out) {
  const int k = a[1] > 0;
  const bool between = fabs(z[k]) <= a[k] * load;

  out->p[1 - k] = out->g[1 - k] = 0;
  out->n[k] = !between;
  out->n[1 - k] = between;
  out->shrink = between;
  out->g[k] = between ? 0 : z[k] >= 0 ? a[k] : -a[k];
  out->p[k] = between ? z[k] : out->g[k] * load;
}

/* The multiplier l of  p_i = a_i^2 y_i/(a_i^2 + l),  s(l) = sum (p_i/a_i)^2 = 1,  for y outside.
   Newton on 1/sqrt(s) - 1, which is convex and nearly straight: from the left it never passes the
   root, and it takes a few steps even for thin ellipses. */
static double multiplier_of(const double a[2], const double y[2]) {
  const double b[2] = {a[0] * fabs(y[0]), a[1] * fabs(y[1])};
  double l = fmax(fmax(b[0] - a[0] * a[0], b[1] - a[1] * a[1]), 0);

  for (int k = 0; k < 40; ++k) {
    const double h[2] = {a[0] * a[0] + l, a[1] * a[1] + l};
    const double w[2] = {b[0] * b[0] / (h[0] * h[0]), b[1] * b[1] / (h[1] * h[1])};
    const double s = w[0] + w[1], slope = w[0] / h[0] + w[1] / h[1];
    const double step = (sqrt(s) - 1) * s / slope;
    l += step;
    if (!(fabs(step) > 1e-15 * (l + h[0] + h[1]))) break;
  }
  return fmax(l, 0);
}

/* With E = diag(1/a^2), H = (1 + l E)^-1, m = H E p:   dp/dy = H - m m^T/(p^T E m).
   It takes E p, which is across the edge, to zero, so it is its own trace times t t^T. The section
   grows with the load:  p(z, load) = load p(y, 1), y = z/load,  and dp/dload = p - (dp/dy) y. */
static void project_ellipse(const double a[2], double load, const double z[2],
                            apl_section_point* out) {
  const double y[2] = {z[0] / load, z[1] / load};
  const double l = multiplier_of(a, y);
  double p[2], across[2], trace = 0, m2 = 0, size = 0;

  for (int i = 0; i < 2; ++i) {
    const double e = 1 / (a[i] * a[i]), h = 1 / (1 + l * e);
    p[i] = h * y[i];
    across[i] = e * p[i];
    trace += h;
    m2 += h * across[i] * h * across[i];
    size += across[i] * h * across[i];
  }
  const double length = sqrt(across[0] * across[0] + across[1] * across[1]);
  for (int i = 0; i < 2; ++i)
    out->n[i] = across[i] / length;
  const double t[2] = {-out->n[1], out->n[0]};
  out->shrink = trace - m2 / size;
  const double along = out->shrink * (t[0] * y[0] + t[1] * y[1]);
  for (int i = 0; i < 2; ++i) {
    out->p[i] = load * p[i];
    out->g[i] = p[i] - along * t[i];
  }
}

void apl_section_project(const apl_section* c, double load, const double z[2],
                         apl_section_point* out) {
  double a[2];

  if (apl_section_holds(c, load, z)) {
    *out = (apl_section_point){.place = APL_SECTION_INSIDE, .p = {z[0], z[1]}};
    return;
  }
  out->place = APL_SECTION_EDGE;
  axes_of(c, z, a);
  if (!(a[0] > 0) || !(a[1] > 0)) {
    project_segment(a, load, z, out);
  } else if (a[0] == a[1]) {
    project_circle(a[0], load, z, out);
  } else {
    project_ellipse(a, load, z, out);
  }
}
