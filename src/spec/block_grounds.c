/* SPDX-License-Identifier: Apache-2.0 */
/* block_grounds.c: `grounds`, planes that contacts can touch, by name. */
#include "spec/grammar.h"
#include "spec/rows.h"

#include <stdio.h>

/* A ground as it is written. The laws have tables of their own and go to an apl_surface. */
typedef struct block_ground {
  double point[3], normal[3], direction[3];
  const text_node *law, *friction;
} block_ground;

static const apl_field fields[] = {
    APL_FIELD(block_ground, point, "point", "m", "a point on the plane, in world axes", 0, 0, 0),
    APL_FIELD_AXIS(block_ground, normal, "normal",
                   "normal of the plane, pointing out of the ground", 0, 0, 1),
    APL_FIELD(block_ground, direction, "direction", "1",
              "first friction direction, projected onto the plane; needed only if friction depends "
              "on direction. Given in world axes, or in port axes with `friction.axes: link`; when "
              "left out it is arbitrary, or x of the port",
              0, 0, 0),
    BLOCK(block_ground, law, "law", "normal-law", NULL, "normal contact law"),
    BLOCK(block_ground, friction, "friction", "friction-law", NOTHING,
          "friction law; no friction when left out"),
    APL_FIELD_END,
};

static apl_vec3 vector(const double* x) {
  return (apl_vec3){x[0], x[1], x[2]};
}

/* {floor: {normal: z, law: {normal: hu-guo, ...}, friction: {law: ambrosio, ...}}} */
static void read(apl_spec* s, const text_node* map, form_reader* r) {
  if (map->kind != TEXT_MAP) {
    apl_report_add(r->report, APL_ERR_SYNTAX, map->at,
                   "grounds: expected a map from names to planes");
    return;
  }
  for (const text_node* item = map->first; item != NULL; item = item->next) {
    block_ground raw = {.normal = {0, 0, 1}};
    apl_surface g = apl_surface_default();
    char where[80];

    snprintf(where, sizeof where, "grounds.%.60s", item->key);
    apl_form_where(r, "%s.", where);
    if (!apl_fields_read(r, item, &(field_set){.field = fields, .out = &raw}, 1)) continue;
    g.point = vector(raw.point);
    g.normal = vector(raw.normal);
    g.direction = vector(raw.direction);
    if (!apl_laws_read(r, where, raw.law, raw.friction, &g)) continue;
    apl_spec_ground(s, item->key, &g);
    if (apl_spec_settle(s, item->key_at, r->report)) s->ground[s->nground - 1].at = item->key_at;
  }
}

static void write(text_out* o, const apl_spec* s) {
  if (s->nground > 0) apl_out_add(o, "grounds:\n");
  for (int i = 0; i < s->nground; ++i) {
    const apl_surface* g = &s->ground[i].g;
    const block_ground row = {.point = {g->point.x, g->point.y, g->point.z},
                              .normal = {g->normal.x, g->normal.y, g->normal.z},
                              .direction = {g->direction.x, g->direction.y, g->direction.z}};
    const char* comma = "";
    apl_out_add(o, "  %s: {", s->ground[i].name);
    apl_fields_write(o, fields, &row, 0, &comma);
    apl_laws_write(o, g, comma);
  }
}

const grammar_block apl_block_grounds = {
    .word = "grounds",
    .form = BLOCK_NAMED,
    .field = fields,
    .title = "a plane that contacts can touch",
    .declares = PLACES("KEY"),
    .read = read,
    .write = write,
};
