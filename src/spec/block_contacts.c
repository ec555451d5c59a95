/* SPDX-License-Identifier: Apache-2.0 */
/* block_contacts.c: `contacts`, a list of points, balls and arcs on ports that can touch grounds.
 */
#include "spec/grammar.h"
#include "spec/rows.h"
#include "text/pattern.h"

#include <stdio.h>
#include <string.h>

typedef struct block_contact {
  const char *on, *with;
  double radius, arc, load;
} block_contact;

static const apl_field fields[] = {
    ROW(block_contact, on, "on", APL_FORM_TEXT, NULL,
        "the port that carries the contact, as link.port; `leg*.foot` is a contact on each port "
        "that "
        "fits, * being any characters"),
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

static void put_contact(apl_spec* s, const block_contact* c, const char* port, apl_mark at,
                        apl_report* report) {
  if (c->arc != 0.0) {
    apl_spec_round(s, port, c->with, c->radius, c->arc);
  } else if (c->load != 0.0) {
    apl_spec_press(s, port, c->with, c->radius, c->load);
  } else {
    apl_spec_contact(s, port, c->with, c->radius);
  }
  if (apl_spec_settle(s, at, report)) s->contact[s->ncontact - 1].at = at;
}

/* A contact on each port that fits the pattern, in the order of links and ports. */
static void put_contacts(apl_spec* s, const block_contact* c, apl_mark at, apl_report* report) {
  const int before = s->ncontact;

  for (int l = 0; l < s->nlink; ++l) {
    for (int p = 0; p < s->link[l]->nport; ++p) {
      const char *link = s->link[l]->name, *port = s->link[l]->port[p].name;
      const size_t size = strlen(link) + strlen(port) + 2;
      char* name = apl_pool_take(&s->pool, size);
      if (name == NULL) return;
      snprintf(name, size, "%s.%s", link, port);
      if (apl_pattern_fits(c->on, name)) put_contact(s, c, name, at, report);
    }
  }
  if (s->ncontact == before)
    apl_report_add(report, APL_ERR_MODEL, at, "contacts.on: no port of a link fits '%.64s'", c->on);
}

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
    if (strchr(raw.on, '*') == NULL) {
      put_contact(s, &raw, raw.on, item->at, r->report);
    } else {
      put_contacts(s, &raw, item->at, r->report);
    }
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
