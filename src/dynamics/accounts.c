/* SPDX-License-Identifier: Apache-2.0 */
/* accounts.c: the power of each kind of non-conservative force, and the total external wrench on
   the robot. The energy ledger integrates the powers, since d(T + V)/dt = sum of powers; the
   momentum ledger integrates the wrench, since dP/dt = external wrench. */
#include "dynamics/efforts.h"
#include "dynamics/energy.h"
#include "dynamics/inverse.h"
#include "dynamics/solver.h"
#include "dynamics/world.h"

/* Powers in W for the efforts tau, after efforts(). P is in the order of APL_ACCOUNT_LIST. */
static void powers(const apl_model* m, state* s, real* P) {
  real sum = real_of(0.0);

  for (int i = 0; i < m->nv; ++i)
    sum += s->tau[i] * s->v[i];
  for (int i = 0; i < APL_NACCOUNT; ++i)
    P[i] = s->power[i];
  P[APL_ACCOUNT_EFFORT] = sum;
  P[APL_ACCOUNT_STRUCTURE] = structures(m, s);
}

static apl_status accounts(const apl_model* m, apl_state* head, double* out) {
  state* s = hot(head);
  real* P = (real*)(void*)out;

  prepare(m, s);
  efforts(m, s);
  powers(m, s, P);
  return finite_status(P, APL_NACCOUNT);
}

static apl_status tendons(const apl_model* m, apl_state* head, double* length, double* tension,
                          double* uncut) {
  const size_t n = sizeof(real) * (size_t)m->ntendon;
  state* s = hot(head);

  prepare(m, s);
  efforts(m, s);
  if (length != NULL) memcpy(length, s->length, n);
  if (tension != NULL) memcpy(tension, s->tension, n);
  if (uncut != NULL) memcpy(uncut, s->pull, n);
  return all_finite(s->tension, m->ntendon) ? finite_status(s->length, m->ntendon)
                                            : APL_ERR_NOT_FINITE;
}

/* Add mass, first moment and external wrench of frame f and all frames below it to those of the
   frame above. */
HOT_INLINE void hang(state* s, int f, int up, bool loaded) {
  const pose X = s->X_up[f];
  const body_mass b = s->below[f];
  body_mass* to = &s->below[up];

  to->m += b.m;
  to->h = add(to->h, add(mul(X.R, b.h), scale(b.m, X.p)));
  if (loaded) s->outside[up] = wrench_add(s->outside[up], wrench_from(X, s->outside[f]));
}

/* Weight and loads of the whole robot as one wrench about the world's origin. X_up and F must be
   known. The sums run from the tips to the root in local frames, so no world poses are needed.
   Bodies fixed to the world (frame 0) are not counted. */
static wrench weights_and_loads(const apl_model* m, state* s) {
  const bool loaded = has_wrenches(m, s);
  const vec3 g = par_gravity(s);

  s->below[0] = (body_mass){real_of(0.0), vec3_zero()};
  s->outside[0] = wrench_zero();
  for (int f = 1; f < m->nframe; ++f) {
    const real* I = s->par + m->frame[f].inertia; /* m, h, ... */
    s->below[f] = (body_mass){I[0], {I[1], I[2], I[3]}};
    if (loaded) s->outside[f] = s->F[f];
  }
  for (int i = m->nnode - 1; i >= 0; --i) {
    const apl_node* n = &m->node[i];
    body_mass* to = &s->below[n->frame];

    for (int f = n->port0; f < n->port0 + n->nport; ++f)
      hang(s, f, n->frame, loaded);
    if (n->nx > 0) {
      to->m += s->body[i].m;
      to->h = add(to->h, s->body[i].h);
    }
    if (has_joint(n)) hang(s, n->frame, n->up, loaded);
  }
  const wrench W = {cross(s->below[0].h, g), scale(s->below[0].m, g)};
  return loaded ? wrench_add(s->outside[0], W) : W;
}

/* Total external wrench about the world's origin: the reaction of the world on the first joints of
   its trees (inverse dynamics leaves it in W[0]), weight and loads. It equals the time derivative
   of apl_momentum() for the accelerations a. */
static apl_status external(const apl_model* m, apl_state* head, double* out) {
  state* s = hot(head);

  inverse_of(m, s, s->a, s->column);
  const wrench W = wrench_add(s->W[0], weights_and_loads(m, s));
  memcpy(out, &W, sizeof W);
  return finite_status((const real*)(const void*)out, 6);
}

/* Copy the efforts of prescribed freedoms from the result of inverse dynamics. */
static void take_prescribed(const apl_model* m, state* s, const real* tau) {
  for (int i = 0; i < m->nnode; ++i) {
    const apl_node* n = &m->node[i];

    for (int k = n->v0; n->joint_prescribed && k < n->v0 + n->nv; ++k)
      s->tau[k] = tau[k];
    for (int k = n->xv0; n->body_prescribed && k < n->xv0 + n->nx; ++k)
      s->tau[k] = tau[k];
  }
}

/* Powers and, if asked for, the external wrench and the tally (energies, momentum) for given
   accelerations a of all freedoms, as an integrator that solves for a calls it. The efforts of
   prescribed freedoms are set from inverse dynamics. */
static apl_status ledger_given(const apl_model* m, apl_state* head, bool momentum, double* out,
                               double* totals) {
  state* s = hot(head);
  real* P = (real*)(void*)out;
  int n = APL_NACCOUNT;

  inverse_of(m, s, s->a, s->column);
  if (m->nprescribed > 0) take_prescribed(m, s, s->column);
  powers(m, s, P);
  if (momentum) {
    put_wrench(P + n, wrench_add(s->W[0], weights_and_loads(m, s)));
    n += 6;
  }
  const apl_status st = finite_status(P, n);
  return st == APL_OK && totals != NULL ? tally_moved(m, s, (real*)(void*)totals) : st;
}

static wrench space_external(const apl_model* m, state* s) {
  return wrench_add(wrench_add(s->W[0], inertia6_mul(s->I[0], s->A[0])), weights_and_loads(m, s));
}

/* Powers and, if asked for, the external wrench, from the results that forward dynamics of the same
   state has just left: the articulated recursion ends with the reaction W = I A + b at the world's
   frame. The caller tests the integrated values for being finite. */
static apl_status ledger(const apl_model* m, apl_state* head, bool momentum, double* out) {
  state* s = hot(head);
  real* P = (real*)(void*)out;

  powers(m, s, P);
  if (!momentum) return APL_OK;
  put_wrench(P + APL_NACCOUNT, s->solver->external(m, s));
  return APL_OK;
}
