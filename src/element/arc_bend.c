/* SPDX-License-Identifier: Apache-2.0 */
/* arc_bend.c: an arc that bends about x and y. With k = (bend-y, -bend-x), the direction towards
   which z bends, p = L (alpha k + sigma z). All quantities are tensors in k whose coefficients are
   functions of y = |k|^2, in closed form by Stumpff functions: no plane of bending is preferred,
   and the straight shape is not singular. Theory: docs/theory/arc.md, section 10, whose equation
   numbers are used below. */
#include "element/arc_strain.h"
#include "math/vec2.h"

#ifdef APL_HOT

enum { BEND_STUMPFF = 10 };

/* Integrals along an element of length 1 (arc.md, 18) as functions of y, and their derivatives: d1
   is 2 d/dy, d2 is the same operator applied twice. */
typedef struct bend_integrals {
  real a, a_d1, a_d2; /* of alpha                                                              */
  real s, s_d1, s_d2; /* of sigma                                                              */
  real d, d_d1;       /* of alpha^2                                                            */
  real u, u_d1;       /* of alpha sigma                                                        */
  real z, z_d1;       /* of sigma^2                                                            */
  real q, q_d1;       /* the part of |dp|^2 along k                                            */
  real b, b_d1;       /* the part of p x dp along k                                            */
} bend_integrals;

/* One element: k, the rotary inertia of its sections, and the mass of its centre line. */
typedef struct bend_element {
  real L, m;
  vec2 rho; /* masses at the ends of unit vectors along x and y of a section: jy, jx           */
  vec2 k, rk;
  real M; /* m L^2 + k rho k                                                                   */
} bend_element;

HOT_INLINE vec2 bend_direction(const real* x) {
  return (vec2){x[1], -x[0]};
}
HOT_INLINE vec2 times2(vec2 a, vec2 b) {
  return (vec2){a.x * b.x, a.y * b.y};
}
HOT_INLINE vec2 across(vec3 a) {
  return (vec2){a.x, a.y};
}
HOT_INLINE vec3 raised(vec2 a, real z) {
  return (vec3){a.x, a.y, z};
}

/* z x a */
HOT_INLINE vec2 quarter2(vec2 a) {
  return (vec2){-a.y, a.x};
}

/* e_k = c_k(4 y) from c_k(y), all terms positive (arc.md, 2); rates by
   dc_k = k c_{k+2} - c_{k+1},  de_k = 4 (k e_{k+2} - e_{k+1}) */
HOT_INLINE void bend_integrate(real y, bend_integrals* i) {
  real c[BEND_STUMPFF];

  stumpff_to(y, BEND_STUMPFF, c);
  const real e3 = 0.25 * (c[3] + c[1] * c[2]), e4 = 0.125 * c[3] * (1.0 + c[1]);
  const real e5 = (c[5] + c[4] + c[2] * c[3]) * (1.0 / 16.0);
  const real e6 = (2.0 * c[5] + c[3] * c[3]) * (1.0 / 32.0);
  const real e7 = (c[7] + c[6] + 0.5 * c[5] + c[3] * c[4]) * (1.0 / 64.0);
  const real e8 = (2.0 * c[7] + c[5] * (1.0 / 6.0 + c[3])) * (1.0 / 128.0);
  const real e9 = (c[9] + c[8] + 0.5 * c[7] + c[6] * (1.0 / 6.0) + c[4] * c[5]) * (1.0 / 256.0);

  i->a = c[3];
  i->a_d1 = 3.0 * c[5] - c[4];
  i->a_d2 = 15.0 * c[7] - 7.0 * c[6] + c[5];
  i->s = c[2];
  i->s_d1 = 2.0 * c[4] - c[3];
  i->s_d2 = 8.0 * c[6] - 5.0 * c[5] + c[4];
  i->d = 8.0 * e5 - 2.0 * c[5];
  i->d_d1 = 32.0 * (5.0 * e7 - e6) - 2.0 * (5.0 * c[7] - c[6]);
  i->u = 4.0 * e4 - c[4];
  i->u_d1 = 16.0 * (4.0 * e6 - e5) - (4.0 * c[6] - c[5]);
  i->z = 2.0 * e3;
  i->z_d1 = 8.0 * (3.0 * e5 - e4);
  i->q = 32.0 * e7 + 2.0 * (c[7] - c[6]);
  i->q_d1 = 128.0 * (7.0 * e9 - e8) + 14.0 * (c[9] - c[8]) + 2.0 * c[7];
  i->b = 16.0 * e6 - c[5];
  i->b_d1 = 64.0 * (6.0 * e8 - e7) - (5.0 * c[7] - c[6]);
}

HOT_INLINE bend_element bend_of(const body_in* in, real m, real jx, real jy) {
  const arc_space_par* par = in->par;
  bend_element e = {.L = par->L, .m = m, .rho = {jy, jx}, .k = bend_direction(in->x)};

  e.rk = times2(e.rho, e.k);
  e.M = m * e.L * e.L + dot2(e.k, e.rk);
  return e;
}

/* Centre of mass over L: (a k, s), and its rate when k moves at r: a r + kappa (a' k, s') */
HOT_INLINE vec3 bend_centre(const bend_element* e, const bend_integrals* i) {
  return raised(scale2(i->a, e->k), i->s);
}
HOT_INLINE vec3 bend_drift(const bend_element* e, const bend_integrals* i, vec2 r) {
  const real kappa = dot2(e->k, r);
  return raised(add2(scale2(i->a, r), scale2(kappa * i->a_d1, e->k)), kappa * i->s_d1);
}

/* Integral of p x dp over L^2, dp for a rate r: z x (u r + b kappa k) + d k x r    (arc.md, 20) */
HOT_INLINE vec3 bend_swept(const bend_element* e, const bend_integrals* i, vec2 r) {
  const vec2 flat = add2(scale2(i->u, r), scale2(i->b * dot2(e->k, r), e->k));
  return raised(quarter2(flat), i->d * cross2(e->k, r));
}

/* Momentum per rate r of k: moment M swept - rho r x g - rho k x dg and force m L dg */
HOT_INLINE wrench bend_column(const bend_element* e, const bend_integrals* i, vec3 g, vec2 r) {
  const real o = real_of(0.0);
  const vec3 dg = bend_drift(e, i, r);
  const vec3 n = sub(scale(e->M, bend_swept(e, i, r)),
                     add(cross(raised(times2(e->rho, r), o), g), cross(raised(e->rk, o), dg)));
  return (wrench){n, scale(e->m * e->L, dg)};
}

/* J = (2 a m L^2 + tr rho) 1 - rho + rho k g^T + g k^T rho - M int pp^T            (arc.md, 19) */
HOT_INLINE sym3 bend_inertia(const bend_element* e, const bend_integrals* i, vec3 g) {
  const vec2 k = e->k, rk = e->rk;
  const real all = 2.0 * i->a * (e->m * e->L * e->L) + e->rho.x + e->rho.y;
  const real Md = e->M * i->d, Mu = e->M * i->u;

  return (sym3){all - e->rho.x + (2.0 * rk.x * g.x - Md * k.x * k.x),
                all - e->rho.y + (2.0 * rk.y * g.y - Md * k.y * k.y),
                all - e->M * i->z,
                rk.x * g.y + rk.y * g.x - Md * k.x * k.y,
                rk.x * g.z - Mu * k.x,
                rk.y * g.z - Mu * k.y};
}

/* D r = M (d r + q kappa k) + 2 a rho r + a' (rho k kappa + k (rho k . r))         (arc.md, 21) */
HOT_INLINE vec2 bend_own(const bend_element* e, const bend_integrals* i, vec2 r) {
  const real kappa = dot2(e->k, r), mu = dot2(e->rk, r);
  const vec2 turning = add2(scale2(2.0 * i->a, times2(e->rho, r)),
                            scale2(i->a_d1, add2(scale2(kappa, e->rk), scale2(mu, e->k))));
  return add2(scale2(e->M, add2(scale2(i->d, r), scale2(i->q * kappa, e->k))), turning);
}

/* Velocity products on the frame, which turns at w while k moves at r:
     moment dN/dt + w x N of the angular momentum N = J w + column r                (arc.md, 22) */
HOT_INLINE wrench bend_bias(const bend_element* e, const bend_integrals* i, sym3 J, vec3 g, vec3 w,
                            vec2 r) {
  const real o = real_of(0.0), mLL = e->m * e->L * e->L, mL = e->m * e->L;
  const vec2 k = e->k, wh = across(w), rr = times2(e->rho, r);
  const real kappa = dot2(k, r), vv = dot2(r, r), mu = dot2(e->rk, r), kw = dot2(k, wh);
  const vec3 dg = bend_drift(e, i, r), swept = bend_swept(e, i, r);
  const vec3 rk3 = raised(e->rk, o), rr3 = raised(rr, o);
  const vec3 ddg = raised(
      add2(scale2(2.0 * kappa * i->a_d1, r), scale2(vv * i->a_d1 + kappa * kappa * i->a_d2, k)),
      vv * i->s_d1 + kappa * kappa * i->s_d2);

  /* P w and its rate, P = int pp^T / L^2 = d kk^T + u (kz^T + zk^T) + z zz^T */
  const vec3 Pw = raised(scale2(i->d * kw + i->u * w.z, k), i->u * kw + i->z * w.z);
  const real rw = dot2(r, wh);
  const vec3 dPw = raised(add2(scale2(kappa * (i->d_d1 * kw + i->u_d1 * w.z) + i->d * rw, k),
                               scale2(i->d * kw + i->u * w.z, r)),
                          kappa * (i->u_d1 * kw + i->z_d1 * w.z) + i->u * rw);

  /* rate of swept */
  const vec2 flat =
      add2(scale2(kappa * (i->u_d1 + i->b), r), scale2(kappa * kappa * i->b_d1 + vv * i->b, k));
  const vec3 dswept = raised(quarter2(flat), kappa * i->d_d1 * cross2(k, r));

  const vec3 N = add(sym3_mul(J, w), sub(scale(e->M, swept), add(cross(rr3, g), cross(rk3, dg))));
  vec3 dN = add(scale(2.0 * kappa * i->a_d1 * mLL, w),
                add(scale(dot(g, w), rr3), scale(dot(dg, w), rk3)));
  dN = add(dN, add(scale(dot2(e->rk, wh), dg), scale(dot2(rr, wh), g)));
  dN = add(dN, add(scale(2.0 * mu, sub(swept, Pw)), scale(e->M, sub(dswept, dPw))));
  dN = sub(dN, add(cross(scale(real_of(2.0), rr3), dg), cross(rk3, ddg)));

  const vec3 f = add(cross(w, add(cross(w, g), scale(real_of(2.0), dg))), ddg);
  return (wrench){add(dN, cross(w, N)), scale(mL, f)};
}

/* Velocity products on k: Lagrange's d/dt dT/dr - dT/dk                            (arc.md, 23) */
HOT_INLINE vec2 bend_products(const bend_element* e, const bend_integrals* i, vec3 g, vec3 w,
                              vec2 r) {
  const real mLL = e->m * e->L * e->L;
  const vec2 k = e->k, wh = across(w), rr = times2(e->rho, r), t = {w.y, -w.x};
  const real kappa = dot2(k, r), vv = dot2(r, r), mu = dot2(e->rk, r), kw = dot2(k, wh);
  const real turn = w.z * cross2(k, r), tk = dot2(t, k), tr = dot2(t, r), slip = i->b - i->u_d1;

  /* T1 = -w P w/2 + w . swept + (d r^2 + q kappa^2)/2, and its momentum dT1/dr */
  const real T1 = -0.5 * (i->d * kw * kw + i->z * w.z * w.z) - i->u * w.z * kw + i->u * tr +
                  i->b * kappa * tk + i->d * turn + 0.5 * (i->d * vv + i->q * kappa * kappa);
  const vec2 along = add2(add2(scale2(i->u, t), turn2(i->d * w.z, k)),
                          add2(scale2(i->b * tk + i->q * kappa, k), scale2(i->d, r)));

  /* velocity products of T1 itself */
  const real on_k = slip * tr + (i->q - 0.5 * i->d_d1) * vv + 0.5 * i->q_d1 * kappa * kappa +
                    0.5 * (i->d_d1 * kw * kw + i->z_d1 * w.z * w.z) + i->u_d1 * w.z * kw -
                    i->d_d1 * turn;
  vec2 own = add2(scale2(-(kappa * slip), t), scale2(on_k, k));
  own = add2(own, scale2(kappa * i->d_d1, r));
  own = add2(own, add2(turn2(kappa * i->d_d1 * w.z, k), turn2(2.0 * i->d * w.z, r)));
  own = add2(own, scale2(i->d * kw + i->u * w.z, wh));

  /* add the terms of a rho k . r', and of a m L^2 w^2 + (g . w) (rho k . w) */
  const real rkw = dot2(e->rk, wh);
  vec2 h = add2(scale2(e->M, own), scale2(2.0 * mu, along));
  h = add2(h, scale2(vv * i->a_d1 + kappa * kappa * i->a_d2 - 2.0 * T1, e->rk));
  h = add2(h, scale2(2.0 * kappa * i->a_d1, rr));
  h = add2(h, scale2(-(i->a_d1 * mLL * dot(w, w) + rkw * (i->a_d1 * kw + i->s_d1 * w.z)), k));
  h = add2(h, scale2(-(rkw * i->a), wh));
  return add2(h, scale2(-dot(g, w), times2(e->rho, wh)));
}

static void arc_bend_balance(const body_in* in, vec3 w, body_block* out) {
  const arc_space_par* par = in->par;
  const real o = real_of(0.0), i = real_of(1.0), m = par->m;
  const bend_element e = bend_of(in, m, par->j.x, par->j.y);
  const vec2 r = bend_direction(in->xd);
  bend_integrals I;

  bend_integrate(dot2(e.k, e.k), &I);
  const vec3 g = bend_centre(&e, &I), h = scale(m * e.L, g);
  const wrench kx = bend_column(&e, &I, g, (vec2){i, o}), ky = bend_column(&e, &I, g, (vec2){o, i});
  const vec2 Dx = bend_own(&e, &I, (vec2){i, o}), Dy = bend_own(&e, &I, (vec2){o, i});

  out->I = inertia6_of_rigid((rigid_inertia){m, h, bend_inertia(&e, &I, g)});
  out->b = bend_bias(&e, &I, out->I.J, g, w, r);

  /* k = (x1, -x0) */
  set_column(out->U, 0, (twist){neg(ky.n), neg(ky.f)});
  set_column(out->U, 1, (twist){kx.n, kx.f});
  out->D[0] = Dy.y;
  out->D[1] = out->D[2] = -Dx.y;
  out->D[3] = Dx.x;
  const vec2 hk = bend_products(&e, &I, g, w, r);
  out->h[0] = -hk.y;
  out->h[1] = hk.x;
  for (int k = 0; k < 2; ++k)
    out->h[k] += arc_elastic(in, k);
}

/* Section at s, in its own axes                                              (arc.md, 17 and 24) */
static void arc_bend_shape(const body_in* in, const real* at, section* out) {
  const arc_space_par* par = in->par;
  const real o = real_of(0.0), s = at[0], ss = s * s, L = par->L;
  const vec2 k = bend_direction(in->x), r = bend_direction(in->xd);
  const real y = dot2(k, k), kappa = dot2(k, r), vv = dot2(r, r), turn = cross2(k, r);
  real c[STUMPFF_N];

  stumpff(ss * y, c);
  const real sine = s * c[1], a = ss * c[2], b = ss * s * c[3];
  const real a_d1 = ss * ss * (2.0 * c[4] - c[3]), b_d1 = ss * ss * s * (3.0 * c[5] - c[4]);

  out->X.R = (mat3){1.0 - a * k.x * k.x, -(a * k.x * k.y),    sine * k.x,
                    -(a * k.x * k.y),    1.0 - a * k.y * k.y, sine * k.y,
                    -(sine * k.x),       -(sine * k.y),       1.0 - a * y};
  out->X.p = raised(scale2(L * a, k), L * sine);

  /* per r: S_w = s z x r + (k x r) (b k - a z), S_v = L (a r + b kappa z) */
  const real La = L * a, Lb = L * b;
  set_column(out->S, 0,
             (twist){{s - b * k.x * k.x, -(b * k.x * k.y), a * k.x}, {o, -La, -(Lb * k.y)}});
  set_column(out->S, 1, (twist){{-(b * k.x * k.y), s - b * k.y * k.y, a * k.y}, {La, o, Lb * k.x}});
  const vec2 cw = scale2(turn, add2(scale2(kappa * b_d1, k), scale2(b, r)));
  out->c = (twist){raised(cw, -(turn * kappa * a_d1)),
                   raised(scale2(L * kappa * a_d1, r), L * (kappa * kappa * b_d1 + b * vv))};
}

/* Drag is a force per length and speed. It is computed as the momentum of an arc without rotary
   inertia whose mass is the drag coefficient. */
static wrench arc_bend_drag(const body_in* in, twist V, real* Q) {
  const arc_space_par* par = in->par;
  const real o = real_of(0.0), drag = par->drag;
  const bend_element e = bend_of(in, drag, o, o);
  const vec2 r = bend_direction(in->xd);
  const real one = real_of(1.0);
  bend_integrals I;

  bend_integrate(dot2(e.k, e.k), &I);
  const vec3 g = bend_centre(&e, &I), h = scale(drag * e.L, g);
  const wrench kx = bend_column(&e, &I, g, (vec2){one, o}),
               ky = bend_column(&e, &I, g, (vec2){o, one}), moving = bend_column(&e, &I, g, r);
  const vec2 own = bend_own(&e, &I, r);
  const vec3 n = add(add(sym3_mul(bend_inertia(&e, &I, g), V.w), cross(h, V.v)), moving.n);
  const vec3 f = add(add(cross(V.w, h), scale(drag, V.v)), moving.f);

  Q[0] = own.y + power(V, ky);
  Q[1] = -(own.x + power(V, kx));
  return (wrench){neg(n), neg(f)};
}

static const body_ops arc_bend_ops = {
    .shape = arc_bend_shape,
    .balance = arc_bend_balance,
    .potential = arc_space_potential,
    .stiffness = arc_space_stiffness,
    .dissipation = arc_space_dissipation,
    .drag = arc_bend_drag,
    .channel = arc_space_channel,
    .uniform = true,
};

#endif
