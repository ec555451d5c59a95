/* energy.c: energy, momentum and centre of mass. */
#include "dynamics/world.h"

/* Momentum of a body that deforms at its frame, p[nx] that of its deformations:
     (P; p) = [I U; U^T D] (V; x') */
static wrench body_momentum(state* s, const apl_node* n, real* p) {
  const int nx = n->nx;
  const twist V = s->V[n->frame];
  const real* xd = s->v + n->xv0;
  body_block B;

  ask_body(s, n, vec3_zero(), &B);
  for (int k = 0; k < nx; ++k) {
    const twist u = column(B.U, k);
    p[k] = dot(u.w, V.w) + dot(u.v, V.v);
    for (int j = 0; j < nx; ++j)
      p[k] += B.D[k * nx + j] * xd[j];
  }
  const twist y = columns_mul(B.U, xd, nx);
  return wrench_add(inertia6_mul(B.I, (accel){V.w, V.v}), (wrench){y.w, y.v});
}

/* Weight: -g . (m p + R h) */
static inline real weight(const state* s, int f, real mass, vec3 h) {
  const pose X = s->X[f];
  return -dot(par_gravity(s), add(scale(mass, X.p), mul(X.R, h)));
}

/* springs, and stops while they are pressed */
static real spring_energy(const state* s, const apl_node* n) {
  real delta[APL_MAX_NV], sum = real_of(0.0);

  if (n->spring != 0) {
    displacement(s, n, delta);
    for (int k = 0; k < n->nt; ++k)
      sum += 0.5 * s->par[n->spring + k] * delta[k] * delta[k];
  }
  for (int k = 0; n->stop != 0 && k < n->nt; ++k) {
    const real *lower = s->par + n->stop, *upper = lower + n->nt;
    const real q = s->q[n->q0 + k], o = real_of(0.0);
    const real above = real_max(q - upper[k], o), below = real_max(lower[k] - q, o);
    sum += 0.5 * upper[n->nt] * (above * above + below * below);
  }
  return sum;
}

static real spin_energy(const apl_model* m, state* s, const apl_node* n) {
  real sum = real_of(0.0);

  spins(m, s, n);
  for (int k = n->sat0; k < n->sat0 + n->nsat; ++k) {
    sum += 0.5 * s->par[m->satellite[k].par] * s->spin[k] * s->spin[k];
  }
  return sum;
}

static apl_status energy(const apl_model* m, apl_state* head, double* out) {
  state* s = hot(head);
  real* E = (real*)(void*)out;
  real kinetic = real_of(0.0), potential = real_of(0.0);

  positions(m, s);
  velocities(m, s);
  for (int f = 0; f < m->nframe; ++f) {
    const rigid_inertia I = par_inertia(s, m->frame[f].inertia);
    kinetic += 0.5 * power(s->V[f], rigid_mul(I, s->V[f]));
    potential += weight(s, f, I.m, I.h);
  }
  for (int i = 0; i < m->nnode; ++i) {
    const apl_node* n = &m->node[i];

    potential += spring_energy(s, n);
    if (n->nsat > 0) kinetic += spin_energy(m, s, n);
    if (n->nx == 0) continue;

    const body_ops* ops = body_ops_of[n->body];
    real p[APL_MAX_NX];
    const body_in in = body_input(s, n);
    const wrench P = body_momentum(s, n, p);
    kinetic += 0.5 * power(s->V[n->frame], P);
    for (int k = 0; k < n->nx; ++k)
      kinetic += 0.5 * p[k] * s->v[n->xv0 + k];
    potential += ops->potential(&in) + weight(s, n->frame, s->body[i].m, s->body[i].h);
  }
  if (m->npart > 0) potential += loop_energy(m, s);
  E[0] = kinetic;
  E[1] = potential;
  return finite_status(E, 2);
}

static apl_status momentum(const apl_model* m, apl_state* head, double* out) {
  state* s = hot(head);
  wrench P = wrench_zero();

  positions(m, s);
  velocities(m, s);
  for (int f = 0; f < m->nframe; ++f) {
    const rigid_inertia I = par_inertia(s, m->frame[f].inertia);
    P = wrench_add(P, wrench_from(s->X[f], rigid_mul(I, s->V[f])));
  }
  for (int i = 0; i < m->nnode; ++i) {
    const apl_node* n = &m->node[i];
    real p[APL_MAX_NX];
    if (n->nx > 0) P = wrench_add(P, wrench_from(s->X[n->frame], body_momentum(s, n, p)));
  }
  memcpy(out, &P, sizeof P);
  return finite_status((const real*)(const void*)out, 6);
}

/* After positions() and velocities(). */
static apl_status center_placed(const apl_model* m, apl_state* head, double* out) {
  state* s = hot(head);
  vec3 sum = vec3_zero();
  real mass = real_of(0.0);

  for (int f = 0; f < m->nframe; ++f) {
    const rigid_inertia I = par_inertia(s, m->frame[f].inertia);
    sum = add(sum, add(scale(I.m, s->X[f].p), mul(s->X[f].R, I.h)));
    mass += I.m;
  }
  for (int i = 0; i < m->nnode; ++i) {
    const apl_node* n = &m->node[i];
    if (n->nx == 0) continue;

    body_block B;
    ask_body(s, n, vec3_zero(), &B);
    const body_mass b = s->body[i];
    sum = add(sum, add(scale(b.m, s->X[n->frame].p), mul(s->X[n->frame].R, b.h)));
    mass += b.m;
  }
  sum = scale(1.0 / mass, sum);
  memcpy(out, &sum, sizeof sum);
  return finite_status((const real*)(const void*)out, 3);
}

static apl_status center(const apl_model* m, apl_state* head, double* out) {
  state* s = hot(head);

  positions(m, s);
  velocities(m, s);
  return center_placed(m, head, out);
}
