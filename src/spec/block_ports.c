/* SPDX-License-Identifier: Apache-2.0 */
/* block_ports.c: `ports` of a link, named frames on its body. */
#include "spec/link.h"
#include "spec/rows.h"

typedef struct block_port {
  apl_pose at;
  double station;
} block_port;

static const apl_field fields[] = {
    ROW(block_port, at, "at", APL_FORM_POSE, IDENTITY_POSE,
        "pose of the port, in the body frame; on a body that deforms, relative to the section at "
        "`station`"),
    APL_FIELD(block_port, station, "station", "1",
              "place along a body that deforms, from 0 (root) to 1 (tip); not for rigid bodies", 0),
    APL_FIELD_END,
};

void apl_ports_read(link_reader* l, const text_node* map) {
  if (map == NULL) return;
  if (map->kind != TEXT_MAP) {
    apl_form_refuse(&l->form, map->at, "ports", "expected a map from names to ports");
    return;
  }
  form_reader r = l->form;
  for (const text_node* item = map->first; item != NULL; item = item->next) {
    block_port raw = {.at = apl_pose_identity()};
    apl_form_where(&r, "link '%.64s': ports.%.64s.", l->link->name, item->key);
    if (!apl_fields_read(&r, item, &(field_set){.field = fields, .out = &raw}, 1)) continue;
    const text_node* station = apl_node_get(item, "station");
    if (station != NULL && apl_body_kinds[l->link->body_kind]->rigid) {
      apl_form_refuse(&r, station->at, "station", "a rigid body has no stations; leave it out");
      continue;
    }
    apl_spec_port(l->spec, l->index, item->key, raw.station, raw.at);
    apl_spec_settle(l->spec, item->key_at, l->form.report);
  }
}

void apl_ports_write(text_out* o, const spec_link* l) {
  if (l->nport > 0) apl_out_add(o, "    ports:\n");
  for (int k = 0; k < l->nport; ++k) {
    /* a program may have given a station to a rigid body, which ignores it: it is not written */
    const bool rigid = apl_body_kinds[l->body_kind]->rigid;
    const block_port row = {l->port[k].at, rigid ? 0.0 : l->port[k].station};
    const char* comma = "";
    apl_out_add(o, "      %s: {", l->port[k].name);
    apl_fields_write(o, fields, &row, APL_ALL_FIELDS, &comma);
    apl_out_add(o, "}\n");
  }
}

const grammar_block apl_block_ports = {
    .word = "ports",
    .form = BLOCK_NAMED,
    .field = fields,
    .title = "a frame on a body",
};
