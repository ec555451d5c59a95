/* SPDX-License-Identifier: Apache-2.0 */
/* forward.c: accelerations for given efforts, by the articulated-body recursion. Outwards:
   velocities and their products. Inwards: each node eliminates its deformations, then its joint,
   and passes a 6x6 inertia and a bias wrench to the frame above. Outwards again: accelerations. A
   prescribed freedom is not eliminated: its acceleration is known, its effort is a result. The
   formulas of one node are in eliminate.h; here they are combined with velocity products. Theory:
   docs/theory/passes.md, 3. */
#include "dynamics/efforts.h"
#include "dynamics/eliminate.h"
#include "dynamics/plane.h"
#include "dynamics/screw.h"
#include "dynamics/solver.h"

/* ----------------------------------------------------------------------- first sweep, out ---- */

/* w, c and b of a rigid body on a revolute axis z: c = (w x z q' ; R^T (w_up x (w_up x p))) */
HOT_INLINE void move_revolute(state* s, const apl_node* n, real qd) {
  const int f = n->frame;
  const pose tree = par_pose(s, n->par + PAR_TREE);
  const mat3 R = revolute_rotation(s, n, tree);
  const vec3 w_up = s->w[n->up];
  vec3 w = mul_t(R, w_up);

  w.z += qd;
  s->X_up[f] = (pose){R, tree.p};
  s->w[f] = w;
  s->c[f] =
      (accel){{w.y * qd, -w.x * qd, real_of(0.0)}, mul_t(R, cross(w_up, cross(w_up, tree.p)))};
}

/* The same along a prismatic axis z: c = (0 ; R^T (w_up x (w_up x p)) + 2 w x z q') */
HOT_INLINE void move_prismatic(state* s, const apl_node* n, real qd) {
  const int f = n->frame;
  const pose tree = par_pose(s, n->par + PAR_TREE);
  const vec3 p = prismatic_position(s, n, tree);
  const vec3 w_up = s->w[n->up];
  const vec3 w = mul_t(tree.R, w_up);
  vec3 c = mul_t(tree.R, cross(w_up, cross(w_up, p)));

  c.x += 2.0 * w.y * qd;
  c.y -= 2.0 * w.x * qd;
  s->X_up[f] = (pose){tree.R, p};
  s->w[f] = w;
  s->c[f] = (accel){vec3_zero(), c};
}

/* Start I and b of every frame with its own rigid inertia, minus the wrenches applied to it. */
static inline void frame_inertias(const apl_model* m, state* s) {
  const bool loaded = has_wrenches(m, s);

  /* the world's frame does not move, so its inertia is not needed */
  s->I[0] = inertia6_zero();
  s->W[0] = wrench_zero();
  for (int f = 1; f < m->nframe; ++f) {
    const rigid_inertia I = par_inertia(s, m->frame[f].inertia);
    s->I[f] = inertia6_of_rigid(I);
    s->W[f] = rigid_bias(I, s->w[f]);
    if (loaded) s->W[f] = wrench_sub(s->W[f], s->F[f]);
  }
}

static void sweep_out(const apl_model* m, state* s) {
  for (int i = 0; i < m->nnode; ++i) {
    const apl_node* n = &m->node[i];

    if (n->path == PATH_REVOLUTE) {
      move_revolute(s, n, s->v[n->v0]);
    } else if (n->path == PATH_PRISMATIC) {
      move_prismatic(s, n, s->v[n->v0]);
    } else {
      move_general(s, n);
    }
  }
  frame_inertias(m, s);
}

/* ---------------------------------------------------------------------------- sweep, in ---- */

/* A revolute joint without rotors. With the reduced inertia I' = I - U U^T/D the bias is b' = b +
   I' c + U/D (tau - S^T b); the z row of I' is zero. */
HOT_INLINE mask in_revolute(state* s, const apl_node* n, int i, real tau) {
  const int f = n->frame, up = n->up;
  const inertia6 I = s->I[f];
  const accel c = s->c[f];
  const wrench b = s->W[f];
  const pivot p = {axis_column(I, true), 1.0 / I.J.zz};
  const inertia6 Ia = reduce_revolute(I, p.U, p.d);
  const real r = tau - b.n.z;
  wrench y = axis_bias(p, r, b);

  y.n.x = y.n.x + Ia.J.xx * c.dw.x + Ia.J.xy * c.dw.y + Ia.H.xx * c.a.x + Ia.H.xy * c.a.y +
          Ia.H.xz * c.a.z;
  y.n.y = y.n.y + Ia.J.xy * c.dw.x + Ia.J.yy * c.dw.y + Ia.H.yx * c.a.x + Ia.H.yy * c.a.y +
          Ia.H.yz * c.a.z;
  y.n.z = tau; /* b_z + U_z/D (tau - b_z) */
  y.f.x = y.f.x + Ia.H.xx * c.dw.x + Ia.H.yx * c.dw.y;
  y.f.y = y.f.y + Ia.H.xy * c.dw.x + Ia.H.yy * c.dw.y;
  y.f.z = y.f.z + Ia.H.xz * c.dw.x + Ia.H.yz * c.dw.y;
  y.f = add(y.f, sym3_mul(Ia.M, c.a));

  s->I[up] = inertia6_add(s->I[up], reduced_from(s->X_up[f].R, s->X_up[f].p, Ia));
  s->W[up] = wrench_add(s->W[up], wrench_from(s->X_up[f], y));
  s->r[i] = r;
  return keep_pivot(s, i, p, I.J.zz, I.J);
}

/* The same for any one-freedom joint along z, rotors included. */
HOT_INLINE mask in_axis(state* s, const apl_node* n, int i, real tau) {
  const int f = n->frame, up = n->up;
  const bool turns = n->path == PATH_REVOLUTE;
  const pose X = s->X_up[f];
  const inertia6 I = s->I[f];
  const wrench b = s->W[f];
  const real D = (turns ? I.J.zz : I.M.zz) + s->par[n->par + PAR_ARMATURE];
  const pivot p = {axis_column(I, turns), 1.0 / D};
  const inertia6 Ia = reduce(I, p.U, p.d);
  const real r = axis_effort(n, tau, b);
  const wrench y = axis_bias(p, r, wrench_add(b, inertia6_mul(Ia, s->c[f])));

  s->I[up] = inertia6_add(s->I[up], inertia6_from(X.R, X.p, Ia));
  s->W[up] = wrench_add(s->W[up], wrench_from(X, y));
  s->r[i] = r;
  return keep_pivot(s, i, p, D, turns ? I.J : I.M);
}

/* -------------------------------------------------------------------------- general path ---- */

/* Add the inertia and bias at the ports of a deformable body: [b; h] += [Ad^-T; S^T] (I_p c +
   b_p) */
static void add_ports(state* s, const apl_node* n, body_block* B) {
  for (int p = 0; p < n->nport; ++p) {
    const int f = n->port0 + p;
    const real* S = s->work + work_port(n, p);
    const wrench y = wrench_add(s->W[f], inertia6_mul(s->I[f], s->c[f]));

    port_inertia(s, n, p, B);
    B->b = wrench_add(B->b, wrench_from(s->X_up[f], y));
    for (int k = 0; k < n->nx; ++k)
      B->h[k] += power(column(S, k), y);
  }
}

/* A body whose deformations form a screw: W = I A + U d + b - ad(X)^T t */
static mask in_screw(const apl_model* m, state* s, const apl_node* n) {
  const int f = n->frame;
  screw_block* B = &s->screw[n->screw];
  real* r = s->work + work_xh(n);
  real t[6];
  six I[6], left;

  screw_diagonal(B->I, I);
  for (int k = 0; k < 6; ++k) {
    t[k] = s->tau[n->xv0 + k] - B->e[k];
    if (has_efforts(m)) t[k] += s->Q[n->xv0 + k];
    r[k] = t[k] - B->h[k];
  }
  for (int p = 0; p < n->nport; ++p) {
    const int port = n->port0 + p;
    const real* S = s->work + work_port(n, p);
    const wrench y = wrench_add(s->W[port], inertia6_mul(s->I[port], s->c[port]));

    screw_port(s->I[port], S, I, B);
    B->b = wrench_add(B->b, y);
    take_wrench(S, 6, y, r);
  }
  const mask bad = screw_eliminate(B, I, r, &left, s->work + work_xU(n), s->work + work_xD(n));
  const vec3 tw = {t[0], t[1], t[2]}, tv = {t[3], t[4], t[5]};
  const wrench turned = {add(cross(B->X.w, tw), cross(B->X.v, tv)), cross(B->X.w, tv)};
  const wrench moved = {add(B->b.n, six_head(&left)), add(B->b.f, six_tail(&left))};
  s->I[f] = inertia6_add(s->I[f], inertia6_of_six(I));
  s->W[f] = wrench_add(s->W[f], wrench_add(moved, turned));
  return bad;
}

/* Eliminate the deformations. Afterwards I[frame] and W[frame] are those of the body and everything
   on its ports, at the body frame. */
static mask in_body(const apl_model* m, state* s, const apl_node* n) {
  const int f = n->frame;
  mask bad = real_less(real_of(0.0), real_of(0.0));
  body_block B;

  ask_body(s, n, s->w[f], &B);
  add_ports(s, n, &B);
  if (n->body_prescribed) {
    /* x'' is known: U x'' is added to the bias */
    const twist y = columns_mul(B.U, s->a + n->xv0, n->nx);
    B.b = wrench_add(B.b, (wrench){y.w, y.v});
  } else {
    for (int k = 0; k < n->nx; ++k) {
      B.h[k] = s->tau[n->xv0 + k] - B.h[k];
      if (has_efforts(m)) B.h[k] += s->Q[n->xv0 + k];
    }
    bad = eliminate(&B.I, &B.b, B.U, B.D, B.h, n->nx);
  }
  s->I[f] = inertia6_add(s->I[f], B.I);
  s->W[f] = wrench_add(s->W[f], B.b);
  return bad;
}

/* r = tau + Q - S^T y - J row^T bias */
static void joint_efforts(const apl_model* m, state* s, const apl_node* n, const satellites* sat,
                          wrench y) {
  const int nv = n->nv;
  real* r = s->work + work_r(n);

  for (int k = 0; k < nv; ++k)
    r[k] = s->tau[n->v0 + k];
  take_wrench(s->work + work_S(n), nv, y, r);
  for (int k = 0; k < nv; ++k) {
    if (has_efforts(m)) r[k] += s->Q[n->v0 + k];
    for (int i = 0; i < sat->n; ++i)
      r[k] -= sat->J[i] * sat->row[i * nv + k] * sat->bias[i];
  }
}

static mask in_joint(const apl_model* m, state* s, const apl_node* n) {
  const int f = n->frame;
  inertia6 I = s->I[f];
  wrench y = wrench_add(s->W[f], inertia6_mul(I, s->c[f]));
  mask bad = real_less(real_of(0.0), real_of(0.0));
  satellites sat;

  sat.n = 0;
  if (n->nsat > 0) ask_satellites(m, s, n, &sat);
  if (n->joint_prescribed) {
    /* S a is known: I S a and the wheels' known spin rates are added to the bias */
    const twist Sa = columns_mul(s->work + work_S(n), s->a + n->v0, n->nv);
    y = wrench_add(y, inertia6_mul(I, (accel){Sa.w, Sa.v}));
    for (int i = 0; i < sat.n; ++i) {
      for (int k = 0; k < n->nv; ++k)
        sat.bias[i] += sat.row[i * n->nv + k] * s->a[n->v0 + k];
    }
  }
  joint_block(s, n, &sat, &I);
  if (joint_moves(n)) joint_efforts(m, s, n, &sat, y);
  if (n->slaved) y = lift_bias(s, n, &sat, y);
  if (joint_moves(n)) {
    bad = eliminate(&I, &y, s->work + work_U(n), s->work + work_D(n), s->work + work_r(n), n->nv);
  }
  pass_inertia(s, n, I);
  pass_bias(s, n, y);
  return bad;
}

static failure sweep_in(const apl_model* m, state* s) {
  const bool extra = has_efforts(m);
  failure fail = no_failure();

  for (int i = m->nnode - 1; i >= 0; --i) {
    const apl_node* n = &m->node[i];

    if (n->path == PATH_GENERAL) {
      if (is_screw(n)) {
        note(&fail, in_screw(m, s, n), n->link);
      } else if (n->nx > 0) {
        note(&fail, in_body(m, s, n), n->link);
      }
      if (has_joint(n)) note(&fail, in_joint(m, s, n), n->link);
      continue;
    }
    real tau = s->tau[n->v0];
    if (extra) tau += s->Q[n->v0];
    const bool bare = n->path == PATH_REVOLUTE && n->nsat == 0;
    note(&fail, bare ? in_revolute(s, n, i, tau) : in_axis(s, n, i, tau), n->link);
  }
  return fail;
}

/* ---------------------------------------------------------------------- second sweep, out ---- */

/* a = D^-1 (r - U^T A'), A' = Phi A_up + c. For one-freedom joints r does not contain U^T c, so A'
   includes c. */
HOT_INLINE void out_axis(state* s, const apl_node* n, int i) {
  const int f = n->frame;
  accel A = accel_add(accel_to(s->X_up[f].R, s->X_up[f].p, s->A[n->up]), s->c[f]);

  s->a[n->v0] = axis_motion(n, axis_pivot(s, i), s->r[i], &A);
  s->A[f] = A;
}

/* Effort of a prescribed joint: S^T W + J row^T (row a + rowP A_up + bias) - Q. */
static void prescribed_effort(const apl_model* m, state* s, const apl_node* n) {
  const int f = n->frame;
  const wrench W = wrench_add(s->W[f], inertia6_mul(s->I[f], s->A[f]));
  real* tau = s->tau + n->v0;
  satellites sat;

  sat.n = 0;
  if (n->nsat > 0) ask_satellites(m, s, n, &sat);
  given_joint(s, n, &sat, W, s->a + n->v0, s->A[n->up], tau);
  for (int k = 0; has_efforts(m) && k < n->nv; ++k)
    tau[k] -= s->Q[n->v0 + k];
}

static void out_joint(const apl_model* m, state* s, const apl_node* n) {
  const int nv = n->nv, f = n->frame;

  if (nv > 0 && !n->joint_prescribed) {
    /* a = D^-1 (r - U^T A), A = Phi A_up without c, which r contains; slaved joints have Phi in
       U */
    const accel A = n->slaved ? s->A[n->up] : accel_to(s->X_up[f].R, s->X_up[f].p, s->A[n->up]);
    eliminated(s->work + work_U(n), s->work + work_D(n), s->work + work_r(n), nv, A, s->a + n->v0);
  }
  s->A[f] = joint_acceleration(s, n, s->a + n->v0);
  if (n->joint_prescribed) prescribed_effort(m, s, n);
}

/* x'' = D^-1 (r - U^T A), or the effort U^T A + D x'' + h of a prescribed deformation */
static void out_body(const apl_model* m, state* s, const apl_node* n) {
  const int nx = n->nx;
  const accel A = s->A[n->frame];
  const real* h = s->work + work_xh(n);
  real* xdd = s->a + n->xv0;

  if (n->body_prescribed) {
    for (int k = 0; k < nx; ++k) {
      real tau = given_deformation(s, n, k, h[k], A, xdd);
      if (has_efforts(m)) tau -= s->Q[n->xv0 + k];
      s->tau[n->xv0 + k] = tau;
    }
  } else if (nx == 6) {
    /* the constant 6 lets the compiler unroll the loops */
    eliminated(s->work + work_xU(n), s->work + work_xD(n), h, 6, A, xdd);
  } else {
    eliminated(s->work + work_xU(n), s->work + work_xD(n), h, nx, A, xdd);
  }
  for (int p = 0; p < n->nport; ++p)
    s->A[n->port0 + p] = port_acceleration(s, n, p, xdd);
}

static failure space_sweeps(const apl_model* m, state* s) {
  sweep_out(m, s);
  ask_screws(m, s, true);
  const failure fail = sweep_in(m, s);
  if (mask_any(fail.any)) return fail;

  for (int i = 0; i < m->nnode; ++i) {
    const apl_node* n = &m->node[i];

    if (n->path != PATH_GENERAL) {
      out_axis(s, n, i);
    } else {
      if (has_joint(n)) out_joint(m, s, n);
      if (n->nx > 0) out_body(m, s, n);
    }
  }
  return fail;
}

/* Accelerations for the efforts tau, Q and F that the state holds. */
static apl_status forward_sweeps(const apl_model* m, apl_state* head) {
  state* s = hot(head);

  head->factored = FACTORED_NOT;
  const failure fail = s->solver->sweeps(m, s);
  head->trouble = fail.link;
  if (mask_any(fail.any)) return singular_or_not_finite(m, s);
  const bool fine = all_finite(s->a, m->nv) && all_finite(s->tau, m->nv);
  if (!fine) return APL_ERR_NOT_FINITE;
  if (s->solver->factors) {
    head->factored = FACTORED_FORWARD;
  } else if (has_wrenches(m, s)) {
    head->factored = FACTORED_PLACED;
  }
  return APL_OK;
}

static apl_status forward(const apl_model* m, apl_state* head) {
  state* s = hot(head);

  prepare(m, s);
  efforts(m, s);
  return forward_sweeps(m, head);
}
