/* arc_space_line.c: the centre line of an element of constant strain in space, and its integrals.
   X = (w; v) is the strain over the element; p = s v + alpha a + beta b, a = w x v, b = w x a, with
   functions of s and y = |w|^2 alone, so products of these are all that is integrated, by Gauss;
   the rest is algebra of w and v. Theory: docs/theory/arc.md, section 9, whose equation numbers are
   used below. par: see arc_compile(). */
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

/* The centre line; I times its mass                                                (arc.md, 13) */
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

/* Velocity products of the centre line; the frame turns at o            (arc.md, 14) */
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

#endif
