/* SPDX-License-Identifier: Apache-2.0 */
/* arc_plane.h: shared by all arcs that bend in a plane: arc_plane.c (exact, about y), arc_plane_x.c
   (about x) and arc_taylor.c (fifth-order expansions). Inertia, balance and drag follow from
   integrals over the sections. Theory: docs/theory/arc.md, whose equation numbers are used
   below. */
#pragma once

#include "element/arc_par.h"

#ifdef APL_HOT

/* The nonzero entries of the inertia M(theta) of a plane arc. */
typedef struct plane_inertia {
  real hx, hz;             /* first moment                                                       */
  real Jxx, Jyy, Jzz, Jxz; /* about the root                                                     */
  real ny, fx, fz;         /* column of the bending rate: moment about y, force along x and z    */
  real d;                  /* diagonal entry of the bending rate */
} plane_inertia;

/* Integrals over a thin arc of length 1 and mass 1, and their derivatives in theta. */
typedef struct plane_integrals {
  real x, z;       /* first moments; their derivatives are the force column                      */
  real xx, zz, xz; /* second moments                                                             */
  real b, c;       /* of (r x r')_y and |r'|^2                                                   */
  real ss, sc;     /* of sin^2 and sin cos of the section's angle                                */
} plane_integrals;

/* The integrals of an exact arc and their derivatives                           (arc.md, 4 to 9) */
HOT_INLINE void plane_exact(real theta, plane_integrals* M, plane_integrals* dM, real* x2,
                            real* z2) {
  const real y = theta * theta;
  real c[STUMPFF_N];

  stumpff(y, c);

  /* dc_k/dtheta = theta (k c_{k+2} - c_{k+1}) */
  const real c1d = theta * (c[3] - c[2]), c2d = theta * (2.0 * c[4] - c[3]);
  const real c3d = theta * (3.0 * c[5] - c[4]), c4d = theta * (4.0 * c[6] - c[5]);
  const real c5d = theta * (5.0 * c[7] - c[6]);

  /* at twice the angle: e2 = c1^2/2, e3 = (c3 + c1 c2)/4, e4 = c3 (1 + c1)/8 */
  const real e2 = 0.5 * c[1] * c[1], e2d = c[1] * c1d;
  const real e3 = 0.25 * (c[3] + c[1] * c[2]), e3d = 0.25 * (c3d + c1d * c[2] + c[1] * c2d);
  const real e4 = 0.125 * c[3] * (1.0 + c[1]), e4d = 0.125 * (c3d * (1.0 + c[1]) + c[3] * c1d);

  /* centre (theta c3, 0, c2) */
  M->x = theta * c[3];
  M->z = c[2];
  dM->x = c[3] + theta * c3d;
  dM->z = c2d;
  *x2 = 2.0 * c3d + theta * (3.0 * c[5] - c[4] + theta * (3.0 * c5d - c4d));
  *z2 = (2.0 * c[4] - c[3]) + theta * (2.0 * c4d - c3d);

  M->zz = 2.0 * e3;
  M->xx = 2.0 * (c[3] - e3);
  M->xz = theta * (4.0 * e4 - c[4]);
  dM->zz = 2.0 * e3d;
  dM->xx = 2.0 * (c3d - e3d);
  dM->xz = (4.0 * e4 - c[4]) + theta * (4.0 * e4d - c4d);
  M->b = c[3] - c[4];
  M->c = 2.0 * c[4] - 4.0 * c[5];
  dM->b = c3d - c4d;
  dM->c = 2.0 * c4d - 4.0 * c5d;
  M->ss = 2.0 * y * e3;
  M->sc = theta * e2;
  dM->ss = 4.0 * theta * e3 + 2.0 * y * e3d;
  dM->sc = e2 + theta * e2d;
}

/* The inertia from integrals, for mass m and rotary inertias jx, jy of the whole element. A section
   has inertia diag(jx, jy, jx + jy) in its own axes. */
HOT_INLINE void plane_inertia_of(real L, real m, real jx, real jy, const plane_integrals* i,
                                 real fx, real fz, real constant, plane_inertia* M) {
  const real mL = m * L, mLL = mL * L;

  M->hx = mL * i->x;
  M->hz = mL * i->z;
  M->Jxx = mLL * i->zz + jx * constant + jy * i->ss;
  M->Jyy = mLL * (i->xx + i->zz) + jy * constant;
  M->Jzz = mLL * i->xx + (jx + jy) * constant - jy * i->ss;
  M->Jxz = -mLL * i->xz + jy * i->sc;

  /* bending column: m L^2 b + J/2 about y, force m r_G' ; diagonal m L^2 c + J/3 */
  M->ny = mLL * i->b + 0.5 * jy * constant;
  M->fx = mL * fx;
  M->fz = mL * fz;
  M->d = mLL * i->c + jy * constant / 3.0;
}

/* M eta for eta = (w; 0; xd): moment, force and the bending momentum */
HOT_INLINE void plane_momentum(const plane_inertia* M, vec3 w, real xd, vec3* n, vec3* f, real* p) {
  const real o = real_of(0.0);

  *n = (vec3){M->Jxx * w.x + M->Jxz * w.z, M->Jyy * w.y + M->ny * xd, M->Jxz * w.x + M->Jzz * w.z};

  /* f = w x h + column */
  *f = add(cross(w, (vec3){M->hx, o, M->hz}), (vec3){M->fx * xd, o, M->fz * xd});
  *p = M->ny * w.y + M->d * xd;
}

/* The balance from integrals and their derivatives; x2, z2 are second derivatives of the centre. */
HOT_INLINE void plane_balance(const body_in* in, vec3 w, const plane_integrals* i,
                              const plane_integrals* di, real x2, real z2, body_block* out) {
  const arc_plane_par* par = in->par;
  const real o = real_of(0.0), one = real_of(1.0), x = in->x[0], xd = in->xd[0];
  const real L = par->L, m = par->m, jx = par->jx, jy = par->jy;
  plane_inertia A, B;

  plane_inertia_of(L, m, jx, jy, i, di->x, di->z, one, &A);
  plane_inertia_of(L, m, jx, jy, di, x2, z2, o, &B);

  out->I = (inertia6){{A.Jxx, A.Jyy, A.Jzz, o, A.Jxz, o},
                      {o, -A.hz, o, A.hz, o, -A.hx, o, A.hx, o},
                      {m, m, m, o, o, o}};
  set_column(out->U, 0, (twist){{o, A.ny, o}, {A.fx, o, A.fz}});
  out->D[0] = A.d;

  /* wrench: (dM/dt) eta + w x (M eta); bending: (dM/dt) eta - 1/2 eta^T dM eta + elasticity */
  vec3 n, f, dn, df;
  real p, dp;
  plane_momentum(&A, w, xd, &n, &f, &p);
  plane_momentum(&B, w, xd, &dn, &df, &dp);
  out->b = (wrench){add(scale(xd, dn), cross(w, n)), add(scale(xd, df), cross(w, f))};
  out->h[0] =
      xd * dp - 0.5 * (dot(w, dn) + xd * dp) + par->stiffness * (x - par->rest) + par->damping * xd;
}

/* Drag is a force per length and speed. It is computed as the momentum of an arc without rotary
   inertia whose mass is the drag coefficient. */
HOT_INLINE wrench plane_drag(const body_in* in, twist V, const plane_integrals* i,
                             const plane_integrals* di, real* Q) {
  const arc_plane_par* par = in->par;
  const real o = real_of(0.0), drag = par->drag;
  plane_inertia A;
  vec3 n, f;

  plane_inertia_of(par->L, drag, o, o, i, di->x, di->z, o, &A);
  plane_momentum(&A, V.w, in->xd[0], &n, &f, &Q[0]);
  n = add(n, cross((vec3){A.hx, o, A.hz}, V.v));
  f = add(f, scale(drag, V.v));
  Q[0] = -(Q[0] + A.fx * V.v.x + A.fz * V.v.z);
  return (wrench){neg(n), neg(f)};
}

/* The integrals needed for motion in the plane; a = xx + zz, the polar second moment. */
typedef struct flat_integrals {
  real x, z, a, b, c;
} flat_integrals;

/* plane_balance() with w about y only */
HOT_INLINE void flat_balance(const body_in* in, real w, const flat_integrals* i,
                             const flat_integrals* di, real x2, real z2, plane_block* out) {
  const arc_plane_par* par = in->par;
  const real x = in->x[0], xd = in->xd[0], jy = par->jy;
  const real mL = par->m * par->L, mLL = mL * par->L;
  const real dhx = mL * di->x, dhz = mL * di->z; /* also the force column */
  const real dJ = mLL * di->a, dn = mLL * di->b, dd = mLL * di->c;

  out->m = par->m;
  out->J = mLL * i->a + jy;
  out->hx = mL * i->x;
  out->hz = mL * i->z;
  out->n[0] = mLL * i->b + 0.5 * jy;
  out->fx[0] = dhx;
  out->fz[0] = dhz;
  out->D[0] = mLL * i->c + jy / 3.0;

  /* force of the momentum f = w x h + column x' */
  const real fx = w * out->hz + dhx * xd, fz = dhz * xd - w * out->hx;
  const real moment = dJ * w + dn * xd, bend = dn * w + dd * xd;
  out->bn = xd * moment;
  out->bx = xd * (w * dhz + mL * x2 * xd) + w * fz;
  out->bz = xd * (mL * z2 * xd - w * dhx) - w * fx;
  out->h[0] = 0.5 * (xd * bend - w * moment) + par->stiffness * (x - par->rest) + par->damping * xd;
}

static real arc_plane_potential(const body_in* in) {
  const arc_plane_par* par = in->par;
  const real bend = in->x[0] - par->rest;
  return 0.5 * par->stiffness * bend * bend;
}

static void arc_plane_stiffness(const body_in* in, real k, real c, real* out) {
  const arc_plane_par* par = in->par;
  out[0] += k * par->stiffness + c * par->damping;
}

static real arc_plane_dissipation(const body_in* in) {
  const arc_plane_par* par = in->par;
  return par->damping * in->xd[0] * in->xd[0];
}

/* w = X_v + X_w x d = (0, 0, L - theta d_x), l = |w|                            (tendons.md, 2) */
static real arc_plane_channel(const body_in* in, vec3 d, real* slope) {
  const arc_plane_par* par = in->par;
  slope[0] = -d.x;
  return par->L - in->x[0] * d.x;
}

/* arc_plane.c: the exact arc about y. */
static void arc_plane_shape(const body_in* in, const real* at, section* out);
static void arc_plane_balance(const body_in* in, vec3 w, body_block* out);
static wrench arc_plane_drag(const body_in* in, twist V, real* Q);
static void arc_plane_flat_shape(const body_in* in, const real* at, plane_section* out);
static void arc_plane_flat_balance(const body_in* in, real w, plane_block* out);

#endif
