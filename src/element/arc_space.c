/* arc_space.c: an element of constant strain in space, X = X0 + B x with any of bending about x and
   y, torsion, shear along x and y, elongation. Sections are exp(s X); inertia by Gauss quadrature
   along the element. Theory: docs/theory/arc.md, 10 onwards. par: see arc_compile(). */
#include "element/element.h"

#ifdef APL_HOT

enum { SPACE_HEAD = 6, SPACE_STRAIN = 9, SPACE_MOST = 6 };

/* Gauss-Legendre on 0 .. 1 with eight points: M to 2e-11 at pi per element, to 1e-16 at pi/2 */
enum { GAUSS_N = 8 };
static const double gauss_at[GAUSS_N] = {0.019855071751231884158, 0.10166676129318663020,
                                         0.23723379504183550709,  0.40828267875217509753,
                                         0.59171732124782490247,  0.76276620495816449291,
                                         0.89833323870681336980,  0.98014492824876811584};
static const double gauss_weight[GAUSS_N] = {0.050614268145188129576, 0.11119051722668723527,
                                             0.15685332293894364367,  0.18134189168918099148,
                                             0.18134189168918099148,  0.15685332293894364367,
                                             0.11119051722668723527,  0.050614268145188129576};

/* Functions of s and y = |w|^2 that sections are made of: s, alpha = s^2 c_2, beta = s^3 c_3 at s^2
   y, their rates gamma, delta (2 d/dy) and the rates of those. */
enum { F_S, F_A, F_B, F_G, F_D, F_E, F_Z, F_N, F_PAIRS = F_E };

typedef struct space_integrals {
  real one[F_N];
  real two[F_PAIRS][F_N]; /* of products */
} space_integrals;

HOT_INLINE void space_functions(real s, real y, real* f) {
  const real ss = s * s;
  real c[STUMPFF_N];

  stumpff(ss * y, c);
  f[F_S] = s;
  f[F_A] = ss * c[2];
  f[F_B] = ss * s * c[3];
  f[F_G] = ss * ss * (2.0 * c[4] - c[3]);
  f[F_D] = ss * ss * s * (3.0 * c[5] - c[4]);
  f[F_E] = ss * ss * ss * (8.0 * c[6] - 5.0 * c[5] + c[4]);
  f[F_Z] = ss * ss * ss * s * (15.0 * c[7] - 7.0 * c[6] + c[5]);
}

static void space_integrate(real y, space_integrals* I) {
  const real o = real_of(0.0);

  for (int i = 0; i < F_N; ++i)
    I->one[i] = o;
  for (int i = 0; i < F_PAIRS; ++i) {
    for (int j = i; j < F_N; ++j)
      I->two[i][j] = o;
  }
  for (int g = 0; g < GAUSS_N; ++g) {
    real f[F_N];

    space_functions(real_of(gauss_at[g]), y, f);
    for (int i = 0; i < F_N; ++i)
      I->one[i] += gauss_weight[g] * f[i];
    for (int i = 0; i < F_PAIRS; ++i) {
      const real wf = gauss_weight[g] * f[i];
      for (int j = i; j < F_N; ++j)
        I->two[i][j] += wf * f[j];
    }
  }
  for (int i = 0; i < F_PAIRS; ++i) {
    for (int j = 0; j < i; ++j)
      I->two[i][j] = I->two[j][i];
  }
}

/* The same times m. */
HOT_INLINE void space_weigh(const space_integrals* I, real m, space_integrals* out) {
  for (int i = 0; i < F_N; ++i)
    out->one[i] = m * I->one[i];
  for (int i = 0; i < F_PAIRS; ++i) {
    for (int j = 0; j < F_N; ++j)
      out->two[i][j] = m * I->two[i][j];
  }
}

/* An element: X = (w; v), its rate, and what its centre line is made of, p = s v + alpha a + beta
   b: a = w x v, b = w x a. */
typedef struct space_element {
  vec3 w, v, wd, vd;
  vec3 a, b;
  real y, wv, vv, aa; /* |w|^2, w . v, |v|^2, |a|^2 */
  real kappa;         /* w . w' */
} space_element;

/* Row of strain k: where its column of B has its one. */
HOT_INLINE int space_row(const body_in* in, int k) {
  const real* B = in->par + SPACE_HEAD + SPACE_STRAIN * k;
  int row = k;

  for (int i = 0; in->nx < SPACE_MOST && i < 6; ++i) {
    if (mask_any(real_less(real_of(0.5), B[i]))) row = i;
  }
  return row;
}

HOT_INLINE void space_prepare(const body_in* in, space_element* e) {
  const real o = real_of(0.0);
  real X[6] = {o, o, o, o, o, in->par[0]}, Xd[6] = {o, o, o, o, o, o};

  for (int k = 0; k < in->nx; ++k) {
    const int row = space_row(in, k);
    X[row] += in->x[k];
    Xd[row] = in->xd[k];
  }
  e->w = (vec3){X[0], X[1], X[2]};
  e->v = (vec3){X[3], X[4], X[5]};
  e->wd = (vec3){Xd[0], Xd[1], Xd[2]};
  e->vd = (vec3){Xd[3], Xd[4], Xd[5]};
  e->a = cross(e->w, e->v);
  e->b = cross(e->w, e->a);
  e->y = dot(e->w, e->w);
  e->wv = dot(e->w, e->v);
  e->vv = dot(e->v, e->v);
  e->aa = dot(e->a, e->a);
  e->kappa = dot(e->w, e->wd);
}

/* ------------------------------------------------------------------------- small matrices ---- */

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
HOT_INLINE vec3 lin2(real p, vec3 x, real q, vec3 y) {
  return add(scale(p, x), scale(q, y));
}
HOT_INLINE vec3 lin3(real p, vec3 x, real q, vec3 y, real r, vec3 z) {
  return add(lin2(p, x, q, y), scale(r, z));
}
HOT_INLINE vec3 diagonal_mul(vec3 j, vec3 x) {
  return (vec3){j.x * x.x, j.y * x.y, j.z * x.z};
}

/* ------------------------------------------------------------------------------- the block ---- */

/* The block of an element for all six strains: J about the root, centre, columns of rates of w and
   v (moment, force), own block. */
typedef struct space_block {
  sym3 J;
  vec3 h;
  mat3 nw, nv, fw, fv;
  sym3 ww, vv;
  mat3 wv; /* rows w, columns v */
} space_block;

/* The centre line; I times its mass                                                      (arc.md,
 * 27 to 31) */
HOT_INLINE void space_line(const space_element* e, const space_integrals* I, space_block* B) {
  const real(*c)[F_N] = I->two;
  const vec3 w = e->w, v = e->v, a = e->a, b = e->b;
  const real y = e->y, wv = e->wv;
  const real ss = c[F_S][F_S], sa = c[F_S][F_A], sb = c[F_S][F_B];
  const real aa = c[F_A][F_A], ab = c[F_A][F_B], bb = c[F_B][F_B];

  /* int p p^T = v (ss v/2 + sa a + sb b)^T + a (aa a/2 + ab b)^T + b bb b^T/2 + transposed */
  sym3 P = {real_of(0.0), real_of(0.0), real_of(0.0), real_of(0.0), real_of(0.0), real_of(0.0)};
  add_both(&P, v, lin3(0.5 * ss, v, sa, a, sb, b));
  add_both(&P, a, lin2(0.5 * aa, a, ab, b));
  add_both(&P, b, scale(0.5 * bb, b));
  B->J = (sym3){P.yy + P.zz, P.xx + P.zz, P.xx + P.yy, -P.xy, -P.xz, -P.yz};
  B->h = lin3(I->one[F_S], v, I->one[F_A], a, I->one[F_B], b);

  /* forces: of v  s 1 + alpha K + beta K^2, of w  -alpha [v] + beta C + (gamma a + delta b) w^T,
     C = w v^T + (w.v) 1 - 2 v w^T */
  B->fv = mat3_turning(I->one[F_S] - I->one[F_B] * y, scale(I->one[F_A], w));
  add_outer(&B->fv, scale(I->one[F_B], w), w);
  B->fw = mat3_turning(I->one[F_B] * wv, scale(-I->one[F_A], v));
  add_outer(&B->fw, scale(I->one[F_B], w), v);
  add_outer(&B->fw, lin3(-2.0 * I->one[F_B], v, I->one[F_G], a, I->one[F_D], b), w);

  /* moments of v */
  B->nv = mat3_turning(-(sa * wv), lin3(ss - y * sb, v, sa - y * ab, a, sb - y * bb, b));
  add_outer(&B->nv, w, lin3(sa, v, aa, a, ab, b));
  add_outer(&B->nv, lin2(y * bb - sb, a, -ab, b), w);

  /* moments of w */
  const vec3 va = lin2(e->vv, w, -wv, v); /* v x a */
  const real crossed = c[F_A][F_D] - c[F_B][F_G];
  B->nw = mat3_turning(sa * e->vv - ab * e->aa, scale(wv, lin3(sb, v, ab, a, bb, b)));
  add_outer(&B->nw, lin3(-sa, v, y * bb - sb, a, -ab, b), v);
  add_outer(&B->nw, v, lin2(-aa, a, -ab, b));
  add_outer(
      &B->nw,
      lin3(2.0 * ab + c[F_S][F_G], va, -(wv * (2.0 * bb + c[F_S][F_D])), a, crossed * e->aa, w), w);

  /* own block */
  const real g = 2.0 * sb - aa - y * bb, same = ss - y * g;
  B->vv = (sym3){same, same, same, real_of(0.0), real_of(0.0), real_of(0.0)};
  add_both(&B->vv, scale(0.5 * g, w), w);
  B->wv = mat3_turning(wv * (sb - aa - y * bb), lin2(sa - y * ab, v, ab * wv, w));
  add_outer(&B->wv, lin3(-ab, a, sb, v, bb * wv, w), w);
  const real t1 = c[F_S][F_G] + y * crossed, t2 = c[F_S][F_D] - c[F_A][F_G] - y * c[F_B][F_D];
  add_outer(&B->wv, w, lin3(aa - 2.0 * sb, v, t1 + 2.0 * ab, a, t2 - 2.0 * bb, b));

  const real d = aa * e->vv + bb * wv * wv;
  const real along = 4.0 * bb * e->vv + e->aa * (c[F_G][F_G] + y * c[F_D][F_D]);
  vec3 z = add(scale(c[F_A][F_G], va), scale(-(wv * crossed), a));
  z = add(z, lin2(c[F_B][F_D] * wv, b, 2.0 * c[F_B][F_D] * e->aa + 0.5 * along, w));
  B->ww = (sym3){d, d, d, real_of(0.0), real_of(0.0), real_of(0.0)};
  add_both(&B->ww, v, lin3(0.5 * (y * bb - aa), v, -ab, a, -3.0 * wv * bb, w));
  add_both(&B->ww, z, w);
}

/* Velocity products of the centre line; the frame turns at o            (arc.md, 32, 33) */
HOT_INLINE void space_line_bias(const space_element* e, const space_integrals* I, vec3 o, wrench* W,
                                vec3* hw, vec3* hv) {
  const vec3 w = e->w, v = e->v, a = e->a, b = e->b, wd = e->wd, vd = e->vd;
  const vec3 ad = add(cross(wd, v), cross(w, vd)), bd = add(cross(wd, a), cross(w, ad));
  const vec3 acc = scale(real_of(2.0), cross(wd, vd));
  const vec3 bdd = add(scale(real_of(2.0), cross(wd, ad)), cross(w, acc));
  const real two = real_of(2.0), kk = e->kappa * e->kappa, rr = dot(wd, wd), k2 = 2.0 * e->kappa;
  const vec3 oa = cross(o, a), ob = cross(o, b);

  /* acceleration of the section at s: sum_j f_j A_j */
  const vec3 A[F_N] = {
      cross(o, add(cross(o, v), scale(two, vd))),
      add(cross(o, add(oa, scale(two, ad))), acc),
      add(cross(o, add(ob, scale(two, bd))), bdd),
      lin2(k2, add(oa, ad), rr, a),
      lin2(k2, add(ob, bd), rr, b),
      scale(kk, a),
      scale(kk, b),
  };
  vec3 B[F_PAIRS], f = scale(I->one[F_S], A[F_S]);

  for (int j = 1; j < F_N; ++j)
    f = add(f, scale(I->one[j], A[j]));
  for (int i = 0; i < F_PAIRS; ++i) {
    B[i] = scale(I->two[i][0], A[0]);
    for (int j = 1; j < F_N; ++j)
      B[i] = add(B[i], scale(I->two[i][j], A[j]));
  }
  *W = (wrench){add(cross(v, B[F_S]), add(cross(a, B[F_A]), cross(b, B[F_B]))), f};
  *hv = add(B[F_S], cross(w, sub(cross(w, B[F_B]), B[F_A])));
  *hw = add(add(cross(v, B[F_A]), lin2(dot(w, B[F_B]), v, e->wv, B[F_B])),
            scale(dot(a, B[F_G]) + dot(b, B[F_D]) - 2.0 * dot(v, B[F_B]), w));
}

/* ------------------------------------------------------------------------ rotary inertia ---- */

/* What turning sections are made of: n = w_0 + G eta, eta = w' - w x w_0, G = s - alpha K + beta
   K^2; Q = int G and P = int G^T j G = e0 j + e1 (Kj - jK) + e2 (w jw^T + jw w^T) + aa K j K^T
                                  + ab (x w^T + w x^T) + bb (w.jw) w w^T,   x = w x jw      (34) */
typedef struct space_turn {
  vec3 j, jw, x;
  real wjw, e0, e1, e2;
} space_turn;

HOT_INLINE space_turn space_turn_of(const space_element* e, const space_integrals* I, vec3 j) {
  const real(*c)[F_N] = I->two;
  const real y = e->y;
  space_turn t = {.j = j, .jw = diagonal_mul(j, e->w)};

  t.x = cross(e->w, t.jw);
  t.wjw = dot(e->w, t.jw);
  t.e0 = c[F_S][F_S] - y * (2.0 * c[F_S][F_B] - y * c[F_B][F_B]);
  t.e1 = c[F_S][F_A] - y * c[F_A][F_B];
  t.e2 = c[F_S][F_B] - y * c[F_B][F_B];
  return t;
}

/* P */
HOT_INLINE sym3 space_turn_own(const space_element* e, const space_integrals* I,
                               const space_turn* t) {
  const vec3 w = e->w, j = t->j;
  const real aa = I->two[F_A][F_A], ab = I->two[F_A][F_B], bb = I->two[F_B][F_B];
  sym3 P = {t->e0 * j.x + aa * (j.y * w.z * w.z + j.z * w.y * w.y),
            t->e0 * j.y + aa * (j.x * w.z * w.z + j.z * w.x * w.x),
            t->e0 * j.z + aa * (j.x * w.y * w.y + j.y * w.x * w.x),
            t->e1 * w.z * (j.x - j.y) - aa * j.z * w.x * w.y,
            t->e1 * w.y * (j.z - j.x) - aa * j.y * w.x * w.z,
            t->e1 * w.x * (j.y - j.z) - aa * j.x * w.y * w.z};

  add_both(&P, w, lin3(t->e2, t->jw, ab, t->x, 0.5 * bb * t->wjw, w));
  return P;
}

/* J += j - U K - (jQK)^T,  U = jQ + K P,  own += P                                  (arc.md, 35) */
HOT_INLINE void space_turn_block(const space_element* e, const space_integrals* I,
                                 const space_turn* t, sym3 P, space_block* B) {
  const vec3 w = e->w, j = t->j;
  mat3 Q = mat3_turning(I->one[F_S] - I->one[F_B] * e->y, scale(-I->one[F_A], w));

  add_outer(&Q, scale(I->one[F_B], w), w);
  const mat3 E = {j.x * Q.xx, j.x * Q.xy, j.x * Q.xz, j.y * Q.yx, j.y * Q.yy,
                  j.y * Q.yz, j.z * Q.zx, j.z * Q.zy, j.z * Q.zz};
  const mat3 U = mat3_add(E, skew_sym(w, P));

  /* (A K)_ij = (row_i(A) x w)_j */
  const vec3 ux = cross((vec3){U.xx, U.xy, U.xz}, w), uy = cross((vec3){U.yx, U.yy, U.yz}, w);
  const vec3 uz = cross((vec3){U.zx, U.zy, U.zz}, w);
  const vec3 ex = cross((vec3){E.xx, E.xy, E.xz}, w), ey = cross((vec3){E.yx, E.yy, E.yz}, w);
  const vec3 ez = cross((vec3){E.zx, E.zy, E.zz}, w);
  B->J = sym3_add(B->J, (sym3){j.x - ux.x - ex.x, j.y - uy.y - ey.y, j.z - uz.z - ez.z,
                               -(ux.y + ey.x), -(ux.z + ez.x), -(uy.z + ez.y)});
  B->nw = mat3_add(B->nw, U);
  B->ww = sym3_add(B->ww, P);
}

/* Velocity products by Lagrange: N_1 = Q^T j o + P eta, N = j o + j Q eta + w x N_1  (arc.md, 36)
 */
HOT_INLINE void space_turn_bias(const space_element* e, const space_integrals* I,
                                const space_turn* t, sym3 P, vec3 o, vec3* n, vec3* hw) {
  const real(*c)[F_N] = I->two;
  const vec3 w = e->w, wd = e->wd, j = t->j, jw = t->jw, x = t->x;
  const real y = e->y, kappa = e->kappa;
  const real qs = I->one[F_S], qa = I->one[F_A], qb = I->one[F_B], qg = I->one[F_G],
             qd = I->one[F_D];
  const real aa = c[F_A][F_A], ab = c[F_A][F_B], bb = c[F_B][F_B];
  const vec3 jo = diagonal_mul(j, o), eta = sub(wd, cross(w, o)), etad = cross(o, wd);
  const vec3 jeta = diagonal_mul(j, eta), turned = cross(w, eta), jturned = diagonal_mul(j, turned);
  const real we = dot(w, eta), wde = dot(wd, eta), jwe = dot(jw, eta), xe = dot(x, eta);

  /* rates of the coefficients of P, 2 d/dy */
  const real ab_d1 = c[F_B][F_G] + c[F_A][F_D], aa_d1 = 2.0 * c[F_A][F_G];
  const real bb_d1 = 2.0 * c[F_B][F_D];
  const real e0_d1 = -4.0 * c[F_S][F_B] - 2.0 * y * (c[F_S][F_D] - 2.0 * bb) + y * y * bb_d1;
  const real e1_d1 = c[F_S][F_G] - 2.0 * ab - y * ab_d1;
  const real e2_d1 = c[F_S][F_D] - 2.0 * bb - y * bb_d1;

  /* dP/dy eta: the same sum with these */
  const vec3 spun = sub(cross(w, jeta), jturned); /* (Kj - jK) eta */
  vec3 Dy = lin3(e0_d1, jeta, e1_d1, spun, e2_d1 * we, jw);
  Dy = add(Dy, lin3(-aa_d1, cross(w, jturned), ab_d1 * we, x,
                    e2_d1 * jwe + ab_d1 * xe + bb_d1 * t->wjw * we, w));

  /* P' eta at constant coefficients */
  const vec3 jwd = diagonal_mul(j, wd), xd = add(cross(wd, jw), cross(w, jwd));
  const vec3 turnedd = cross(wd, eta), jturnedd = diagonal_mul(j, turnedd);
  vec3 Pd = scale(t->e1, sub(cross(wd, jeta), jturnedd));
  Pd = sub(Pd, scale(aa, add(cross(wd, jturned), cross(w, jturnedd))));
  Pd = add(Pd, lin2(t->e2 * we, jwd, t->e2 * wde, jw));
  Pd = add(Pd, lin2(ab * we, xd, ab * wde, x));
  Pd = add(Pd, scale(t->e2 * jwe + ab * xe + bb * t->wjw * we, wd));
  Pd = add(Pd, scale(t->e2 * dot(jwd, eta) + ab * dot(xd, eta) +
                         bb * (2.0 * dot(wd, jw) * we + t->wjw * wde),
                     w));

  /* Q r = qs r - qa w x r + qb w x (w x r), Q^T with + qa; their rates */
  const vec3 wo = cross(w, jo), wwo = cross(w, wo), wturned = cross(w, turned);
  const vec3 QTo = lin3(qs, jo, qa, wo, qb, wwo), Qeta = lin3(qs, eta, -qa, turned, qb, wturned);
  const vec3 wdo = cross(wd, jo);
  const vec3 QTod = add(lin2(qa, wdo, qb, add(cross(wd, wo), cross(w, wdo))),
                        lin2(kappa * qg, wo, kappa * qd, wwo));
  const vec3 wetad = cross(w, etad);
  vec3 Qetad = add(lin2(-qa, turnedd, qb, add(cross(wd, turned), cross(w, turnedd))),
                   lin2(-(kappa * qg), turned, kappa * qd, wturned));
  Qetad = add(Qetad, lin3(qs, etad, -qa, wetad, qb, cross(w, wetad)));

  const vec3 N1 = add(QTo, sym3_mul(P, eta));
  const vec3 N1d = add(add(QTod, sym3_mul(P, etad)), add(scale(kappa, Dy), Pd));
  const vec3 N = add(add(jo, diagonal_mul(j, Qeta)), cross(w, N1));
  const vec3 Nd = add(diagonal_mul(j, Qetad), add(cross(wd, N1), cross(w, N1d)));
  *n = add(Nd, cross(o, N));

  /* dT/dw of jo . Q eta + eta P eta/2 - N_1 . (w x o) */
  const real oe = dot(jo, eta), wjo = dot(w, jo);
  vec3 grad = add(scale(qa, cross(jo, eta)), lin2(qb * we, jo, qb * wjo, eta));
  grad = add(grad, scale(-2.0 * qb * oe - qg * dot(jo, turned) + qd * (wjo * we - y * oe) +
                             0.5 * dot(eta, Dy),
                         w));
  grad = add(grad, lin3(t->e1, cross(jeta, eta), t->e2 * we, jeta, aa, cross(eta, jturned)));
  grad = add(grad, scale(ab * we, sub(cross(jw, eta), jturned)));
  grad = add(grad, lin2(t->e2 * jwe + ab * xe + bb * t->wjw * we, eta, bb * we * we, jw));
  *hw = add(sub(N1d, grad), cross(o, N1));
}

/* ---------------------------------------------------------------------------------- the ops ----
 */

/* Entry i, k of a matrix of three. */
HOT_INLINE real entry(const mat3* A, int i, int k) {
  return (&A->xx)[3 * i + k];
}

/* Own block and columns of all six strains, picked for those the element has. */
HOT_INLINE void space_pick(const body_in* in, const space_block* B, real* U, real* D) {
  const int nx = in->nx;
  const mat3 ww = {B->ww.xx, B->ww.xy, B->ww.xz, B->ww.xy, B->ww.yy,
                   B->ww.yz, B->ww.xz, B->ww.yz, B->ww.zz};
  const mat3 vv = {B->vv.xx, B->vv.xy, B->vv.xz, B->vv.xy, B->vv.yy,
                   B->vv.yz, B->vv.xz, B->vv.yz, B->vv.zz};
  int row[SPACE_MOST];

  for (int k = 0; k < nx; ++k) {
    const int r = row[k] = space_row(in, k), i = r % 3;
    const mat3 *n = r < 3 ? &B->nw : &B->nv, *f = r < 3 ? &B->fw : &B->fv;
    const vec3 nk = {entry(n, 0, i), entry(n, 1, i), entry(n, 2, i)};
    const vec3 fk = {entry(f, 0, i), entry(f, 1, i), entry(f, 2, i)};

    set_column(U, k, (twist){nk, fk});
    for (int l = 0; l <= k; ++l) {
      const int q = row[l];
      const real d = r < 3 ? entry(&ww, i, q) : q < 3 ? entry(&B->wv, q, i) : entry(&vv, i, q - 3);
      D[k * nx + l] = D[l * nx + k] = d;
    }
  }
}

static void arc_space_balance(const body_in* in, vec3 w, body_block* out) {
  const real m = in->par[1];
  const vec3 j = {in->par[2], in->par[3], in->par[4]};
  space_element e;
  space_integrals I, mI;
  space_block B;
  vec3 hw, hv, turn_n, turn_h;

  space_prepare(in, &e);
  space_integrate(e.y, &I);
  space_weigh(&I, m, &mI);
  space_line(&e, &mI, &B);
  space_line_bias(&e, &mI, w, &out->b, &hw, &hv);

  const space_turn t = space_turn_of(&e, &I, j);
  const sym3 P = space_turn_own(&e, &I, &t);
  space_turn_block(&e, &I, &t, P, &B);
  space_turn_bias(&e, &I, &t, P, w, &turn_n, &turn_h);
  out->b.n = add(out->b.n, turn_n);
  hw = add(hw, turn_h);

  out->I = inertia6_of_rigid((rigid_inertia){m, B.h, B.J});
  space_pick(in, &B, out->U, out->D);
  const real h[6] = {hw.x, hw.y, hw.z, hv.x, hv.y, hv.z};
  for (int k = 0; k < in->nx; ++k) {
    /* elasticity and material damping */
    const real* own = in->par + SPACE_HEAD + SPACE_STRAIN * k;
    out->h[k] = h[space_row(in, k)] + own[6] * (in->x[k] - own[7]) + own[8] * in->xd[k];
  }
}

/* Section at s, in its own axes: R = 1 + K G^T, p = G^T v, S = [G 0; R^T dp/dw G], G as above;
   (dS/dt) x' = (G' w' ; R^T p'' - G w' x R^T p')                                    (arc.md, 37) */
static void arc_space_shape(const body_in* in, const real* at, section* out) {
  space_element e;
  real f[F_N];

  space_prepare(in, &e);
  space_functions(at[0], e.y, f);
  const vec3 w = e.w, v = e.v, wd = e.wd, vd = e.vd;
  const real kappa = e.kappa, rr = dot(wd, wd), two = real_of(2.0);

  mat3 G = mat3_turning(f[F_S] - f[F_B] * e.y, scale(-f[F_A], w));
  add_outer(&G, scale(f[F_B], w), w);
  /* sin(s t)/t = s - y beta */
  mat3 R = mat3_turning(1.0 - f[F_A] * e.y, scale(f[F_S] - e.y * f[F_B], w));
  add_outer(&R, scale(f[F_A], w), w);
  mat3 A = mat3_turning(f[F_B] * e.wv, scale(-f[F_A], v));
  add_outer(&A, scale(f[F_B], w), v);
  add_outer(&A, lin3(-2.0 * f[F_B], v, f[F_G], e.a, f[F_D], e.b), w);
  out->X = (pose){R, lin3(f[F_S], v, f[F_A], e.a, f[F_B], e.b)};

  for (int k = 0; k < in->nx; ++k) {
    const int r = space_row(in, k), i = r % 3;
    const vec3 g = {entry(&G, 0, i), entry(&G, 1, i), entry(&G, 2, i)};
    const vec3 a = {entry(&A, 0, i), entry(&A, 1, i), entry(&A, 2, i)};
    set_column(out->S, k, r < 3 ? (twist){g, mul_t(R, a)} : (twist){vec3_zero(), g});
  }

  const vec3 turn = mul(G, wd), ww = cross(w, wd), www = cross(w, ww);
  const vec3 ad = add(cross(wd, v), cross(w, vd)), bd = add(cross(wd, e.a), cross(w, ad));
  const vec3 acc = scale(two, cross(wd, vd));
  const vec3 bdd = add(scale(two, cross(wd, ad)), cross(w, acc));
  const vec3 pd = mul_t(R, add(mul(A, wd), mul_t(G, vd)));
  vec3 pdd =
      add(lin2(f[F_A], acc, f[F_B], bdd), lin2(2.0 * kappa * f[F_G], ad, 2.0 * kappa * f[F_D], bd));
  pdd = add(pdd, lin2(rr * f[F_G] + kappa * kappa * f[F_E], e.a,
                      rr * f[F_D] + kappa * kappa * f[F_Z], e.b));
  out->c.w = lin3(-(kappa * f[F_G]), ww, f[F_B], cross(wd, ww), kappa * f[F_D], www);
  out->c.v = sub(mul_t(R, pdd), cross(turn, pd));
}

static real arc_space_potential(const body_in* in) {
  real sum = real_of(0.0);

  for (int k = 0; k < in->nx; ++k) {
    const real* own = in->par + SPACE_HEAD + SPACE_STRAIN * k;
    const real strain = in->x[k] - own[7];
    sum += 0.5 * own[6] * strain * strain;
  }
  return sum;
}

static void arc_space_stiffness(const body_in* in, real k, real c, real* out) {
  for (int i = 0; i < in->nx; ++i) {
    const real* own = in->par + SPACE_HEAD + SPACE_STRAIN * i;
    out[i * in->nx + i] += k * own[6] + c * own[8];
  }
}

static real arc_space_dissipation(const body_in* in) {
  real sum = real_of(0.0);

  for (int k = 0; k < in->nx; ++k)
    sum += in->par[SPACE_HEAD + SPACE_STRAIN * k + 8] * in->xd[k] * in->xd[k];
  return sum;
}

/* Air resists with a force per length and speed: the momentum of an arc without rotary inertia
   whose mass is that coefficient. */
static wrench arc_space_drag(const body_in* in, twist V, real* Q) {
  const int nx = in->nx;
  const real drag = in->par[5];
  real U[6 * SPACE_MOST], D[SPACE_MOST * SPACE_MOST];
  space_element e;
  space_integrals I, dI;
  space_block B;

  space_prepare(in, &e);
  space_integrate(e.y, &I);
  space_weigh(&I, drag, &dI);
  space_line(&e, &dI, &B);
  space_pick(in, &B, U, D);

  const twist moving = columns_mul(U, in->xd, nx);
  for (int k = 0; k < nx; ++k) {
    const twist u = column(U, k);
    Q[k] = -power(V, (wrench){u.w, u.v});
    for (int l = 0; l < nx; ++l)
      Q[k] -= D[k * nx + l] * in->xd[l];
  }
  const vec3 n = add(add(sym3_mul(B.J, V.w), cross(B.h, V.v)), moving.w);
  const vec3 f = add(add(cross(V.w, B.h), scale(drag, V.v)), moving.v);
  return (wrench){neg(n), neg(f)};
}

/* w = X_v + X_w x d, l = |w|, dl/dX = (d x w/l ; w/l)                           (tendons.md, 2) */
static real arc_space_channel(const body_in* in, vec3 d, real* slope) {
  const real o = real_of(0.0);
  const real* strain = in->par + SPACE_HEAD;
  twist X = {{o, o, o}, {o, o, in->par[0]}};

  for (int k = 0; k < in->nx; ++k)
    X = twist_add(X, twist_scale(in->x[k], column(strain + SPACE_STRAIN * k, 0)));

  const vec3 w = add(X.v, cross(X.w, d));
  const real l = real_sqrt(dot(w, w));
  const vec3 e = scale(1.0 / l, w), de = cross(d, e);
  for (int k = 0; k < in->nx; ++k) {
    const twist B = column(strain + SPACE_STRAIN * k, 0);
    slope[k] = dot(B.w, de) + dot(B.v, e);
  }
  return l;
}

static const body_ops arc_space_ops = {
    .shape = arc_space_shape,
    .balance = arc_space_balance,
    .potential = arc_space_potential,
    .stiffness = arc_space_stiffness,
    .dissipation = arc_space_dissipation,
    .drag = arc_space_drag,
    .channel = arc_space_channel,
    .uniform = true,
};

#endif
