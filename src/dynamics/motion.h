/* SPDX-License-Identifier: Apache-2.0 */
/* motion.h: how a node moves its frames: poses, angular velocities, velocity products.

   Every motion has the form  A = Phi A_up + S a + c.  A is (angular acceleration; acceleration of
   the origin) minus gravity, in the axes of the frame. Forces do not depend on a constant velocity
   (Galilean invariance), so ordinary joints and bodies are evaluated as if the origin above were at
   rest. Slaved joints are constrained to the ground and need the true velocities. See
   docs/decisions/002. */
#pragma once

#include "dynamics/state_hot.h"

static inline void set_world(state* s) {
  s->w[0] = vec3_zero();
  s->A[0] = (accel){vec3_zero(), neg(par_gravity(s))};
}

/* ------------------------------------------------------------------------ dedicated paths ---- */

/* R = R_tree Rz(q) */
HOT_INLINE mat3 revolute_rotation(const state* s, const apl_node* n, pose tree) {
  return mat3_turn_z(tree.R, s->sc[2 * n->sc0], s->sc[2 * n->sc0 + 1]);
}

/* p = p_tree + R_tree z q */
HOT_INLINE vec3 prismatic_position(const state* s, const apl_node* n, pose tree) {
  return add(tree.p, scale(s->q[n->q0], (vec3){tree.R.xz, tree.R.yz, tree.R.zz}));
}

/* Pose of the body frame in the frame above, for revolute and prismatic joints, inline. */
HOT_INLINE pose fast_pose(const state* s, const apl_node* n) {
  const pose tree = par_pose(s, n->par + PAR_TREE);

  if (n->path == PATH_REVOLUTE) return (pose){revolute_rotation(s, n, tree), tree.p};
  return (pose){tree.R, prismatic_position(s, n, tree)};
}

/* -------------------------------------------------------------------------- general path ---- */

static inline joint_in joint_input(const state* s, const apl_node* n) {
  return (joint_in){s->par + n->jpar, s->q + n->q0, s->v + n->v0, s->sc + 2 * n->sc0, twist_zero()};
}

/* Column k of S of any node. On the general path only after ask_joint(). */
static inline twist joint_column(const state* s, const apl_node* n, int k) {
  const real o = real_of(0.0), i = real_of(1.0);

  if (n->path == PATH_REVOLUTE) return (twist){{o, o, i}, {o, o, o}};
  if (n->path == PATH_PRISMATIC) return (twist){{o, o, o}, {o, o, i}};
  return column(s->work + work_S(n), k);
}

/* Phi_up = Phi Ad(tree)^-1, so that it acts on twists of the frame above. Each row of Phi
   transforms like a wrench: (a b) becomes (R a + p x R b ; R b). */
static void slaved_from_above(pose tree, real* Phi) {
  for (int i = 0; i < 6; ++i) {
    real* f = Phi + 6 * i;
    const wrench W = wrench_from(tree, (wrench){{f[0], f[1], f[2]}, {f[3], f[4], f[5]}});
    f[0] = W.n.x, f[1] = W.n.y, f[2] = W.n.z;
    f[3] = W.f.x, f[4] = W.f.y, f[5] = W.f.z;
  }
}

static inline twist rows_mul(const real* Phi, twist V) {
  real r[6];
  for (int i = 0; i < 6; ++i) {
    const real* f = Phi + 6 * i;
    r[i] = f[0] * V.w.x + f[1] * V.w.y + f[2] * V.w.z + f[3] * V.v.x + f[4] * V.v.y + f[5] * V.v.z;
  }
  return (twist){{r[0], r[1], r[2]}, {r[3], r[4], r[5]}};
}

/* Phi^T W */
static inline wrench rows_mul_t(const real* Phi, wrench W) {
  const real x[6] = {W.n.x, W.n.y, W.n.z, W.f.x, W.f.y, W.f.z};
  real r[6];
  for (int k = 0; k < 6; ++k) {
    r[k] = real_of(0.0);
    for (int i = 0; i < 6; ++i)
      r[k] += Phi[6 * i + k] * x[i];
  }
  return (wrench){{r[0], r[1], r[2]}, {r[3], r[4], r[5]}};
}

/* Evaluate the joint: X_up, S (in the work area), and Phi_up if slaved. Returns (dS/dt) v [+ ...]
   in the axes of the body frame. Only slaved joints use the twist V_up of the frame above. */
static twist ask_joint(state* s, const apl_node* n, twist V_up) {
  const joint_ops* ops = joint_ops_of(n->joint);
  const pose tree = par_pose(s, n->par + PAR_TREE);
  joint_in in = joint_input(s, n);
  joint_out out = {.S = s->work + work_S(n), .Phi = s->work + work_Phi(n)};

  if (n->slaved) in.VP = twist_to(tree, V_up);
  ops->motion(&in, &out);

  if (n->back != 0) {
    /* the joint's axis is z, the body has its own axes: V_body = back^T V_joint */
    mat3 back;
    memcpy(&back, s->par + n->back, sizeof back);
    out.X.R = mat3_mul(out.X.R, back);
    out.c = (twist){mul_t(back, out.c.w), mul_t(back, out.c.v)};
    for (int k = 0; k < n->nv; ++k) {
      const twist S = column(out.S, k);
      set_column(out.S, k, (twist){mul_t(back, S.w), mul_t(back, S.v)});
    }
    for (int k = 0; n->slaved && k < 6; ++k) {
      real* f = out.Phi + k;
      const vec3 w = mul_t(back, (vec3){f[0], f[6], f[12]});
      const vec3 v = mul_t(back, (vec3){f[18], f[24], f[30]});
      f[0] = w.x, f[6] = w.y, f[12] = w.z, f[18] = v.x, f[24] = v.y, f[30] = v.z;
    }
  }
  s->X_up[n->frame] = pose_mul(tree, out.X);
  if (n->slaved) slaved_from_above(tree, out.Phi);
  return out.c;
}

static inline body_in body_input(const state* s, const apl_node* n) {
  return (body_in){s->par + n->bpar, s->q + n->xq0, s->v + n->xv0, n->nx};
}

/* Inertia block and bias of a deformable body whose frame turns at w. U, D and h are stored in the
   work area and overwrite factors, if any were there. */
static inline void ask_body(state* s, const apl_node* n, vec3 w, body_block* B) {
  const body_in in = body_input(s, n);

  s->head.factored = FACTORED_NOT;
  B->U = s->work + work_xU(n);
  B->D = s->work + work_xD(n);
  B->h = s->work + work_xh(n);
  body_ops_of(n->body)->balance(&in, w, B);
  s->body[n - s->head.model->node] = (body_mass){B->I.M.xx, {B->I.H.zy, B->I.H.xz, B->I.H.yx}};
}

/* Pose and motion columns S of the cross-section at port p of a deformable body; S goes to the work
   area. */
static twist ask_section(state* s, const apl_node* n, int p) {
  const int f = n->port0 + p;
  const body_in in = body_input(s, n);
  section out = {.S = s->work + work_port(n, p)};

  body_ops_of(n->body)->shape(&in, s->par + s->head.model->frame[f].section, &out);
  s->X_up[f] = out.X;
  return out.c;
}

/* Angular velocity and velocity products of frame f, whose twist relative to `up` is V_rel = S v:
     V = Ad^-1 (w_up; 0) + V_rel
     c = (dS/dt) v + V x V_rel; adding w x v makes it the acceleration of the origin */
static inline void ordinary_products(state* s, int f, int up, twist V_rel, twist c) {
  const twist V = twist_add(twist_to(s->X_up[f], (twist){s->w[up], vec3_zero()}), V_rel);
  const twist x = twist_cross(V, V_rel);

  s->w[f] = V.w;
  s->c[f] = (accel){add(c.w, x.w), add(add(c.v, x.v), cross(V.w, V.v))};
}

/* The same for a slaved joint, from true velocities. With A' = A + (0; w x v - g):
     c' = Phi (0; g_up - w_up x v_up) + c + (0; w x v - g) */
static void slaved_products(state* s, const apl_node* n, twist c) {
  const int f = n->frame, up = n->up;
  const real* Phi = s->work + work_Phi(n);
  const vec3 g = par_gravity(s);
  const twist Vu = s->V[up], V = s->V[f];
  const vec3 above = sub(mul_t(s->X[up].R, g), cross(Vu.w, Vu.v));
  const twist x = rows_mul(Phi, (twist){vec3_zero(), above});

  s->w[f] = V.w;
  s->c[f] = (accel){add(c.w, x.w), add(add(c.v, x.v), sub(cross(V.w, V.v), mul_t(s->X[f].R, g)))};
}

/* All frames of a node on the general path: X_up, S, w, c. */
static void move_general(state* s, const apl_node* n) {
  if (has_joint(n)) {
    const twist c = ask_joint(s, n, s->V[n->up]);

    if (n->slaved) {
      slaved_products(s, n, c);
    } else {
      const twist V_rel = columns_mul(s->work + work_S(n), s->v + n->v0, n->nv);
      ordinary_products(s, n->frame, n->up, V_rel, c);
    }
  }
  for (int p = 0; p < n->nport; ++p) {
    const twist cp = ask_section(s, n, p);
    const twist V_rel = columns_mul(s->work + work_port(n, p), s->v + n->xv0, n->nx);
    ordinary_products(s, n->port0 + p, n->frame, V_rel, cp);
  }
}

/* Phi A_up + S a at the body frame */
static inline accel joint_moved(const state* s, const apl_node* n, accel A_up, const real* a) {
  const pose X = s->X_up[n->frame];
  const twist Sa = columns_mul(s->work + work_S(n), a, n->nv);
  accel A;

  if (n->slaved) {
    const twist x = rows_mul(s->work + work_Phi(n), (twist){A_up.dw, A_up.a});
    A = (accel){x.w, x.v};
  } else {
    A = accel_to(X.R, X.p, A_up);
  }
  return accel_add(A, (accel){Sa.w, Sa.v});
}

/* Ad^-1 A_body + S x'' at port p */
static inline accel port_moved(const state* s, const apl_node* n, int p, accel A, const real* xdd) {
  const pose X = s->X_up[n->port0 + p];
  const twist Sx = columns_mul(s->work + work_port(n, p), xdd, n->nx);

  return accel_add(accel_to(X.R, X.p, A), (accel){Sx.w, Sx.v});
}

/* The accelerations: the same plus the velocity products c. */
static inline accel joint_acceleration(const state* s, const apl_node* n, const real* a) {
  return accel_add(joint_moved(s, n, s->A[n->up], a), s->c[n->frame]);
}
static inline accel port_acceleration(const state* s, const apl_node* n, int p, const real* xdd) {
  return accel_add(port_moved(s, n, p, s->A[n->frame], xdd), s->c[n->port0 + p]);
}

/* --------------------------------------------------------------------- world and true twist ----
 */

/* World poses X of a node's frames from X_up. */
HOT_INLINE void world_poses(state* s, const apl_node* n) {
  if (has_joint(n)) s->X[n->frame] = pose_mul(s->X[n->up], s->X_up[n->frame]);
  for (int f = n->port0; f < n->port0 + n->nport; ++f)
    s->X[f] = pose_mul(s->X[n->frame], s->X_up[f]);
}

/* X_up and S of a node on the general path. */
HOT_INLINE void place_general(state* s, const apl_node* n) {
  if (has_joint(n)) ask_joint(s, n, twist_zero());
  for (int p = 0; p < n->nport; ++p)
    ask_section(s, n, p);
}

/* X_up of all frames, S of nodes on the general path, and X if asked for. Velocities are not
   used. */
HOT_INLINE void place_frames(const apl_model* m, state* s, bool world) {
  sincos_sweep(s->q, m->angle, m->nangle, s->sc);
  s->X[0] = pose_identity_real();
  for (int i = 0; i < m->nnode; ++i) {
    const apl_node* n = &m->node[i];

    if (n->path != PATH_GENERAL) {
      s->X_up[n->frame] = fast_pose(s, n);
    } else {
      place_general(s, n);
    }
    if (world) world_poses(s, n);
  }
}

static void positions(const apl_model* m, state* s) {
  place_frames(m, s, true);
}

/* True twists V of all frames, after positions(). */
static void velocities(const apl_model* m, state* s) {
  s->V[0] = twist_zero();
  for (int i = 0; i < m->nnode; ++i) {
    const apl_node* n = &m->node[i];
    const int f = n->frame;

    if (has_joint(n)) {
      twist V = n->slaved ? rows_mul(s->work + work_Phi(n), s->V[n->up])
                          : twist_to(s->X_up[f], s->V[n->up]);
      for (int k = 0; k < n->nv; ++k) {
        V = twist_add(V, twist_scale(s->v[n->v0 + k], joint_column(s, n, k)));
      }
      s->V[f] = V;
    }
    for (int p = 0; p < n->nport; ++p) {
      s->V[n->port0 + p] = twist_add(twist_to(s->X_up[n->port0 + p], s->V[f]),
                                     columns_mul(s->work + work_port(n, p), s->v + n->xv0, n->nx));
    }
  }
}

/* Twist of the frame that a slaved joint is mounted on, after velocities(); zero for other joints,
   which do not need it. */
static inline twist hitch_twist(const state* s, const apl_node* n) {
  return n->slaved ? twist_to(par_pose(s, n->par + PAR_TREE), s->V[n->up]) : twist_zero();
}

static inline mask is_closed(const contact* t) {
  return real_less(real_of(0.0), t->on);
}

/* True if the contact may have a force. Constraint rows can also act on a contact that is about to
   close. */
static inline bool contact_acts(const contact* t) {
  return mask_any(mask_or(is_closed(t), real_less(real_of(0.0), t->stick)));
}

/* Contacts need world poses only while one of them is active. */
static inline bool any_contact_acts(const apl_model* m, const state* s) {
  for (int i = 0; i < m->npair; ++i) {
    if (contact_acts(&s->contact[i])) return true;
  }
  return false;
}

/* True if some forces act on frames, or depend on true velocities. */
static inline bool has_wrenches(const apl_model* m, const state* s) {
  return s->head.nload + m->nslaved + m->ndrag + m->npush + m->nstraight + m->npart > 0 ||
         any_contact_acts(m, s);
}

/* Kinematics that every pass with forces needs. */
static inline void prepare(const apl_model* m, state* s) {
  if (has_wrenches(m, s)) {
    positions(m, s);
    velocities(m, s);
  } else {
    sincos_sweep(s->q, m->angle, m->nangle, s->sc);
  }
  set_world(s);
}
