/* forward.c: motion for efforts, by the articulated recursion. Outwards: velocities and their
   products. Inwards: each node eliminates its deformations, then its joint, and passes a 6x6
   inertia and a bias wrench to the frame above. Outwards again: accelerations. A prescribed freedom
   is not eliminated: its acceleration is known, its effort comes out. Theory:
   docs/theory/passes.md, 3.

   For every frame, W = I A + b with A the acceleration minus gravity. Across a joint
     A = Phi A_up + S a + c,   y = b + I c,   U = I S,   D = S^T U,   r = tau - S^T y
     a = D^-1 (r - U^T Phi A_up)
     I_up += Phi^T (I - U D^-1 U^T) Phi,   b_up += Phi^T (y + U D^-1 r)
   A body that deforms has U, D and r of its own, and its deformations go the same way. */
#include "dynamics/plane.h"
#include "dynamics/sweeps.h"

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

/* ... along a prismatic axis z: c = (0 ; R^T (w_up x (w_up x p)) + 2 w x z q') */
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

/* I and b of every frame from its own rigid inertia, less what acts on it. */
static inline void frame_inertias(const apl_model* m, state* s) {
  const bool loaded = has_wrenches(m, s);

  /* what is fixed to the world does not move */
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

HOT_INLINE void pass_up(state* s, int f, int up, inertia6 I, wrench b) {
  s->I[up] = inertia6_add(s->I[up], inertia6_from(s->X_up[f].R, s->X_up[f].p, I));
  s->W[up] = wrench_add(s->W[up], wrench_from(s->X_up[f], b));
}

/* What a one-freedom joint leaves behind for the sweep out, and the test of its pivot. */
HOT_INLINE mask keep_joint(state* s, int i, accel U, real d, real r, real D, real scale_of_D) {
  s->U[i] = U;
  s->D[i] = d;
  s->r[i] = r;
  return mask_not(real_less(LDL_TINY * scale_of_D, D));
}

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

/* inertia6_from() of such an inertia, without the products by zero */
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

/* Eliminate a revolute joint without rotors: U is column z of I, D = J_zz. With I' the reduced
   inertia, b' = b + I' c + U/D (tau - S^T b). */
HOT_INLINE mask in_revolute(state* s, const apl_node* n, int i, real tau) {
  const int f = n->frame, up = n->up;
  const inertia6 I = s->I[f];
  const accel c = s->c[f];
  const wrench b = s->W[f];
  const accel U = {{I.J.xz, I.J.yz, I.J.zz}, {I.H.zx, I.H.zy, I.H.zz}};
  const real d = 1.0 / I.J.zz;
  const real r = tau - b.n.z, k = d * r;
  const inertia6 Ia = reduce_revolute(I, U, d);
  wrench y;

  y.n.x = b.n.x + k * U.dw.x + Ia.J.xx * c.dw.x + Ia.J.xy * c.dw.y + Ia.H.xx * c.a.x +
          Ia.H.xy * c.a.y + Ia.H.xz * c.a.z;
  y.n.y = b.n.y + k * U.dw.y + Ia.J.xy * c.dw.x + Ia.J.yy * c.dw.y + Ia.H.yx * c.a.x +
          Ia.H.yy * c.a.y + Ia.H.yz * c.a.z;
  y.n.z = tau; /* b_z + U_z/D (tau - b_z) */
  y.f.x = b.f.x + k * U.a.x + Ia.H.xx * c.dw.x + Ia.H.yx * c.dw.y;
  y.f.y = b.f.y + k * U.a.y + Ia.H.xy * c.dw.x + Ia.H.yy * c.dw.y;
  y.f.z = b.f.z + k * U.a.z + Ia.H.xz * c.dw.x + Ia.H.yz * c.dw.y;
  y.f = add(y.f, sym3_mul(Ia.M, c.a));

  s->I[up] = inertia6_add(s->I[up], reduced_from(s->X_up[f].R, s->X_up[f].p, Ia));
  s->W[up] = wrench_add(s->W[up], wrench_from(s->X_up[f], y));
  return keep_joint(s, i, U, d, r, I.J.zz, I.J.xx + I.J.yy + I.J.zz);
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

/* The same for any one-freedom joint along z, rotors included: D = S^T I S + armature. */
HOT_INLINE mask in_axis(state* s, const apl_node* n, int i, real tau) {
  const int f = n->frame;
  const bool turns = n->path == PATH_REVOLUTE;
  const inertia6 I = s->I[f];
  const wrench b = s->W[f];
  const accel U = turns ? (accel){{I.J.xz, I.J.yz, I.J.zz}, {I.H.zx, I.H.zy, I.H.zz}}
                        : (accel){{I.H.xz, I.H.yz, I.H.zz}, {I.M.xz, I.M.yz, I.M.zz}};
  const real D = (turns ? I.J.zz : I.M.zz) + s->par[n->par + PAR_ARMATURE];
  const real d = 1.0 / D, r = tau - (turns ? b.n.z : b.f.z), k = d * r;
  const inertia6 Ia = reduce(I, U, d);
  wrench y = wrench_add(b, inertia6_mul(Ia, s->c[f]));

  y = wrench_add(y, (wrench){scale(k, U.dw), scale(k, U.a)});
  pass_up(s, f, n->up, Ia, y);
  return keep_joint(s, i, U, d, r, D, turns ? I.J.xx + I.J.yy + I.J.zz : I.M.xx + I.M.yy + I.M.zz);
}

/* -------------------------------------------------------------------------- general path ---- */

/* I -= U D^-1 U^T, y += U D^-1 r, one freedom after the other along D = L d L^T. Leaves L and 1/d
   in D, L^-1 U^T in U and L^-1 r in r. */
HOT_INLINE mask eliminate(inertia6* I, wrench* y, real* U, real* D, real* r, int n) {
  const mask bad = ldl_factor(D, n, n);

  for (int k = 0; k < n; ++k) {
    twist u = column(U, k);
    for (int j = 0; j < k; ++j) {
      const real l = -D[k * n + j];
      u = twist_add(u, twist_scale(l, column(U, j)));
      r[k] += l * r[j];
    }
    const real d = D[k * n + k], t = d * r[k];
    set_column(U, k, u);
    *I = reduce(*I, (accel){u.w, u.v}, d);
    *y = wrench_add(*y, (wrench){scale(t, u.w), scale(t, u.v)});
  }
  return bad;
}

/* a = D^-1 (r - U^T A) from what eliminate() left */
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

/* Add what hangs on the ports of a body that deforms to its block:
     I += Ad^-T I_p Ad^-1,  U += Ad^-T I_p S,  D += S^T I_p S,  [b; h] += [Ad^-T; S^T] (I_p c + b_p)
 */
static void add_ports(state* s, const apl_node* n, body_block* B) {
  const int nx = n->nx;

  for (int p = 0; p < n->nport; ++p) {
    const int f = n->port0 + p;
    const pose X = s->X_up[f];
    const inertia6 I = s->I[f];
    const real* S = s->work + work_port(n, p);
    const wrench y = wrench_add(s->W[f], inertia6_mul(I, s->c[f]));

    B->b = wrench_add(B->b, wrench_from(X, y));
    B->I = inertia6_add(B->I, inertia6_from(X.R, X.p, I));
    for (int k = 0; k < nx; ++k) {
      const twist Sk = column(S, k), U = column(B->U, k);
      const wrench IS = inertia6_mul(I, (accel){Sk.w, Sk.v});
      const wrench IS_B = wrench_from(X, IS);

      set_column(B->U, k, (twist){add(U.w, IS_B.n), add(U.v, IS_B.f)});
      for (int j = 0; j <= k; ++j)
        B->D[k * nx + j] += power(column(S, j), IS);
      B->h[k] += power(Sk, y);
    }
  }
}

/* Eliminate the deformations: I[frame] and W[frame] become those of body and ports seen from the
   body frame. */
static mask in_body(const apl_model* m, state* s, const apl_node* n) {
  const int f = n->frame;
  mask bad = real_less(real_of(0.0), real_of(0.0));
  body_block B;

  ask_body(s, n, s->w[f], &B);
  add_ports(s, n, &B);
  if (n->body_prescribed) {
    /* x'' is known: its part of the wrench is bias */
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

/* What a joint passes on while it is being eliminated; its U, D and r stand in the work area. */
typedef struct joint_block {
  inertia6 I;
  wrench y;
} joint_block;

/* A slaved joint is eliminated in the frame above, because its wheels turn with that frame too:
     I := Phi^T I Phi + J rowP^T rowP,  U := Phi^T U + J rowP^T row,  y likewise */
static void lift(state* s, const apl_node* n, const satellites* sat, joint_block* B) {
  const real* Phi = s->work + work_Phi(n);
  real* U = s->work + work_U(n);

  B->I = slaved_inertia(Phi, B->I);
  B->y = rows_mul_t(Phi, B->y);
  for (int k = 0; k < n->nv; ++k) {
    const twist u = column(U, k);
    const wrench lifted = rows_mul_t(Phi, (wrench){u.w, u.v});
    set_column(U, k, (twist){lifted.n, lifted.f});
  }
  for (int i = 0; i < n->nsat; ++i) {
    const twist p = column(sat->rowP, i);
    const real J = sat->J[i];

    /* I += J rowP^T rowP */
    B->I = reduce(B->I, (accel){p.w, p.v}, -J);
    B->y = wrench_add(B->y, wrench_scale(J * sat->bias[i], (wrench){p.w, p.v}));
    for (int k = 0; k < n->nv; ++k) {
      const twist Jp = twist_scale(J * sat->row[i * n->nv + k], p);
      set_column(U, k, twist_add(column(U, k), Jp));
    }
  }
}

/* U = I S, D = S^T U + J row^T row, r = tau - S^T y - J row^T bias */
static void joint_balance(const apl_model* m, state* s, const apl_node* n, const satellites* sat,
                          joint_block* B) {
  const int nv = n->nv;
  const real* S = s->work + work_S(n);
  real* D = s->work + work_D(n);
  real* r = s->work + work_r(n);

  for (int k = 0; k < nv; ++k) {
    const twist Sk = column(S, k);
    const wrench IS = inertia6_mul(B->I, (accel){Sk.w, Sk.v});
    set_column(s->work + work_U(n), k, (twist){IS.n, IS.f});
    for (int j = 0; j <= k; ++j)
      D[k * nv + j] = power(column(S, j), IS);
    r[k] = s->tau[n->v0 + k] - power(Sk, B->y);
    if (has_efforts(m)) r[k] += s->Q[n->v0 + k];
  }
  for (int i = 0; i < n->nsat; ++i) {
    const real* row = sat->row + i * nv;
    for (int k = 0; k < nv; ++k) {
      for (int j = 0; j <= k; ++j)
        D[k * nv + j] += sat->J[i] * row[k] * row[j];
      r[k] -= sat->J[i] * row[k] * sat->bias[i];
    }
  }
}

static mask in_joint(const apl_model* m, state* s, const apl_node* n) {
  const int f = n->frame;
  const bool moves = n->nv > 0 && !n->joint_prescribed;
  joint_block B = {.I = s->I[f], .y = wrench_add(s->W[f], inertia6_mul(s->I[f], s->c[f]))};
  mask bad = real_less(real_of(0.0), real_of(0.0));
  satellites sat;

  if (n->nsat > 0) ask_satellites(m, s, n, &sat);
  if (n->joint_prescribed) {
    /* S a is known, and so is the spin that goes with it */
    const twist Sa = columns_mul(s->work + work_S(n), s->a + n->v0, n->nv);
    B.y = wrench_add(B.y, inertia6_mul(B.I, (accel){Sa.w, Sa.v}));
    for (int i = 0; i < n->nsat; ++i) {
      for (int k = 0; k < n->nv; ++k)
        sat.bias[i] += sat.row[i * n->nv + k] * s->a[n->v0 + k];
    }
    zero(s->work + work_U(n), 6 * n->nv);
  }
  if (moves) joint_balance(m, s, n, &sat, &B);
  if (n->slaved) lift(s, n, &sat, &B);
  if (moves) {
    bad =
        eliminate(&B.I, &B.y, s->work + work_U(n), s->work + work_D(n), s->work + work_r(n), n->nv);
  }

  if (n->slaved) {
    s->I[n->up] = inertia6_add(s->I[n->up], B.I);
    s->W[n->up] = wrench_add(s->W[n->up], B.y);
  } else {
    pass_up(s, f, n->up, B.I, B.y);
  }
  return bad;
}

static failure sweep_in(const apl_model* m, state* s) {
  const bool extra = has_efforts(m);
  failure fail = no_failure();

  for (int i = m->nnode - 1; i >= 0; --i) {
    const apl_node* n = &m->node[i];

    if (n->path == PATH_GENERAL) {
      if (n->nx > 0) note(&fail, in_body(m, s, n), n->link);
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

/* a = D^-1 (r - U^T A'), A' = Phi A_up + c (r of one-freedom joints leaves c in A') */
HOT_INLINE void out_axis(state* s, const apl_node* n, int i) {
  const int f = n->frame;
  const accel U = s->U[i];
  accel A = accel_add(accel_to(s->X_up[f].R, s->X_up[f].p, s->A[n->up]), s->c[f]);
  const real a = s->D[i] * (s->r[i] - dot(U.dw, A.dw) - dot(U.a, A.a));

  s->a[n->v0] = a;
  if (n->path == PATH_REVOLUTE) {
    A.dw.z += a;
  } else {
    A.a.z += a;
  }
  s->A[f] = A;
}

/* Effort of a prescribed joint: S^T W + J row^T (row a + rowP A_up + bias) - Q. */
static void prescribed_effort(const apl_model* m, state* s, const apl_node* n) {
  const int f = n->frame, nv = n->nv;
  const wrench W = wrench_add(s->W[f], inertia6_mul(s->I[f], s->A[f]));
  const accel A_up = s->A[n->up];
  satellites sat;

  if (n->nsat > 0) ask_satellites(m, s, n, &sat);
  for (int k = 0; k < nv; ++k) {
    real tau = power(column(s->work + work_S(n), k), W);
    for (int i = 0; i < n->nsat; ++i) {
      const real rate = sat.bias[i] + satellite_sum(&sat, n, i, s->a + n->v0, A_up.dw, A_up.a);
      tau += sat.J[i] * sat.row[i * nv + k] * rate;
    }
    if (has_efforts(m)) tau -= s->Q[n->v0 + k];
    s->tau[n->v0 + k] = tau;
  }
}

static void out_joint(const apl_model* m, state* s, const apl_node* n) {
  const int nv = n->nv, f = n->frame;

  if (nv > 0 && !n->joint_prescribed) {
    /* a = D^-1 (r - U^T A), A = Phi A_up without c; slaved joints have Phi inside U */
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
  const real *U = s->work + work_xU(n), *D = s->work + work_xD(n), *h = s->work + work_xh(n);
  real* xdd = s->a + n->xv0;

  if (n->body_prescribed) {
    for (int k = 0; k < nx; ++k) {
      const twist u = column(U, k);
      real tau = h[k] + dot(u.w, A.dw) + dot(u.v, A.a);
      for (int j = 0; j < nx; ++j)
        tau += D[j > k ? j * nx + k : k * nx + j] * xdd[j];
      if (has_efforts(m)) tau -= s->Q[n->xv0 + k];
      s->tau[n->xv0 + k] = tau;
    }
  } else {
    eliminated(U, D, h, nx, A, xdd);
  }
  for (int p = 0; p < n->nport; ++p)
    s->A[n->port0 + p] = port_acceleration(s, n, p, xdd);
}

/* A pivot fails for bad numbers too: then the state is to blame, not the model. */
static apl_status singular_or_not_finite(const apl_model* m, state* s) {
  const bool fine = all_finite(s->q, m->nq) && all_finite(s->v, m->nv) && all_finite(s->tau, m->nv);

  if (!fine) s->head.trouble = -1;
  return fine ? APL_ERR_SINGULAR : APL_ERR_NOT_FINITE;
}

static failure space_sweeps(const apl_model* m, state* s) {
  sweep_out(m, s);
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

static apl_status forward(const apl_model* m, apl_state* head) {
  state* s = hot(head);

  prepare(m, s);
  efforts(m, s);
  const failure fail = m->flat ? plane_sweeps(m, s) : space_sweeps(m, s);
  head->trouble = fail.link;
  if (mask_any(fail.any)) return singular_or_not_finite(m, s);
  const bool fine = all_finite(s->a, m->nv) && all_finite(s->tau, m->nv);
  return fine ? APL_OK : APL_ERR_NOT_FINITE;
}
