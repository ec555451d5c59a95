/* SPDX-License-Identifier: Apache-2.0 */
/* contact_book.c: results of the contacts of a time step: work by account, impulses, impacts. */
#include "kind/contact.h"

#include "law/contact_law.h"

#include <math.h>
#include <string.h>

void apl_contact_outside(const apl_system* s, double impulse[6]) {
  for (int i = 0; i < s->npair; ++i) {
    const contact_state* c = apl_state_contact(s->state, i);
    double last[3], p[3] = {0};

    if (apl_contact_steps(s)[i].row < 0 || apl_system_is_inner(s, i)) continue;
    memcpy(last, s->contacts.note[i].last, sizeof last);
    /* a prescribed normal load is balanced by the ground */
    if (s->model->pair[i].pressed) last[0] = 0.0;
    for (int k = 0; k < 9; ++k)
      p[k % 3] += last[k / 3] * c->axis[k];
    apl_add_moment(c->place, p, impulse);
  }
}

/* Report the impact of contact i: it ends in the first step without a normal impulse. */
static void tell_impact(apl_system* s, int i, double t, coupling_news* news) {
  const contact_note* n = &s->contacts.note[i];
  const double speed = apl_state_contact(s->state, i)->speed;

  if (!(speed > s->model->par[s->model->pair[i].par + PAIR_REST])) return;
  news->impacts += 1;
  if (news->impact == NULL) return;
  apl_impact hit = {.contact = i,
                    .start = n->start,
                    .end = t,
                    .speed_in = speed,
                    .speed_out = n->out[0],
                    .slip_in = {n->slip[0], n->slip[1]},
                    .slip_out = {n->out[1], n->out[2]},
                    .impulse = s->along.impulse[i] - n->impulse,
                    .peak = n->peak};
  apl_system_shapes(s, i, hit.shape);
  news->impact(&hit, s, news->user);
}

/* Contacts without friction have no tangential rows, so their sliding velocity is computed only
   when their impact ends. */
static apl_status find_slips(apl_system* s) {
  apl_status st = APL_OK;
  bool looked = false;

  for (int i = 0; i < s->npair && st == APL_OK; ++i) {
    contact_note* n = &s->contacts.note[i];
    const bool presses = apl_contact_steps(s)[i].row >= 0 && n->last[0] > 0.0;
    if (s->model->pair[i].friction != FRICTION_NONE || !n->closed || presses) continue;
    if (!looked) st = apl_contacts(s->model, s->state);
    looked = true;
    memcpy(n->out + 1, apl_state_contact(s->state, i)->slip, 2 * sizeof *n->out);
  }
  return st;
}

/* Book the work of contact i by P (u- + u+)/2, its impulse, and its memory. Returns the work if
   restitution applied. */
static double book_contact(apl_system* s, int i, const coupling_pass* p) {
  contact_note* n = &s->contacts.note[i];
  const contact_step* c = &apl_contact_steps(s)[i];
  const bool presses = c->row >= 0 && n->last[0] > 0.0;
  double normal = 0.0, along = 0.0;

  n->period = p->h;
  if (presses) {
    /* a prescribed normal load is balanced by the ground: no work */
    if (!s->model->pair[i].pressed) normal = 0.5 * n->last[0] * (c->before[0] + c->after[0]);
    for (int k = 1; k < 3; ++k)
      along += 0.5 * n->last[k] * (c->before[k] + c->after[k]);
  }
  s->ledger.account[c->hit ? APL_ACCOUNT_IMPACT : APL_ACCOUNT_CONTACT] += normal;
  s->ledger.account[APL_ACCOUNT_CONTACT_FRICTION] += along;
  if (presses && !n->closed) {
    *n = (contact_note){.start = p->t,
                        .impulse = s->along.impulse[i],
                        .period = p->h,
                        .slip = {c->before[1], c->before[2]},
                        .last = {n->last[0], n->last[1], n->last[2]}};
    apl_state_contact(s->state, i)->speed =
        fmax(-c->before[0], s->model->par[s->model->pair[i].par + PAIR_REST]);
  }
  s->along.impulse[i] += n->last[0];
  n->peak = fmax(n->peak, n->last[0] / p->h);
  if (n->closed && !presses) tell_impact(s, i, p->t, p->news);
  if (presses) memcpy(n->out, c->after, sizeof n->out);
  n->closed = presses;
  n->stuck = presses && hypot(c->after[1], c->after[2]) <= 1e-9 * s->scale.speed;
  return c->hit ? normal + along : 0.0;
}

apl_status apl_contact_book(apl_system* s, coupling_pass* p) {
  const apl_status st = find_slips(s);

  for (int i = 0; i < s->npair; ++i)
    p->gain += book_contact(s, i, p);
  return st;
}
