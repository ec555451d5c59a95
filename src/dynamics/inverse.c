/* SPDX-License-Identifier: Apache-2.0 */
/* inverse.c: efforts for a given motion, by two sweeps (Gibbs-Appell). Outwards: accelerations of
   all frames and the inertial wrench of each body. Inwards: wrenches are passed to the frame above,
   and the effort of each joint and each deformation is the projection of its wrench. Theory:
   docs/theory/passes.md, 2. */
#include "dynamics/efforts.h"
#include "dynamics/inverse.h"
#include "dynamics/motion.h"
#include "dynamics/outward.h"
#include "dynamics/satellites.h"

/* Inertial wrench and deformation efforts of a deformable body, without those from its ports. */
static wrench body_wrench(state* s, const apl_node* n, const real* a, real* tau) {
  const int nx = n->nx;
  const accel A = s->A[n->frame];
  const real* xdd = a + n->xv0;
  body_block B;

  ask_body(s, n, s->w[n->frame], &B);
  s->body_I[n - s->head.model->node] = B.I; /* for tally_moved() */
  for (int k = 0; k < nx; ++k) {
    const twist u = column(B.U, k);
    real sum = B.h[k] + dot(u.w, A.dw) + dot(u.v, A.a);
    for (int j = 0; j < nx; ++j)
      sum += B.D[k * nx + j] * xdd[j];
    tau[n->xv0 + k] = sum;
  }
  const twist y = columns_mul(B.U, xdd, nx);
  return wrench_add(wrench_add(B.b, inertia6_mul(B.I, A)), (wrench){y.w, y.v});
}

/* Satellites (wheels, rotors): effort = sum J row^T spin'; those of slaved joints also give a
   wrench on the frame above. */
static void satellite_efforts(const apl_model* m, state* s, const apl_node* n, const real* a,
                              real* tau) {
  const accel A_up = s->A[n->up];
  satellites sat;

  ask_satellites(m, s, n, &sat);
  for (int k = 0; k < n->nsat; ++k) {
    const real rate = sat.bias[k] + satellite_sum(&sat, n, k, a + n->v0, A_up.dw, A_up.a);
    const real effort = sat.J[k] * rate;

    for (int j = 0; j < n->nv; ++j)
      tau[n->v0 + j] += sat.row[k * n->nv + j] * effort;
    if (n->slaved) {
      const twist p = column(sat.rowP, k);
      s->W[n->up] = wrench_add(s->W[n->up], (wrench){scale(effort, p.w), scale(effort, p.v)});
    }
  }
}

static void in_general(const apl_model* m, state* s, const apl_node* n, const real* a, real* tau) {
  const int f = n->frame;

  if (n->nx > 0) {
    /* wrenches of the ports first: W_B += Ad^-T W_p, tau += S_p^T W_p */
    wrench W = wrench_add(s->W[f], body_wrench(s, n, a, tau));
    for (int p = 0; p < n->nport; ++p) {
      const wrench Wp = s->W[n->port0 + p];
      const real* S = s->work + work_port(n, p);
      for (int k = 0; k < n->nx; ++k)
        tau[n->xv0 + k] += power(column(S, k), Wp);
      W = wrench_add(W, wrench_from(s->X_up[n->port0 + p], Wp));
    }
    s->W[f] = W;
  }
  if (!has_joint(n)) return;

  const wrench W = s->W[f];
  for (int k = 0; k < n->nv; ++k)
    tau[n->v0 + k] = power(column(s->work + work_S(n), k), W);
  const wrench W_up = n->slaved ? rows_mul_t(s->work + work_Phi(n), W) : wrench_from(s->X_up[f], W);
  s->W[n->up] = wrench_add(s->W[n->up], W_up);
  if (n->nsat > 0) satellite_efforts(m, s, n, a, tau);
}

/* Inertial wrench of each frame's rigid bodies, minus the wrenches applied to it. */
static inline void frame_wrenches(const apl_model* m, state* s) {
  const bool loaded = has_wrenches(m, s);

  s->W[0] = wrench_zero();
  for (int f = 1; f < m->nframe; ++f) {
    s->W[f] = rigid_wrench(par_inertia(s, m->frame[f].inertia), s->w[f], s->A[f]);
    if (loaded) s->W[f] = wrench_sub(s->W[f], s->F[f]);
  }
}

static void inverse_of(const apl_model* m, state* s, const real* a, real* tau) {
  prepare(m, s);
  efforts(m, s);
  outward(m, s, a);
  frame_wrenches(m, s);

  for (int i = m->nnode - 1; i >= 0; --i) {
    const apl_node* n = &m->node[i];
    const int f = n->frame;

    if (n->path == PATH_GENERAL) {
      in_general(m, s, n, a, tau);
      continue;
    }
    /* tau = S^T W + armature q'' */
    const wrench W = s->W[f];
    const real armature = s->par[n->par + PAR_ARMATURE];
    tau[n->v0] = (n->path == PATH_REVOLUTE ? W.n.z : W.f.z) + armature * a[n->v0];
    s->W[n->up] = wrench_add(s->W[n->up], wrench_from(s->X_up[f], W));
  }
  if (has_efforts(m)) {
    for (int i = 0; i < m->nv; ++i)
      tau[i] -= s->Q[i];
  }
}

static apl_status inverse(const apl_model* m, apl_state* head) {
  state* s = hot(head);

  inverse_of(m, s, s->a, s->tau);
  return finite_status(s->tau, m->nv);
}

static apl_status bias(const apl_model* m, apl_state* head, double* h) {
  state* s = hot(head);

  zero(s->column, m->nv);
  inverse_of(m, s, s->column, (real*)(void*)h);
  return finite_status((const real*)(const void*)h, m->nv);
}
