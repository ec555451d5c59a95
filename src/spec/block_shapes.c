/* SPDX-License-Identifier: Apache-2.0 */
/* block_shapes.c: `shapes` of links and `obstacles`, which are shapes that are fixed in the world.
 */
#include "spec/link.h"
#include "spec/rows.h"

#include "base/nearest.h"

#include <string.h>

const char* const apl_use_words[] = {"both", APL_USE_PICTURE, "contact", NULL};

/* The keys of all shapes. */
const apl_field apl_shape_fields[] = {
    ROW(spec_shape, name, "name", APL_FORM_TEXT, TEXT(""),
        "name, for use in `collide`; the name of an obstacle is its key"),
    CHOICE(spec_shape, use, "use", apl_use_words, apl_use_words,
           "drawn only (`picture`), used for contact only (`contact`), or both; contact "
           "needs an entry in `collide`. Meshes are only drawn"),
    ROW(spec_shape, type, "type", APL_FORM_TEXT, NULL, "type of the shape, one of those below"),
    ROW(spec_shape, at, "at", APL_FORM_POSE, IDENTITY_POSE,
        "pose of its centre in the body frame; of an obstacle, in the world"),
    APL_FIELD(spec_shape, colour, "colour", "1",
              "red, green, blue and opacity, each from 0 to 1; opacity 0: the colour of its link",
              0, 0, 0, 0),
    APL_FIELD_END,
};

#define RADIUS                                                                                     \
  {                                                                                                \
    .name = "radius", .offset = offsetof(spec_shape, size), .count = 1, .unit = "m",               \
    .sentence = "radius"                                                                           \
  }
#define LENGTH                                                                                     \
  {                                                                                                \
    .name = "length", .offset = offsetof(spec_shape, size) + sizeof(double), .count = 1,           \
    .unit = "m", .sentence = "length along z; that of a capsule does not include its round ends"   \
  }
static const apl_field box[] = {
    APL_FIELD_REQUIRED(spec_shape, size, "size", "m", "edge lengths along x, y, z"),
    APL_FIELD_END,
};
static const apl_field round_long[] = {RADIUS, LENGTH, APL_FIELD_END};
static const apl_field ball[] = {RADIUS, APL_FIELD_END};
static const apl_field mesh[] = {
    ROW(spec_shape, file, "file", APL_FORM_TEXT, NULL,
        "mesh file (.stl, .obj, .dae), relative to the folder of the model file"),
    APL_FIELD(spec_shape, scale, "scale", "1", "scale factors along x, y, z", 1, 1, 1),
    APL_FIELD_END,
};

const block_type apl_shape_kinds[] = {
    {"box", "a box; `at` is its centre", box},
    {"cylinder", "a cylinder along z", round_long},
    {"sphere", "a ball; `at` is its centre", ball},
    {"capsule", "a cylinder along z with hemispherical ends", round_long},
    {"pipe",
     "the inner wall of a tube along z, for bodies that move inside it; its open ends have no rim",
     round_long},
    {"mesh", "a triangle mesh from a file; it is only drawn", mesh},
    {NULL, NULL, NULL},
};

static bool shape_type(int i, block_type* out) {
  *out = apl_shape_kinds[i];
  return out->word != NULL;
}

/* ------------------------------------------------------------------------------- one shape ---- */

static const block_type* find_shape(form_reader* r, const text_node* item) {
  const text_node* type = apl_node_get(item, "type");
  apl_nearest near = {.word = ""};
  char hint[96], shown[64];

  if (item->kind != TEXT_MAP || type == NULL) {
    apl_form_refuse(r, item->at, "type", "is missing (type of the shape)");
    return NULL;
  }
  if (type->kind == TEXT_SCALAR) near.word = type->text;
  for (const block_type* k = apl_shape_kinds; k->word != NULL; ++k) {
    if (strcmp(k->word, near.word) == 0) return k;
    apl_nearest_offer(&near, k->word);
  }
  apl_form_refuse(r, type->at, "type", "there is no shape %s%s", apl_node_show(type, shown),
                  apl_nearest_text(&near, hint));
  return NULL;
}

bool apl_shape_read(form_reader* r, const text_node* item, spec_shape* out) {
  const block_type* kind = find_shape(r, item);
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

void apl_shape_write(text_out* o, const spec_shape* s) {
  const block_type* kind = apl_shape_kinds;
  const char* comma = "";

  while (strcmp(kind->word, s->type) != 0)
    ++kind;
  apl_fields_write(o, apl_shape_fields, s, APL_ALL_FIELDS, &comma);
  apl_fields_write(o, kind->field, s, APL_ALL_FIELDS, &comma);
  apl_out_add(o, "}\n");
}

/* ------------------------------------------------------------------------------- of a link ---- */

void apl_shapes_read(link_reader* l, const text_node* list) {
  if (list == NULL || !apl_list_expected(l, "shapes", list)) return;

  form_reader r = l->form;
  apl_form_where(&r, "link '%.64s': shapes.", l->link->name);
  l->link->bare = list->first == NULL;
  for (const text_node* item = list->first; item != NULL; item = item->next) {
    spec_link* link = l->link;
    spec_shape shape;
    if (!apl_shape_read(&r, item, &shape)) continue;
    link->shape = apl_spec_grow(l->spec, link->shape, link->nshape, sizeof *link->shape);
    if (apl_spec_settle(l->spec, item->at, l->form.report)) link->shape[link->nshape++] = shape;
  }
}

void apl_shapes_write(text_out* o, const spec_link* l) {
  if (l->bare) apl_out_add(o, "    shapes: []\n");
  if (l->nshape > 0) apl_out_add(o, "    shapes:\n");
  for (int k = 0; k < l->nshape; ++k) {
    apl_out_add(o, "      - {");
    apl_shape_write(o, &l->shape[k]);
  }
}

const grammar_block apl_block_shapes = {
    .word = "shapes",
    .form = BLOCK_LIST,
    .field = apl_shape_fields,
    .title = "a shape on a link, for pages and for contact",
    .type = shape_type,
};

/* ------------------------------------------------------------------------------- obstacles ---- */

static void read_obstacles(apl_spec* s, const text_node* map, form_reader* r) {
  if (map->kind != TEXT_MAP) {
    apl_report_add(r->report, APL_ERR_SYNTAX, map->at,
                   "obstacles: expected a map from names to shapes");
    return;
  }
  for (const text_node* item = map->first; item != NULL; item = item->next) {
    spec_shape shape;
    apl_form_where(r, "obstacles.%.60s.", item->key);
    if (!apl_shape_read(r, item, &shape)) continue;
    shape.name = item->key;
    apl_spec_obstacle(s, &shape);
    if (apl_spec_settle(s, item->key_at, r->report))
      s->obstacle[s->nobstacle - 1].mark = item->key_at;
  }
}

static void write_obstacles(text_out* o, const apl_spec* s) {
  if (s->nobstacle > 0) apl_out_add(o, "obstacles:\n");
  for (int i = 0; i < s->nobstacle; ++i) {
    spec_shape shape = s->obstacle[i];
    apl_out_add(o, "  %s: {", shape.name);
    shape.name = ""; /* the name is the key */
    apl_shape_write(o, &shape);
  }
}

const grammar_block apl_block_obstacles = {
    .word = "obstacles",
    .form = BLOCK_NAMED,
    .field = apl_shape_fields,
    .title = "a shape that is fixed in the world, of the types of `shapes` except mesh",
    .type = shape_type,
    .declares = PLACES("KEY"),
    .read = read_obstacles,
    .write = write_obstacles,
};
