/* SPDX-License-Identifier: Apache-2.0 */
/* contact_memory.c: the discrete state of contacts, which is not part of y, as numbers of a
   checkpoint. */
#include "kind/contact.h"

#include "base/store.h"

/* One contact: the members of contact_state and contact_note that a run remembers. */
typedef struct contact_record {
  double mode, stick, speed;   /* of contact_state: on, stick, speed                              */
  double start, impulse, peak; /* of contact_note, as all that follow                             */
  double last[3], period;
  double closed, stuck; /* flags                                                                  */
  double rest, slip[2], out[3];
} contact_record;
enum { CONTACT_RECORD = 18 };
APL_STORED(contact_record, CONTACT_RECORD);

/* The two solids that have a slot: contact_touch. */
typedef struct touch_record {
  double solid[2], place;
} touch_record;
enum { TOUCH_RECORD = 3 };
APL_STORED(touch_record, TOUCH_RECORD);

int apl_contact_notes_size(const apl_system* s) {
  return CONTACT_RECORD * s->npair + TOUCH_RECORD * s->model->nslot;
}

static contact_record record_of(const contact_state* c, const contact_note* n) {
  return (contact_record){.mode = c->on,
                          .stick = c->stick,
                          .speed = c->speed,
                          .start = n->start,
                          .impulse = n->impulse,
                          .peak = n->peak,
                          .last = {n->last[0], n->last[1], n->last[2]},
                          .period = n->period,
                          .closed = n->closed ? 1.0 : 0.0,
                          .stuck = n->stuck ? 1.0 : 0.0,
                          .rest = n->rest,
                          .slip = {n->slip[0], n->slip[1]},
                          .out = {n->out[0], n->out[1], n->out[2]}};
}

static void take_record(const contact_record* r, contact_state* c, contact_note* n) {
  c->on = r->mode;
  c->stick = r->stick;
  c->speed = r->speed;
  /* its slot was not given to new solids by this */
  *n = (contact_note){.start = r->start,
                      .impulse = r->impulse,
                      .peak = r->peak,
                      .slip = {r->slip[0], r->slip[1]},
                      .rest = r->rest,
                      .last = {r->last[0], r->last[1], r->last[2]},
                      .period = r->period,
                      .out = {r->out[0], r->out[1], r->out[2]},
                      .closed = r->closed > 0.5,
                      .stuck = r->stuck > 0.5};
}

static void store_record(contact_record* r, apl_store* m) {
  apl_store_whole(m, &r->mode, APL_CONTACT_OPEN, APL_CONTACT_FRESH, "the mode of a contact");
  apl_store_whole(m, &r->stick, 0.0, 1.0, "whether a contact sticks");
  apl_store_number(m, &r->speed, "the speed of a contact");
  apl_store_number(m, &r->start, "the start of a contact");
  apl_store_number(m, &r->impulse, "the impulse of a contact");
  apl_store_number(m, &r->peak, "the peak force of a contact");
  apl_store_numbers(m, r->last, 3, "the last impulse of a contact");
  apl_store_number(m, &r->period, "the period of a contact");
  apl_store_whole(m, &r->closed, 0.0, 1.0, "whether a contact is closed");
  apl_store_whole(m, &r->stuck, 0.0, 1.0, "whether a contact was stuck");
  apl_store_number(m, &r->rest, "the depth of a contact at rest");
  apl_store_numbers(m, r->slip, 2, "the slip of a contact");
  apl_store_numbers(m, r->out, 3, "the end velocity of a contact");
}

/* Which solids have the slot of contact i. */
static void store_touch(apl_store* m, apl_system* s, int i) {
  contact_touch* touch = apl_state_touch(s->state, i);
  const int nsolid = s->model->nsolid;
  touch_record r = {.solid = {touch->solid[0], touch->solid[1]}, .place = touch->place};

  apl_store_whole(m, &r.solid[0], 0.0, nsolid, "a solid of a contact");
  apl_store_whole(m, &r.solid[1], 0.0, nsolid, "a solid of a contact");
  apl_store_whole(m, &r.place, 0.0, 1 << 20, "the place of a contact");
  const contact_touch was = {{(int)r.solid[0], (int)r.solid[1]}, (int)r.place};
  if (!apl_system_has_touch(s, i, &was)) {
    apl_store_refuse(m, "the place of a contact", r.place);
  } else {
    *touch = was;
  }
}

void apl_contact_notes(apl_system* s, apl_store* m) {
  for (int i = 0; i < s->npair; ++i) {
    contact_note* note = &s->contacts.note[i];
    contact_record r = record_of(apl_state_contact(s->state, i), note);

    store_record(&r, m);
    /* apl_system_memory() also marks what was evaluated of this contact as no longer valid */
    if (m->out == NULL) take_record(&r, apl_system_memory(s, i), note);
  }
  for (int i = s->npair - s->model->nslot; i < s->npair; ++i)
    store_touch(m, s, i);
}
