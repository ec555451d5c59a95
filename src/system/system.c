/* SPDX-License-Identifier: Apache-2.0 */
/* system.c: a system is created and freed. */
#include "system/system_impl.h"

#include "base/arena.h"
#include "base/error.h"
#include "signal/signals.h"
#include "system/system.h"

#include <math.h>
#include <stdlib.h>

/* ---------------------------------------------------------------------------------- memory ---- */

#define TAKE(p, count) ((p) = apl_arena_take(a, sizeof *(p) * (size_t)(count)))

static void layout_drives(system_drives* d, const apl_system* s, apl_arena* a) {
  TAKE(d->input, s->nu);
  TAKE(d->least, s->nu);
  TAKE(d->greatest, s->nu);
  TAKE(d->slow, s->nu);
  TAKE(d->slow_by, s->nu);
  TAKE(d->motion, s->nv);
  TAKE(d->aim, s->nv);
  TAKE(d->heard_input.x, 3 * s->nu);
  TAKE(d->heard_motion.x, 3 * s->nv);
  TAKE(d->heard_aim.x, 3 * s->nv);
  TAKE(d->integral, s->model->nintegral);
}

static void layout_contacts(system_contacts* c, const apl_system* s, apl_arena* a) {
  TAKE(c->note, s->npair);
  TAKE(c->pull, s->npair);
  TAKE(c->first_row, s->npair);
  TAKE(c->down, s->npair);
  TAKE(c->before, s->npair);
  TAKE(c->meeting, 3 * s->npair);
}

/* All arrays of the parts: measured with an empty arena, then placed. */
static void layout(apl_system* s, apl_arena* a) {
  layout_drives(&s->drives, s, a);
  layout_contacts(&s->contacts, s, a);
  TAKE(s->holds.velocity, s->nv);
  TAKE(s->holds.effort, s->nv);
  TAKE(s->ledger.account, NLEDGER);
  TAKE(s->ledger.left_at, s->nq + s->nv);
  TAKE(s->along.angle, s->nsat + s->npair);
  if (s->along.angle != NULL) s->along.impulse = s->along.angle + s->nsat;
  TAKE(s->touch.key, s->touch.nkey);
  TAKE(s->touch.key_place, s->touch.nkey);
  TAKE(s->look.q, s->nq);
  TAKE(s->look.v, s->nv);
  TAKE(s->look.seen, s->npair);
  TAKE(s->look.uncut, s->model->ntendon);
  TAKE(s->loops.want, 2 * s->model->npart);
  TAKE(s->loops.last, s->model->npart);
  TAKE(s->loops.asleep, s->model->npart);
  TAKE(s->room.rate, s->nq);
  TAKE(s->room.innovation, s->nv);
  TAKE(s->room.jump, s->nv);
  TAKE(s->room.kept, s->nv);
}

#undef TAKE

/* A hash table with four times as many keys as places has short searches. */
static apl_status open_memory(apl_system* s) {
  const apl_model* m = s->model;
  apl_arena arena = {0};
  apl_status st = apl_state_new(m, APL_SCALAR, &s->state);

  if (st == APL_OK && m->nslot > 0) {
    st = apl_near_new(m, &s->touch.near);
    s->touch.nkey = 4 * (s->touch.near.most + m->nslot) + 1;
  }
  if (st != APL_OK) return st;
  layout(s, &arena);
  s->memory = apl_arena_open(&arena);
  if (s->memory == NULL) return APL_ERR_MEMORY;
  layout(s, &arena);
  return APL_OK;
}

/* -------------------------------------------------------------------------------- creation ---- */

static void measure(apl_system* s) {
  const apl_model* m = s->model;

  s->nq = apl_model_nq(m);
  s->nv = apl_model_nv(m);
  s->nu = apl_model_nu(m);
  s->nsat = apl_model_count(m, APL_SATELLITES);
  s->npair = m->npair;
  s->nz = 2 * m->nbristle + m->nintegral;
}

/* No signals, no limits, all accounts active. */
static void begin(apl_system* s) {
  apl_system_forget_signals(s);
  apl_system_find_integrals(s);
  for (int i = 0; i < s->nu; ++i) {
    s->drives.least[i] = -HUGE_VAL;
    s->drives.greatest[i] = HUGE_VAL;
  }
  s->drives.path_end = s->drives.left_of = HUGE_VAL;
  for (int i = 0; i < NLEDGER; ++i)
    s->ledger.order[i] = i;
  /* no pass computes the force of the ground on slaved joints, so that momentum has no balance */
  s->ledger.momentum = s->ledger.impulses = s->model->nslaved == 0;
  s->ledger.nactive = s->ledger.impulses ? NLEDGER : APL_NACCOUNT;
  for (int i = 0; i < s->npair; ++i)
    s->contacts.may_hold =
        s->contacts.may_hold || s->model->pair[i].rigid != 0 || s->model->pair[i].sticks != 0;
  apl_couplings_find(s);
  apl_system_measure(s);
}

apl_status apl_system_new(const apl_model* m, apl_system** out, apl_error* err) {
  if (out != NULL) *out = NULL;
  if (m == NULL || out == NULL) {
    return apl_fail(err, APL_ERR_ARGUMENT,
                    "apl_system_new() needs a model and a place for the system");
  }
  apl_system* s = calloc(1, sizeof *s);
  apl_status st = APL_ERR_MEMORY;

  *out = NULL;
  if (s != NULL) {
    s->model = m;
    s->budget.err = &s->refusal;
    s->rows.budget = &s->budget;
    apl_system_limit_memory(s, 0.0);
    measure(s);
    st = open_memory(s);
  }
  if (st != APL_OK) {
    apl_system_free(s);
    return apl_fail(err, st, "out of memory for a system");
  }
  begin(s);
  *out = s;
  return APL_OK;
}

void apl_system_limit_memory(apl_system* s, double limit) {
  s->budget.limit = 1e9 * (limit > 0.0 ? limit : APL_MEMORY_LIMIT);
  s->budget.taken = (double)s->rows.bytes + (double)s->implicit.bytes;
}

void apl_system_end_steps(apl_system* s) {
  if (s->stepping.kept != NULL) s->stepping.stop(s->stepping.kept);
  s->stepping.kept = NULL;
}

void apl_system_free(apl_system* s) {
  if (s == NULL) return;
  apl_system_end_steps(s);
  for (int i = 0; s->memory != NULL && i < s->nu; ++i)
    apl_signal_free(s->drives.input[i]);
  for (int i = 0; i < s->drives.nmotion; ++i)
    apl_signal_free(s->drives.motion[i].signal);
  for (int i = 0; i < s->drives.naim; ++i)
    apl_signal_free(s->drives.aim[i].signal);
  apl_rows_free(&s->rows);
  apl_near_free(&s->touch.near);
  apl_system_free_loops(s);
  apl_implicit_free(s);
  apl_couplings_close(s);
  apl_state_free(s->state);
  free(s->memory);
  free(s);
}

const apl_model* apl_system_model(const apl_system* s) {
  return s->model;
}

apl_state* apl_system_state(apl_system* s) {
  if (s == NULL) return NULL;
  return s->state;
}

void apl_system_stop(apl_system* s, const char* sentence) {
  if (s == NULL) return;
  apl_fail(&s->complaint, APL_ERR_STOPPED, "%s", sentence == NULL ? "stopped" : sentence);
}
