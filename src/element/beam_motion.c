/* SPDX-License-Identifier: Apache-2.0 */
/* beam_motion.c: kinematics and inertia of a beam. All integrals along it are constants from
   beam_integrals.c. Theory: docs/theory/beam.md, whose equation numbers are used below. */
#include "element/beam_par.h"

#ifdef APL_HOT

HOT_INLINE const beam_own_par* beam_own(const body_in* in, int k) {
  const beam_par* par = in->par;
  return &par->own[k];
}
HOT_INLINE const real* beam_matrix(const body_in* in, int which) {
  return (const real*)(const void*)beam_own(in, in->nx) + which * in->nx * in->nx;
}

/* K x + C x' */
HOT_INLINE real beam_elastic(const body_in* in, int k) {
  const real *K = beam_matrix(in, BEAM_K) + k * in->nx, *C = beam_matrix(in, BEAM_C) + k * in->nx;
  real sum = real_of(0.0);

  for (int j = 0; j < in->nx; ++j)
    sum += K[j] * in->x[j] + C[j] * in->xd[j];
  return sum;
}

/* ----------------------------------------------------------------------------------- space ---- */

/* A section at distance z from the root: p = z + sum x_k W_k, R = exp(t), t = sum x_k T_k. Its
   angular velocity in its own axes is w = Jr(t) t', Jr = 1 - c2 [t] + c3 [t]^2   (beam.md, 2, 3) */
static void beam_section_motion(const body_in* in, const real* at, section* out) {
  const int nx = in->nx;
  const real *W = at + 1, *T = at + 1 + nx;
  vec3 p = {real_of(0.0), real_of(0.0), at[0]}, pd = vec3_zero(), t = vec3_zero(), td = vec3_zero();
  real c[STUMPFF_N];

  for (int k = 0; k < nx; ++k) {
    const vec3 e = beam_own(in, k)->W, a = beam_own(in, k)->T;
    p = add(p, scale(W[k] * in->x[k], e));
    pd = add(pd, scale(W[k] * in->xd[k], e));
    t = add(t, scale(T[k] * in->x[k], a));
    td = add(td, scale(T[k] * in->xd[k], a));
  }
  const real tt = dot(t, t), rate = dot(t, td);
  stumpff(tt, c);

  /* R = 1 + c1 [t] + c2 [t]^2, [t]^2 = t t^T - |t|^2 */
  const real a = c[1], b = c[2], d = 1.0 - b * tt;
  const mat3 R = {d + b * t.x * t.x,       b * t.x * t.y - a * t.z, b * t.x * t.z + a * t.y,
                  b * t.x * t.y + a * t.z, d + b * t.y * t.y,       b * t.y * t.z - a * t.x,
                  b * t.x * t.z - a * t.y, b * t.y * t.z + a * t.x, d + b * t.z * t.z};
  out->X = (pose){R, p};
  for (int k = 0; k < nx; ++k) {
    const vec3 e = scale(W[k], beam_own(in, k)->W);
    const vec3 u = scale(T[k], beam_own(in, k)->T), tu = cross(t, u);
    const vec3 w = add(u, add(scale(-c[2], tu), scale(c[3], cross(t, tu))));
    set_column(out->S, k, (twist){w, mul_t(R, e)});
  }

  /* (dJr/dt) t', with dc_k/dt = (t . t') (k c_{k+2} - c_{k+1}), and d(R^T)/dt p' = -w x (R^T p') */
  const real c2d = rate * (2.0 * c[4] - c[3]), c3d = rate * (3.0 * c[5] - c[4]);
  const vec3 ttd = cross(t, td), tttd = cross(t, ttd);
  const vec3 w = add(td, add(scale(-c[2], ttd), scale(c[3], tttd)));
  out->c.w = add(add(scale(-c2d, ttd), scale(c3d, tttd)), scale(c[3], cross(td, ttd)));
  out->c.v = neg(cross(w, mul_t(R, pd)));
}

/* Y_k = int mu W_k r and its rate int mu W_k r', with r the position of a section        (4) */
HOT_INLINE void beam_reach(const body_in* in, int k, vec3* Y, vec3* Yd) {
  const real o = real_of(0.0);
  const real* mu = beam_matrix(in, BEAM_MU) + k * in->nx;

  *Y = (vec3){o, o, beam_own(in, k)->b};
  *Yd = vec3_zero();
  for (int j = 0; j < in->nx; ++j) {
    const vec3 e = beam_own(in, j)->W;
    *Y = add(*Y, scale(mu[j] * in->x[j], e));
    *Yd = add(*Yd, scale(mu[j] * in->xd[j], e));
  }
}

/* f e^T added to G */
HOT_INLINE mat3 beam_outer(mat3 G, vec3 f, vec3 e) {
  return mat3_add(G, (mat3){f.x * e.x, f.x * e.y, f.x * e.z, f.y * e.x, f.y * e.y, f.y * e.z,
                            f.z * e.x, f.z * e.y, f.z * e.z});
}

static void beam_balance(const body_in* in, vec3 w, body_block* out) {
  const int nx = in->nx;
  const beam_par* par = in->par;
  const real o = real_of(0.0), m = par->m, ww = dot(w, w);
  const real* D = beam_matrix(in, BEAM_D);
  const vec3 z = {o, o, real_of(1.0)};
  vec3 h = {o, o, par->S1}, hd = vec3_zero(), b = vec3_zero(), j = vec3_zero();
  mat3 G = {o, o, o, o, o, o, o, o, par->I2};
  vec3 turned = vec3_zero(); /* Gd w, Gd = int mu r' r^T ... */
  real rate = o;             /* ... and its trace            */

  for (int k = 0; k < nx; ++k) {
    const beam_own_par* own = beam_own(in, k);
    const vec3 e = own->W, t = own->T;
    const real x = in->x[k], xd = in->xd[k];
    vec3 Y, Yd;

    beam_reach(in, k, &Y, &Yd);
    const real wY = dot(w, Y);
    set_column(out->U, k, (twist){add(cross(Y, e), scale(own->j, t)), scale(own->a, e)});
    out->h[k] = beam_elastic(in, k) + dot(e, sub(scale(wY, w), scale(ww, Y))) +
                2.0 * dot(e, cross(w, Yd)); /* (8) */
    for (int i = 0; i < nx; ++i)
      out->D[k * nx + i] = D[k * nx + i];

    h = add(h, scale(own->a * x, e));
    hd = add(hd, scale(own->a * xd, e));
    b = add(b, scale(own->b * x, e));
    j = add(j, scale(own->j * xd, t));
    G = beam_outer(G, scale(x, e), Y);
    turned = add(turned, scale(xd * wY, e));
    rate += xd * dot(e, Y);
  }
  G = beam_outer(G, z, b);

  /* J = tr G - G + rotary, G = int mu r r^T                                                   (5)
   */
  const vec3 J = par->J;
  const real trace = G.xx + G.yy + G.zz;
  out->I.J =
      (sym3){trace - G.xx + J.x, trace - G.yy + J.y, trace - G.zz + J.z, -G.xy, -G.xz, -G.yz};
  out->I.H = (mat3){o, -h.z, h.y, h.z, o, -h.x, -h.y, h.x, o};
  out->I.M = (sym3){m, m, m, o, o, o};

  /* n = w x (J w + j) + 2 (tr Gd - Gd) w, f = w x (w x h) + 2 w x h'                       (6, 7)
   */
  const vec3 spin = cross(w, add(sym3_mul(out->I.J, w), j));
  out->b.n = add(spin, scale(real_of(2.0), sub(scale(rate, w), turned)));
  out->b.f = cross(w, add(cross(w, h), scale(real_of(2.0), hd)));
}

/* ----------------------------------------------------------------------------------- plane ---- */

static void beam_plane_shape(const body_in* in, const real* at, plane_section* out) {
  const int nx = in->nx;
  const real o = real_of(0.0);
  real x = o, turn = o;

  for (int k = 0; k < nx; ++k) {
    out->dx[k] = at[1 + k];
    out->dz[k] = o;
    out->turn[k] = at[1 + nx + k];
    x += out->dx[k] * in->x[k];
    turn += out->turn[k] * in->x[k];
  }
  real_sincos(&turn, &out->s, &out->c);
  out->x = x;
  out->z = at[0];
  out->ax = out->az = o;
}

/* The same balance with w about y and all W along x                                  (beam.md, 9)
 */
static void beam_plane_balance(const body_in* in, real w, plane_block* out) {
  const int nx = in->nx;
  const beam_par* par = in->par;
  const real o = real_of(0.0), ww = w * w;
  const real *mu = beam_matrix(in, BEAM_MU), *D = beam_matrix(in, BEAM_D);
  real c = o, cd = o, second = o, mixed = o;

  for (int k = 0; k < nx; ++k) {
    const beam_own_par* own = beam_own(in, k);
    real y = o;

    for (int j = 0; j < nx; ++j) {
      y += mu[k * nx + j] * in->x[j];
      out->D[k * nx + j] = D[k * nx + j];
    }
    out->n[k] = own->b + own->j;
    out->fx[k] = own->a;
    out->fz[k] = o;
    out->h[k] = beam_elastic(in, k) - ww * y;
    c += own->a * in->x[k];
    cd += own->a * in->xd[k];
    second += y * in->x[k];
    mixed += y * in->xd[k];
  }
  out->m = par->m;
  out->J = par->I2 + second + par->J.y;
  out->hx = c;
  out->hz = par->S1;
  out->bn = 2.0 * w * mixed;
  out->bx = -(ww * c);
  out->bz = -(ww * par->S1 + 2.0 * w * cd);
}

/* ---------------------------------------------------------------------------------- energy ---- */

/* 1/2 x^T K x */
static real beam_potential(const body_in* in) {
  const int nx = in->nx;
  const real* K = beam_matrix(in, BEAM_K);
  real sum = real_of(0.0);

  for (int k = 0; k < nx; ++k) {
    for (int j = 0; j < nx; ++j)
      sum += 0.5 * in->x[k] * K[k * nx + j] * in->x[j];
  }
  return sum;
}

static void beam_stiffness(const body_in* in, real k, real c, real* out) {
  const real *K = beam_matrix(in, BEAM_K), *C = beam_matrix(in, BEAM_C);

  for (int i = 0; i < in->nx * in->nx; ++i)
    out[i] += k * K[i] + c * C[i];
}

/* x'^T C x' */
static real beam_dissipation(const body_in* in) {
  const int nx = in->nx;
  const real* C = beam_matrix(in, BEAM_C);
  real sum = real_of(0.0);

  for (int k = 0; k < nx; ++k) {
    for (int j = 0; j < nx; ++j)
      sum += in->xd[k] * C[k * nx + j] * in->xd[j];
  }
  return sum;
}

static const body_ops beam_ops = {
    .shape = beam_section_motion,
    .balance = beam_balance,
    .potential = beam_potential,
    .stiffness = beam_stiffness,
    .dissipation = beam_dissipation,
    .plane_shape = beam_plane_shape,
    .plane_balance = beam_plane_balance,
};

#endif
