/* arc_space_turn.c: the rotary inertia of the sections of an element in space. Theory:
   docs/theory/arc.md, section 9. */
#include "element/element.h"

#ifdef APL_HOT

/* What turning sections are made of: n = w_0 + G eta, eta = w' - w x w_0, G = s - alpha K + beta
   K^2; Q = int G and P = int G^T j G = e0 j + e1 (Kj - jK) + e2 (w jw^T + jw w^T) + aa K j K^T
                                  + ab (x w^T + w x^T) + bb (w.jw) w w^T,   x = w x jw      (15) */
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

/* J += j - U K - (jQK)^T,  U = jQ + K P,  own += P                                  (arc.md, 15) */
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

/* Velocity products by Lagrange: N_1 = Q^T j o + P eta, N = j o + j Q eta + w x N_1  (arc.md, 15)
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

#endif
