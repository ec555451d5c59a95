/* arc_space.c: an element of constant strain in space, X = X0 + B x with any of bending about x and
   y, torsion, shear along x and y, elongation. Its centre line is in arc_space_line.c, the turning
   of its sections in arc_space_turn.c. Theory: docs/theory/arc.md, section 9. */
#include "element/element.h"

#ifdef APL_HOT

/* Entry i, k of a matrix of three. */
HOT_INLINE real entry(const mat3* A, int i, int k) {
  const real all[9] = {A->xx, A->xy, A->xz, A->yx, A->yy, A->yz, A->zx, A->zy, A->zz};
  return all[3 * i + k];
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
   (dS/dt) x' = (G' w' ; R^T p'' - G w' x R^T p')                                    (arc.md, 12) */
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
