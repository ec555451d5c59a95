/* SPDX-License-Identifier: Apache-2.0 */
/* screw.h: elimination of a body whose six deformations X form a screw that maps its root to its
   tip. In terms of d = X'' - ad(X) A its sections move as A + S d (element.h), so that

     W + ad(X)^T t = I A + U d + b,     t = U^T A + D d + h

   where the inertia at a port enters without rotation or shift: I += I_p, U += I_p S, D += S^T I_p
   S. After eliminating d, ad(X) appears in the bias only. The factors are stored like those of all
   other bodies (eliminate.h), with ad(X) put back into U. Theory: docs/theory/arc.md, 9. */
#pragma once

#include "dynamics/eliminate.h"

HOT_INLINE bool is_screw(const apl_node* n) {
  return n->nx > 0 && n->screw >= 0;
}

/* Evaluate all screw bodies before the recursion begins. This is faster than evaluating each one
   within the recursion, because the code of each loop then fits the processor's cache of decoded
   instructions (measured: 1.1x). */
static inline void ask_screws(const apl_model* m, state* s, bool moving) {
  for (int i = 0; m->nscrew > 0 && i < m->nnode; ++i) {
    const apl_node* n = &m->node[i];

    if (is_screw(n)) {
      const body_in in = body_input(s, n);
      screw_block* B = &s->screw[n->screw];

      body_ops_of(n->body)->screw(&in, moving ? &s->w[n->frame] : NULL, B);
      s->body[i] = (body_mass){B->I[5], B->centre};
    }
  }
}

/* Rows of a diagonal matrix. */
HOT_INLINE void screw_diagonal(const real* d, six* row) {
  const real o = real_of(0.0);

  row[0] = six_of(d[0], o, o, o, o, o);
  row[1] = six_of(o, d[1], o, o, o, o);
  row[2] = six_of(o, o, d[2], o, o, o);
  row[3] = six_of(o, o, o, d[3], o, o);
  row[4] = six_of(o, o, o, o, d[4], o);
  row[5] = six_of(o, o, o, o, o, d[5]);
}

/* Row k of ad(X) = [K 0; V K] */
HOT_INLINE void screw_rows(twist X, six* Z) {
  const real o = real_of(0.0);
  const vec3 w = X.w, v = X.v;

  Z[0] = six_of(o, -w.z, w.y, o, o, o);
  Z[1] = six_of(w.z, o, -w.x, o, o, o);
  Z[2] = six_of(-w.y, w.x, o, o, o, o);
  Z[3] = six_of(o, -v.z, v.y, o, -w.z, w.y);
  Z[4] = six_of(v.z, o, -v.x, w.z, o, -w.x);
  Z[5] = six_of(-v.y, v.x, o, -w.y, w.x, o);
}

/* Add the inertia at a port: U += I_p S, D += S^T I_p S. The rows of S are (G 0) and (A G). */
HOT_INLINE void screw_port(inertia6 Ip, const real* S, six* I, screw_block* B) {
  six row[6], S_row[6];

  six_of_inertia(Ip, row);
  for (int i = 0; i < 6; ++i) {
    six_join(&I[i], &row[i]);
    S_row[i] = six_of(S[i], S[6 + i], S[12 + i], S[18 + i], S[24 + i], S[30 + i]);
  }
  for (int k = 0; k < 3; ++k) {
    six IS = six_zero(), D = B->D[k];

    for (int j = 0; j < 6; ++j)
      six_add(&IS, S[6 * k + j], &row[j]);
    for (int j = 0; j < 6; ++j)
      six_add(&D, six_at(&IS, j), &S_row[j]);
    six_join(&B->U[k], &IS);
    B->D[k] = D;
  }
  for (int k = 3; k < 6; ++k) {
    six IS = six_zero(), D = B->D[k];

    for (int j = 3; j < 6; ++j)
      six_add(&IS, S[6 * k + j], &row[j]);
    for (int j = 3; j < 6; ++j)
      six_add_from(3, &D, six_at(&IS, j), &S_row[j]);
    six_join(&B->U[k], &IS);
    B->D[k] = D;
  }
}

/* Factor D = L d L^T by rows; the upper half of D becomes d L^T. U := L^-1 U, r := L^-1 r. Returns
   a mask of failed pivots. The loops are not unrolled, to keep the code small (measured: 1.15x). */
HOT_INLINE mask screw_factor(screw_block* B, real* inverse, real* r) {
  mask bad = real_less(real_of(0.0), real_of(0.0));
  real least[6];

  for (int k = 0; k < 6; ++k)
    least[k] = LDL_TINY * six_at(&B->D[k], k);
  for (int k = 0; k < 6; ++k) {
    const six row = B->D[k], u = B->U[k];
    const real d = six_at(&B->D[k], k), rk = r[k], inv = 1.0 / d;

    bad = mask_or(bad, mask_not(real_less(least[k], d)));
    bad = mask_or(bad, mask_not(real_less(real_of(0.0), d)));
    inverse[k] = inv;
    for (int i = k + 1; i < 6; ++i) {
      const real l = six_at(&B->D[k], i) * inv;

      six_take_from(0, &B->D[i], l, &row);
      six_take_from(0, &B->U[i], l, &u);
      r[i] -= l * rk;
    }
  }
  return bad;
}

/* Store the factors in the form of eliminate(): L, 1/d, and U := U - d L^T ad(X). */
HOT_INLINE void screw_keep(const screw_block* B, const real* inverse, real* U, real* D) {
  six Z[6];

  screw_rows(B->X, Z);
  for (int k = 0; k < 6; ++k) {
    six u = B->U[k];

    D[6 * k + k] = inverse[k];
    six_take_from(0, &u, six_at(&B->D[k], k), &Z[k]);
    for (int i = k + 1; i < 6; ++i) {
      const real dl = six_at(&B->D[k], i);
      six_take_from(0, &u, dl, &Z[i]);
      D[6 * i + k] = dl * inverse[k];
    }
    set_column(U, k, (twist){six_head(&u), six_tail(&u)});
  }
}

/* Eliminate a screw body: I becomes the reduced inertia, y = U D^-1 r. */
HOT_INLINE mask screw_eliminate(screw_block* B, six* I, real* r, six* y, real* U, real* D) {
  real inverse[6];
  const mask bad = screw_factor(B, inverse, r);

  *y = six_zero();
  for (int k = 0; k < 6; ++k) {
    const six u = B->U[k];

    six_add(y, inverse[k] * r[k], &u);
    for (int i = 0; i < 6; ++i)
      six_take_from(i, &I[i], inverse[k] * six_at(&u, i), &u);
  }
  screw_keep(B, inverse, U, D);
  return bad;
}
