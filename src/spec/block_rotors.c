/* SPDX-License-Identifier: Apache-2.0 */
/* block_rotors.c: `rotors` of a joint, the rotors of its geared motors. */
#include "spec/link.h"
#include "spec/rows.h"

#include "base/nearest.h"

#include <string.h>

typedef struct block_rotor {
  const char* name;
  const char* velocity;
  double inertia, ratio;
} block_rotor;

static const apl_field fields[] = {
    ROW(block_rotor, name, "name", APL_FORM_TEXT, NULL,
        "name, unique among the rotors and wheels of the link"),
    ROW(block_rotor, velocity, "velocity", APL_FORM_TEXT, TEXT(""),
        "name of the joint velocity to which the rotor is geared; the first one when left out"),
    APL_FIELD_REQUIRED(
        block_rotor, inertia, "inertia", "kg m^2",
        "moment of inertia of the rotor about its axis, on the motor side of the gear"),
    APL_FIELD(block_rotor, ratio, "ratio", "1", "gear ratio: rotor speed over joint speed", 1),
    APL_FIELD_END,
};

/* Index of the velocity of the joint with this name, 0 for "". -1 if there is none, which is
   reported. */
static int velocity_of(link_reader* l, form_reader* r, const text_node* item, const char* word) {
  const apl_joint_kind* kind = apl_joint_kinds[l->link->joint_kind];
  apl_nearest near = {.word = word};
  char hint[96];

  if (word[0] == '\0') return 0;
  for (int k = 0; k < kind->nv; ++k) {
    if (strcmp(kind->v_name[k], word) == 0) return k;
    apl_nearest_offer(&near, kind->v_name[k]);
  }
  apl_form_refuse(r, item->at, "velocity", "a %s joint has no velocity '%.40s'%s", kind->word, word,
                  apl_nearest_text(&near, hint));
  return -1;
}

void apl_rotors_read(link_reader* l, const text_node* list) {
  if (list == NULL || !apl_list_expected(l, "rotors", list)) return;

  form_reader r = l->form;
  apl_form_where(&r, "link '%.64s': joint.rotors.", l->link->name);
  for (const text_node* item = list->first; item != NULL; item = item->next) {
    block_rotor raw = {.velocity = "", .ratio = 1.0};
    if (!apl_fields_read(&r, item, &(field_set){.field = fields, .out = &raw}, 1)) continue;
    const int velocity = velocity_of(l, &r, item, raw.velocity);
    if (velocity < 0) continue;
    apl_spec_rotor(l->spec, l->index, raw.name, velocity, raw.inertia, raw.ratio);
    apl_spec_settle(l->spec, item->at, l->form.report);
  }
}

void apl_rotors_write(text_out* o, const spec_link* l) {
  const apl_joint_kind* kind = apl_joint_kinds[l->joint_kind];

  for (int k = 0; k < l->nrotor; ++k) {
    const spec_rotor* r = &l->rotor[k];
    const block_rotor row = {r->name, r->velocity > 0 ? kind->v_name[r->velocity] : "", r->inertia,
                             r->ratio};
    const char* comma = "";
    apl_out_add(o, k == 0 ? ", rotors: [{" : ", {");
    apl_fields_write(o, fields, &row, APL_ALL_FIELDS, &comma);
    apl_out_add(o, k == l->nrotor - 1 ? "}]" : "}");
  }
}

const grammar_block apl_block_rotors = {
    .word = "rotors",
    .form = BLOCK_LIST,
    .field = fields,
    .title = "the rotor of a geared motor",
};
