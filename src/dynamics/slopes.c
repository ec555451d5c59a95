/* SPDX-License-Identifier: Apache-2.0 */
/* slopes.c: analytical derivatives of inverse dynamics for rigid trees, O(n depth): only pairs of
   freedoms on one path to the world are coupled. Theory and equation numbers:
   docs/theory/derivatives.md.

   In world axes at the root of a tree, a displacement T of a joint moves all links further out as
   one rigid body. In axes that move with them, their velocities and accelerations change by the
   same twists for all of them:

     dV = V_up x T + dS v          dA = A_up x T + V_up x dV + dS a + dc + V x dS v       (3), (4)

   so their total wrench changes by I dA + 2B dV, with composites I and B of these links (5). A
   change of velocity has the same form with dV = S and dA = (V_up + V) x S + dc (6). */
#include "dynamics/derive.h"
#include "dynamics/efforts.h"
#include "dynamics/inverse.h"
#include "dynamics/satellites.h"
#include "dynamics/world.h"

static bool loaded_wrenches(const apl_model* m, apl_state* s) {
  return has_wrenches(m, hot(s));
}

static bool tells_tangent(const apl_node* n) {
  return n->nt + n->nv == 0 || joint_ops_of(n->joint)->tangent != NULL;
}

#if REAL_WIDTH == 1

/* ad*(V) W: the rate of a wrench that is fixed in a body moving with V */
HOT_INLINE wrench wrench_cross(twist V, wrench W) {
  return (wrench){add(cross(V.w, W.n), cross(V.v, W.f)), cross(V.w, W.f)};
}

/* -------------------------------------------------------------------------------- outwards ---- */

/* Terms of a single body: f = I A + V x* I V, p = m v + w x h, and with 2 J - tr J in place of J
     N = [w] (2 J - tr J) - 2 v h^T + 2 (h . v)                                               (5) */
HOT_INLINE void slope_body(slope_frame* b) {
  const vec3 w = b->V.w, v = b->V.v, h = b->I.h;
  const real trace = b->I.J.xx + b->I.J.yy + b->I.J.zz, hv = 2.0 * dot(h, v);
  const sym3 J = {2.0 * b->I.J.xx - trace, 2.0 * b->I.J.yy - trace, 2.0 * b->I.J.zz - trace,
                  2.0 * b->I.J.xy,         2.0 * b->I.J.xz,         2.0 * b->I.J.yz};
  mat3 N = skew_sym(w, J);

  N.xx += hv - 2.0 * v.x * h.x, N.xy -= 2.0 * v.x * h.y, N.xz -= 2.0 * v.x * h.z;
  N.yx -= 2.0 * v.y * h.x, N.yy += hv - 2.0 * v.y * h.y, N.yz -= 2.0 * v.y * h.z;
  N.zx -= 2.0 * v.z * h.x, N.zy -= 2.0 * v.z * h.y, N.zz += hv - 2.0 * v.z * h.z;
  b->N = N;
  b->p = add(scale(b->I.m, v), cross(w, h));
  b->f = wrench_add(rigid_mul(b->I, b->A), wrench_cross(b->V, rigid_mul(b->I, b->V)));
}

/* Derivatives of the joint itself, in body axes. */
typedef struct joint_slopes {
  const real* T;     /* [6*nt]                                                                    */
  const real* local; /* NULL: S is constant and c zero                                            */
} joint_slopes;

static joint_slopes ask_slopes(const state* s, const apl_node* n, const real* local, real* T) {
  const joint_in in = joint_input(s, n);

  if (local != NULL) {
    for (int k = 0; k < n->nt; ++k)
      memcpy(T + 6 * k, local + local_direction(n->nv, k), 6 * sizeof *T);
    return (joint_slopes){T, local};
  }
  joint_ops_of(n->joint)->tangent(&in, T);
  for (int k = 0; n->back != 0 && k < n->nt; ++k) {
    mat3 back;
    memcpy(&back, s->par + n->back, sizeof back);
    const twist one = column(T, k);
    set_column(T, k, (twist){mul_t(back, one.w), mul_t(back, one.v)});
  }
  return (joint_slopes){T, NULL};
}

HOT_INLINE void put_slot(slope_slot* slot, twist S, twist T, twist dV, twist dA, twist vA) {
  real s[6], q[6], v[6];

  set_column(s, 0, S);
  set_column(q, 0, dA);
  set_column(v, 0, vA);
  set_column(slot->T, 0, T);
  for (int k = 0; k < 6; ++k) {
    slot->S[k] = (slope_pair){s[k], s[k]};
    slot->far[k] = (slope_pair){q[k], v[k]};
  }
  slot->near[0] = (slope_pair){dV.w.x, S.w.x};
  slot->near[1] = (slope_pair){dV.w.y, S.w.y};
  slot->near[2] = (slope_pair){dV.w.z, S.w.z};
}

/* A joint along a fixed axis: T = S. */
HOT_INLINE void slot_axis(const state* s, const apl_node* n, const slope_frame* up,
                          const slope_frame* own, slope_slot* slot) {
  const twist S = world_column(s, n->v0), dV = twist_cross(up->V, S);
  const twist dA = twist_add(twist_cross(up->A, S), twist_cross(up->V, dV));

  put_slot(slot, S, S, dV, dA, twist_add(dV, twist_cross(own->V, S)));
}

/* Any other joint. */
static void slots_general(const state* s, const apl_node* n, pose X, const slope_frame* up,
                          const slope_frame* own, const real* local, slope_slot* slot) {
  const int nv = n->nv, nt = n->nt;
  real room[6 * APL_MAX_NV];
  const joint_slopes slopes = ask_slopes(s, n, local, room);

  for (int k = 0; k < nv || k < nt; ++k) {
    twist S = twist_zero(), T = S, dV = S, dA = S, vA = S;

    if (k < nt) {
      T = twist_from(X, column(slopes.T, k));
      dV = twist_cross(up->V, T);
      dA = twist_cross(up->A, T);
      if (local != NULL) {
        const real* own_slopes = local + local_direction(nv, k) + 6;
        const twist Sv = twist_from(X, columns_mul(own_slopes, s->v + n->v0, nv));
        const twist Sa = twist_from(X, columns_mul(own_slopes, s->a + n->v0, nv));
        const twist c = twist_from(X, column(own_slopes, nv));
        dV = twist_add(dV, Sv);
        dA = twist_add(dA, twist_add(twist_add(Sa, c), twist_cross(own->V, Sv)));
      }
      dA = twist_add(dA, twist_cross(up->V, dV));
    }
    if (k < nv) {
      S = world_column(s, n->v0 + k);
      vA = twist_cross(twist_add(up->V, own->V), S);
      if (local != NULL) {
        const twist c = column(local + local_velocity(nv, nt, k), 0);
        vA = twist_add(vA, twist_from(X, c));
      }
    }
    put_slot(&slot[k], S, T, dV, dA, vA);
  }
}

static void slope_node(const apl_model* m, state* s, int i, const slope_room* room) {
  const apl_node* n = &m->node[i];
  const int f = n->frame;
  const slope_frame* up = &room->frame[n->up];
  slope_frame* own = &room->frame[f];
  slope_slot* slot = room->slot + room->first[i];
  const bool axis = n->path != PATH_GENERAL;
  const twist c_body = axis ? twist_zero() : ask_joint(s, n, twist_zero());

  s->X[f] = pose_mul(s->X[n->up], axis ? fast_pose(s, n) : s->X_up[f]);
  const pose X = root_pose(s, n, f);
  joint_columns(s, n, X);
  const twist Sv = columns_mul(s->world + 6 * n->v0, s->v + n->v0, n->nv);
  const twist Sa = columns_mul(s->world + 6 * n->v0, s->a + n->v0, n->nv);

  /* V = V_up + S v,  A = A_up + S a + V x S v + c                                            (1) */
  own->V = twist_add(up->V, Sv);
  own->A = twist_add(twist_add(up->A, Sa), twist_cross(own->V, Sv));
  if (!axis) own->A = twist_add(own->A, twist_from(X, c_body));
  own->I = rigid_from(X.R, X.p, par_inertia(s, m->frame[f].inertia));
  slope_body(own);
  if (axis) {
    slot_axis(s, n, up, own, slot);
  } else if (n->nv + n->nt > 0) {
    slots_general(s, n, X, up, own, room->at[i] < 0 ? NULL : room->local + room->at[i], slot);
  }
}

/* --------------------------------------------------------------------------------- inwards ---- */

/* Coupling of a slot with the slots between it and the world: F gives their efforts per change of
   this slot; G and H give this slot's effort per change of theirs. */
typedef struct slope_reach {
  slope_pair F[6]; /* wrench per unit of (q, v)                                                   */
  slope_pair G[6]; /* I S, twice ...                                                              */
  slope_pair H[3]; /* ... and (2B)^T S, whose linear half is zero */
} slope_reach;

/* 2B dV                                                                                      (5) */
HOT_INLINE wrench slope_rate(const slope_frame* c, vec3 dw) {
  return (wrench){mul(c->N, dw), scale(2.0, cross(dw, c->p))};
}

HOT_INLINE void slope_reaches(const slope_frame* c, const slope_slot* slot, slope_reach* out) {
  const twist T = column(slot->T, 0);
  twist S, dA, vA;
  vec3 dw;
  real g[6], q[6], v[6];

  for (int k = 0; k < 6; ++k)
    g[k] = slot->S[k][0], q[k] = slot->far[k][0], v[k] = slot->far[k][1];
  S = column(g, 0), dA = column(q, 0), vA = column(v, 0);
  dw = (vec3){slot->near[0][0], slot->near[1][0], slot->near[2][0]};

  const wrench G = rigid_mul(c->I, S);
  const vec3 H = add(mul_t(c->N, S.w), scale(2.0, cross(c->p, S.v)));
  const wrench Fq =
      wrench_add(wrench_add(rigid_mul(c->I, dA), slope_rate(c, dw)), wrench_cross(T, c->f));
  const wrench Fv = wrench_add(rigid_mul(c->I, vA), slope_rate(c, S.w));
  set_column(g, 0, (twist){G.n, G.f});
  set_column(q, 0, (twist){Fq.n, Fq.f});
  set_column(v, 0, (twist){Fv.n, Fv.f});
  for (int k = 0; k < 6; ++k) {
    out->F[k] = (slope_pair){q[k], v[k]};
    out->G[k] = (slope_pair){g[k], g[k]};
  }
  out->H[0] = (slope_pair){H.x, H.x};
  out->H[1] = (slope_pair){H.y, H.y};
  out->H[2] = (slope_pair){H.z, H.z};
}

/* S_above . (F_q, F_v)                                                                      (8) */
HOT_INLINE slope_pair slope_up(const slope_reach* r, const slope_slot* above) {
  return ((above->S[0] * r->F[0] + above->S[1] * r->F[1]) +
          (above->S[2] * r->F[2] + above->S[3] * r->F[3])) +
         (above->S[4] * r->F[4] + above->S[5] * r->F[5]);
}

/* G . dA_above + H . dw_above                                                               (7) */
HOT_INLINE slope_pair slope_down(const slope_reach* r, const slope_slot* above) {
  return (((above->far[0] * r->G[0] + above->far[1] * r->G[1]) +
           (above->far[2] * r->G[2] + above->far[3] * r->G[3])) +
          (above->far[4] * r->G[4] + above->far[5] * r->G[5])) +
         ((above->near[0] * r->H[0] + above->near[1] * r->H[1]) + above->near[2] * r->H[2]);
}

/* S_above . I S: entry of the mass matrix */
HOT_INLINE real slope_mass(const slope_reach* r, const slope_slot* above) {
  const slope_pair x = ((above->S[0] * r->G[0] + above->S[1] * r->G[1]) +
                        (above->S[2] * r->G[2] + above->S[3] * r->G[3])) +
                       (above->S[4] * r->G[4] + above->S[5] * r->G[5]);
  return x[0];
}

/* Slots of one joint with each other. If S depends on q, dS^T f is added. */
static void own_slots(const apl_model* m, state* s, int i, const slope_room* room,
                      const slope_reach* r, const slope_index* at, real* dq, real* dv) {
  const apl_node* n = &m->node[i];
  const slope_frame* c = &room->frame[n->frame];
  const real* local = room->at[i] < 0 ? NULL : room->local + room->at[i];

  for (int b = room->first[i]; b < room->first[i + 1]; ++b) {
    const slope_index* to = &room->index[b];
    const slope_pair y = slope_down(r, &room->slot[b]);

    if (to->v >= 0) dv[at->v * m->nv + to->v] = y[1];
    if (to->v >= 0 && room->M != NULL)
      room->M[at->v * m->nv + to->v] = slope_mass(r, &room->slot[b]);
    if (to->t < 0) continue;
    real sum = y[0];
    if (local != NULL) {
      const real* dS = local + local_direction(n->nv, to->t - n->t0) + 6;
      sum += power(twist_from(root_pose(s, n, n->frame), column(dS, at->v - n->v0)), c->f);
    }
    dq[at->v * m->nt + to->t] = sum;
  }
}

HOT_INLINE void slots_above(const apl_model* m, const slope_room* room, const slope_reach* r,
                            const slope_index* at, int first, bool square, real* dq, real* dv) {
  const int nt = m->nt, nv = m->nv, v = at->v, t = at->t;
  real* M = v >= 0 ? room->M : NULL;

  for (int j = first; j >= 0; j = room->index[j].next) {
    const slope_index* to = &room->index[j];
    const slope_pair x = slope_up(r, &room->slot[j]), y = slope_down(r, &room->slot[j]);

    if (square || (to->v >= 0 && t >= 0)) dq[to->v * nt + t] = x[0];
    if (square || (to->v >= 0 && v >= 0)) dv[to->v * nv + v] = x[1];
    if (square || (to->t >= 0 && v >= 0)) dq[v * nt + to->t] = y[0];
    if (square || (to->v >= 0 && v >= 0)) dv[v * nv + to->v] = y[1];
    if (M != NULL && to->v >= 0) M[v * nv + to->v] = slope_mass(r, &room->slot[j]);
  }
}

static void slope_inwards(const apl_model* m, state* s, int i, const slope_room* room, real* dq,
                          real* dv) {
  const apl_node* n = &m->node[i];
  const slope_frame* c = &room->frame[n->frame];
  slope_frame* up = &room->frame[n->up];
  slope_reach r;

  for (int a = room->first[i]; a < room->first[i + 1]; ++a) {
    const slope_index* at = &room->index[a];

    slope_reaches(c, &room->slot[a], &r);
    if (at->v >= 0) own_slots(m, s, i, room, &r, at, dq, dv);
    if (room->square) {
      slots_above(m, room, &r, at, room->above[i], true, dq, dv);
    } else {
      slots_above(m, room, &r, at, room->above[i], false, dq, dv);
    }
  }
  if (n->up == 0) return;
  up->I.m += c->I.m;
  up->I.h = add(up->I.h, c->I.h);
  up->I.J = sym3_add(up->I.J, c->I.J);
  up->N = mat3_add(up->N, c->N);
  up->p = add(up->p, c->p);
  up->f = wrench_add(up->f, c->f);
}

/* Derivatives of inertia and weight. Forces of joints are in local_slopes(); models with other
   forces do not use this function. */
static apl_status rigid_slopes(const apl_model* m, apl_state* head, const slope_room* room,
                               double* dq, double* dv) {
  state* s = hot(head);

  head->factored = FACTORED_NOT; /* joints overwrite the memory of the factors */
  zero(dq, m->nv * m->nt);
  zero(dv, m->nv * m->nv);
  sincos_sweep(s->q, m->angle, m->nangle, s->sc);
  s->X[0] = pose_identity_real();
  room->frame[0] = (slope_frame){.A = {vec3_zero(), neg(par_gravity(s))}};
  for (int i = 0; i < m->nnode; ++i)
    slope_node(m, s, i, room);
  for (int i = m->nnode - 1; i >= 0; --i)
    slope_inwards(m, s, i, room, dq, dv);
  return all_finite(s->q, m->nq) && all_finite(s->v, m->nv) && all_finite(s->a, m->nv)
             ? APL_OK
             : APL_ERR_NOT_FINITE;
}

#else

static apl_status rigid_slopes(const apl_model* m, apl_state* head, const slope_room* room,
                               double* dq, double* dv) {
  (void)m, (void)head, (void)room, (void)dq, (void)dv;
  return APL_ERR_ARGUMENT;
}

#endif

/* ------------------------------------------------------------------- joints by complex steps ----

   A joint that is not slaved depends on its own q and v only. So one complex step serves all joints
   at once: direction k of each joint is displaced together. */

#if defined(APL_REAL_COMPLEX)

HOT_INLINE vec3 imaginary(vec3 a) {
  return (vec3){cimag(a.x), cimag(a.y), cimag(a.z)};
}

static void put_imaginary(const real* from, int n, double step, double* out) {
  for (int i = 0; i < n; ++i)
    out[i] = cimag(from[i]) / step;
}

/* Twist of a displacement: [w] = R^T dR, v = R^T dp */
static void displacement_twist(pose X, double step, double* out) {
  mat3 D = X.R;
  real T[6];

  for (int i = 0; i < 9; ++i)
    ((real*)&D)[i] = cimag(((real*)&D)[i]);
  const mat3 Rt = {X.R.xx, X.R.yx, X.R.zx, X.R.xy, X.R.yy, X.R.zy, X.R.xz, X.R.yz, X.R.zz};
  const mat3 W = mat3_mul(Rt, D);
  set_column(T, 0, (twist){{W.zy, W.xz, W.yx}, mul_t(X.R, imaginary(X.p))});
  for (int k = 0; k < 6; ++k)
    out[k] = creal(T[k]) / step;
}

/* Derivatives of pose, S and c of the joint of node n along direction k of its tangent, or by its
   velocity k. */
static void joint_local(state* s, const apl_node* n, int k, bool by_velocity, double step,
                        double* local) {
  const twist c = ask_joint(s, n, twist_zero());
  real bias[6];

  set_column(bias, 0, c);
  if (by_velocity) {
    if (k < n->nv) put_imaginary(bias, 6, step, local + local_velocity(n->nv, n->nt, k));
    return;
  }
  if (k >= n->nt) return;
  double* out = local + local_direction(n->nv, k);
  displacement_twist(s->X_up[n->frame], step, out);
  put_imaginary(s->work + work_S(n), 6 * n->nv, step, out + 6);
  put_imaginary(bias, 6, step, out + 6 + 6 * n->nv);
}

/* Derivatives of each joint's own efforts: those of wheels and rotors minus passive forces and
   inputs. */
static apl_status local_slopes(const apl_model* m, apl_state* head, const slope_room* room, int k,
                               bool by_velocity, double step, double* effort) {
  state* s = hot(head);
  real* tau = s->column;

  prepare(m, s);
  efforts(m, s);
  for (int i = 0; i < m->nv; ++i)
    tau[i] = has_efforts(m) ? -s->Q[i] : real_of(0.0);
  for (int i = 0; i < m->nnode; ++i) {
    const apl_node* n = &m->node[i];

    if (n->nspin > 0) satellite_efforts(m, s, n, s->a, tau);
    if (k >= 0 && room->at[i] >= 0)
      joint_local(s, n, k, by_velocity, step, room->local + room->at[i]);
  }
  put_imaginary(tau, m->nv, step, effort);
  return finite_status(tau, m->nv);
}

#else

static apl_status local_slopes(const apl_model* m, apl_state* head, const slope_room* room, int k,
                               bool by_velocity, double step, double* effort) {
  (void)m, (void)head, (void)room, (void)k, (void)by_velocity, (void)step, (void)effort;
  return APL_ERR_ARGUMENT;
}

#endif
