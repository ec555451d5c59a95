/* SPDX-License-Identifier: Apache-2.0 */
/* look.c: contacts, holding forces and tensions of the present state, as events and results ask for
   them. Events ask for the same state many times; each pass is made once. */
#include "system/system_impl.h"

#include "dynamics/passes.h"
#include "system/system.h"

#include <stddef.h>
#include <string.h>

contact_state* apl_system_memory(apl_system* s, int i) {
  s->look.fresh = false;
  return apl_state_contact(s->state, i);
}

/* Contact forces in time stepping: impulses of the last step, divided by its length. */
static apl_status stepped_contacts(apl_system* s) {
  const apl_status st = apl_contacts(s->model, s->state);

  for (int i = 0; i < s->npair; ++i) {
    const contact_note* n = &s->contacts.note[i];
    for (int k = 0; k < 3 && n->period > 0.0; ++k)
      apl_state_contact(s->state, i)->force[k] = n->last[k] / n->period;
  }
  return st;
}

apl_status apl_system_contacts(apl_system* s) {
  bool supported = false;
  if (s->stepping.impulsive) return stepped_contacts(s);

  for (int i = 0; i < s->npair; ++i)
    supported = supported || s->model->pair[i].rigid || s->model->pair[i].sticks;
  const apl_status st = supported ? apl_system_forward(s) : APL_OK; /* finds forces of supports */
  return st == APL_OK ? apl_contacts(s->model, s->state) : st;
}

/* A pass depends on q, v and the memory of each contact, the members before `depth`. */
static bool contacts_as_seen(const apl_system* s, const contact_state* seen) {
  for (int i = 0; i < s->npair; ++i) {
    if (memcmp(&seen[i], apl_state_contact(s->state, i), offsetof(contact_state, depth)) != 0)
      return false;
  }
  return true;
}

const contact_state* apl_system_look(apl_system* s, int i) {
  double *q = s->look.q, *v = s->look.v;
  contact_state* seen = s->look.seen;
  const size_t nq = sizeof *q * (size_t)s->nq, nv = sizeof *q * (size_t)s->nv;

  if (s->look.settled && s->look.viewed) return &seen[i];
  if (!s->look.fresh || memcmp(q, apl_q(s->state), nq) != 0 ||
      memcmp(v, apl_v(s->state), nv) != 0 || !contacts_as_seen(s, seen)) {
    memcpy(q, apl_q(s->state), nq);
    memcpy(v, apl_v(s->state), nv);
    const apl_status st = apl_contacts(s->model, s->state);
    if (st != APL_OK) s->look.failed = st;
    memcpy(seen, apl_state_contact(s->state, 0), sizeof *seen * (size_t)s->npair);
    s->look.fresh = true;
  }
  s->look.viewed = true;
  return &seen[i];
}

void apl_system_settle(apl_system* s, bool settled) {
  s->look.settled = settled;
  s->look.viewed = s->look.held = s->look.pulled = false;
}

apl_status apl_system_hold_forces(apl_system* s) {
  if (!s->look.settled || !s->look.held) s->look.forces = apl_system_forward(s);
  s->look.held = true;
  return s->look.forces;
}

const double* apl_system_uncut(apl_system* s) {
  if (s->look.settled && s->look.pulled) return s->look.uncut;

  const apl_status st = apl_tendons_uncut(s->model, s->state, s->look.uncut);
  if (st != APL_OK) s->look.failed = st;
  s->look.pulled = true;
  return s->look.uncut;
}
