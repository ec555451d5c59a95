/* arc_plane.c: an arc that bends about y only, by the angle x0; a positive angle bends z towards x.
   Inertia in closed form by Stumpff functions. Theory: docs/theory/arc.md, whose equation numbers
   are used below. par: see arc_compile(). */
#include "element/element.h"

#ifdef APL_HOT

/* The inertia of a plane arc, M(theta), as the few numbers that differ from zero. */
typedef struct plane_inertia {
  real hx, hz;             /* first moment                                                       */
  real Jxx, Jyy, Jzz, Jxz; /* about the root                                                     */
  real ny, fx, fz;         /* column of the bending rate: moment about y, force along x and z    */
  real d;                  /* its diagonal                                                       */
} plane_inertia;

/* Integrals over a thin arc of length 1 and mass 1, and their derivatives in theta. */
typedef struct plane_integrals {
  real x, z;       /* first moments; their derivatives are the force column                      */
  real xx, zz, xz; /* second moments                                                             */
  real b, c;       /* of (r x r')_y and |r'|^2                                                   */
  real ss, sc;     /* of sin^2 and sin cos of the section's angle                                */
} plane_integrals;

/* Section at station s, u = s theta: p = L s (u c2, 0, c1), R = Ry(u), and in section axes
   dp/dtheta = L s^2 (c2, 0, u c3)                                               (arc.md, 1 to 3) */
static void arc_plane_shape(const body_in* in, const real* at, section* out) {
  const real station = at[0];
  const real o = real_of(0.0), L = in->par[0], u = station * in->x[0], xd = in->xd[0];
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
  const real o = real_of(0.0), one = real_of(1.0), x = in->x[0], xd = in->xd[0];
  const real L = in->par[0], m = in->par[1], jx = in->par[2], jy = in->par[3];
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
      xd * dp - 0.5 * (dot(w, dn) + xd * dp) + in->par[4] * (x - in->par[5]) + in->par[6] * xd;
}

/* Air resists with a force per length and speed: the momentum of an arc without rotary inertia
   whose mass is that coefficient. */
HOT_INLINE wrench plane_drag(const body_in* in, twist V, const plane_integrals* i,
                             const plane_integrals* di, real* Q) {
  const real o = real_of(0.0), drag = in->par[7];
  plane_inertia A;
  vec3 n, f;

  plane_inertia_of(in->par[0], drag, o, o, i, di->x, di->z, o, &A);
  plane_momentum(&A, V.w, in->xd[0], &n, &f, &Q[0]);
  n = add(n, cross((vec3){A.hx, o, A.hz}, V.v));
  f = add(f, scale(drag, V.v));
  Q[0] = -(Q[0] + A.fx * V.v.x + A.fz * V.v.z);
  return (wrench){neg(n), neg(f)};
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

/* The same in the plane, where far fewer of the integrals count: a = c3 twice over. */
typedef struct flat_integrals {
  real x, z, a, b, c;
} flat_integrals;

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

/* plane_balance() with w about y only */
HOT_INLINE void flat_balance(const body_in* in, real w, const flat_integrals* i,
                             const flat_integrals* di, real x2, real z2, plane_block* out) {
  const real x = in->x[0], xd = in->xd[0], jy = in->par[3];
  const real mL = in->par[1] * in->par[0], mLL = mL * in->par[0];
  const real dhx = mL * di->x, dhz = mL * di->z; /* also the force column */
  const real dJ = mLL * di->a, dn = mLL * di->b, dd = mLL * di->c;

  out->m = in->par[1];
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
  out->h[0] = 0.5 * (xd * bend - w * moment) + in->par[4] * (x - in->par[5]) + in->par[6] * xd;
}

static void arc_plane_flat_balance(const body_in* in, real w, plane_block* out) {
  flat_integrals i, di;
  real x2, z2;

  flat_exact(in->x[0], &i, &di, &x2, &z2);
  flat_balance(in, w, &i, &di, x2, z2, out);
}

/* p = L s (u c2, c1), u = s theta, and its derivatives by dc_k/du = u (k c_{k+2} - c_{k+1}) */
static void arc_plane_flat_shape(const body_in* in, const real* at, plane_section* out) {
  const real s = at[0];
  const real u = s * in->x[0], y = u * u, rate = s * in->xd[0], Ls = in->par[0] * s;
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

static real arc_plane_potential(const body_in* in) {
  const real bend = in->x[0] - in->par[5];
  return 0.5 * in->par[4] * bend * bend;
}

static void arc_plane_stiffness(const body_in* in, real k, real c, real* out) {
  out[0] += k * in->par[4] + c * in->par[6];
}

static real arc_plane_dissipation(const body_in* in) {
  return in->par[6] * in->xd[0] * in->xd[0];
}

/* w = X_v + X_w x d = (0, 0, L - theta d_x), l = |w|                            (tendons.md, 2) */
static real arc_plane_channel(const body_in* in, vec3 d, real* slope) {
  slope[0] = -d.x;
  return in->par[0] - in->x[0] * d.x;
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
