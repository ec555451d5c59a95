/* SPDX-License-Identifier: Apache-2.0 */
/* ledger.c: the accounts of energy and the impulse from outside, and the audit that compares them
   with the energies and the momentum of the state. */
#include "system/system_impl.h"

#include "dynamics/passes.h"
#include "system/system.h"

#include <string.h>

/* -------------------------------------------------------------------------------- accounts ---- */

void apl_system_book(apl_system* s, apl_account account, double energy, const double* impulse) {
  s->ledger.account[account] += energy;
  for (int i = 0; i < 6; ++i)
    s->ledger.account[APL_NACCOUNT + i] += impulse[i];
}

/* Does material damping dissipate energy? Its power is computed with all velocities equal to 1. */
static bool structures_lose(apl_system* s) {
  double power[APL_NACCOUNT] = {0}, *v = apl_v(s->state);
  double* kept = s->room.kept;

  memcpy(kept, v, sizeof *v * (size_t)s->nv);
  for (int i = 0; i < s->nv; ++i)
    v[i] = 1.0;
  const apl_status st = apl_accounts(s->model, s->state, power);
  memcpy(v, kept, sizeof *v * (size_t)s->nv);
  return st != APL_OK || power[APL_ACCOUNT_STRUCTURE] != 0.0;
}

/* Can this account change in a run without controllers and events? */
static bool flows(apl_system* s, apl_account account) {
  const apl_model* m = s->model;
  bool any = m->nprescribed + s->holds.n > 0;

  switch (account) {
  case APL_ACCOUNT_EFFORT:
    for (int i = 0; i < s->nv; ++i)
      any = any || apl_tau(s->state)[i] != 0.0;
    return any;
  case APL_ACCOUNT_INPUT:
    return s->nu > 0;
  case APL_ACCOUNT_SERVO:
    return m->nservo > 0;
  case APL_ACCOUNT_LOAD:
    return s->state->nload > 0;
  case APL_ACCOUNT_DAMPING:
  case APL_ACCOUNT_FRICTION:
  case APL_ACCOUNT_STOP:
    return m->npassive > 0;
  case APL_ACCOUNT_STRUCTURE:
    return structures_lose(s);
  case APL_ACCOUNT_DRAG:
    return m->ndrag > 0;
  case APL_ACCOUNT_TENDON:
    return m->ntendon > 0;
  case APL_ACCOUNT_CONTACT:
  case APL_ACCOUNT_CONTACT_FRICTION:
    return m->npair > 0;
  case APL_ACCOUNT_LOOP:
    return m->npart > 0;
  case APL_ACCOUNT_PROJECTION: /* booked at events, never integrated */
  case APL_ACCOUNT_IMPACT:
  case APL_NACCOUNT:
    break;
  }
  return false;
}

void apl_system_activate(apl_system* s, bool all, bool momentum) {
  int first = 0, last = NLEDGER;

  s->revision += 1;
  for (int i = 0; i < NLEDGER; ++i) {
    const bool on =
        i < APL_NACCOUNT ? all || flows(s, (apl_account)i) : momentum && s->ledger.momentum;
    if (on) s->ledger.order[first++] = i;
  }
  s->ledger.nactive = first;
  s->ledger.impulses = momentum && s->ledger.momentum;
  for (int i = NLEDGER - 1; i >= 0; --i) {
    bool on = false;
    for (int k = 0; k < first; ++k)
      on = on || s->ledger.order[k] == i;
    if (!on) s->ledger.order[--last] = i;
  }
}

/* ----------------------------------------------------------------------------------- audit ---- */

void apl_system_keep_tally(apl_system* s, double t, const double* y) {
  s->ledger.left_t = t;
  memcpy(s->ledger.left_at, y, sizeof *y * (size_t)(s->nq + s->nv));
  s->ledger.has_left = true;
}

/* Is ledger.left, the tally at the end of the last step, that of (t, y)? */
static bool tally_stands(const apl_system* s, double t, const double* y) {
  return s->ledger.has_left && s->ledger.left_t == t &&
         memcmp(s->ledger.left_at, y, sizeof *y * (size_t)(s->nq + s->nv)) == 0;
}

/* Fill the report from the accounts and the tally of the present state. */
static void tell_ledger(apl_system* s, apl_ledger* out) {
  const double* tally = s->ledger.tally;

  apl_system_note_stretch(s);
  memcpy(out->momentum, tally + TALLY_MOMENTUM, sizeof out->momentum);
  for (int i = 0; i < 6; ++i)
    out->impulse[i] = s->ledger.account[APL_NACCOUNT + i];
  out->has_momentum = s->ledger.impulses && (!s->stepping.impulsive || s->stepping.books_outside);
  out->kinetic = tally[TALLY_KINETIC];
  out->potential = tally[TALLY_POTENTIAL];
  out->sum = out->kinetic + out->potential;
  for (int i = 0; i < APL_NACCOUNT; ++i) {
    out->account[i] = s->ledger.account[i];
    out->sum -= s->ledger.account[i];
  }
}

apl_status apl_system_audit(apl_system* s, double t, const double* y, apl_ledger* out) {
  apl_system_unpack(s, t, y);
  const apl_status st = apl_tally(s->model, s->state, s->ledger.tally);
  if (st == APL_OK) tell_ledger(s, out);
  return st;
}

apl_status apl_system_audit_last(apl_system* s, double t, const double* y, apl_ledger* out) {
  if (!tally_stands(s, t, y)) return apl_system_audit(s, t, y, out);

  s->ledger.has_left = false;
  memcpy(s->ledger.tally, s->ledger.left, sizeof s->ledger.tally);
  apl_system_unpack_along(s, y);
  /* the gaps of loops that the report notes, and contacts, are those of the state */
  if (s->model->npart + s->npair > 0) apl_system_place(s, t, y);
  tell_ledger(s, out);
  return APL_OK;
}
