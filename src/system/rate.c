/* SPDX-License-Identifier: Apache-2.0 */
/* rate.c: y' = f(t, y), the function that an integrator calls. */
#include "system/system_impl.h"

#include "dynamics/passes.h"
#include "system/system.h"

#include <string.h>

static void bristle_rates(apl_system* s, double* rate) {
  for (int i = 0; i < s->npair; ++i) {
    if (!s->model->pair[i].bristles) continue;
    memcpy(rate, apl_state_contact(s->state, i)->zrate, 2 * sizeof *rate);
    rate += 2;
  }
}

/* Rates of q, v, bristles and sums, from the accelerations that the last pass has found. */
static apl_status collect_motion(apl_system* s, double* rate) {
  double* z = rate + s->nq + s->nv;
  const apl_status st = apl_rates_last(s->model, s->state, rate);

  memcpy(rate + s->nq, apl_a(s->state), sizeof *rate * (size_t)s->nv);
  if (s->nz > 0) bristle_rates(s, z);
  for (int i = 0; i < s->drives.nintegral; ++i)
    z[s->nz - s->drives.nintegral + i] = apl_system_sum_rate(s, i);
  return st;
}

/* Rates of all numbers of y; flow[NLEDGER] are the powers and forces that the ledger integrates. */
static apl_status collect_rates(apl_system* s, const double* flow, double* rate) {
  double *angle = rate + s->nq + s->nv + s->nz, *impulse = angle + s->nsat;
  double *ledger = rate + apl_system_ledger_at(s), none = 0.0;

  const apl_status st = collect_motion(s, rate);
  if (s->nsat > 0) memcpy(angle, apl_spin(s->state), sizeof *rate * (size_t)s->nsat);
  for (int i = 0; i < s->npair; ++i)
    impulse[i] = apl_state_contact(s->state, i)->force[0];
  for (int i = 0; i < s->ledger.nactive; ++i) {
    ledger[i] = flow[s->ledger.order[i]];
    none += 0.0 * ledger[i]; /* becomes NAN if a flow is not finite */
  }
  return st == APL_OK && none != 0.0 ? APL_ERR_NOT_FINITE : st;
}

apl_status apl_system_rate_motion(double t, const double* y, double* rate, void* context) {
  apl_system* s = context;

  apl_system_place(s, t, y);
  const apl_status st = apl_system_forward(s);
  return st == APL_OK ? collect_motion(s, rate) : st;
}

apl_status apl_system_rate(double t, const double* y, double* rate, void* context) {
  apl_system* s = context;
  double flow[NLEDGER];

  apl_system_place(s, t, y);
  apl_status st = apl_system_forward(s);
  if (st == APL_OK && s->ledger.nactive > 0)
    st = apl_ledger_rates(s->model, s->state, s->ledger.impulses, flow);
  return st == APL_OK ? collect_rates(s, flow, rate) : st;
}

apl_status apl_system_rate_landed(double t, const double* y, double* rate, void* context) {
  apl_system* s = context;
  const apl_status st = apl_system_rate(t, y, rate, s);

  if (st == APL_OK && apl_tally_last(s->model, s->state, s->ledger.left) == APL_OK)
    apl_system_keep_tally(s, t, y);
  return st;
}

apl_status apl_system_rate_given(apl_system* s, double t, const double* y, double* rate) {
  double flow[NLEDGER];
  const apl_status st =
      apl_ledger_given(s->model, s->state, s->ledger.impulses, flow, s->ledger.left);

  if (st == APL_OK) apl_system_keep_tally(s, t, y);
  return st == APL_OK ? collect_rates(s, flow, rate) : st;
}
