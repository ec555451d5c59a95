/* SPDX-License-Identifier: Apache-2.0 */
/* block_record.c: `record`, what a run records in addition to the usual channels. The ports are
   looked up later, in the compiled model. */
#include "spec/grammar.h"
#include "spec/rows.h"

#include <string.h>

typedef struct block_record {
  const text_node* ports;
  bool accelerations, reactions;
  double every;
} block_record;

static const apl_field fields[] = {
    BLOCK(block_record, ports, "ports", "names", NOTHING,
          "ports (link.port) whose pose and velocity in the world are recorded"),
    ROW(block_record, accelerations, "accelerations", APL_FORM_FLAG, NO,
        "record the derivatives of all velocities, and the accelerations of these ports"),
    ROW(block_record, reactions, "reactions", APL_FORM_FLAG, NO,
        "record the forces and moments that hold each link at its joint, and the robot in the "
        "world"),
    APL_FIELD(block_record, every, "every", "s",
              "time between recorded rows; 0: `output-every` of the run", 0),
    APL_FIELD_END,
};

static bool add_word(apl_spec* s, const char* text, apl_mark at, form_reader* r) {
  s->record[s->nrecord] = (spec_word){apl_pool_text(&s->pool, text), at};
  if (s->record[s->nrecord].text == NULL) return apl_form_no_memory(r, at);
  s->nrecord += 1;
  return true;
}

static void add_port(apl_spec* s, const text_node* node, form_reader* r) {
  char shown[64];

  if (node->kind != TEXT_SCALAR || apl_node_empty(node)) {
    apl_form_refuse(r, node->at, "ports", "expected the name of a port, got %s",
                    apl_node_show(node, shown));
  } else {
    add_word(s, node->text, node->at, r);
  }
}

static void read(apl_spec* s, const text_node* map, form_reader* r) {
  block_record raw = {0};

  apl_form_where(r, "record.");
  if (!apl_fields_read(r, map, &(field_set){.field = fields, .out = &raw}, 1)) return;
  if (raw.every < 0.0) {
    apl_form_refuse(r, apl_node_get(map, "every")->at, "every", "must not be negative, got %g",
                    raw.every);
    return;
  }
  if (raw.every > 0.0) s->run.output_every = raw.every;
  const int most = 2 + (raw.ports == NULL ? 0 : raw.ports->count + 1);
  s->record = apl_pool_take(&s->pool, sizeof *s->record * (size_t)most);
  if (s->record == NULL) {
    apl_form_no_memory(r, map->at);
    return;
  }
  if (raw.accelerations) add_word(s, "accelerations", map->key_at, r);
  if (raw.reactions) add_word(s, "reactions", map->key_at, r);
  if (raw.ports != NULL && raw.ports->kind == TEXT_SCALAR) add_port(s, raw.ports, r);
  for (const text_node* c = raw.ports == NULL ? NULL : raw.ports->first; c != NULL; c = c->next)
    add_port(s, c, r);
}

static void write(text_out* o, const apl_spec* s) {
  const char *comma = "record: {", *between = "ports: [";

  for (int pass = 0; pass < 2; ++pass) {
    for (int i = 0; i < s->nrecord; ++i) {
      const char* word = s->record[i].text;
      if ((strchr(word, '.') != NULL) != (pass == 1)) continue;
      apl_out_add(o, pass == 0 ? "%s%s: true" : "%s%s%s",
                  pass == 0 || between[0] == 'p' ? comma : "", pass == 0 ? word : between, word);
      comma = ", ";
      if (pass == 1) between = ", ";
    }
  }
  if (between[0] == ',') apl_out_add(o, "]");
  if (comma[0] == ',') apl_out_add(o, "}\n");
}

const grammar_block apl_block_record = {
    .word = "record",
    .form = BLOCK_MAP,
    .field = fields,
    .title = "what to record in addition",
    .read = read,
    .write = write,
};
