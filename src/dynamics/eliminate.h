/* SPDX-License-Identifier: Apache-2.0 */
/* eliminate.h: the formulas of the articulated-body recursion, node by node, each in two halves.
   The half with inertias is a factorisation of M; the half with efforts and wrenches is a solution
   with these factors. Forward dynamics calls both halves at once, factor.c the first, rows.c the
   second. Theory: docs/theory/passes.md, 3 and 8.

   For every frame, W = I A + b. Across a joint, with y = b + I c:
     inertias   U = I S,   D = S^T U,           I_up += Phi^T (I - U D^-1 U^T) Phi
     efforts    r = tau - S^T y,                b_up += Phi^T (y + U D^-1 r)
     motion     a = D^-1 (r - U^T Phi A_up)
   A deformable body has its own U, D and r; its deformations are eliminated by the same
   formulas. */
#pragma once

#include "dynamics/satellites.h"
#include "dynamics/sweeps.h"

/* ---------------------------------------------------------------- reduced inertias ---- */

/* I - U U^T / D when S = z: row and column z of J and row z of H vanish exactly. */
HOT_INLINE inertia6 reduce_revolute(inertia6 I, accel U, real d) {
  const real o = real_of(0.0);
  const real x = d * U.dw.x, y = d * U.dw.y;
  const vec3 a = scale(d, U.a);

  return (inertia6){{I.J.xx - x * U.dw.x, I.J.yy - y * U.dw.y, o, I.J.xy - x * U.dw.y, o, o},
                    {I.H.xx - x * U.a.x, I.H.xy - x * U.a.y, I.H.xz - x * U.a.z, I.H.yx - y * U.a.x,
                     I.H.yy - y * U.a.y, I.H.yz - y * U.a.z, o, o, o},
                    {I.M.xx - a.x * U.a.x, I.M.yy - a.y * U.a.y, I.M.zz - a.z * U.a.z,
                     I.M.xy - a.x * U.a.y, I.M.xz - a.x * U.a.z, I.M.yz - a.y * U.a.z}};
}

/* inertia6_from() of an inertia whose z rows vanish, without the products by zero */
HOT_INLINE inertia6 reduced_from(mat3 R, vec3 p, inertia6 I) {
  /* J: two columns of R only */
  const real tx = R.xx * I.J.xx + R.xy * I.J.xy, ux = R.xx * I.J.xy + R.xy * I.J.yy;
  const real ty = R.yx * I.J.xx + R.yy * I.J.xy, uy = R.yx * I.J.xy + R.yy * I.J.yy;
  const real tz = R.zx * I.J.xx + R.zy * I.J.xy, uz = R.zx * I.J.xy + R.zy * I.J.yy;
  const sym3 J = {tx * R.xx + ux * R.xy, ty * R.yx + uy * R.yy, tz * R.zx + uz * R.zy,
                  tx * R.yx + ux * R.yy, tx * R.zx + ux * R.zy, ty * R.zx + uy * R.zy};

  /* H R^T has two rows */
  const vec3 g = mul(R, (vec3){I.H.xx, I.H.xy, I.H.xz});
  const vec3 h = mul(R, (vec3){I.H.yx, I.H.yy, I.H.yz});
  const mat3 H = {R.xx * g.x + R.xy * h.x, R.xx * g.y + R.xy * h.y, R.xx * g.z + R.xy * h.z,
                  R.yx * g.x + R.yy * h.x, R.yx * g.y + R.yy * h.y, R.yx * g.z + R.yy * h.z,
                  R.zx * g.x + R.zy * h.x, R.zx * g.y + R.zy * h.y, R.zx * g.z + R.zy * h.z};
  return inertia6_shift(p, (inertia6){J, H, sym3_rotate(R, I.M)});
}

/* I - d U U^T */
HOT_INLINE inertia6 reduce(inertia6 I, accel U, real d) {
  const vec3 w = scale(d, U.dw), a = scale(d, U.a);

  return (inertia6){{I.J.xx - w.x * U.dw.x, I.J.yy - w.y * U.dw.y, I.J.zz - w.z * U.dw.z,
                     I.J.xy - w.x * U.dw.y, I.J.xz - w.x * U.dw.z, I.J.yz - w.y * U.dw.z},
                    {I.H.xx - w.x * U.a.x, I.H.xy - w.x * U.a.y, I.H.xz - w.x * U.a.z,
                     I.H.yx - w.y * U.a.x, I.H.yy - w.y * U.a.y, I.H.yz - w.y * U.a.z,
                     I.H.zx - w.z * U.a.x, I.H.zy - w.z * U.a.y, I.H.zz - w.z * U.a.z},
                    {I.M.xx - a.x * U.a.x, I.M.yy - a.y * U.a.y, I.M.zz - a.z * U.a.z,
                     I.M.xy - a.x * U.a.y, I.M.xz - a.x * U.a.z, I.M.yz - a.y * U.a.z}};
}

/* ------------------------------------------------------------------ one freedom along z ---- */

/* The factors of one eliminated freedom: U = I S and d = 1 / D. */
typedef struct pivot {
  accel U;
  real d;
} pivot;

HOT_INLINE pivot axis_pivot(const state* s, int i) {
  return (pivot){s->U[i], s->D[i]};
}

/* U of a joint along z: a column of I */
HOT_INLINE accel axis_column(inertia6 I, bool turns) {
  return turns ? (accel){{I.J.xz, I.J.yz, I.J.zz}, {I.H.zx, I.H.zy, I.H.zz}}
               : (accel){{I.H.xz, I.H.yz, I.H.zz}, {I.M.xz, I.M.yz, I.M.zz}};
}

/* Store a pivot. Returns true where D is not positive relative to the trace of its 3x3 block. */
HOT_INLINE mask keep_pivot(state* s, int i, pivot p, real D, sym3 block) {
  s->U[i] = p.U;
  s->D[i] = p.d;
  return mask_not(real_less(LDL_TINY * (block.xx + block.yy + block.zz), D));
}

/* r = tau - S^T y */
HOT_INLINE real axis_effort(const apl_node* n, real tau, wrench y) {
  return tau - (n->path == PATH_REVOLUTE ? y.n.z : y.f.z);
}

/* y + U r / D */
HOT_INLINE wrench axis_bias(pivot p, real r, wrench y) {
  const real k = p.d * r;
  return wrench_add(y, (wrench){scale(k, p.U.dw), scale(k, p.U.a)});
}

/* a = (r - U^T A) / D, and A += S a */
HOT_INLINE real axis_motion(const apl_node* n, pivot p, real r, accel* A) {
  const real a = p.d * (r - dot(p.U.dw, A->dw) - dot(p.U.a, A->a));

  if (n->path == PATH_REVOLUTE) {
    A->dw.z += a;
  } else {
    A->a.z += a;
  }
  return a;
}

/* --------------------------------------------------------------------- several freedoms ---- */

/* Several freedoms are eliminated one after the other with D = L d L^T, which ldl_factor() stores
   as L and 1/d. Freedom k, inertias: U := L^-1 U^T, I -= u u^T / d */
HOT_INLINE void eliminate_column(inertia6* I, real* U, const real* D, int n, int k) {
  twist u = column(U, k);

  for (int j = 0; j < k; ++j)
    u = twist_add(u, twist_scale(-D[k * n + j], column(U, j)));
  set_column(U, k, u);
  *I = reduce(*I, (accel){u.w, u.v}, D[k * n + k]);
}

/* Freedom k, efforts: r := L^-1 r (the innovation), y += u r / d */
HOT_INLINE void eliminate_effort(wrench* y, const real* U, const real* D, real* r, int n, int k) {
  const twist u = column(U, k);

  for (int j = 0; j < k; ++j)
    r[k] += -D[k * n + j] * r[j];
  const real t = D[k * n + k] * r[k];
  *y = wrench_add(*y, (wrench){scale(t, u.w), scale(t, u.v)});
}

/* Eliminate all freedoms: inertias alone, efforts alone, or both at once. */
HOT_INLINE mask eliminate_inertia(inertia6* I, real* U, real* D, int n) {
  const mask bad = ldl_factor(D, n, n);

  for (int k = 0; k < n; ++k)
    eliminate_column(I, U, D, n, k);
  return bad;
}
HOT_INLINE void eliminate_bias(wrench* y, const real* U, const real* D, real* r, int n) {
  for (int k = 0; k < n; ++k)
    eliminate_effort(y, U, D, r, n, k);
}
HOT_INLINE mask eliminate(inertia6* I, wrench* y, real* U, real* D, real* r, int n) {
  const mask bad = ldl_factor(D, n, n);

  for (int k = 0; k < n; ++k) {
    eliminate_column(I, U, D, n, k);
    eliminate_effort(y, U, D, r, n, k);
  }
  return bad;
}

/* a = D^-1 (r - U^T A) from the results of both halves */
HOT_INLINE void eliminated(const real* U, const real* D, const real* r, int n, accel A, real* a) {
  for (int k = 0; k < n; ++k) {
    const twist u = column(U, k);
    a[k] = D[k * n + k] * (r[k] - dot(u.w, A.dw) - dot(u.v, A.a));
  }
  for (int k = n - 2; k >= 0; --k) {
    for (int i = k + 1; i < n; ++i)
      a[k] -= D[i * n + k] * a[i];
  }
}

/* r -= S^T y */
HOT_INLINE void take_wrench(const real* S, int n, wrench y, real* r) {
  for (int k = 0; k < n; ++k)
    r[k] -= power(column(S, k), y);
}

/* ----------------------------------------------------------------- a body that deforms ---- */

/* Add the inertia of all bodies carried by port p to the body's block:
     I += Ad^-T I_p Ad^-1,  U += Ad^-T I_p S,  D += S^T I_p S */
HOT_INLINE void port_inertia(const state* s, const apl_node* n, int p, body_block* B) {
  const int f = n->port0 + p, nx = n->nx;
  const pose X = s->X_up[f];
  const inertia6 I = s->I[f];
  const real* S = s->work + work_port(n, p);

  B->I = inertia6_add(B->I, inertia6_from(X.R, X.p, I));
  for (int k = 0; k < nx; ++k) {
    const twist Sk = column(S, k), U = column(B->U, k);
    const wrench IS = inertia6_mul(I, (accel){Sk.w, Sk.v});
    const wrench IS_B = wrench_from(X, IS);

    set_column(B->U, k, (twist){add(U.w, IS_B.n), add(U.v, IS_B.f)});
    for (int j = 0; j <= k; ++j)
      B->D[k * nx + j] += power(column(S, j), IS);
  }
}

/* Effort of a prescribed deformation: h + U^T A + D x'' */
static inline real given_deformation(const state* s, const apl_node* n, int k, real h, accel A,
                                     const real* xdd) {
  const int nx = n->nx;
  const real* D = s->work + work_xD(n);
  const twist u = column(s->work + work_xU(n), k);
  real tau = h + dot(u.w, A.dw) + dot(u.v, A.a);

  for (int j = 0; j < nx; ++j)
    tau += D[j > k ? j * nx + k : k * nx + j] * xdd[j];
  return tau;
}

/* ------------------------------------------------------------------------ general joint ---- */

/* Phi^T I Phi */
static inertia6 slaved_inertia(const real* Phi, inertia6 I) {
  real out[36];

  for (int j = 0; j < 6; ++j) {
    /* column j of Phi */
    const accel P = {{Phi[j], Phi[6 + j], Phi[12 + j]}, {Phi[18 + j], Phi[24 + j], Phi[30 + j]}};
    const wrench x = rows_mul_t(Phi, inertia6_mul(I, P));
    out[j] = x.n.x, out[6 + j] = x.n.y, out[12 + j] = x.n.z;
    out[18 + j] = x.f.x, out[24 + j] = x.f.y, out[30 + j] = x.f.z;
  }
  return inertia6_load(out, 6);
}

/* U = I S, D = S^T U + J row^T row */
static void joint_inertia(state* s, const apl_node* n, const satellites* sat, inertia6 I) {
  const int nv = n->nv;
  const real* S = s->work + work_S(n);
  real* D = s->work + work_D(n);

  for (int k = 0; k < nv; ++k) {
    const twist Sk = column(S, k);
    const wrench IS = inertia6_mul(I, (accel){Sk.w, Sk.v});
    set_column(s->work + work_U(n), k, (twist){IS.n, IS.f});
    for (int j = 0; j <= k; ++j)
      D[k * nv + j] = power(column(S, j), IS);
  }
  for (int i = 0; i < sat->n; ++i) {
    const real* row = sat->row + i * nv;
    for (int k = 0; k < nv; ++k) {
      for (int j = 0; j <= k; ++j)
        D[k * nv + j] += sat->J[i] * row[k] * row[j];
    }
  }
}

/* A slaved joint is eliminated in the frame above, because the spin of its wheels also depends on
   the motion of that frame:
     I := Phi^T I Phi + J rowP^T rowP,  U := Phi^T U + J rowP^T row */
static void lift_inertia(state* s, const apl_node* n, const satellites* sat, inertia6* I) {
  const real* Phi = s->work + work_Phi(n);
  real* U = s->work + work_U(n);

  *I = slaved_inertia(Phi, *I);
  for (int k = 0; k < n->nv; ++k) {
    const twist u = column(U, k);
    const wrench lifted = rows_mul_t(Phi, (wrench){u.w, u.v});
    set_column(U, k, (twist){lifted.n, lifted.f});
  }
  for (int i = 0; i < sat->n; ++i) {
    const twist p = column(sat->rowP, i);
    const real J = sat->J[i];

    /* I += J rowP^T rowP */
    *I = reduce(*I, (accel){p.w, p.v}, -J);
    for (int k = 0; k < n->nv; ++k) {
      const twist Jp = twist_scale(J * sat->row[i * n->nv + k], p);
      set_column(U, k, twist_add(column(U, k), Jp));
    }
  }
}

/* y := Phi^T y + J bias rowP^T */
static wrench lift_bias(const state* s, const apl_node* n, const satellites* sat, wrench y) {
  y = rows_mul_t(s->work + work_Phi(n), y);
  for (int i = 0; i < sat->n; ++i) {
    const twist p = column(sat->rowP, i);
    y = wrench_add(y, wrench_scale(sat->J[i] * sat->bias[i], (wrench){p.w, p.v}));
  }
  return y;
}

/* True if the joint has freedoms to eliminate; prescribed ones are not eliminated. */
HOT_INLINE bool joint_moves(const apl_node* n) {
  return n->nv > 0 && !n->joint_prescribed;
}

/* The joint's inertia block: U and D and, for a slaved joint, the change to the frame above. */
static void joint_block(state* s, const apl_node* n, const satellites* sat, inertia6* I) {
  if (n->joint_prescribed) zero(s->work + work_U(n), 6 * n->nv);
  if (joint_moves(n)) joint_inertia(s, n, sat, *I);
  if (n->slaved) lift_inertia(s, n, sat, I);
}

/* I_up += Phi^T I Phi, and b_up likewise; for a slaved joint I and b are in the frame above
   already */
HOT_INLINE void pass_inertia(state* s, const apl_node* n, inertia6 I) {
  const pose X = s->X_up[n->frame];

  if (!n->slaved) I = inertia6_from(X.R, X.p, I);
  s->I[n->up] = inertia6_add(s->I[n->up], I);
}
HOT_INLINE void pass_bias(state* s, const apl_node* n, wrench y) {
  if (!n->slaved) y = wrench_from(s->X_up[n->frame], y);
  s->W[n->up] = wrench_add(s->W[n->up], y);
}

/* Effort of a prescribed joint: S^T W + J row^T (row a + rowP A_up + bias). */
static void given_joint(const state* s, const apl_node* n, const satellites* sat, wrench W,
                        const real* a, accel A_up, real* tau) {
  for (int k = 0; k < n->nv; ++k) {
    tau[k] = power(column(s->work + work_S(n), k), W);
    for (int i = 0; i < sat->n; ++i) {
      const real rate = sat->bias[i] + satellite_sum(sat, n, i, a, A_up.dw, A_up.a);
      tau[k] += sat->J[i] * sat->row[i * n->nv + k] * rate;
    }
  }
}
