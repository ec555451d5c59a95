/* SPDX-License-Identifier: Apache-2.0 */
/* arc_space_block.h: the balance of an element of constant strain in space, for all six strains.
   With the sections of arc_space_section.h its kinetic energy is

     V_0 . I V_0 / 2 + V_0 . I Q eta + eta . D eta / 2,        I = diag(j, m),  Q = <T>,  D = <T^T I
   T>

   Theory: docs/theory/arc.md, section 9, whose equation numbers are used below. */
#pragma once

#include "element/arc_space_points.h"

#ifdef APL_HOT

/* D in blocks of rotational (w) and translational (v) strains. */
typedef struct space_own {
  sym3 ww, vv;
  mat3 wv; /* rows w, columns v */
} space_own;

/* m <A^T A>, m <A^T G>, m <G^T G>, multiplied out; I per mass                       (arc.md, 16) */
HOT_INLINE space_own space_own_line(const space_element* e, const space_integrals* I, real m) {
  const vec3 w = e->w, v = e->v, a = cross(w, v), b = cross(w, a);
  const real y = e->y, wv = e->wv, speed = dot(v, v), area = dot(a, a), o = real_of(0.0);
  const vec3 va = lin2(speed, w, -wv, v); /* v x a */
  const real crossed = I->ad - I->bg;
  space_own D;

  const real g = 2.0 * I->sb - I->aa - y * I->bb, same = m * (I->ss - y * g);
  D.vv = (sym3){same, same, same, o, o, o};
  add_both(&D.vv, scale(0.5 * m * g, w), w);

  D.wv = mat3_turning(wv * (I->sb - I->aa - y * I->bb), lin2(I->sa - y * I->ab, v, I->ab * wv, w));
  add_outer(&D.wv, lin3(-I->ab, a, I->sb, v, I->bb * wv, w), w);
  const real t1 = I->sg + y * crossed, t2 = I->sd - I->ag - y * I->bd;
  add_outer(&D.wv, w, lin3(I->aa - 2.0 * I->sb, v, t1 + 2.0 * I->ab, a, t2 - 2.0 * I->bb, b));
  D.wv = mat3_scale(m, D.wv);

  const real d = m * (I->aa * speed + I->bb * wv * wv);
  const real along = 4.0 * I->bb * speed + area * (I->gg + y * I->dd);
  vec3 z = lin3(I->ag, va, -(wv * crossed), a, I->bd * wv, b);
  z = add(z, scale(2.0 * I->bd * area + 0.5 * along, w));
  D.ww = (sym3){d, d, d, o, o, o};
  add_both(&D.ww, scale(m, v), lin3(0.5 * (y * I->bb - I->aa), v, -I->ab, a, -3.0 * wv * I->bb, w));
  add_both(&D.ww, scale(m, z), w);
  return D;
}

/* <G^T j G> = e0 j + e1 (Kj - jK) + e2 (w jw^T + jw w^T) + aa K j K^T + ab (x w^T + w x^T)
               + bb (w.jw) w w^T,   x = w x jw                                       (arc.md, 16) */
HOT_INLINE sym3 space_own_turn(const space_element* e, const space_integrals* I, vec3 j) {
  const vec3 w = e->w, jw = diagonal_mul(j, w), x = cross(w, jw);
  const real y = e->y, aa = I->aa;
  const real e0 = I->ss - y * (2.0 * I->sb - y * I->bb), e1 = I->sa - y * I->ab;
  const real e2 = I->sb - y * I->bb;
  sym3 P = {e0 * j.x + aa * (j.y * w.z * w.z + j.z * w.y * w.y),
            e0 * j.y + aa * (j.x * w.z * w.z + j.z * w.x * w.x),
            e0 * j.z + aa * (j.x * w.y * w.y + j.y * w.x * w.x),
            e1 * w.z * (j.x - j.y) - aa * j.z * w.x * w.y,
            e1 * w.y * (j.z - j.x) - aa * j.y * w.x * w.z,
            e1 * w.x * (j.y - j.z) - aa * j.x * w.y * w.z};

  add_both(&P, w, lin3(e2, jw, I->ab, x, 0.5 * I->bb * dot(w, jw), w));
  return P;
}

/* Inertia and velocity products of an element, for its frame and all six strains. */
typedef struct space_block {
  real m;
  vec3 j;
  space_tangent Q;
  space_own D;
  vec3 h;   /* first moment                                                                     */
  wrench b; /* velocity products on V_0 at constant eta ...                                     */
  twist on; /* ... and on the strains                                                           */
} space_block;

/* Without velocity products. */
HOT_INLINE void space_inertia(const space_element* e, const space_integrals* I, real m, vec3 j,
                              space_block* B) {
  B->m = m;
  B->j = j;
  B->Q = space_tangent_of(e, I->one);
  B->D = space_own_line(e, I, m);
  B->D.ww = sym3_add(B->D.ww, space_own_turn(e, I, j));
  B->h = scale(m, space_place(e, I->one));
}

/* Inertia and velocity products for a frame that turns at *o while its origin is at rest; without
   velocity products if o is NULL. */
HOT_INLINE void space_balance(const space_element* e, real m, vec3 j, const vec3* o,
                              space_block* B) {
  real f[F_N][GAUSS_MOST];
  space_points p;
  space_integrals I;

  space_points_of(e->y, &p);
  space_functions_of(&p, e->y, f);
  space_integrate(&p, f, &I);
  space_inertia(e, &I, m, j, B);
  if (o == NULL) {
    B->b = wrench_zero();
    B->on = twist_zero();
    return;
  }

  /* eta, and its rate for constant V_0 and X' */
  const twist eta = {sub(e->wd, cross(e->w, *o)), sub(e->vd, cross(e->v, *o))};
  const twist etad = {cross(*o, e->wd), cross(*o, e->vd)};
  space_motion M;
  space_forces F;

  space_moving(e, eta, etad, &M);
  space_push(&p, f, &M, m, j, *o, &F);
  B->b = F.all;
  B->on = space_forces_on(e, &F);
}

/* The same in terms of the frame's motion A and of X'' (ad(X)^T W = -(w x n + v x f ; w x f)):
     [W; tau] = [1 -ad^T; 0 1] [I IQ; (IQ)^T D] [1 0; -ad 1] [A; X''] + [b - ad^T on; on]
   (arc.md, 17) */
typedef struct space_fixed {
  sym3 J;
  mat3 nw, nv, fw, fv; /* columns of X''_w and X''_v: moment, force */
  wrench b;
} space_fixed;

HOT_INLINE mat3 rows_scale(vec3 j, mat3 A) {
  return (mat3){j.x * A.xx, j.x * A.xy, j.x * A.xz, j.y * A.yx, j.y * A.yy,
                j.y * A.yz, j.z * A.zx, j.z * A.zy, j.z * A.zz};
}
HOT_INLINE vec3 mat3_row(const mat3* A, int i) {
  return i == 0   ? (vec3){A->xx, A->xy, A->xz}
         : i == 1 ? (vec3){A->yx, A->yy, A->yz}
                  : (vec3){A->zx, A->zy, A->zz};
}

HOT_INLINE void space_fix(const space_element* e, const space_block* B, space_fixed* out) {
  const vec3 w = e->w, v = e->v;
  const mat3 jQ = rows_scale(B->j, B->Q.G), vw = mat3_transposed(B->D.wv);

  out->nw = mat3_add(jQ, mat3_add(skew_sym(w, B->D.ww), skew_mul(v, vw)));
  out->nv = mat3_add(skew_mul(w, B->D.wv), skew_sym(v, B->D.vv));
  out->fw = mat3_add(mat3_scale(B->m, B->Q.A), skew_mul(w, vw));
  out->fv = mat3_add(mat3_scale(B->m, B->Q.G), skew_sym(w, B->D.vv));

  /* J = j - jQ K + K nw^T + V nv^T: (A K)_ij = (row_i(A) x w)_j, (K A^T)_ij = (w x row_j(A))_i */
  vec3 t[3], u[3];
  for (int i = 0; i < 3; ++i) {
    t[i] = cross(w, mat3_row(&jQ, i));
    u[i] = add(cross(w, mat3_row(&out->nw, i)), cross(v, mat3_row(&out->nv, i)));
  }
  out->J = (sym3){B->j.x + t[0].x + u[0].x, B->j.y + t[1].y + u[1].y, B->j.z + t[2].z + u[2].z,
                  t[0].y + u[1].x,          t[0].z + u[2].x,          t[1].z + u[2].y};
  out->b = (wrench){add(B->b.n, add(cross(w, B->on.w), cross(v, B->on.v))),
                    add(B->b.f, cross(w, B->on.v))};
}

#endif
