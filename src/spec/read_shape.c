/* read_shape.c: shapes of links, `obstacles`, a map from names to shapes of the world, and
   `collide`, a list of who may touch whom. */
#include "spec/file_impl.h"

#include "base/nearest.h"

#include <string.h>

static const shape_kind* find_shape(form_reader* r, const text_node* item) {
  const text_node* type = apl_node_get(item, "type");
  apl_nearest near = {.word = ""};
  char hint[96], shown[64];

  if (item->kind != TEXT_MAP || type == NULL) {
    apl_form_refuse(r, item->at, "type", "is missing (type of the shape)");
    return NULL;
  }
  if (type->kind == TEXT_SCALAR) near.word = type->text;
  for (const shape_kind* k = apl_shape_kinds; k->word != NULL; ++k) {
    if (strcmp(k->word, near.word) == 0) return k;
    apl_nearest_offer(&near, k->word);
  }
  apl_form_refuse(r, type->at, "type", "there is no shape %s%s", apl_node_show(type, shown),
                  apl_nearest_text(&near, hint));
  return NULL;
}

bool apl_shape_read(form_reader* r, const text_node* item, spec_shape* out) {
  const shape_kind* kind = find_shape(r, item);
  if (kind == NULL) return false;

  field_set set[] = {{.field = apl_shape_fields, .out = out}, {.field = kind->field, .out = out}};
  *out = (spec_shape){.file = ""};
  apl_fields_default(apl_shape_fields, out);
  apl_fields_default(kind->field, out);
  if (!apl_fields_read(r, item, set, 2)) return false;
  out->type = kind->word;
  out->mark = item->at;
  return true;
}

void apl_obstacles_read(apl_spec* s, const text_node* map, apl_report* report) {
  form_reader r = {.report = report, .pool = &s->pool};

  if (map->kind != TEXT_MAP) {
    apl_report_add(report, APL_ERR_SYNTAX, map->at,
                   "obstacles: expected a map from names to shapes");
    return;
  }
  for (const text_node* item = map->first; item != NULL; item = item->next) {
    spec_shape shape;
    apl_form_where(&r, "obstacles.%.60s.", item->key);
    if (!apl_shape_read(&r, item, &shape)) continue;
    shape.name = item->key;
    apl_spec_obstacle(s, &shape);
    if (apl_spec_settle(s, item->key_at, report)) s->obstacle[s->nobstacle - 1].mark = item->key_at;
  }
}

/* A name, or a list of names, into the pool. */
static bool read_names(form_reader* r, const char* key, const text_node* node, spec_word** out,
                       int* n) {
  const text_node* first = node == NULL || node->kind != TEXT_LIST ? node : node->first;
  char shown[64];

  *n = 0;
  *out = NULL;
  if (node == NULL) return true;
  *out = apl_pool_take(r->pool, sizeof **out * (size_t)(node->count + 1));
  if (*out == NULL) return false;
  for (const text_node* item = first; item != NULL; item = item == node ? NULL : item->next) {
    if (item->kind != TEXT_SCALAR || apl_node_empty(item)) {
      apl_form_refuse(r, item->at, key,
                      "expected the name of a link, a shape or an obstacle, got %s",
                      apl_node_show(item, shown));
      return false;
    }
    (*out)[(*n)++] = (spec_word){apl_pool_text(r->pool, item->text), item->at};
  }
  return true;
}

static void read_collide(apl_spec* s, form_reader* r, const text_node* item) {
  grammar_collide raw = {0};
  spec_collide c = {.g = apl_surface_default(), .at = item->at};

  apl_fields_default(apl_collide_fields, &raw);
  apl_form_where(r, "collide.");
  if (!apl_fields_read(r, item, &(field_set){.field = apl_collide_fields, .out = &raw}, 1)) return;
  bool ok = read_names(r, "of", raw.of, &c.of, &c.nof);
  ok = read_names(r, "with", raw.with, &c.with, &c.nwith) && ok;
  apl_form_where(r, "collide.law.");
  ok = apl_fields_read(r, raw.law, &(field_set){.field = apl_normal_fields, .out = &c.g}, 1) && ok;
  apl_form_where(r, "collide.friction.");
  if (raw.friction != NULL) {
    field_set set = {.field = apl_friction_fields, .out = &c.g};
    ok = apl_fields_read(r, raw.friction, &set, 1) && ok;
  }
  if (!ok) return;
  c.name = raw.name;
  c.neighbours = raw.neighbours;
  c.most = raw.most;
  c.lenient = raw.unknown == apl_unknown_words[1];
  apl_spec_add_collide(s, &c);
  apl_spec_settle(s, item->at, r->report);
}

void apl_collide_read(apl_spec* s, const text_node* list, apl_report* report) {
  form_reader r = {.report = report, .pool = &s->pool};

  if (list->kind != TEXT_LIST) {
    apl_report_add(report, APL_ERR_SYNTAX, list->at,
                   "collide: expected a list, each item with shapes that can touch");
    return;
  }
  for (const text_node* item = list->first; item != NULL; item = item->next)
    read_collide(s, &r, item);
}
