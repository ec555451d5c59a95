/* accounts.c: the power that flows into the robot through each kind of force that is not
   conservative. The ledger integrates these; d(T + V)/dt is their sum. */
#include "dynamics/world.h"

static real input_power(const apl_model* m, const state* s) {
  real sum = real_of(0.0);

  for (int i = 0; i < m->ninput; ++i) {
    const apl_input* in = &m->input[i];
    sum += s->par[in->gain] * s->u[i] *
           (in->velocity >= 0 ? s->v[in->velocity] : s->spin[in->satellite]);
  }
  return sum;
}

static real load_power(const apl_model* m, const state* s) {
  real sum = real_of(0.0);

  for (int f = 0; f < m->nframe; ++f)
    sum += power(s->V[f], s->F[f]);
  return sum;
}

/* After a pass with forces: tau is that of the pass. Order of the accounts: APL_ACCOUNT_LIST. */
static apl_status accounts(const apl_model* m, apl_state* head, double* out) {
  state* s = hot(head);
  real* P = (real*)(void*)out;

  zero(P, APL_NACCOUNT);
  positions(m, s);
  velocities(m, s);
  for (int i = 0; i < m->nv; ++i)
    P[APL_ACCOUNT_EFFORT] += s->tau[i] * s->v[i];
  if (head->nload > 0) {
    for (int f = 0; f < m->nframe; ++f)
      s->F[f] = wrench_zero();
    port_loads(m, s);
    P[APL_ACCOUNT_LOAD] = load_power(m, s);
  }
  for (int i = 0; i < m->nnode; ++i) {
    const apl_node* n = &m->node[i];
    joint_in in = joint_input(s, n);

    in.VP = hitch_twist(s, n);
    if (n->nsat > 0) spins(m, s, n);
    if (n->spring + n->damper + n->friction + n->stop > 0) {
      passive lost;
      passive_forces(s, n, &in, &lost);
      P[APL_ACCOUNT_DAMPING] -= lost.damping;
      P[APL_ACCOUNT_FRICTION] -= lost.friction;
      P[APL_ACCOUNT_STOP] -= lost.stop;
    }
    const body_ops* body = body_ops_of[n->body];
    if (n->nx > 0 && body->dissipation != NULL) {
      P[APL_ACCOUNT_STRUCTURE] -= body->dissipation(s->par + n->bpar, s->q + n->xq0, s->v + n->xv0);
    }
  }
  P[APL_ACCOUNT_INPUT] = input_power(m, s);
  return finite_status(P, APL_NACCOUNT);
}

/* Weight of a frame's rigid inertia, or of a body that deforms, about the world's origin. */
static wrench weight_wrench(const state* s, int f, real mass, vec3 h) {
  const vec3 g = par_gravity(s);
  const vec3 moment = add(scale(mass, s->X[f].p), mul(s->X[f].R, h));
  return (wrench){cross(moment, g), scale(mass, g)};
}

/* All that acts on the robot from outside, about the world's origin: what the world gives through
   the first joints of its trees (the wrench that inverse dynamics leaves on frame 0), weight,
   loads. It is the rate of apl_momentum() along the motion a. */
static apl_status external(const apl_model* m, apl_state* head, double* out) {
  state* s = hot(head);

  inverse_of(m, s, s->a, s->column);
  wrench W = s->W[0];
  if (m->nslaved == 0 && head->nload == 0) positions(m, s); /* else inverse dynamics has done so */
  for (int f = 0; f < m->nframe; ++f) {
    const rigid_inertia I = par_inertia(s, m->frame[f].inertia);
    if (f > 0) W = wrench_add(W, weight_wrench(s, f, I.m, I.h));
    if (head->nload > 0) W = wrench_add(W, wrench_from(s->X[f], s->F[f]));
  }
  for (int i = 0; i < m->nnode; ++i) {
    const apl_node* n = &m->node[i];
    if (n->nx == 0) continue;
    const vec3 h = body_ops_of[n->body]->moment(s->par + n->bpar, s->q + n->xq0);
    W = wrench_add(W, weight_wrench(s, n->frame, body_mass(s, n), h));
  }
  memcpy(out, &W, sizeof W);
  return finite_status((const real*)(const void*)out, 6);
}
