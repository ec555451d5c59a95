/* contact_memory.c: what contacts remember beside y, as numbers of a checkpoint. */
#include "kind/contact.h"

#include <string.h>

/* mode, sticks, speed, then the note */
enum { MEMORY = 18 };

int apl_contact_notes_size(const apl_system* s) {
  return MEMORY * s->npair + 3 * s->model->nslot;
}

void apl_contact_notes_remember(apl_system* s, double* out) {
  for (int i = 0; i < s->npair; ++i, out += MEMORY) {
    const contact_state* c = apl_state_contact(s->state, i);
    const contact_note* n = &s->note[i];
    const double memory[MEMORY] = {c->on,
                                   c->stick,
                                   c->speed,
                                   n->start,
                                   n->impulse,
                                   n->peak,
                                   n->last[0],
                                   n->last[1],
                                   n->last[2],
                                   n->period,
                                   n->closed ? 1.0 : 0.0,
                                   n->stuck ? 1.0 : 0.0,
                                   n->rest,
                                   n->slip[0],
                                   n->slip[1],
                                   n->out[0],
                                   n->out[1],
                                   n->out[2]};
    memcpy(out, memory, sizeof memory);
  }
  for (int i = s->npair - s->model->nslot; i < s->npair; ++i, out += 3) {
    const contact_touch* t = apl_state_touch(s->state, i);
    memcpy(out, (double[3]){t->solid[0], t->solid[1], t->place}, 3 * sizeof *out);
  }
}

void apl_contact_notes_recall(apl_system* s, const double* in) {
  for (int i = 0; i < s->npair; ++i, in += MEMORY) {
    contact_state* c = apl_system_memory(s, i);
    c->on = in[0];
    c->stick = in[1];
    c->speed = in[2];
    s->note[i] = (contact_note){.start = in[3],
                                .impulse = in[4],
                                .peak = in[5],
                                .last = {in[6], in[7], in[8]},
                                .period = in[9],
                                .closed = in[10] > 0.5,
                                .stuck = in[11] > 0.5,
                                .rest = in[12],
                                .slip = {in[13], in[14]},
                                .out = {in[15], in[16], in[17]}};
  }
  for (int i = s->npair - s->model->nslot; i < s->npair; ++i, in += 3) {
    const contact_touch was = {{(int)in[0], (int)in[1]}, (int)in[2]};
    *apl_state_touch(s->state, i) =
        apl_system_has_touch(s, i, &was) ? was : (contact_touch){{0, 0}, 0};
  }
}
