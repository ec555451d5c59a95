/* implicit.c: one implicit step of a system, y = psi + c y', as the integrator `stiff` asks for it.
   Theory: docs/theory/stiff.md.

   Coordinates are eliminated, q = psi_q + c N(q) v, so that Newton's unknowns are velocities. The
   residual is what inverse dynamics of the acceleration (v - psi_v) / c leaves over, in forces:

     W dv = c (tau - ID(q, v, (v - psi_v) / c))        W = M + c C + c^2 K at the guess

   W costs one sweep (appell/rows.h). Its factors stand in a state of their own, because inverse
   dynamics needs the room of those in the first one. */
#include "system/system_impl.h"

#include "appell/rows.h"

#include "base/error.h"
#include "dynamics/passes.h"

#include <string.h>

apl_status apl_system_open_implicit(apl_system* s, apl_error* err) {
  if (s->twin != NULL) return APL_OK;
  const apl_status st = apl_state_new(s->model, APL_SCALAR, &s->twin);
  return st == APL_OK ? st : apl_fail(err, st, "out of memory for implicit steps");
}

/* q = psi + c q'(q, v) for the velocities in y, rates at the coordinates that are there. Prescribed
   freedoms stand on their signals. */
static apl_status place(apl_system* s, double t, double c, const double* psi, double* y) {
  apl_system_unpack(s, t, y);
  const apl_status st = apl_rates(s->model, s->state, s->rate);

  for (int i = 0; i < s->nq; ++i)
    y[i] = psi[i] + c * s->rate[i];
  apl_system_unpack(s, t, y);
  memcpy(y, apl_q(s->state), sizeof *y * (size_t)s->nq);
  memcpy(y + s->nq, apl_v(s->state), sizeof *y * (size_t)s->nv);
  return st;
}

/* tau - ID(q, v, a) on the free velocities, in innovation[]. */
static apl_status residual(apl_system* s, double c, const double* psi, const double* y) {
  double *tau = apl_tau(s->state), *a = apl_a(s->state), *v = apl_v(s->state);

  memcpy(s->jump, tau, sizeof *tau * (size_t)s->nv);
  for (int i = 0; i < s->nv; ++i)
    s->innovation[i] = a[i];
  for (int i = 0; i < s->nv; ++i)
    a[i] = (v[i] - psi[s->nq + i]) / c;
  for (int i = 0; i < s->ndrive; ++i)
    a[s->drive[i].velocity] = s->innovation[s->drive[i].velocity];
  (void)y;
  const apl_status st = apl_inverse(s->model, s->state);
  for (int i = 0; i < s->nv; ++i) {
    s->innovation[i] = c * (s->jump[i] - tau[i]);
    tau[i] = s->jump[i];
  }
  return st;
}

static apl_status begin(double t, double c, const double* psi, double* y, void* context) {
  apl_system* s = context;
  apl_status st = place(s, t, c, psi, y);

  memcpy(apl_q(s->twin), apl_q(s->state), sizeof *y * (size_t)s->nq);
  memcpy(apl_v(s->twin), apl_v(s->state), sizeof *y * (size_t)s->nv);
  memcpy(apl_aim(s->twin), apl_aim(s->state), 2 * sizeof *y * (size_t)s->nv);
  if (st == APL_OK) st = apl_factor(s->model, s->twin, c);
  return st;
}

static apl_status iterate(double t, double c, const double* psi, double* y, void* context) {
  apl_system* s = context;
  apl_status st = residual(s, c, psi, y);

  memset(s->jump, 0, sizeof *s->jump * (size_t)s->nv);
  if (st == APL_OK) {
    st = apl_solve(s->model, s->twin, s->innovation, NULL, NULL, 0, s->jump, NULL);
  }
  for (int i = 0; i < s->nv && st == APL_OK; ++i)
    y[s->nq + i] += s->jump[i];
  return st == APL_OK ? place(s, t, c, psi, y) : st;
}

const apl_implicit apl_system_implicit = {begin, iterate};
