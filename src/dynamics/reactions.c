/* SPDX-License-Identifier: Apache-2.0 */
/* reactions.c: joint reactions by inverse dynamics: for every joint, the wrench that its body and
   everything it carries need; for every rolling joint, the wrench of the ground, which is the same
   minus the wrench of a hitch. The angular momentum of wheels is not included; dynamics/footing.c
   adds it and divides the result among the wheels. Theory: docs/theory/wheels.md, 11. */
#include "dynamics/inverse.h"
#include "dynamics/passive.h"
#include "dynamics/satellites.h"

/* Sum of the input efforts on satellite k of the model (N m). */
static real satellite_input(const apl_model* m, const state* s, int k) {
  real sum = real_of(0.0);

  for (int i = 0; i < m->ninput; ++i) {
    if (m->input[i].kind == INPUT_SATELLITE && m->input[i].target == k)
      sum += s->par[m->input[i].gain] * s->u[i];
  }
  return sum;
}

/* Spins and their rates of all satellites of a node: spin[2*nsat] */
static void spin_rates(const state* s, const apl_node* n, const satellites* sat, real* spin) {
  const accel A_up = s->A[n->up];
  const twist V_up = s->V[n->up]; /* used only if the joint is slaved; then V is known */

  for (int k = 0; k < n->nsat; ++k) {
    real* out = spin + 2 * (n->sat0 + k);
    out[0] = satellite_sum(sat, n, k, s->v + n->v0, V_up.w, V_up.v);
    out[1] = sat->bias[k] + satellite_sum(sat, n, k, s->a + n->v0, A_up.dw, A_up.a);
  }
}

/* Wrench of the frame above on a slaved joint, at the body frame. Seen from the frame above it is
     Phi^T W + sum rowP^T (J spin' - torque) - forces of springs and dampers */
static wrench hitch_wrench(const apl_model* m, state* s, const apl_node* n, const satellites* sat,
                           const real* spin) {
  const joint_ops* ops = joint_ops_of(n->joint);
  const pose X = s->X_up[n->frame];
  wrench W = rows_mul_t(s->work + work_Phi(n), s->W[n->frame]);
  joint_in in = joint_input(s, n);
  real QP[6];
  passive P;

  for (int k = 0; k < n->nsat; ++k) {
    const twist p = column(sat->rowP, k);
    const int at = n->sat0 + k;
    const real effort = sat->J[k] * spin[2 * at + 1] - satellite_input(m, s, at);
    W = wrench_add(W, (wrench){scale(effort, p.w), scale(effort, p.v)});
  }
  if (ops->pull != NULL) {
    in.VP = hitch_twist(s, n);
    passive_forces(s, n, &in, &P);
    ops->pull(&in, P.delta, P.f, NULL, QP);
    W = wrench_sub(W, wrench_from(par_pose(s, n->par + PAR_TREE),
                                  (wrench){{QP[0], QP[1], QP[2]}, {QP[3], QP[4], QP[5]}}));
  }
  return (wrench){mul_t(X.R, sub(W.n, cross(X.p, W.f))), mul_t(X.R, W.f)};
}

/* Change from the axes of the body to those of the joint. */
static void to_joint_axes(const state* s, const apl_node* n, footing_share* g) {
  mat3 back;

  if (n->back == 0) return;
  memcpy(&back, s->par + n->back, sizeof back);
  g->W = (wrench){mul(back, g->W.n), mul(back, g->W.f)};
  g->w = mul(back, g->w);
  g->X.R = mat3_mul(g->X.R, (mat3){back.xx, back.yx, back.zx, back.xy, back.yy, back.zy, back.xz,
                                   back.yz, back.zz});
  for (int k = 0; k < APL_MAX_NV; ++k)
    g->S[k] = (twist){mul(back, g->S[k].w), mul(back, g->S[k].v)};
}

static footing_share share_of(const apl_model* m, state* s, const apl_node* n, real* spin) {
  const real o = real_of(0.0), i = real_of(1.0);
  footing_share g = {.W = s->W[n->frame], .w = s->w[n->frame], .X = s->X[n->frame]};
  satellites sat;

  ask_satellites(m, s, n, &sat);
  spin_rates(s, n, &sat, spin);
  for (int k = 0; k < APL_MAX_NV; ++k)
    g.S[k] = k < n->nv ? column(s->work + work_S(n), k) : twist_zero();
  to_joint_axes(s, n, &g);
  if (n->slaved) {
    /* the axle allows motion forward and rotation about the normal */
    const wrench hitch = hitch_wrench(m, s, n, &sat, spin);
    g.W = wrench_sub(g.W, hitch);
    g.pull = hitch.f;
    g.S[0] = (twist){{o, o, o}, {i, o, o}};
    g.S[1] = (twist){{o, o, i}, {o, o, o}};
  }
  return g;
}

/* share[nfooting] of SHARE_NUMBERS each, spin[2*nsat]: spins and spin rates of these joints. */
static apl_status reactions(const apl_model* m, apl_state* head, double* share, double* spin) {
  state* s = hot(head);
  real* out = (real*)(void*)share;
  real* turn = (real*)(void*)spin;

  inverse_of(m, s, s->a, s->column);
  if (!has_wrenches(m, s)) positions(m, s); /* otherwise inverse dynamics has computed them */
  zero(turn, 2 * m->nsat);
  for (int k = 0; k < m->nfooting; ++k) {
    const footing_share g = share_of(m, s, &m->node[m->footing[k]], turn);
    memcpy(out + k * (int)SHARE_NUMBERS, &g, sizeof g);
  }
  return finite_status(out, m->nfooting * (int)SHARE_NUMBERS);
}

/* The weight of the links fixed to the world, as a wrench of the mount on them. */
static wrench mounted_weight(const apl_model* m, const state* s) {
  const real* I = s->par + m->frame[0].inertia; /* m, h, ... */
  const vec3 g = par_gravity(s);

  return (wrench){cross(g, (vec3){I[1], I[2], I[3]}), scale(-I[0], g)};
}

/* wrench[nlink + 1]: through the joint of each link, in world axes at the origin of its body frame;
   zero if the link has no frame of its own. The last entry is the wrench of the world on everything
   attached to it, about the world's origin. */
static apl_status joint_wrenches(const apl_model* m, apl_state* head, double* out) {
  state* s = hot(head);
  wrench* W = (wrench*)(void*)out;

  inverse_of(m, s, s->a, s->column);
  if (!has_wrenches(m, s)) positions(m, s); /* otherwise inverse dynamics has computed them */
  for (int i = 0; i < m->nlink; ++i)
    W[i] = wrench_zero();
  for (int i = 0; i < m->nnode; ++i) {
    const apl_node* n = &m->node[i];
    const mat3 R = s->X[n->frame].R;
    if (has_joint(n)) W[n->link] = (wrench){mul(R, s->W[n->frame].n), mul(R, s->W[n->frame].f)};
  }
  W[m->nlink] = wrench_add(s->W[0], mounted_weight(m, s));
  return finite_status((const real*)(const void*)out, 6 * (m->nlink + 1));
}
