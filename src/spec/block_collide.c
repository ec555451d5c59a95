/* SPDX-License-Identifier: Apache-2.0 */
/* block_collide.c: `collide`, a list of sets of shapes that can touch each other. */
#include "spec/grammar.h"
#include "spec/rows.h"

/* An entry as it is written. The laws have tables of their own and go to a spec_collide. */
typedef struct block_collide {
  const char* name;
  const text_node *of, *with, *law, *friction;
  int neighbours, most;
  const char* unknown;
} block_collide;

static const char* const unknown_words[] = {"refuse", "leave-out", NULL};
const char apl_collide_name[] = "touch";

static const apl_field fields[] = {
    ROW(block_collide, name, "name", APL_FORM_TEXT, (const char* const[]){apl_collide_name},
        "name; its contacts are called NAME.1, NAME.2 and so on in results"),
    BLOCK(block_collide, of, "of", "names", NOTHING,
          "the first set of shapes: links, shapes (link.shape) or obstacles, with `*` at the end "
          "of a name as a wildcard; all shapes of links when left out"),
    BLOCK(block_collide, with, "with", "names", NOTHING,
          "the second set, given in the same way: what the first set can touch; all shapes of "
          "links and all obstacles when left out"),
    ROW(block_collide, neighbours, "neighbours", APL_FORM_WHOLE, WHOLE(1),
        "links that are this many joints apart, or fewer, do not touch each other. Fixed joints "
        "are not counted. The world, with its obstacles, is a neighbour of links that a joint of "
        "one freedom connects to it"),
    ROW(block_collide, most, "most", APL_FORM_WHOLE, WHOLE(0),
        "not used any more: the number of contact points follows from the shapes. Files that have "
        "it still load"),
    CHOICE(block_collide, unknown, "unknown", unknown_words, unknown_words,
           "what to do with pairs of shapes for which no contact geometry is implemented: "
           "`refuse` the model, or `leave-out` these pairs with a warning"),
    BLOCK(block_collide, law, "law", "normal-law", NULL, "normal contact law"),
    BLOCK(block_collide, friction, "friction", "friction-law", NOTHING,
          "friction law; no friction when left out"),
    APL_FIELD_END,
};

static void read_entry(apl_spec* s, form_reader* r, const text_node* item) {
  block_collide raw = {0};
  spec_collide c = {.g = apl_surface_default(), .at = item->at};

  apl_fields_default(fields, &raw);
  apl_form_where(r, "collide.");
  if (!apl_fields_read(r, item, &(field_set){.field = fields, .out = &raw}, 1)) return;
  bool ok = apl_names_read(r, "of", raw.of, &c.of, &c.nof);
  ok = apl_names_read(r, "with", raw.with, &c.with, &c.nwith) && ok;
  ok = apl_laws_read(r, "collide", raw.law, raw.friction, &c.g) && ok;
  if (!ok) return;
  c.name = raw.name;
  c.neighbours = raw.neighbours;
  c.most = raw.most;
  c.lenient = raw.unknown == unknown_words[1];
  apl_spec_add_collide(s, &c);
  apl_spec_settle(s, item->at, r->report);
}

static void read(apl_spec* s, const text_node* list, form_reader* r) {
  if (list->kind != TEXT_LIST) {
    apl_report_add(r->report, APL_ERR_SYNTAX, list->at,
                   "collide: expected a list, each item with shapes that can touch");
    return;
  }
  for (const text_node* item = list->first; item != NULL; item = item->next)
    read_entry(s, r, item);
}

static void write(text_out* o, const apl_spec* s) {
  if (s->ncollide > 0) apl_out_add(o, "collide:\n");
  for (int i = 0; i < s->ncollide; ++i) {
    const spec_collide* c = &s->collide[i];
    const block_collide row = {.name = c->name,
                               .neighbours = c->neighbours,
                               .most = c->most,
                               .unknown = unknown_words[c->lenient ? 1 : 0]};
    const char* comma = "";
    apl_out_add(o, "  - {");
    apl_fields_write(o, fields, &row, 0, &comma);
    apl_names_write(o, "of", c->of, c->nof, &comma);
    apl_names_write(o, "with", c->with, c->nwith, &comma);
    apl_laws_write(o, &c->g, comma);
  }
}

const grammar_block apl_block_collide = {
    .word = "collide",
    .form = BLOCK_LIST,
    .field = fields,
    .title = "shapes that can touch each other; if two entries name the same pair, the first one "
             "applies",
    .declares = PLACES("*.name"),
    .refers = PLACES("*.of", "*.of.*", "*.with", "*.with.*"),
    .read = read,
    .write = write,
};
