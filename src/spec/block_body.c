/* SPDX-License-Identifier: Apache-2.0 */
/* block_body.c: `body` of a link: the keys that all types of bodies have in common. The keys of the
   types themselves are in the tables of src/element. */
#include "spec/link.h"
#include "spec/rows.h"

#include <string.h>

typedef struct block_body {
  const char* type;
  bool prescribed;
} block_body;

static const apl_field fields[] = {
    ROW(block_body, type, "type", APL_FORM_TEXT, TEXT("rigid"),
        "type of the body, one of those below"),
    ROW(block_body, prescribed, "prescribed", APL_FORM_FLAG, NO,
        "the deformation follows the `motion` exactly, and the effort that this needs is computed"),
    APL_FIELD_END,
};

/* Index of the row with this name that is a single number; -1 if the table has none. */
static int find_length(const apl_field* field, const char* name) {
  for (int i = 0; field[i].name != NULL; ++i) {
    const bool length = field[i].form == APL_FORM_NUMBERS && field[i].count == 1;
    if (length && strcmp(field[i].name, name) == 0) return i;
  }
  return -1;
}

/* Warn of a rod that is wider than long: its user probably forgot a unit, as in `width: 6` for 6
 * mm. */
static void doubt_section(const link_reader* l, const apl_field* field, const void* param) {
  static const char* const across[] = {"diameter", "width", "height"};
  const int along = find_length(field, "length");
  double length, size;
  if (along < 0) return;

  memcpy(&length, (const char*)param + field[along].offset, sizeof length);
  for (size_t k = 0; k < sizeof across / sizeof *across; ++k) {
    const int i = find_length(field, across[k]);
    if (i < 0) continue;
    memcpy(&size, (const char*)param + field[i].offset, sizeof size);
    if (!(size > length)) continue;
    apl_report_warn(l->form.report, l->link->mark.body_field[i],
                    "link '%.64s': body.%s is %.6g m on a body of %.6g m length; is a unit "
                    "missing? Numbers without a unit are in m",
                    l->link->name, across[k], size, length);
  }
}

void apl_body_read(link_reader* l, const text_node* node) {
  spec_link* link = l->link;
  const apl_body_kind* kind = apl_body_kinds[link->body_kind];
  block_body raw = {0};

  link->mark.body = node->at;
  const bool ok = apl_part_read(l, "body", node, fields, &raw, kind->field, link->body_param,
                                &link->body_given, &link->mark.body_field);
  if (raw.prescribed && kind->rigid) {
    apl_form_refuse(&l->form, apl_node_get(node, "prescribed")->at, "prescribed",
                    "a %s body does not deform", kind->word);
  }
  link->body_prescribed = ok && raw.prescribed;
  if (ok) doubt_section(l, kind->field, link->body_param);
}

void apl_body_write(text_out* o, const spec_link* l) {
  const apl_body_kind* kind = apl_body_kinds[l->body_kind];
  const char* comma = ", ";

  apl_out_add(o, "    body: {type: %s", kind->word);
  apl_fields_write(o, kind->field, l->body_param, l->body_given, &comma);
  apl_out_add(o, l->body_prescribed && !kind->rigid ? ", prescribed: true}\n" : "}\n");
}

static bool body_type(int i, block_type* out) {
  const apl_body_kind* kind = apl_body_kinds[i];

  if (kind != NULL) *out = (block_type){kind->word, kind->title, kind->field};
  return kind != NULL;
}

const grammar_block apl_block_body = {
    .word = "body",
    .form = BLOCK_MAP,
    .field = fields,
    .title = "a body",
    .type = body_type,
};
