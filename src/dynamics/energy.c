/* SPDX-License-Identifier: Apache-2.0 */
/* energy.c: energy, momentum and centre of mass. The tally is energy and momentum in one sweep. */
#include "dynamics/energy.h"
#include "dynamics/row_parts.h"
#include "dynamics/passive.h"
#include "dynamics/satellites.h"
#include "dynamics/solver.h"
#include "dynamics/world.h"

/* Momentum P of a deformable body at its frame, and p[nx] of its deformations, from its last
   computed inertia block:
     (P; p) = [I U; U^T D] (V; x') */
static wrench body_momentum(const apl_model* m, const state* s, const apl_node* n, real* p) {
  const int nx = n->nx;
  const twist V = s->V[n->frame];
  const real *xd = s->v + n->xv0, *U = s->work + work_xU(n), *D = s->work + work_xD(n);

  for (int k = 0; k < nx; ++k) {
    const twist u = column(U, k);
    p[k] = dot(u.w, V.w) + dot(u.v, V.v);
    for (int j = 0; j < nx; ++j)
      p[k] += D[k * nx + j] * xd[j];
  }
  const twist y = columns_mul(U, xd, nx);
  return wrench_add(inertia6_mul(s->body_I[n - m->node], (accel){V.w, V.v}), (wrench){y.w, y.v});
}

/* Inertia blocks of all deformable bodies, without velocity products. */
static void ask_bodies(const apl_model* m, state* s) {
  for (int i = 0; i < m->nnode; ++i) {
    const apl_node* n = &m->node[i];
    body_block B;
    if (n->nx == 0) continue;
    ask_body(s, n, vec3_zero(), &B);
    s->body_I[i] = B.I;
  }
}

/* Potential energy of weight: -g . (m p + R h) */
static inline real weight(const state* s, int f, real mass, vec3 h) {
  const pose X = s->X[f];
  return -dot(par_gravity(s), add(scale(mass, X.p), mul(X.R, h)));
}

/* potential energy of springs and of compressed stops */
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

/* Kinetic and potential energy, momentum about the world's origin. */
typedef struct sums {
  real kinetic, potential;
  wrench P;
} sums;

/* After positions(), velocities() and ask_bodies(). Only what the two flags ask for is computed. */
HOT_INLINE sums sum_up(const apl_model* m, state* s, bool energies, bool momenta) {
  sums t = {real_of(0.0), real_of(0.0), wrench_zero()};

  /* bodies fixed to the world have potential energy only */
  if (energies) {
    const real* I = s->par + m->frame[0].inertia; /* m, h, ... */
    t.potential += weight(s, 0, I[0], (vec3){I[1], I[2], I[3]});
  }
  for (int f = 1; f < m->nframe; ++f) {
    const rigid_inertia I = par_inertia(s, m->frame[f].inertia);
    const wrench P = rigid_mul(I, s->V[f]);
    if (momenta) t.P = wrench_add(t.P, wrench_from(s->X[f], P));
    if (!energies) continue;
    t.kinetic += 0.5 * power(s->V[f], P);
    t.potential += weight(s, f, I.m, I.h);
  }
  for (int i = 0; i < m->nnode; ++i) {
    const apl_node* n = &m->node[i];

    if (energies && n->spring + n->stop != 0) t.potential += spring_energy(s, n);
    if (energies && n->nsat > 0) t.kinetic += spin_energy(m, s, n);
    if (n->nx == 0) continue;

    real p[APL_MAX_NX];
    const body_in in = body_input(s, n);
    const wrench P = body_momentum(m, s, n, p);
    if (momenta) t.P = wrench_add(t.P, wrench_from(s->X[n->frame], P));
    if (!energies) continue;
    t.kinetic += 0.5 * power(s->V[n->frame], P);
    for (int k = 0; k < n->nx; ++k)
      t.kinetic += 0.5 * p[k] * s->v[n->xv0 + k];
    t.potential +=
        body_ops_of(n->body)->potential(&in) + weight(s, n->frame, s->body[i].m, s->body[i].h);
  }
  if (energies && m->npart > 0) t.potential += loop_energy(m, s);
  return t;
}

static apl_status energy(const apl_model* m, apl_state* head, double* out) {
  state* s = hot(head);
  real* E = (real*)(void*)out;

  positions(m, s);
  velocities(m, s);
  ask_bodies(m, s);
  const sums t = sum_up(m, s, true, false);
  E[0] = t.kinetic;
  E[1] = t.potential;
  return finite_status(E, 2);
}

static apl_status momentum(const apl_model* m, apl_state* head, double* out) {
  state* s = hot(head);

  positions(m, s);
  velocities(m, s);
  ask_bodies(m, s);
  const sums t = sum_up(m, s, false, true);
  memcpy(out, &t.P, sizeof t.P);
  return finite_status((const real*)(const void*)out, 6);
}

/* Distance of the farthest port from the world's origin (m). */
static real reach_of(const apl_model* m, const state* s) {
  real most = real_of(0.0);

  for (int p = 0; p < m->nport; ++p) {
    const pose X = s->X[m->port[p].frame];
    const real* at = s->par + m->port[p].pose + 9; /* behind its rotation */
    const vec3 x = add(X.p, mul(X.R, (vec3){at[0], at[1], at[2]}));
    most = real_max(most, dot(x, x));
  }
  return real_sqrt(most);
}

/* The numbers that the check of the ledgers needs, in the order of TALLY_*. */
static apl_status tally_placed(const apl_model* m, state* s, real* out) {
  const sums t = sum_up(m, s, true, true);

  out[TALLY_KINETIC] = t.kinetic;
  out[TALLY_POTENTIAL] = t.potential;
  put_wrench(out + TALLY_MOMENTUM, t.P);
  out[TALLY_REACH] = reach_of(m, s);
  return finite_status(out, TALLY_NUMBERS);
}

/* The tally after inverse dynamics of the same state: X_up, S and the inertia blocks of deformable
   bodies are known, and X and V too if wrenches act. */
static apl_status tally_moved(const apl_model* m, state* s, real* out) {
  if (!has_wrenches(m, s)) {
    s->X[0] = pose_identity_real();
    for (int i = 0; i < m->nnode; ++i)
      world_poses(s, &m->node[i]);
    velocities(m, s);
  }
  return tally_placed(m, s, out);
}

static apl_status space_tally(const apl_model* m, state* s, real* out) {
  positions(m, s);
  velocities(m, s);
  ask_bodies(m, s);
  return tally_placed(m, s, out);
}

/* The tally after forward dynamics of the same state: X_up and S are known, and X and V too if
   wrenches act. The elimination has overwritten the inertia blocks of deformable bodies, so they
   are computed again. */
static apl_status space_tally_last(const apl_model* m, state* s, real* out) {
  ask_bodies(m, s);
  return tally_moved(m, s, out);
}

static apl_status tally(const apl_model* m, apl_state* head, double* out) {
  return hot(head)->solver->tally(m, hot(head), (real*)(void*)out);
}

static apl_status tally_last(const apl_model* m, apl_state* head, double* out) {
  return hot(head)->solver->tally_last(m, hot(head), (real*)(void*)out);
}

/* Centre of mass, after positions() and velocities(). */
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
