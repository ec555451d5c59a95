/* SPDX-License-Identifier: Apache-2.0 */
/* denoc.c: the decoupled natural orthogonal complement, an independent algorithm for rigid trees.

   In world axes, at the origins of the body frames, twists are  t = N_l N_d v: N_l is made of
   A_i = [1 0; -[r_i] 1] along the tree, N_d of the joints' P_i. Then  M = N_d^T N_l^T M_b N_l N_d,
   and Gaussian elimination from the tips gives M = U D U^T in closed form:
     Psi^_i = M^_i P_i,  D_i = P_i^T Psi^_i,  Psi_i = Psi^_i D_i^-1,  U_ji = P_j^T A^T Psi_i
     M^_up += A_i^T (M^_i - Psi_i Psi^_i^T) A_i
   It shares the joints' S with the recursion, and nothing else. Theory: docs/theory/denoc.md. */
#include "dynamics/efforts.h"
#include "dynamics/satellites.h"
#include "dynamics/sweeps.h"
#include "dynamics/world.h"

/* Work area of one node. Inertia, wrench and twist of the node are stored with its frame. */
typedef struct denoc_node {
  real* P; /* [6*nv] columns                                                                     */
  real* Psi; /* [6*nv] columns */
  real* D; /* [nv*nv] the pivot block, then factored                                             */
  real* phi; /* [nv] */
} denoc_node;

static inline denoc_node denoc_of(const state* s, const apl_node* n) {
  real* at = s->denoc + n->denoc;
  return (denoc_node){at, at + 6 * n->nv, at + 12 * n->nv, at + 12 * n->nv + n->nv * n->nv};
}

/* r_i: from the origin of the frame above to the origin of this node's frame */
static inline vec3 denoc_arm(const state* s, const apl_node* n) {
  return sub(s->X[n->frame].p, s->X[n->up].p);
}

/* A t and A^T W */
static inline twist denoc_down(vec3 r, twist t) {
  return (twist){t.w, add(t.v, cross(t.w, r))};
}
static inline wrench denoc_up(vec3 r, wrench W) {
  return (wrench){add(W.n, cross(r, W.f)), W.f};
}

static inline wrench columns_wrench(const real* C, int k) {
  const twist c = column(C, k);
  return (wrench){c.w, c.v};
}

/* P, the joint's motion subspace, of every node in world axes at its frame's origin. */
static void denoc_columns(const apl_model* m, state* s) {
  positions(m, s);
  for (int i = 0; i < m->nnode; ++i) {
    const apl_node* n = &m->node[i];
    const mat3 R = s->X[n->frame].R;
    const denoc_node d = denoc_of(s, n);

    for (int k = 0; k < n->nv; ++k) {
      const twist S = joint_column(s, n, k);
      set_column(d.P, k, (twist){mul(R, S.w), mul(R, S.v)});
    }
  }
}

/* Twists and their rates, then N_d^T N_l^T (M t' + velocity terms):
     t = A t_up + P v
     t' = A t_up' + (0; w_up x (v - v_up)) + P a + P' v,   P' v = w x (P v) + R (dS/dt) v */
static void denoc_inverse_of(const apl_model* m, state* s, const real* a, real* tau) {
  denoc_columns(m, s);
  if (has_wrenches(m, s)) velocities(m, s); /* body axes, needed by applied forces only */
  efforts(m, s);
  set_world(s);
  s->V[0] = twist_zero();

  for (int i = 0; i < m->nnode; ++i) {
    const apl_node* n = &m->node[i];
    const int f = n->frame;
    const mat3 R = s->X[f].R;
    const vec3 r = denoc_arm(s, n);
    const denoc_node d = denoc_of(s, n);
    const twist t_up = s->V[n->up];
    const accel A_up = s->A[n->up];
    const twist Pv = columns_mul(d.P, s->v + n->v0, n->nv);
    const twist Pa = columns_mul(d.P, a + n->v0, n->nv);
    const twist t = twist_add(denoc_down(r, t_up), Pv);
    twist rate = {cross(t.w, Pv.w), cross(t.w, Pv.v)};

    if (n->path == PATH_GENERAL) {
      const twist c = ask_joint(s, n, twist_zero());
      rate = twist_add(rate, (twist){mul(R, c.w), mul(R, c.v)});
    }
    s->V[f] = t;
    s->A[f] = (accel){add(A_up.dw, add(Pa.w, rate.w)),
                      add(add(A_up.a, cross(A_up.dw, r)),
                          add(cross(t_up.w, sub(t.v, t_up.v)), add(Pa.v, rate.v)))};

    const rigid_inertia I = rigid_from(R, vec3_zero(), par_inertia(s, m->frame[f].inertia));
    s->W[f] = rigid_wrench(I, t.w, s->A[f]);
    if (has_wrenches(m, s)) {
      s->W[f] = wrench_sub(s->W[f], (wrench){mul(R, s->F[f].n), mul(R, s->F[f].f)});
    }
  }
  for (int i = m->nnode - 1; i >= 0; --i) {
    const apl_node* n = &m->node[i];
    const denoc_node d = denoc_of(s, n);
    satellites sat;

    for (int k = 0; k < n->nv; ++k)
      tau[n->v0 + k] = power(column(d.P, k), s->W[n->frame]);
    if (n->nsat > 0) ask_satellites(m, s, n, &sat);
    for (int j = 0; j < n->nsat; ++j) {
      const real* row = sat.row + j * n->nv;
      real spin_rate = sat.bias[j];
      for (int k = 0; k < n->nv; ++k)
        spin_rate += row[k] * a[n->v0 + k];
      for (int k = 0; k < n->nv; ++k)
        tau[n->v0 + k] += row[k] * sat.J[j] * spin_rate;
    }
    if (n->up == 0) continue;
    s->W[n->up] = wrench_add(s->W[n->up], denoc_up(denoc_arm(s, n), s->W[n->frame]));
  }
  if (has_efforts(m)) {
    for (int i = 0; i < m->nv; ++i)
      tau[i] -= s->Q[i];
  }
}

/* D_i and Psi_i of every node, from the tips to the root. D_out, unless NULL, receives the D_i
   before they are factored. */
static failure denoc_eliminate(const apl_model* m, state* s, real* D_out) {
  failure fail = no_failure();

  s->head.factored = FACTORED_NOT; /* the blocks overwrite the articulated inertias */
  denoc_columns(m, s);
  for (int i = 0; i < m->nnode; ++i) {
    const apl_node* n = &m->node[i];
    const rigid_inertia I =
        rigid_from(s->X[n->frame].R, vec3_zero(), par_inertia(s, m->frame[n->frame].inertia));
    s->I[n->frame] = inertia6_of_rigid(I);
  }
  for (int i = m->nnode - 1; i >= 0; --i) {
    const apl_node* n = &m->node[i];
    const int nv = n->nv;
    const denoc_node d = denoc_of(s, n);
    real hat[36];
    satellites sat;

    /* Psi^ = M^ P, D = P^T Psi^ + J row^T row */
    if (n->nsat > 0) ask_satellites(m, s, n, &sat);
    for (int k = 0; k < nv; ++k) {
      const twist Pk = column(d.P, k);
      const wrench h = inertia6_mul(s->I[n->frame], (accel){Pk.w, Pk.v});
      set_column(hat, k, (twist){h.n, h.f});
    }
    for (int k = 0; k < nv; ++k) {
      for (int j = 0; j < nv; ++j) {
        real x = real_of(0.0);
        for (int l = 0; l < 6; ++l)
          x += d.P[6 * j + l] * hat[6 * k + l];
        for (int l = 0; l < n->nsat; ++l)
          x += sat.J[l] * sat.row[l * nv + k] * sat.row[l * nv + j];
        d.D[k * nv + j] = x;
        if (D_out != NULL) D_out[(n->v0 + k) * m->nv + n->v0 + j] = x;
      }
    }
    note(&fail, ldl_factor(d.D, nv, nv), n->link);

    /* Psi = Psi^ D^-1, row by row */
    for (int j = 0; j < 6; ++j) {
      real x[APL_MAX_NV];
      for (int k = 0; k < nv; ++k)
        x[k] = hat[6 * k + j];
      ldl_solve(d.D, nv, nv, x);
      for (int k = 0; k < nv; ++k)
        d.Psi[6 * k + j] = x[k];
    }
    if (n->up == 0) continue;

    /* M^_up += A^T (M^ - Psi Psi^^T) A */
    real B[36];
    inertia6_store(s->I[n->frame], B);
    for (int j = 0; j < 6; ++j) {
      for (int l = 0; l < 6; ++l) {
        for (int k = 0; k < nv; ++k)
          B[6 * j + l] -= d.Psi[6 * k + j] * hat[6 * k + l];
      }
    }
    s->I[n->up] = inertia6_add(s->I[n->up], inertia6_shift(denoc_arm(s, n), inertia6_load(B, 6)));
  }
  return fail;
}

static apl_status denoc_inverse(const apl_model* m, apl_state* head) {
  state* s = hot(head);

  denoc_inverse_of(m, s, s->a, s->tau);
  return all_finite(s->tau, m->nv) ? APL_OK : APL_ERR_NOT_FINITE;
}

/* M = U D U^T: U[nv*nv], D[nv*nv] block diagonal. */
static apl_status denoc_factor(const apl_model* m, apl_state* head, double* U_out, double* D_out) {
  state* s = hot(head);
  real* U = (real*)(void*)U_out;
  real* D = (real*)(void*)D_out;
  const int nv = m->nv;

  zero(U, nv * nv);
  zero(D, nv * nv);
  const failure fail = denoc_eliminate(m, s, D);
  head->trouble = fail.link;
  if (mask_any(fail.any)) return singular_or_not_finite(m, s);

  for (int i = 0; i < m->nnode; ++i) {
    const apl_node* n = &m->node[i];
    for (int k = 0; k < n->nv; ++k) {
      wrench W = columns_wrench(denoc_of(s, n).Psi, k);

      U[(n->v0 + k) * nv + n->v0 + k] = real_of(1.0);
      for (const apl_node* j = n; j->up > 0;) {
        W = denoc_up(denoc_arm(s, j), W);
        j = &m->node[m->frame[j->up].node];
        for (int l = 0; l < j->nv; ++l) {
          U[(j->v0 + l) * nv + n->v0 + k] = power(column(denoc_of(s, j).P, l), W);
        }
      }
    }
  }
  return APL_OK;
}

/* Solve U D U^T a = tau - h: the system with U from the tips, then D, then U^T from the root. */
static apl_status denoc_forward(const apl_model* m, apl_state* head) {
  state* s = hot(head);
  real* h = s->column;

  for (int i = 0; i < m->nv; ++i)
    s->a[i] = real_of(0.0);
  denoc_inverse_of(m, s, s->a, h);
  const failure fail = denoc_eliminate(m, s, NULL);
  head->trouble = fail.link;
  if (mask_any(fail.any)) return singular_or_not_finite(m, s);

  /* W holds eta, the sum of the wrenches Psi phi of the links further out */
  for (int f = 0; f < m->nframe; ++f)
    s->W[f] = wrench_zero();
  for (int i = m->nnode - 1; i >= 0; --i) {
    const apl_node* n = &m->node[i];
    const denoc_node d = denoc_of(s, n);
    const wrench eta = s->W[n->frame];
    wrench W = eta;

    for (int k = 0; k < n->nv; ++k) {
      d.phi[k] = s->tau[n->v0 + k] - h[n->v0 + k] - power(column(d.P, k), eta);
    }
    for (int k = 0; k < n->nv; ++k) {
      W = wrench_add(W, wrench_scale(d.phi[k], columns_wrench(d.Psi, k)));
    }
    ldl_solve(d.D, n->nv, n->nv, d.phi);
    if (n->up == 0) continue;
    s->W[n->up] = wrench_add(s->W[n->up], denoc_up(denoc_arm(s, n), W));
  }
  for (int i = 0; i < m->nnode; ++i) {
    const apl_node* n = &m->node[i];
    const denoc_node d = denoc_of(s, n);
    twist mu = twist_zero();

    /* V holds mu, the twist from the accelerations found so far */
    if (n->up > 0) mu = denoc_down(denoc_arm(s, n), s->V[n->up]);
    for (int k = 0; k < n->nv; ++k) {
      s->a[n->v0 + k] = d.phi[k] - power(mu, columns_wrench(d.Psi, k));
    }
    s->V[n->frame] = twist_add(mu, columns_mul(d.P, s->a + n->v0, n->nv));
  }
  return all_finite(s->a, m->nv) ? APL_OK : APL_ERR_NOT_FINITE;
}
