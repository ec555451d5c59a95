/* SPDX-License-Identifier: Apache-2.0 */
/* arc_plane.c: an arc that bends about y only, by the angle x0; a positive angle bends z towards x.
   Inertia in closed form by Stumpff functions. Theory: docs/theory/arc.md, whose equation numbers
   are used below. */
#include "element/arc_plane.h"

#ifdef APL_HOT

/* Section at station s, u = s theta: p = L s (u c2, 0, c1), R = Ry(u), and in section axes
   dp/dtheta = L s^2 (c2, 0, u c3)                                               (arc.md, 1 to 3) */
static void arc_plane_shape(const body_in* in, const real* at, section* out) {
  const arc_plane_par* par = in->par;
  const real station = at[0];
  const real o = real_of(0.0), L = par->L, u = station * in->x[0], xd = in->xd[0];
  real c[STUMPFF_N];

  stumpff(u * u, c);
  const real sine = u * c[1], cosine = c[0], k = L * station * station;

  out->X.R = (mat3){cosine, o, sine, o, real_of(1.0), o, -sine, o, cosine};
  out->X.p = (vec3){L * station * u * c[2], o, L * station * c[1]};
  set_column(out->S, 0, (twist){{o, station, o}, {k * c[2], o, k * u * c[3]}});

  /* (dS/dt) x' = s x'^2 dS/du, with (c2)' = u (2 c4 - c3), (u c3)' = c2 - 2 c3 */
  const real r = k * station * xd * xd;
  out->c = (twist){{o, o, o}, {r * u * (2.0 * c[4] - c[3]), o, r * (c[2] - 2.0 * c[3])}};
}

static void arc_plane_balance(const body_in* in, vec3 w, body_block* out) {
  plane_integrals i, di;
  real x2, z2;

  plane_exact(in->x[0], &i, &di, &x2, &z2);
  plane_balance(in, w, &i, &di, x2, z2, out);
}

static wrench arc_plane_drag(const body_in* in, twist V, real* Q) {
  plane_integrals i, di;
  real x2, z2;

  plane_exact(in->x[0], &i, &di, &x2, &z2);
  return plane_drag(in, V, &i, &di, Q);
}

HOT_INLINE void flat_exact(real theta, flat_integrals* M, flat_integrals* dM, real* x2, real* z2) {
  real c[STUMPFF_N];

  stumpff(theta * theta, c);
  const real c2d = theta * (2.0 * c[4] - c[3]), c3d = theta * (3.0 * c[5] - c[4]);
  const real c4d = theta * (4.0 * c[6] - c[5]), c5d = theta * (5.0 * c[7] - c[6]);

  *M = (flat_integrals){theta * c[3], c[2], 2.0 * c[3], c[3] - c[4], 2.0 * c[4] - 4.0 * c[5]};
  *dM = (flat_integrals){c[3] + theta * c3d, c2d, 2.0 * c3d, c3d - c4d, 2.0 * c4d - 4.0 * c5d};
  *x2 = 2.0 * c3d + theta * (3.0 * c[5] - c[4] + theta * (3.0 * c5d - c4d));
  *z2 = (2.0 * c[4] - c[3]) + theta * (2.0 * c4d - c3d);
}

static void arc_plane_flat_balance(const body_in* in, real w, plane_block* out) {
  flat_integrals i, di;
  real x2, z2;

  flat_exact(in->x[0], &i, &di, &x2, &z2);
  flat_balance(in, w, &i, &di, x2, z2, out);
}

/* p = L s (u c2, c1), u = s theta, and its derivatives by dc_k/du = u (k c_{k+2} - c_{k+1}) */
static void arc_plane_flat_shape(const body_in* in, const real* at, plane_section* out) {
  const arc_plane_par* par = in->par;
  const real s = at[0];
  const real u = s * in->x[0], y = u * u, rate = s * in->xd[0], Ls = par->L * s;
  real c[STUMPFF_N];

  stumpff(y, c);
  const real c1d = c[3] - c[2], c2d = 2.0 * c[4] - c[3]; /* over u */
  const real c2dd = 2.0 * (4.0 * c[6] - c[5]) - (3.0 * c[5] - c[4]);
  const real c1dd = (3.0 * c[5] - c[4]) - (2.0 * c[4] - c[3]);
  out->c = c[0];
  out->s = u * c[1];
  out->x = Ls * u * c[2];
  out->z = Ls * c[1];
  out->turn[0] = s;

  /* (u c2)' = c2 + y c2d, (u c2)'' = u (3 c2d + y c2dd); c1' = u c1d, c1'' = c1d + y c1dd */
  out->dx[0] = Ls * s * (c[2] + y * c2d);
  out->dz[0] = Ls * s * u * c1d;
  out->ax = Ls * rate * rate * u * (3.0 * c2d + y * c2dd);
  out->az = Ls * rate * rate * (c1d + y * c1dd);
}

static const body_ops arc_plane_ops = {
    .shape = arc_plane_shape,
    .balance = arc_plane_balance,
    .potential = arc_plane_potential,
    .stiffness = arc_plane_stiffness,
    .dissipation = arc_plane_dissipation,
    .drag = arc_plane_drag,
    .plane_shape = arc_plane_flat_shape,
    .plane_balance = arc_plane_flat_balance,
    .channel = arc_plane_channel,
    .uniform = true,
};

#endif
