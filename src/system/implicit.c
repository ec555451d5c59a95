/* SPDX-License-Identifier: Apache-2.0 */
/* implicit.c: one implicit step of a system, y = psi + c y', as the integrator `stiff` asks for it.
   Theory: docs/theory/stiff.md.

   Coordinates are eliminated, q = psi_q + c N(q) v, so that Newton's unknowns are velocities. The
   residual is what inverse dynamics of the acceleration (v - psi_v) / c leaves over, in forces:

     W dv = c (tau - ID(q, v, (v - psi_v) / c))        W = M + c C + c^2 K at the guess

   W costs one sweep (dynamics/factor.h). Its factors are in a second state, because inverse
   dynamics overwrites those of the first one. Constraints and stiff rows are in implicit_rows.c.
   Forces of held velocities need not be known, because the correction removes every residual along
   them; forces of loops are found during the iteration; forces of contacts that rest or stick have
   limits, so that forward dynamics computes them first. */
#include "system/implicit.h"

#include "base/error.h"
#include "dynamics/loops.h"
#include "dynamics/passes.h"
#include "system/system.h"
#include "system/system_impl.h"

#include <string.h>

/* Memory for rows is allocated by the first step that has them: before the run begins, it is not
   known which contacts are closed. */
static apl_status open(void* context, apl_error* err) {
  apl_system* s = context;
  apl_status st = APL_OK;

  if (s->implicit.twin == NULL) st = apl_state_new(s->model, APL_SCALAR, &s->implicit.twin);
  return st == APL_OK ? st : apl_fail(err, st, "out of memory for implicit steps");
}

bool apl_system_damped(apl_system* s) {
  double* ones = s->room.innovation;
  bool any = s->model->ndrag + s->npair > 0;

  for (int i = 0; i < s->nv; ++i)
    ones[i] = 1.0;
  if (apl_stiffness(s->model, s->state, ones, NULL, s->room.jump) != APL_OK) return true;
  for (int i = 0; i < s->nv; ++i)
    any = any || s->room.jump[i] != 0.0;
  return any;
}

/* One fixed-point iteration of q = psi + c q'(q, v) with the velocities in y, then bristles and
   sums of servos in the same way. Prescribed motions are set to their signals. The state is that of
   y afterwards. */
static apl_status place(apl_system* s, double t, double c, const double* psi, double* y) {
  const int z = s->nq + s->nv;

  apl_system_unpack(s, t, y);
  apl_status st = apl_rates(s->model, s->state, s->room.rate);
  for (int i = 0; i < s->nq; ++i)
    y[i] = psi[i] + c * s->room.rate[i];
  apl_system_unpack(s, t, y);
  if (st == APL_OK && s->nz > 0) {
    st = apl_couplings_advance(s, c, psi + z, y + z);
    apl_system_implicit_sums(s, c, psi + z, y + z);
    apl_system_unpack(s, t, y);
  }
  memcpy(y, apl_q(s->state), sizeof *y * (size_t)s->nq);
  memcpy(y + s->nq, apl_v(s->state), sizeof *y * (size_t)s->nv);
  return st;
}

/* Forces of contacts that rest or stick, for the present state. */
static apl_status support(apl_system* s) {
  return apl_couplings_limited(s) > 0 ? apl_system_forward(s) : APL_OK;
}

/* a = (v - psi) / c in the state; prescribed accelerations keep the values of their signals. */
static void accelerate(apl_system* s, double c, const double* psi) {
  double *a = apl_a(s->state), *v = apl_v(s->state);

  memcpy(s->room.innovation, a, sizeof *a * (size_t)s->nv);
  for (int i = 0; i < s->nv; ++i)
    a[i] = (v[i] - psi[s->nq + i]) / c;
  for (int i = 0; i < s->drives.nmotion; ++i)
    a[s->drives.motion[i].velocity] = s->room.innovation[s->drives.motion[i].velocity];
}

/* c (tau - ID(q, v, a)) in innovation[] */
static apl_status residual(apl_system* s, double c, const double* psi) {
  double* tau = apl_tau(s->state);

  memcpy(s->room.jump, tau, sizeof *tau * (size_t)s->nv);
  accelerate(s, c, psi);
  const apl_status st = apl_inverse(s->model, s->state);
  for (int i = 0; i < s->nv; ++i) {
    s->room.innovation[i] = c * (s->room.jump[i] - tau[i]);
    tau[i] = s->room.jump[i];
  }
  return st;
}

static apl_status begin(double t, double c, const double* psi, double* y, void* context) {
  apl_system* s = context;
  apl_state* twin = s->implicit.twin;
  coupling_pass p = {.level = LEVEL_IMPLICIT, .h = c};
  apl_status st = place(s, t, c, psi, y);

  memcpy(apl_q(twin), apl_q(s->state), sizeof *y * (size_t)s->nq);
  memcpy(apl_v(twin), apl_v(s->state), sizeof *y * (size_t)s->nv);
  memcpy(apl_aim(twin), apl_aim(s->state), 3 * sizeof *y * (size_t)s->nv);
  if (st == APL_OK) st = apl_factor(s->model, twin, c);
  if (st == APL_OK) st = apl_couplings_begin(s, &p);
  if (st == APL_OK) st = support(s);
  return st == APL_OK ? apl_implicit_rows(s, c, psi + s->nq + s->nv) : st;
}

static apl_status iterate(double t, double c, const double* psi, double* y, void* context) {
  apl_system* s = context;
  apl_status st = support(s);

  if (st == APL_OK) st = residual(s, c, psi);
  memset(s->room.jump, 0, sizeof *s->room.jump * (size_t)s->nv);
  if (st == APL_OK) {
    st = apl_solve(s->model, s->implicit.twin, s->room.innovation, NULL, NULL, 0, s->room.jump,
                   NULL);
  }
  if (st == APL_OK && s->implicit.n > 0) st = apl_implicit_correct(s, c, s->room.jump);
  for (int i = 0; i < s->nv && st == APL_OK; ++i)
    y[s->nq + i] += s->room.jump[i];
  return st == APL_OK ? place(s, t, c, psi, y) : st;
}

/* The powers of the ledger use the accelerations of the step, by inverse dynamics. Accelerations of
   forward dynamics would contain the residual of Newton's iteration times the stiffness. If there
   are rows, forward dynamics is used nevertheless, because it finds their forces. */
static apl_status finish(double t, double c, const double* psi, const double* y, double* rate,
                         void* context) {
  apl_system* s = context;
  const coupling_pass p = {.level = LEVEL_ACCELERATION};
  if (apl_couplings_count(s, &p) > 0) return apl_system_rate(t, y, rate, s);

  apl_system_unpack(s, t, y);
  accelerate(s, c, psi);
  return apl_system_rate_given(s, t, y, rate);
}

const apl_implicit apl_system_implicit = {
    open, begin, iterate, finish, apl_system_open_jacobian, apl_system_jacobian};
