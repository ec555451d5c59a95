/* SPDX-License-Identifier: Apache-2.0 */
/* block_contacts.c: `contacts`, a list of points, balls and arcs on ports that can touch grounds.
 */
#include "spec/grammar.h"
#include "spec/rows.h"

typedef struct block_contact {
  const char *on, *with;
  double radius, arc, load;
} block_contact;

static const apl_field fields[] = {
    ROW(block_contact, on, "on", APL_FORM_TEXT, NULL,
        "the port that carries the contact, as link.port"),
    ROW(block_contact, with, "with", APL_FORM_TEXT, TEXT(""),
        "the ground that it can touch; all grounds when left out"),
    APL_FIELD(block_contact, radius, "radius", "m",
              "radius of a ball (or arc) about the port; 0: a point", 0),
    APL_FIELD(block_contact, arc, "arc", "rad",
              "half angle of a circular arc, instead of a ball: the arc lies in the x-z plane of "
              "the port and is centred on -z",
              0),
    APL_FIELD(
        block_contact, load, "load", "N",
        "given normal force: the contact always touches, presses with this force and only causes "
        "friction (snakes on a table); 0: the normal law of the ground gives the force",
        0),
    APL_FIELD_END,
};

static void read(apl_spec* s, const text_node* list, form_reader* r) {
  apl_form_where(r, "contacts.");
  if (list->kind != TEXT_LIST) {
    apl_report_add(r->report, APL_ERR_SYNTAX, list->at,
                   "contacts: expected a list, each item a point or ball on a port");
    return;
  }
  for (const text_node* item = list->first; item != NULL; item = item->next) {
    block_contact raw = {.with = ""};
    if (!apl_fields_read(r, item, &(field_set){.field = fields, .out = &raw}, 1)) continue;
    if (raw.arc != 0.0 && raw.load != 0.0) {
      apl_report_add(r->report, APL_ERR_MODEL, item->at,
                     "contact on '%.64s': an arc cannot have `load`", raw.on);
      continue;
    }
    if (raw.arc != 0.0) {
      apl_spec_round(s, raw.on, raw.with, raw.radius, raw.arc);
    } else if (raw.load != 0.0) {
      apl_spec_press(s, raw.on, raw.with, raw.radius, raw.load);
    } else {
      apl_spec_contact(s, raw.on, raw.with, raw.radius);
    }
    if (apl_spec_settle(s, item->at, r->report)) s->contact[s->ncontact - 1].at = item->at;
  }
}

static void write(text_out* o, const apl_spec* s) {
  if (s->ncontact > 0) apl_out_add(o, "contacts:\n");
  for (int i = 0; i < s->ncontact; ++i) {
    const spec_contact* c = &s->contact[i];
    const block_contact row = {c->port, c->ground, c->radius, c->arc, c->load};
    const char* comma = "";
    apl_out_add(o, "  - {");
    apl_fields_write(o, fields, &row, APL_ALL_FIELDS, &comma);
    apl_out_add(o, "}\n");
  }
}

const grammar_block apl_block_contacts = {
    .word = "contacts",
    .form = BLOCK_LIST,
    .field = fields,
    .title = "a point, ball or arc that can touch a ground",
    .refers = PLACES("*.on", "*.with"),
    .read = read,
    .write = write,
};
