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
