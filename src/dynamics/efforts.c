/* efforts.c: all forces that are not inertia: springs, dampers, inputs, loads, air, tendons. They
   end as efforts Q on the quasi-velocities and wrenches F on frames, and every pass takes them from
   there. Each force also says what power it gives to the robot, for the ledger. */
#include "dynamics/satellites.h"

static inline bool has_efforts(const apl_model* m) {
  return m->npassive + m->ninput + m->ndrag + m->ntendon + m->ncoupling > 0;
}

static inline twist hitch_twist(const state* s, const apl_node* n) {
  return n->slaved ? twist_to(par_pose(s, n->par + PAR_TREE), s->V[n->up]) : twist_zero();
}

/* q - rest on the tangent */
static void displacement(const state* s, const apl_node* n, real* delta) {
  const joint_ops* ops = joint_ops_of[n->joint];
  const real* rest = s->par + n->rest;

  if (ops->subtract != NULL) {
    ops->subtract(s->q + n->q0, rest, delta);
  } else {
    for (int k = 0; k < n->nt; ++k)
      delta[k] = s->q[n->q0 + k] - rest[k];
  }
}

/* q' on the tangent */
static void joint_rate(const apl_node* n, const joint_in* in, real* rate) {
  const joint_ops* ops = joint_ops_of[n->joint];

  if (ops->tangent_rate != NULL) {
    ops->tangent_rate(in, rate);
  } else {
    for (int k = 0; k < n->nt; ++k)
      rate[k] = in->v[k];
  }
}

/* What the passive parts of a joint do: forces on the tangent of q and on the velocities, and the
   power that each kind takes out of the robot. */
typedef struct passive {
  real f[APL_MAX_NV];     /* on the tangent                                                       */
  real g[APL_MAX_NV];     /* on the quasi-velocities                                              */
  real delta[APL_MAX_NV]; /* q - rest                                                             */
  real damping, friction, stop, servo;
} passive;

/* A stop pushes with k p (1 + c p'), p its penetration, and never pulls. Returns the force; *lost
   is the power beyond that of the spring k p. */
static inline real stop_force(real p, real rate, real k, real c, real* lost) {
  const real o = real_of(0.0), deep = real_max(p, o);
  const real F = real_max(k * deep * (1.0 + c * rate), o);

  *lost += (F - k * deep) * rate;
  return F;
}

static bool stop_is_row(const apl_model* m, int node) {
  return m->node[node].stop != 0 && joint_ops_of[m->node[node].joint]->pull == NULL;
}

/* Does a driver push it? Then nothing here does. */
static inline bool stop_is_apart(const state* s, const apl_node* n) {
  return s->head.apart && joint_ops_of[n->joint]->pull == NULL;
}

static void passive_stops(const state* s, const apl_node* n, const real* rate, passive* out) {
  const real *lower = s->par + n->stop, *upper = lower + n->nt;
  const real k = upper[n->nt], c = upper[n->nt + 1];

  for (int i = 0; i < n->nt; ++i) {
    const real q = s->q[n->q0 + i];
    out->f[i] -= stop_force(q - upper[i], rate[i], k, c, &out->stop);
    out->f[i] += stop_force(lower[i] - q, -rate[i], k, c, &out->stop);
  }
}

HOT_INLINE real clamp(real x, real low, real high) {
  return -real_max(-real_max(x, low), -high);
}

/* What a servo wants of velocity k, kp (aim - q) + ki (sum of aim - q over time) + kd (aim' - v),
   and what its motor can give: its largest effort, which where it drives falls along a line to zero
   at its largest speed. */
static real servo_want(const state* s, const apl_node* n, int k, real* low, real* high) {
  const real *kp = s->par + n->servo, *kd = kp + n->nv, *most = kd + n->nv, *slow = most + n->nv;
  const real* ki = slow + n->nv;
  const real o = real_of(0.0), one = real_of(1.0);
  const int i = n->v0 + k, nv = s->head.model->nv;
  const real v = s->v[i], share = v * slow[k];

  *high = most[k] * clamp(one - share, o, one);
  *low = -most[k] * clamp(one + share, o, one);
  return kp[k] * (s->aim[i] - s->q[n->q0 + k]) + kd[k] * (s->aim[nv + i] - v) +
         ki[k] * s->aim[2 * nv + i];
}

static void servo_forces(const state* s, const apl_node* n, passive* out) {
  for (int k = 0; k < n->nv; ++k) {
    real low, high;
    const real want = servo_want(s, n, k, &low, &high), F = clamp(want, low, high);
    out->g[k] += F;
    s->servo[n->v0 + k] = F;
    out->servo += F * s->v[n->v0 + k];
  }
}

/* Springs: -k delta. Dampers: -d v, of a slaved joint on the rate of its coordinate. Dry friction:
   -F v / sqrt(v^2 + v_s^2), smooth at rest. */
static void passive_forces(const state* s, const apl_node* n, const joint_in* in, passive* out) {
  const real* v = s->v + n->v0;
  real rate[APL_MAX_NV];

  zero(out->f, n->nt);
  zero(out->g, n->nv);
  zero(out->delta, n->nt);
  out->damping = out->friction = out->stop = out->servo = real_of(0.0);
  if (n->spring != 0) {
    displacement(s, n, out->delta);
    for (int k = 0; k < n->nt; ++k)
      out->f[k] -= s->par[n->spring + k] * out->delta[k];
  }
  if (n->stop != 0 || n->slaved) joint_rate(n, in, rate);
  if (n->stop != 0 && !stop_is_apart(s, n)) passive_stops(s, n, rate, out);
  for (int k = 0; n->damper != 0 && k < (n->slaved ? n->nt : n->nv); ++k) {
    const real u = n->slaved ? rate[k] : v[k], d = s->par[n->damper + k] * u;
    real* force = n->slaved ? out->f : out->g;
    force[k] -= d;
    out->damping += d * u;
  }
  for (int k = 0; n->friction != 0 && k < n->nv; ++k) {
    const real speed = s->par[n->friction + n->nv];
    const real F = s->par[n->friction + k] * v[k] / real_sqrt(v[k] * v[k] + speed * speed);
    out->g[k] -= F;
    out->friction += F * v[k];
  }
}

static void passive_efforts(state* s, const apl_node* n) {
  const joint_ops* ops = joint_ops_of[n->joint];
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

/* A wrench at a port, brought to its frame. Returns its power. */
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

/* An effort on a satellite turns the joint, and, of a slaved joint, pushes the frame above. */
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

/* gain u on what the input drives; returns the power */
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
    s->pull[input->target] += effort; /* its work is the tendon's */
    return real_of(0.0);
  case INPUT_PORT:
    break;
  }
  const twist W = column(s->par + input->wrench, 0);
  return push(m, s, input->target, input->world != 0,
              (wrench){scale(effort, W.w), scale(effort, W.v)});
}

/* Loads on ports; returns their power. */
static real port_loads(const apl_model* m, state* s) {
  real sum = real_of(0.0);

  for (int p = 0; p < m->nport; ++p) {
    const port_load* l = &s->load[p];
    if (l->on) sum += push(m, s, p, l->axes == APL_WORLD_AXES, l->W);
  }
  return sum;
}

/* What the air does to the bodies it resists; returns the power, which is negative. */
static real drags(const apl_model* m, state* s) {
  real sum = real_of(0.0);

  for (int i = 0; i < m->nnode; ++i) {
    const apl_node* n = &m->node[i];
    const body_in in = body_input(s, n);
    real Q[APL_MAX_NX];
    if (!n->drag) continue;

    const wrench W = body_ops_of[n->body]->drag(&in, s->V[n->frame], Q);
    s->F[n->frame] = wrench_add(s->F[n->frame], W);
    sum += power(s->V[n->frame], W);
    for (int k = 0; k < n->nx; ++k) {
      s->Q[n->xv0 + k] += Q[k];
      sum += Q[k] * s->v[n->xv0 + k];
    }
  }
  return sum;
}

/* Material damping is part of a body's balance; here only its power. */
static real structures(const apl_model* m, const state* s) {
  real sum = real_of(0.0);

  for (int i = 0; i < m->nnode; ++i) {
    const apl_node* n = &m->node[i];
    if (n->nx == 0 || body_ops_of[n->body]->dissipation == NULL) continue;
    const body_in in = body_input(s, n);
    sum -= body_ops_of[n->body]->dissipation(&in);
  }
  return sum;
}

/* Q, F and their powers for the present state, after prepare(); loops have been cut. */
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

  zero(s->pull, m->ntendon);
  for (int i = 0; i < m->npassive; ++i)
    passive_efforts(s, &m->node[m->passive[i]]);
  for (int i = 0; i < m->ninput; ++i)
    P[APL_ACCOUNT_INPUT] += input_effort(m, s, i);
  if (m->ndrag > 0) P[APL_ACCOUNT_DRAG] = drags(m, s);
  for (int i = 0; i < m->ntendon; ++i)
    P[APL_ACCOUNT_TENDON] += tendon_effort(m, s, i);
}

/* The same with the forces of loops. */
static void efforts(const apl_model* m, state* s) {
  cut_efforts(m, s);
  if (m->npart > 0) s->power[APL_ACCOUNT_LOOP] = loop_efforts(m, s);
}
