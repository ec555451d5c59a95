/* SPDX-License-Identifier: Apache-2.0 */
/* arc_taylor.c: the plane arc with the position of its sections expanded to the fifth power of the
   angle, as in the paper. p5 keeps the full products of the truncated positions; its inertia is
   always positive definite. t5 truncates the inertia itself; it is closer to the exact arc but not
   positive definite beyond 2.7277 rad. Rotations of sections are exact. For comparison only:
   docs/theory/arc.md. */
#include "element/arc_plane.h"

#ifdef APL_HOT

/* value = theta^odd (k0 + k1 y + ...), y = theta^2, and its derivatives in theta */
typedef struct taylor {
  real value, first, second;
} taylor;

HOT_INLINE taylor taylor_of(real theta, const double* k, int n, bool odd) {
  const real y = theta * theta;
  real p = real_of(0.0), d = real_of(0.0), e = real_of(0.0); /* in y; e is half of p'' */

  for (int i = n - 1; i >= 0; --i) {
    e = e * y + d;
    d = d * y + p;
    p = p * y + k[i];
  }
  /* d/dtheta = 2 theta d/dy */
  const real first = 2.0 * theta * d, second = 2.0 * d + 8.0 * y * e;
  if (!odd) return (taylor){p, first, second};
  return (taylor){theta * p, p + theta * first, 2.0 * first + theta * second};
}

/* Position of the section at u = s theta along the arc of length L s, and its derivatives in u. */
static const double taylor_x[] = {1.0 / 2, -1.0 / 24, 1.0 / 720};
static const double taylor_z[] = {1.0, -1.0 / 6, 1.0 / 120};

static void arc_taylor_shape(const body_in* in, const real* at, section* out) {
  const arc_plane_par* par = in->par;
  const real station = at[0];
  const real o = real_of(0.0), L = par->L * station, u = station * in->x[0], xd = in->xd[0];
  const taylor x = taylor_of(u, taylor_x, 3, true), z = taylor_of(u, taylor_z, 3, false);
  real c[STUMPFF_N];

  stumpff(u * u, c);
  const mat3 R = {c[0], o, u * c[1], o, real_of(1.0), o, -u * c[1], o, c[0]};
  const vec3 r1 = scale(L * station, (vec3){x.first, o, z.first});
  const vec3 r2 = scale(L * station * station, (vec3){x.second, o, z.second});
  const vec3 S = mul_t(R, r1), y = {o, station, o};

  out->X = (pose){R, {L * x.value, o, L * z.value}};
  set_column(out->S, 0, (twist){y, S});

  /* (d/dt) R^T r' x' = x'^2 (R^T r'' - s y x R^T r') */
  out->c = (twist){vec3_zero(), scale(xd * xd, sub(mul_t(R, r2), cross(y, S)))};
}

/* Coefficients of the integrals: p5 uses all of them, t5 the first three. */
static const double taylor_gx[] = {1.0 / 6, -1.0 / 120, 1.0 / 5040};
static const double taylor_gz[] = {1.0 / 2, -1.0 / 24, 1.0 / 720};
static const double taylor_zz[] = {1.0 / 3, -1.0 / 15, 1.0 / 252 + 1.0 / 420, -1.0 / 3240,
                                   1.0 / 158400};
static const double taylor_xx[] = {
    0.0, 1.0 / 20, -1.0 / 168, (1.0 / 576 + 1.0 / 720) / 9, -1.0 / 95040, 1.0 / 6739200};
static const double taylor_xz[] = {1.0 / 8, -1.0 / 48, (1.0 / 240 + 1.0 / 144 + 1.0 / 720) / 8,
                                   -(1.0 / 2880 + 1.0 / 4320) / 10, 1.0 / 1036800};
static const double taylor_b[] = {1.0 / 8, -1.0 / 144, 1.0 / 5760, -1.0 / 28800, 1.0 / 1036800};
static const double taylor_c[] = {1.0 / 20, -1.0 / 504, 1.0 / 25920, -1.0 / 17600, 1.0 / 269568};

HOT_INLINE void plane_taylor(real theta, bool full, plane_integrals* M, plane_integrals* dM,
                             real* x2, real* z2) {
  const int n = full ? 5 : 3;
  const taylor gx = taylor_of(theta, taylor_gx, 3, true),
               gz = taylor_of(theta, taylor_gz, 3, false);
  const taylor zz = taylor_of(theta, taylor_zz, n, false);
  const taylor xx = taylor_of(theta, taylor_xx, full ? 6 : 3, false);
  const taylor xz = taylor_of(theta, taylor_xz, n, true);
  const taylor b = taylor_of(theta, taylor_b, n, false), c = taylor_of(theta, taylor_c, n, false);
  plane_integrals E, dE;

  /* rotations of sections are exact */
  plane_exact(theta, &E, &dE, x2, z2);
  *M = (plane_integrals){gx.value, gz.value, xx.value, zz.value, xz.value,
                         b.value,  c.value,  E.ss,     E.sc};
  *dM = (plane_integrals){gx.first, gz.first, xx.first, zz.first, xz.first,
                          b.first,  c.first,  dE.ss,    dE.sc};
  *x2 = gx.second;
  *z2 = gz.second;
}

static void arc_p5_balance(const body_in* in, vec3 w, body_block* out) {
  plane_integrals i, di;
  real x2, z2;

  plane_taylor(in->x[0], true, &i, &di, &x2, &z2);
  plane_balance(in, w, &i, &di, x2, z2, out);
}

static void arc_t5_balance(const body_in* in, vec3 w, body_block* out) {
  plane_integrals i, di;
  real x2, z2;

  plane_taylor(in->x[0], false, &i, &di, &x2, &z2);
  plane_balance(in, w, &i, &di, x2, z2, out);
}

static wrench arc_p5_drag(const body_in* in, twist V, real* Q) {
  plane_integrals i, di;
  real x2, z2;

  plane_taylor(in->x[0], true, &i, &di, &x2, &z2);
  return plane_drag(in, V, &i, &di, Q);
}

static wrench arc_t5_drag(const body_in* in, twist V, real* Q) {
  plane_integrals i, di;
  real x2, z2;

  plane_taylor(in->x[0], false, &i, &di, &x2, &z2);
  return plane_drag(in, V, &i, &di, Q);
}

/* The shape in the plane. */
static void arc_taylor_flat_shape(const body_in* in, const real* at, plane_section* out) {
  const arc_plane_par* par = in->par;
  const real s = at[0];
  const real Ls = par->L * s, u = s * in->x[0], rate = s * in->xd[0];
  const taylor x = taylor_of(u, taylor_x, 3, true), z = taylor_of(u, taylor_z, 3, false);
  real c[STUMPFF_N];

  stumpff(u * u, c);
  out->c = c[0];
  out->s = u * c[1];
  out->x = Ls * x.value;
  out->z = Ls * z.value;
  out->turn[0] = s;
  out->dx[0] = Ls * s * x.first;
  out->dz[0] = Ls * s * z.first;
  out->ax = Ls * rate * rate * x.second;
  out->az = Ls * rate * rate * z.second;
}

HOT_INLINE void flat_taylor(const body_in* in, bool full, real w, plane_block* out) {
  plane_integrals i, di;
  real x2, z2;

  plane_taylor(in->x[0], full, &i, &di, &x2, &z2);
  const flat_integrals j = {i.x, i.z, i.xx + i.zz, i.b, i.c};
  const flat_integrals dj = {di.x, di.z, di.xx + di.zz, di.b, di.c};
  flat_balance(in, w, &j, &dj, x2, z2, out);
}

static void arc_p5_flat_balance(const body_in* in, real w, plane_block* out) {
  flat_taylor(in, true, w, out);
}

static void arc_t5_flat_balance(const body_in* in, real w, plane_block* out) {
  flat_taylor(in, false, w, out);
}

static const body_ops arc_p5_ops = {
    .shape = arc_taylor_shape,
    .balance = arc_p5_balance,
    .potential = arc_plane_potential,
    .stiffness = arc_plane_stiffness,
    .dissipation = arc_plane_dissipation,
    .drag = arc_p5_drag,
    .plane_shape = arc_taylor_flat_shape,
    .plane_balance = arc_p5_flat_balance,
    .channel = arc_plane_channel,
};

static const body_ops arc_t5_ops = {
    .shape = arc_taylor_shape,
    .balance = arc_t5_balance,
    .potential = arc_plane_potential,
    .stiffness = arc_plane_stiffness,
    .dissipation = arc_plane_dissipation,
    .drag = arc_t5_drag,
    .plane_shape = arc_taylor_flat_shape,
    .plane_balance = arc_t5_flat_balance,
    .channel = arc_plane_channel,
};

#endif
