/* SPDX-License-Identifier: Apache-2.0 */
/* efforts.c: all forces except inertia: springs, dampers, inputs, loads, drag, tendons. They are
   collected as efforts Q on the quasi-velocities and wrenches F on frames, which every pass reads.
   Each force also reports its power for the ledger. */
#include "dynamics/efforts.h"
#include "dynamics/passive.h"
#include "dynamics/satellites.h"

static bool stop_is_row(const apl_model* m, int node) {
  return m->node[node].stop != 0 && joint_ops_of(m->node[node].joint)->pull == NULL;
}

static void passive_efforts(state* s, const apl_node* n) {
  const joint_ops* ops = joint_ops_of(n->joint);
  joint_in in = joint_input(s, n);
  real Q[APL_MAX_NV], QP[6];
  passive P;

  in.VP = hitch_twist(s, n);
  passive_forces(s, n, &in, &P);
  if (n->servo != 0) servo_forces(s, n, &P);
  s->power[APL_ACCOUNT_SERVO] += P.servo;
  s->power[APL_ACCOUNT_DAMPING] -= P.damping;
  s->power[APL_ACCOUNT_FRICTION] -= P.friction;
  s->power[APL_ACCOUNT_STOP] -= P.stop;
  if (ops->pull != NULL) {
    ops->pull(&in, P.delta, P.f, Q, QP);
  } else {
    for (int k = 0; k < n->nv; ++k)
      Q[k] = P.f[k];
  }
  for (int k = 0; k < n->nv; ++k)
    s->Q[n->v0 + k] += Q[k] + P.g[k];
  if (n->slaved) {
    const wrench W = {{QP[0], QP[1], QP[2]}, {QP[3], QP[4], QP[5]}};
    s->F[n->up] = wrench_add(s->F[n->up], wrench_from(par_pose(s, n->par + PAR_TREE), W));
  }
}

/* Add a wrench at a port to its frame. Returns its power. */
static real push(const apl_model* m, state* s, int port, bool world, wrench W) {
  const int f = m->port[port].frame;
  const pose X = par_pose(s, m->port[port].pose);

  if (world) {
    const mat3 R = mat3_mul(s->X[f].R, X.R);
    W = (wrench){mul_t(R, W.n), mul_t(R, W.f)};
  }
  W = wrench_from(X, W);
  s->F[f] = wrench_add(s->F[f], W);
  return power(s->V[f], W);
}

/* An effort on a satellite (wheel or rotor) acts on the joint's velocities through row and, for a
   slaved joint, on the frame above through rowP. Returns its power. */
static real turn_satellite(const apl_model* m, state* s, int satellite, real effort) {
  const apl_node* n = &m->node[m->satellite[satellite].node];
  const int k = satellite - n->sat0;
  const twist V_up = s->V[n->up];
  satellites sat;

  ask_satellites(m, s, n, &sat);
  for (int j = 0; j < n->nv; ++j)
    s->Q[n->v0 + j] += sat.row[k * n->nv + j] * effort;
  if (n->slaved) {
    const twist p = column(sat.rowP, k);
    s->F[n->up] = wrench_add(s->F[n->up], (wrench){scale(effort, p.w), scale(effort, p.v)});
  }
  return effort * satellite_sum(&sat, n, k, s->v + n->v0, V_up.w, V_up.v);
}

/* Apply the effort gain * u of input i; returns its power. */
static real input_effort(const apl_model* m, state* s, int i) {
  const apl_input* input = &m->input[i];
  const real effort = s->par[input->gain] * s->u[i];

  switch ((input_kind)input->kind) {
  case INPUT_VELOCITY:
    s->Q[input->target] += effort;
    return effort * s->v[input->target];
  case INPUT_SATELLITE:
    return turn_satellite(m, s, input->target, effort);
  case INPUT_TENDON:
    s->pull[input->target] += effort; /* the power is booked with the tendon */
    return real_of(0.0);
  case INPUT_AIM:
  case INPUT_RATE:
    return real_of(0.0); /* its work is the servo's */
  case INPUT_PORT:
    break;
  }
  const twist W = column(s->par + input->wrench, 0);
  return push(m, s, input->target, input->world != 0,
              (wrench){scale(effort, W.w), scale(effort, W.v)});
}

/* Inputs that are aims of servos become the aims of the state. */
static void take_aims(const apl_model* m, state* s) {
  for (int i = 0; i < m->ninput; ++i) {
    if (input_is_aim(&m->input[i])) s->aim[input_aim(&m->input[i], m->nv)] = s->u[i];
  }
}

/* Apply user loads on ports; returns their power. */
static real port_loads(const apl_model* m, state* s) {
  real sum = real_of(0.0);

  for (int p = 0; p < m->nport; ++p) {
    const port_load* l = &s->load[p];
    if (l->on) sum += push(m, s, p, l->axes == APL_WORLD_AXES, l->W);
  }
  return sum;
}

/* Apply aerodynamic drag; returns its power, which is negative. */
static real drags(const apl_model* m, state* s) {
  real sum = real_of(0.0);

  for (int i = 0; i < m->nnode; ++i) {
    const apl_node* n = &m->node[i];
    const body_in in = body_input(s, n);
    real Q[APL_MAX_NX];
    if (!n->drag) continue;

    const wrench W = body_ops_of(n->body)->drag(&in, s->V[n->frame], Q);
    s->F[n->frame] = wrench_add(s->F[n->frame], W);
    sum += power(s->V[n->frame], W);
    for (int k = 0; k < n->nx; ++k) {
      s->Q[n->xv0 + k] += Q[k];
      sum += Q[k] * s->v[n->xv0 + k];
    }
  }
  return sum;
}

/* Power of material damping. Its force is part of the body's own balance, so only the power is
   computed here. */
static real structures(const apl_model* m, const state* s) {
  real sum = real_of(0.0);

  for (int i = 0; i < m->nnode; ++i) {
    const apl_node* n = &m->node[i];
    if (n->nx == 0 || body_ops_of(n->body)->dissipation == NULL) continue;
    const body_in in = body_input(s, n);
    sum -= body_ops_of(n->body)->dissipation(&in);
  }
  return sum;
}

/* Q, F and powers for the present state, after prepare(), without the forces of closed loops. */
static void cut_efforts(const apl_model* m, state* s) {
  real* P = s->power;

  zero(P, APL_NACCOUNT);
  if (has_wrenches(m, s)) {
    for (int f = 0; f < m->nframe; ++f)
      s->F[f] = wrench_zero();
  }
  if (s->head.nload > 0) P[APL_ACCOUNT_LOAD] = port_loads(m, s);
  if (m->npair > 0) contact_efforts(m, s);
  if (has_efforts(m)) zero(s->Q, m->nv);
  if (!has_efforts(m)) return;

  if (m->naim > 0) take_aims(m, s);
  zero(s->pull, m->ntendon);
  for (int i = 0; i < m->npassive; ++i)
    passive_efforts(s, &m->node[m->passive[i]]);
  for (int i = 0; i < m->ninput; ++i)
    P[APL_ACCOUNT_INPUT] += input_effort(m, s, i);
  if (m->ndrag > 0) P[APL_ACCOUNT_DRAG] = drags(m, s);
  for (int i = 0; i < m->ntendon; ++i)
    P[APL_ACCOUNT_TENDON] += tendon_effort(m, s, i);
}

/* Q, F and powers including the forces of closed loops. */
static void efforts(const apl_model* m, state* s) {
  cut_efforts(m, s);
  if (m->npart > 0) s->power[APL_ACCOUNT_LOOP] = loop_efforts(m, s);
}
