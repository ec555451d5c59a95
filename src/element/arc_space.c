/* SPDX-License-Identifier: Apache-2.0 */
/* arc_space.c: an element of constant strain in space, X = X0 + B x with any of bending about x and
   y, torsion, shear along x and y, elongation. Its sections are in arc_space_section.h, its balance
   in arc_space_block.h, the sums over its Gauss points in arc_space_points.h. Theory:
   docs/theory/arc.md, section 9. */
#include "element/arc_space_block.h"
#include "element/arc_strain.h"

#ifdef APL_HOT

/* Entry (i, k) of a 3x3 matrix. */
HOT_INLINE real entry(const mat3* A, int i, int k) {
  const real all[9] = {A->xx, A->xy, A->xz, A->yx, A->yy, A->yz, A->zx, A->zy, A->zz};
  return all[3 * i + k];
}

HOT_INLINE vec3 mat3_column(const mat3* A, int k) {
  return (vec3){entry(A, 0, k), entry(A, 1, k), entry(A, 2, k)};
}

/* Pick the entries of D and U for the strains that the element has, from those of all six. */
HOT_INLINE void space_pick(const body_in* in, const space_own* own, const space_fixed* at, real* U,
                           real* D) {
  const int nx = in->nx;
  const mat3 ww = mat3_of_parts(own->ww, vec3_zero()), vv = mat3_of_parts(own->vv, vec3_zero());
  int row[SPACE_MOST];

  for (int k = 0; k < nx; ++k) {
    const int r = row[k] = space_row(in, k), i = r % 3;
    const mat3 *n = r < 3 ? &at->nw : &at->nv, *f = r < 3 ? &at->fw : &at->fv;

    set_column(U, k, (twist){mat3_column(n, i), mat3_column(f, i)});
    for (int l = 0; l <= k; ++l) {
      const int q = row[l];
      const real d = r < 3   ? entry(&ww, i, q)
                     : q < 3 ? entry(&own->wv, q, i)
                             : entry(&vv, i, q - 3);
      D[k * nx + l] = D[l * nx + k] = d;
    }
  }
}

static void arc_space_balance(const body_in* in, vec3 w, body_block* out) {
  const arc_space_par* par = in->par;
  const real m = par->m;
  const vec3 j = par->j;
  const space_element e = space_element_of(in);
  space_block B;
  space_fixed fixed;

  space_balance(&e, m, j, &w, &B);
  space_fix(&e, &B, &fixed);
  out->I = inertia6_of_rigid((rigid_inertia){m, B.h, fixed.J});
  out->b = fixed.b;
  space_pick(in, &B.D, &fixed, out->U, out->D);
  const real h[6] = {B.on.w.x, B.on.w.y, B.on.w.z, B.on.v.x, B.on.v.y, B.on.v.z};
  for (int k = 0; k < in->nx; ++k)
    out->h[k] = h[space_row(in, k)] + arc_elastic(in, k);
}

/* Section at s, in its own axes: R = 1 + K G^T, p = G^T v, S = T, (dS/dt) x' = T' X'
                                                                              (arc.md, 11 to 13) */
HOT_INLINE void space_shape(const body_in* in, const real* at, section* out) {
  const space_element e = space_element_of(in);
  real f[F_N];

  space_functions(at[0], e.y, f);
  const space_tangent T = space_tangent_of(&e, f);
  /* sin(s t)/t = s - y beta */
  const real turn = f[F_S] - e.y * f[F_B], o = real_of(0.0), r = 1.0 - f[F_A] * e.y;
  sym3 R = {r, r, r, o, o, o};
  add_both(&R, scale(0.5 * f[F_A], e.w), e.w);
  out->X = (pose){mat3_of_parts(R, scale(turn, e.w)), space_place(&e, f)};
  for (int k = 0; k < in->nx; ++k) {
    const int row = space_row(in, k), i = row % 3;
    const vec3 g = mat3_column(&T.G, i);
    set_column(out->S, k, row < 3 ? (twist){g, mat3_column(&T.A, i)} : (twist){vec3_zero(), g});
  }
  out->c = space_turning(&e, f);
}

static void arc_space_shape(const body_in* in, const real* at, section* out) {
  space_shape(in, at, out);
}

/* Drag is a force per length and speed. It is computed as the momentum of an arc without rotary
   inertia whose mass is the drag coefficient. */
static wrench arc_space_drag(const body_in* in, twist V, real* Q) {
  const arc_space_par* par = in->par;
  const real drag = par->drag;
  const space_element e = space_element_of(in);
  const twist X = {e.w, e.v}, seen = twist_cross(X, V);
  const twist eta = {sub(e.wd, seen.w), sub(e.vd, seen.v)};
  space_block B;

  space_balance(&e, drag, vec3_zero(), NULL, &B);

  /* momenta: I V + I Q eta of the frame, (I Q)^T V + D eta of the strains */
  const vec3 f = scale(drag, add(V.v, add(mul(B.Q.A, eta.w), mul(B.Q.G, eta.v))));
  const vec3 on_v =
      add(add(scale(drag, mul_t(B.Q.G, V.v)), mul_t(B.D.wv, eta.w)), sym3_mul(B.D.vv, eta.v));
  const vec3 on_w =
      add(add(scale(drag, mul_t(B.Q.A, V.v)), mul(B.D.wv, eta.v)), sym3_mul(B.D.ww, eta.w));
  const real on[6] = {on_w.x, on_w.y, on_w.z, on_v.x, on_v.y, on_v.z};
  for (int k = 0; k < in->nx; ++k)
    Q[k] = -on[space_row(in, k)];
  return (wrench){neg(add(cross(e.w, on_w), cross(e.v, on_v))), neg(add(f, cross(e.w, on_v)))};
}

/* All six strains: the constant count lets the compiler unroll the loops. */
HOT_INLINE body_in space_all(const body_in* in) {
  return (body_in){in->par, in->x, in->xd, SPACE_MOST};
}
static void arc_screw_shape(const body_in* in, const real* at, section* out) {
  const body_in all = space_all(in);
  space_shape(&all, at, out);
}

/* The inertia block in terms of eta (screw_block). */
static void arc_screw_relative(const body_in* in, const vec3* w, screw_block* out) {
  const arc_space_par* par = in->par;
  const real o = real_of(0.0), m = par->m;
  const vec3 j = par->j;
  const body_in all = space_all(in);
  const space_element e = space_element_of(&all);
  space_block B;

  space_balance(&e, m, j, w, &B);
  const mat3 jQ = rows_scale(j, B.Q.G), mA = mat3_scale(m, B.Q.A), mQ = mat3_scale(m, B.Q.G);
  const sym3 ww = B.D.ww, vv = B.D.vv;
  const mat3 wv = B.D.wv;
  out->X = (twist){e.w, e.v};
  out->I[0] = j.x, out->I[1] = j.y, out->I[2] = j.z;
  out->I[3] = out->I[4] = out->I[5] = m;
  out->U[0] = six_of(jQ.xx, jQ.yx, jQ.zx, mA.xx, mA.yx, mA.zx);
  out->U[1] = six_of(jQ.xy, jQ.yy, jQ.zy, mA.xy, mA.yy, mA.zy);
  out->U[2] = six_of(jQ.xz, jQ.yz, jQ.zz, mA.xz, mA.yz, mA.zz);
  out->U[3] = six_of(o, o, o, mQ.xx, mQ.yx, mQ.zx);
  out->U[4] = six_of(o, o, o, mQ.xy, mQ.yy, mQ.zy);
  out->U[5] = six_of(o, o, o, mQ.xz, mQ.yz, mQ.zz);
  out->D[0] = six_of(ww.xx, ww.xy, ww.xz, wv.xx, wv.xy, wv.xz);
  out->D[1] = six_of(o, ww.yy, ww.yz, wv.yx, wv.yy, wv.yz);
  out->D[2] = six_of(o, o, ww.zz, wv.zx, wv.zy, wv.zz);
  out->D[3] = six_of(o, o, o, vv.xx, vv.xy, vv.xz);
  out->D[4] = six_of(o, o, o, o, vv.yy, vv.yz);
  out->D[5] = six_of(o, o, o, o, o, vv.zz);
  out->b = B.b;
  out->centre = B.h;
  out->h[0] = B.on.w.x, out->h[1] = B.on.w.y, out->h[2] = B.on.w.z;
  out->h[3] = B.on.v.x, out->h[4] = B.on.v.y, out->h[5] = B.on.v.z;
  for (int k = 0; k < 6; ++k)
    out->e[k] = arc_elastic(in, k);
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

static const body_ops arc_screw_ops = {
    .shape = arc_screw_shape,
    .balance = arc_space_balance,
    .screw = arc_screw_relative,
    .potential = arc_space_potential,
    .stiffness = arc_space_stiffness,
    .dissipation = arc_space_dissipation,
    .drag = arc_space_drag,
    .channel = arc_space_channel,
    .uniform = true,
};

#endif
