/* SPDX-License-Identifier: Apache-2.0 */
/* arc_space_section.h: sections of an element of constant strain in space. X = (w; v) is the strain
   over the element, K = [w]. A section needs seven functions of s and y = |w|^2, and T = (G 0; A
   G), the integral of Ad(exp(-s X)). With T the twist of a section is, in its own axes,

     V(s) = V_0 + T(s) eta,        eta = X' - ad(X) V_0

   G = s - alpha K + beta K^2, and A is the derivative of G along v. Theory: docs/theory/arc.md,
   section 9, whose equation numbers are used below. */
#pragma once

#include "element/arc_par.h"

#ifdef APL_HOT

enum { SPACE_MOST = 6 };

/* s, alpha = s^2 c_2, beta = s^3 c_3 at s^2 y; their derivatives gamma, delta (by 2 d/dy), and the
   derivatives of these. Velocities need the first five only. */
enum { F_S, F_A, F_B, F_G, F_D, F_E, F_Z, F_N, F_SPEED = F_E };

/* at s, c = c_k(s^2 y) */
HOT_INLINE void space_functions_from(real s, const real* c, real* f) {
  const real ss = s * s, four = ss * ss;

  f[F_S] = s;
  f[F_A] = ss * c[2];
  f[F_B] = ss * s * c[3];
  f[F_G] = four * (2.0 * c[4] - c[3]);
  f[F_D] = four * s * (3.0 * c[5] - c[4]);
  f[F_E] = four * ss * (8.0 * c[6] - 5.0 * c[5] + c[4]);
  f[F_Z] = four * ss * s * (15.0 * c[7] - 7.0 * c[6] + c[5]);
}
HOT_INLINE void space_functions(real s, real y, real* f) {
  real c[STUMPFF_N];

  stumpff(s * s * y, c);
  space_functions_from(s, c, f);
}

/* An element: X = (w; v) and its rate. */
typedef struct space_element {
  vec3 w, v, wd, vd;
  real y, wv; /* |w|^2, w . v */
} space_element;

/* Row of strain k: the position of the one in its column of B. */
HOT_INLINE int space_row(const body_in* in, int k) {
  const arc_space_par* par = in->par;
  const real* B = par->strain[k].B;
  int row = k;

  for (int i = 0; in->nx < SPACE_MOST && i < 6; ++i) {
    if (mask_any(real_less(real_of(0.5), B[i]))) row = i;
  }
  return row;
}

HOT_INLINE space_element space_element_of(const body_in* in) {
  const arc_space_par* par = in->par;
  const real o = real_of(0.0);
  real X[6] = {o, o, o, o, o, par->L}, Xd[6] = {o, o, o, o, o, o};

  for (int k = 0; k < in->nx; ++k) {
    const int row = space_row(in, k);
    X[row] += in->x[k];
    Xd[row] = in->xd[k];
  }
  space_element e = {.w = {X[0], X[1], X[2]},
                     .v = {X[3], X[4], X[5]},
                     .wd = {Xd[0], Xd[1], Xd[2]},
                     .vd = {Xd[3], Xd[4], Xd[5]}};
  e.y = dot(e.w, e.w);
  e.wv = dot(e.w, e.v);
  return e;
}

/* ------------------------------------------------------------------------- small matrices ---- */

HOT_INLINE vec3 lin2(real p, vec3 x, real q, vec3 y) {
  return add(scale(p, x), scale(q, y));
}
HOT_INLINE vec3 lin3(real p, vec3 x, real q, vec3 y, real r, vec3 z) {
  return add(lin2(p, x, q, y), scale(r, z));
}
HOT_INLINE vec3 diagonal_mul(vec3 j, vec3 x) {
  return (vec3){j.x * x.x, j.y * x.y, j.z * x.z};
}

/* A += x y^T */
HOT_INLINE void add_outer(mat3* A, vec3 x, vec3 y) {
  A->xx += x.x * y.x, A->xy += x.x * y.y, A->xz += x.x * y.z;
  A->yx += x.y * y.x, A->yy += x.y * y.y, A->yz += x.y * y.z;
  A->zx += x.z * y.x, A->zy += x.z * y.y, A->zz += x.z * y.z;
}

/* A += x y^T + y x^T */
HOT_INLINE void add_both(sym3* A, vec3 x, vec3 y) {
  A->xx += 2.0 * x.x * y.x;
  A->yy += 2.0 * x.y * y.y;
  A->zz += 2.0 * x.z * y.z;
  A->xy += x.x * y.y + x.y * y.x;
  A->xz += x.x * y.z + x.z * y.x;
  A->yz += x.y * y.z + x.z * y.y;
}

/* d 1 + [x] */
HOT_INLINE mat3 mat3_turning(real d, vec3 x) {
  return (mat3){d, -x.z, x.y, x.z, d, -x.x, -x.y, x.x, d};
}

/* Symmetric part and axis: A + [x] */
HOT_INLINE mat3 mat3_of_parts(sym3 A, vec3 x) {
  return (mat3){A.xx,       A.xy - x.z, A.xz + x.y, A.xy + x.z, A.yy,
                A.yz - x.x, A.xz - x.y, A.yz + x.x, A.zz};
}

HOT_INLINE mat3 mat3_scale(real s, mat3 A) {
  return (mat3){s * A.xx, s * A.xy, s * A.xz, s * A.yx, s * A.yy,
                s * A.yz, s * A.zx, s * A.zy, s * A.zz};
}
HOT_INLINE mat3 mat3_transposed(mat3 A) {
  return (mat3){A.xx, A.yx, A.zx, A.xy, A.yy, A.zy, A.xz, A.yz, A.zz};
}

/* [p] A: columns are p x (column of A) */
HOT_INLINE mat3 skew_mul(vec3 p, mat3 A) {
  return (mat3){p.y * A.zx - p.z * A.yx, p.y * A.zy - p.z * A.yy, p.y * A.zz - p.z * A.yz,
                p.z * A.xx - p.x * A.zx, p.z * A.xy - p.x * A.zy, p.z * A.xz - p.x * A.zz,
                p.x * A.yx - p.y * A.xx, p.x * A.yy - p.y * A.xy, p.x * A.yz - p.y * A.xz};
}

/* ------------------------------------------------------------------------------- sections ---- */

/* Centre line: p = s v + alpha a + beta b,  a = w x v,  b = w x a                   (arc.md, 11) */
HOT_INLINE vec3 space_place(const space_element* e, const real* f) {
  const vec3 a = cross(e->w, e->v), b = cross(e->w, a);
  return lin3(f[F_S], e->v, f[F_A], a, f[F_B], b);
}

typedef struct space_tangent {
  mat3 G, A;
} space_tangent;

/* T from its functions, or from their integrals. With V = [v], m = w . v:
     A = -alpha V + beta (K V + V K) + m (delta K^2 - gamma K),   K V + V K = v w^T + w v^T - 2 m
                                                                                     (arc.md, 12) */
HOT_INLINE space_tangent space_tangent_of(const space_element* e, const real* f) {
  const vec3 w = e->w, v = e->v;
  const real y = e->y, m = e->wv, g = f[F_S] - f[F_B] * y;
  const real d = -(m * (2.0 * f[F_B] + y * f[F_D])), o = real_of(0.0);
  sym3 G = {g, g, g, o, o, o}, A = {d, d, d, o, o, o};

  add_both(&G, scale(0.5 * f[F_B], w), w);
  add_both(&A, lin2(f[F_B], v, 0.5 * m * f[F_D], w), w);
  return (space_tangent){mat3_of_parts(G, scale(-f[F_A], w)),
                         mat3_of_parts(A, neg(lin2(f[F_A], v, m * f[F_G], w)))};
}

/* Coefficients of the section functions in a twist (w; v) and in its rate along X' (cw; cv). */
typedef struct space_motion {
  two3 w[F_G], v[F_SPEED], cw[F_SPEED], cv[F_N];
} space_motion;

/* T eta and its rate while eta = (e; g) moves at etad. With k = w x e, l = v x e + w x g, and so
   on, as the halves of ad(X) eta and ad(X)^2 eta:
     T eta = (s e - alpha k + beta kk ; s g - alpha l + beta ll + m (delta kk - gamma k))
                                                                                     (arc.md, 13) */
HOT_INLINE void space_moving(const space_element* x, twist eta, twist etad, space_motion* M) {
  const vec3 w = x->w, v = x->v, wd = x->wd, vd = x->vd;
  const vec3 k = cross(eta.w, w), l = add(cross(eta.w, v), cross(eta.v, w)); /* with the sign
                                                                                changed */
  const vec3 kk = cross(k, w), ll = add(cross(k, v), cross(l, w));
  const vec3 kd = add(cross(eta.w, wd), cross(etad.w, w));
  const vec3 ld =
      add(add(cross(eta.w, vd), cross(etad.w, v)), add(cross(eta.v, wd), cross(etad.v, w)));
  const vec3 kkd = add(cross(k, wd), cross(kd, w));
  const vec3 lld = add(add(cross(k, vd), cross(kd, v)), add(cross(l, wd), cross(ld, w)));
  const real m = x->wv, kappa = dot(w, wd), md = dot(wd, v) + dot(w, vd), mk = m * kappa;

  const vec3 w_all[] = {eta.w, k, kk}, v_all[] = {eta.v, l, ll, scale(m, k), scale(m, kk)};
  const vec3 cw_all[] = {etad.w, kd, kkd, scale(kappa, k), scale(kappa, kk)};
  const vec3 cv_all[] = {etad.v,
                         ld,
                         lld,
                         lin3(kappa, l, m, kd, md, k),
                         lin3(kappa, ll, m, kkd, md, kk),
                         scale(mk, k),
                         scale(mk, kk)};
  for (int i = 0; i < F_G; ++i)
    M->w[i] = two3_same(w_all[i]);
  for (int i = 0; i < F_SPEED; ++i) {
    M->v[i] = two3_same(v_all[i]);
    M->cw[i] = two3_same(cw_all[i]);
  }
  for (int i = 0; i < F_N; ++i)
    M->cv[i] = two3_same(cv_all[i]);
}

/* T' X', the same where eta = X' and etad = 0: k' and l' vanish. */
HOT_INLINE twist space_turning(const space_element* x, const real* f) {
  const vec3 w = x->w, v = x->v, wd = x->wd, vd = x->vd;
  const vec3 k = cross(wd, w), l = add(cross(wd, v), cross(vd, w)); /* with the sign changed */
  const vec3 kk = cross(k, w), ll = add(cross(k, v), cross(l, w));
  const vec3 kkd = cross(k, wd), lld = add(cross(k, vd), cross(l, wd));
  const real m = x->wv, kappa = dot(w, wd), md = dot(wd, v) + dot(w, vd), mk = m * kappa;
  const real g = kappa * f[F_G], d = kappa * f[F_D];

  return (twist){lin3(g, k, f[F_B], kkd, d, kk),
                 add(lin3(f[F_B], lld, g, l, d, ll), lin3(md * f[F_G] + mk * f[F_E], k, m * f[F_D],
                                                          kkd, md * f[F_D] + mk * f[F_Z], kk))};
}

#endif
