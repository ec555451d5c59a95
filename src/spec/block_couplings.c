/* SPDX-License-Identifier: Apache-2.0 */
/* block_couplings.c: `couplings`, linear relations between two coordinates, by name. */
#include "spec/grammar.h"
#include "spec/rows.h"

#include <string.h>

typedef struct block_coupling {
  const char *of, *to;
  double ratio;
  const text_node* offset; /* in the unit of `of` */
} block_coupling;

static const apl_field fields[] = {
    ROW(block_coupling, of, "of", APL_FORM_TEXT, NULL, "the dependent coordinate"),
    ROW(block_coupling, to, "to", APL_FORM_TEXT, NULL, "the coordinate that it depends on"),
    APL_FIELD(block_coupling, ratio, "ratio", "1",
              "ratio of: of = ratio to + offset, in SI units and radians", 1),
    BLOCK(block_coupling, offset, "offset", "freedoms", NOTHING,
          "value of `of` where `to` is zero; 0 when left out"),
    APL_FIELD_END,
};

/* The unit of a coordinate "link.joint.angle" of a joint of one freedom; "1" for others. */
static const char* unit_of(const apl_spec* s, const char* coordinate) {
  for (int i = 0; i < s->nlink; ++i) {
    const spec_link* l = s->link[i];
    const size_t n = strlen(l->name);
    if (strncmp(l->name, coordinate, n) != 0 || strncmp(coordinate + n, ".joint.", 7) != 0)
      continue;
    const apl_joint_kind* kind = apl_joint_kinds[l->joint_kind];
    return kind->nq == 1 ? kind->q_unit[0] : "1";
  }
  return "1";
}

static void read(apl_spec* s, const text_node* map, form_reader* r) {
  if (map->kind != TEXT_MAP) {
    apl_report_add(r->report, APL_ERR_SYNTAX, map->at,
                   "couplings: expected a map from names to pairs of coordinates");
    return;
  }
  for (const text_node* item = map->first; item != NULL; item = item->next) {
    block_coupling raw = {.ratio = 1.0};
    double offset = 0.0;

    apl_form_where(r, "couplings.%.60s.", item->key);
    if (!apl_fields_read(r, item, &(field_set){.field = fields, .out = &raw}, 1)) continue;
    const char* unit = unit_of(s, raw.of);
    if (raw.offset != NULL && !apl_numbers_read(r, "offset", raw.offset, &unit, 1, &offset))
      continue;
    const int i = apl_spec_coupling(s, item->key, raw.of, raw.to, raw.ratio, offset);
    if (apl_spec_settle_item(s, item, r->report)) s->coupling[i].at = item->key_at;
  }
}

static void write(text_out* o, const apl_spec* s) {
  if (s->ncoupling > 0) apl_out_add(o, "couplings:\n");
  for (int i = 0; i < s->ncoupling; ++i) {
    const spec_coupling* c = &s->coupling[i];
    const block_coupling row = {.of = c->of, .to = c->to, .ratio = c->ratio};
    const char* comma = "";
    apl_out_add(o, "  %s: {", c->name);
    apl_fields_write(o, fields, &row, APL_ALL_FIELDS, &comma);
    if (c->offset != 0.0) {
      apl_out_add(o, ", offset: ");
      apl_out_numbers(o, &c->offset, 1);
    }
    apl_out_add(o, "}\n");
  }
}

const grammar_block apl_block_couplings = {
    .word = "couplings",
    .form = BLOCK_NAMED,
    .field = fields,
    .title = "a coupling: a coordinate that is a linear function of another one",
    .declares = PLACES("KEY"),
    .refers = PLACES("*.of", "*.to"),
    .read = read,
    .write = write,
};
