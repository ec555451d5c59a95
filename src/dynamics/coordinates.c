/* SPDX-License-Identifier: Apache-2.0 */
/* coordinates.c: coordinate rates q' = N v + K V, and increments of q along its tangent space. */
#include "dynamics/motion.h"
#include "dynamics/satellites.h"

/* Most joints know their coordinate rates from their own velocities. Slaved joints (trailers) also
   need the twist of the frame above, so frames must be placed first. */
static inline void prepare_rates(const apl_model* m, state* s) {
  if (m->nslaved > 0) {
    prepare(m, s);
  } else {
    sincos_sweep(s->q, m->angle, m->nangle, s->sc);
  }
}

/* Rates after a pass with forces of the same state: the sines, cosines and twists that slaved
   joints need are known already. */
static apl_status rates_last(const apl_model* m, apl_state* head, double* out) {
  state* s = hot(head);
  real* qdot = (real*)(void*)out;

  if (m->plain) {
    for (int i = 0; i < m->nv; ++i)
      qdot[i] = s->v[i];
    return finite_status(qdot, m->nv);
  }
  for (int i = 0; i < m->nnode; ++i) {
    const apl_node* n = &m->node[i];
    const joint_ops* ops = joint_ops_of(n->joint);

    if (n->nsat > 0) spins(m, s, n);
    if (ops->rate != NULL) {
      joint_in in = joint_input(s, n);
      in.VP = hitch_twist(s, n);
      ops->rate(&in, qdot + n->q0);
    } else {
      for (int k = 0; k < n->nq; ++k)
        qdot[n->q0 + k] = s->v[n->v0 + k];
    }
    for (int k = 0; k < n->nx; ++k)
      qdot[n->xq0 + k] = s->v[n->xv0 + k];
  }
  return finite_status(qdot, m->nq);
}

static apl_status rates(const apl_model* m, apl_state* head, double* out) {
  prepare_rates(m, hot(head));
  return rates_last(m, head, out);
}

static apl_status tangent_rates(const apl_model* m, apl_state* head, double* out) {
  state* s = hot(head);
  real* rate = (real*)(void*)out;

  if (m->plain) { /* tangent directions are those of the velocities, in the same order */
    for (int i = 0; i < m->nv; ++i)
      rate[i] = s->v[i];
    return finite_status(rate, m->nv);
  }
  prepare_rates(m, s);
  for (int i = 0; i < m->nnode; ++i) {
    const apl_node* n = &m->node[i];
    const joint_ops* ops = joint_ops_of(n->joint);

    if (ops->tangent_rate != NULL) {
      joint_in in = joint_input(s, n);
      in.VP = hitch_twist(s, n);
      ops->tangent_rate(&in, rate + n->t0);
    } else {
      for (int k = 0; k < n->nt; ++k)
        rate[n->t0 + k] = s->v[n->v0 + k];
    }
    for (int k = 0; k < n->nx; ++k)
      rate[n->xt0 + k] = s->v[n->xv0 + k];
  }
  return finite_status(rate, m->nt);
}

static apl_status coordinates_add(const apl_model* m, const double* from, const double* step,
                                  double* to) {
  const real* q = (const real*)(const void*)from;
  const real* delta = (const real*)(const void*)step;
  real* out = (real*)(void*)to;

  if (m->plain) {
    for (int i = 0; i < m->nq; ++i)
      out[i] = q[i] + delta[i];
    return finite_status(out, m->nq);
  }
  for (int i = 0; i < m->nnode; ++i) {
    const apl_node* n = &m->node[i];
    const joint_ops* ops = joint_ops_of(n->joint);

    if (ops->add != NULL) {
      ops->add(q + n->q0, delta + n->t0, out + n->q0);
    } else {
      for (int k = 0; k < n->nq; ++k)
        out[n->q0 + k] = q[n->q0 + k] + delta[n->t0 + k];
    }
    for (int k = 0; k < n->nx; ++k)
      out[n->xq0 + k] = q[n->xq0 + k] + delta[n->xt0 + k];
  }
  return finite_status(out, m->nq);
}

static apl_status coordinates_subtract(const apl_model* m, const double* to, const double* from,
                                       double* out) {
  const real* q1 = (const real*)(const void*)to;
  const real* q0 = (const real*)(const void*)from;
  real* delta = (real*)(void*)out;

  for (int i = 0; i < m->nnode; ++i) {
    const apl_node* n = &m->node[i];
    const joint_ops* ops = joint_ops_of(n->joint);

    if (ops->subtract != NULL) {
      ops->subtract(q1 + n->q0, q0 + n->q0, delta + n->t0);
    } else {
      for (int k = 0; k < n->nq; ++k)
        delta[n->t0 + k] = q1[n->q0 + k] - q0[n->q0 + k];
    }
    for (int k = 0; k < n->nx; ++k)
      delta[n->xt0 + k] = q1[n->xq0 + k] - q0[n->xq0 + k];
  }
  return finite_status(delta, m->nt);
}
