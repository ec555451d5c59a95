/* SPDX-License-Identifier: Apache-2.0 */
/* solid.c: see solid.h. Principal axes by Jacobi's rotations. */
#include "show/solid.h"

#include <math.h>

/* A = V diag V^T in place: five sweeps leave a symmetric 3x3 matrix diagonal to round-off. */
static void diagonalise(double A[3][3], double V[3][3]) {
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j)
      V[i][j] = i == j;
  }
  for (int turn = 0; turn < 15; ++turn) {
    const int p = turn % 3 == 2 ? 1 : 0, q = turn % 3 == 0 ? 1 : 2;
    if (!(fabs(A[p][q]) > 0.0)) continue;

    /* t = tan of the angle that makes A[p][q] zero */
    const double h = (A[q][q] - A[p][p]) / (2.0 * A[p][q]);
    const double t = (h < 0.0 ? -1.0 : 1.0) / (fabs(h) + sqrt(h * h + 1.0));
    const double c = 1.0 / sqrt(t * t + 1.0), s = t * c;
    for (int k = 0; k < 3; ++k) {
      const double a = A[k][p], b = A[k][q];
      A[k][p] = c * a - s * b, A[k][q] = s * a + c * b;
    }
    for (int k = 0; k < 3; ++k) {
      const double a = A[p][k], b = A[q][k];
      A[p][k] = c * a - s * b, A[q][k] = s * a + c * b;
    }
    for (int k = 0; k < 3; ++k) {
      const double a = V[k][p], b = V[k][q];
      V[k][p] = c * a - s * b, V[k][q] = s * a + c * b;
    }
  }
}

static bool near(double a, double b) {
  return fabs(a - b) < 0.02 * (a + b);
}

/* Column k of the axes becomes z, the others keep their order. */
static mat3 axes_with_z(double V[3][3], int k) {
  const int i = (k + 1) % 3, j = (k + 2) % 3;
  mat3 R = {V[0][i], V[0][j], V[0][k], V[1][i], V[1][j], V[1][k], V[2][i], V[2][j], V[2][k]};
  const vec3 x = {R.xx, R.yx, R.zx}, y = {R.xy, R.yy, R.zy}, z = {R.xz, R.yz, R.zz};

  if (dot(cross(x, y), z) < 0.0) R.xy = -R.xy, R.yy = -R.yy, R.zy = -R.zy;
  return R;
}

/* Two equal moments make a cylinder: r^2 = 2 Iz/m, l^2 = 12 Ix/m - 3 r^2; three a ball: r^2 = 5
 * I/2m */
static bool round_body(const double I[3], double m, double V[3][3], solid* out) {
  if (near(I[0], I[1]) && near(I[1], I[2]) && near(I[0], I[2])) {
    const double r = sqrt(2.5 * I[0] / m);
    *out = (solid){SOLID_BALL, out->at, mat3_identity(), {r, r, r}};
    return r > 0.0;
  }
  for (int k = 0; k < 3; ++k) {
    const double Iz = I[k], Ix = I[(k + 1) % 3];
    const double r = sqrt(2.0 * Iz / m), l2 = 12.0 * Ix / m - 3.0 * r * r;
    if (!near(Ix, I[(k + 2) % 3]) || !(r > 0.0) || !(l2 > -0.1 * r * r)) continue;
    *out = (solid){
        SOLID_CYLINDER, out->at, axes_with_z(V, k), {r, r, fmax(sqrt(fmax(l2, 0.0)), 0.1 * r)}};
    return true;
  }
  return false;
}

/* x^2 = 6 (Iy + Iz - Ix)/m of a box; one edge may be thin. A sum Iy + Iz that is smaller than Ix by
   more than the 2 % of near() belongs to no body. */
static bool box_body(const double I[3], double m, double V[3][3], solid* out) {
  double edge[3], most = 0.0;
  int thin = 0;

  for (int k = 0; k < 3; ++k) {
    const double sum = I[(k + 1) % 3] + I[(k + 2) % 3], square = 6.0 * (sum - I[k]) / m;
    if (sum < 0.98 * I[k]) return false;
    edge[k] = square > 0.0 ? sqrt(square) : 0.0;
    most = fmax(most, edge[k]);
  }
  for (int k = 0; k < 3; ++k) {
    if (edge[k] > 0.02 * most) continue;
    edge[k] = 0.02 * most;
    ++thin;
  }
  if (!(most > 0.0) || thin > 1) return false;
  *out = (solid){SOLID_BOX, out->at, axes_with_z(V, 2), {edge[0], edge[1], edge[2]}};
  return true;
}

bool apl_solid_of(const double p[10], solid* out) {
  const double m = p[0];
  if (!(m > 0.0)) return false;

  /* about the centre: I - m (c.c 1 - c c^T) */
  const vec3 c = {p[1] / m, p[2] / m, p[3] / m};
  double A[3][3] = {
      {p[4] - m * (c.y * c.y + c.z * c.z), p[7] + m * c.x * c.y, p[8] + m * c.x * c.z},
      {p[7] + m * c.x * c.y, p[5] - m * (c.x * c.x + c.z * c.z), p[9] + m * c.y * c.z},
      {p[8] + m * c.x * c.z, p[9] + m * c.y * c.z, p[6] - m * (c.x * c.x + c.y * c.y)}};
  double V[3][3];
  diagonalise(A, V);
  const double I[3] = {A[0][0], A[1][1], A[2][2]};

  out->at = c;
  if (!(I[0] >= 0.0 && I[1] >= 0.0 && I[2] >= 0.0)) return false;
  return round_body(I, m, V, out) || box_body(I, m, V, out);
}

double apl_solid_size(const solid* s) {
  const double x = s->edge.x, y = s->edge.y, z = s->edge.z;
  return s->type == SOLID_BOX ? sqrt(x * x + y * y + z * z) : fmax(2.0 * x, z);
}

mat3 apl_solid_axis(vec3 direction) {
  const double n = sqrt(dot(direction, direction));
  if (!(n > 0.0)) return mat3_identity();

  /* R = 1 + [k] + [k]^2/(1 + z), k = z x direction; downwards by a half turn about x first */
  const double down = direction.z < 0.0 ? -1.0 : 1.0;
  const double x = direction.x / n, y = down * direction.y / n, z = down * direction.z / n;
  const double f = 1.0 / (1.0 + z);
  return (mat3){1 - f * x * x, -f * x * y, x,         -down * f * x * y, down * (1 - f * y * y),
                down * y,      -down * x,  -down * y, down * z};
}

mat3 apl_solid_back(mat3 R) {
  return (mat3){R.xx, R.yx, R.zx, R.xy, R.yy, R.zy, R.xz, R.yz, R.zz};
}

double apl_solid_distance(vec3 point, vec3 end) {
  const double square = dot(end, end);
  const double s = square > 0.0 ? fmin(fmax(dot(point, end) / square, 0.0), 1.0) : 0.0;
  const vec3 d = sub(point, scale(s, end));

  return sqrt(dot(d, d));
}
