/* SPDX-License-Identifier: Apache-2.0 */
/* block_loops.c: `loops`, a list of joints between two ports that are not in the tree of links. */
#include "spec/grammar.h"
#include "spec/loop.h"
#include "spec/rows.h"

#include <string.h>

typedef struct block_loop {
  apl_closure c; /* all of it but the member `axes` */
  const char* axes;
} block_loop;

static const char* const closure_words[] = {
#define X(name, word, title, along, about) word,
    CLOSURE_LIST(X)
#undef X
        NULL};
static const char* const direction_words[] = {"x", "y", "z", "about-x", "about-y", "about-z", NULL};
static const char* const axes_words[] = {"from", "world", NULL};

static const apl_field fields[] = {
    ROW(block_loop, c.name, "name", APL_FORM_TEXT, TEXT(""),
        "name, unique among loops and couplings; loop1, loop2 and so on when left out"),
    ROW(block_loop, c.from, "from", APL_FORM_TEXT, NULL,
        "first frame: a port as link.port, a link (its own frame), or `world`"),
    ROW(block_loop, c.to, "to", APL_FORM_TEXT, NULL,
        "second frame, given like `from`; reported forces are those that act on it"),
    CHOICE(block_loop, c.type, "type", closure_words, NULL, "type of the joint between them"),
    ROW(block_loop, c.at, "at", APL_FORM_POSE, IDENTITY_POSE,
        "pose of the joint in the frame of `from`"),
    {.name = "axis",
     .offset = offsetof(block_loop, c.axis),
     .count = 3,
     .unit = "1",
     .form = APL_FORM_AXIS,
     .fallback = (const double[3]){0, 0, 1},
     .sentence =
         "axis of a hinge, slider or cylindrical joint, given in the axes of both frames; normal "
         "of the plane of a planar-point; axis of a universal joint that is fixed in `from`"},
    {.name = "cross",
     .offset = offsetof(block_loop, c.cross),
     .count = 3,
     .unit = "1",
     .form = APL_FORM_AXIS,
     .fallback = (const double[3]){1, 0, 0},
     .sentence = "universal: the axis that is fixed in `to` and stays perpendicular to `axis`"},
    APL_FIELD(block_loop, c.length, "length", "m",
              "distance: the constant distance between the two origins", 0),
    {.name = "directions",
     .offset = offsetof(block_loop, c.directions),
     .count = 1,
     .unit = "1",
     .form = APL_FORM_SET,
     .words = direction_words,
     .fallback = (const unsigned[]){0},
     .sentence = "mask: the translations and rotations that are locked, in the axes of `from`"},
    CHOICE(block_loop, axes, "axes", axes_words, axes_words,
           "point, planar-point: axes in which the directions are fixed, those of `from` or "
           "of the world"),
    APL_FIELD(block_loop, c.stiffness, "stiffness", "N/m",
              "with `run.loops: springs`: stiffness of the translations; 0: from `loop-frequency`",
              0),
    APL_FIELD(
        block_loop, c.damping, "damping", "N s/m",
        "with `run.loops: springs`: damping of the translations; 0: from `loop-damping-ratio`", 0),
    APL_FIELD(block_loop, c.turning_stiffness, "turning-stiffness", "N m/rad",
              "with `run.loops: springs`: stiffness of the rotations; 0: from `loop-frequency`", 0),
    APL_FIELD(block_loop, c.turning_damping, "turning-damping", "N m s/rad",
              "with `run.loops: springs`: damping of the rotations; 0: from `loop-damping-ratio`",
              0),
    APL_FIELD_END,
};

static void read(apl_spec* s, const text_node* list, form_reader* r) {
  apl_form_where(r, "loops.");
  if (list->kind != TEXT_LIST) {
    apl_report_add(r->report, APL_ERR_SYNTAX, list->at,
                   "loops: expected a list, each item a joint between two ports");
    return;
  }
  for (const text_node* item = list->first; item != NULL; item = item->next) {
    block_loop raw = {.c = apl_closure_default(), .axes = axes_words[0]};
    if (!apl_fields_read(r, item, &(field_set){.field = fields, .out = &raw}, 1)) continue;
    raw.c.axes = strcmp(raw.axes, axes_words[0]) == 0 ? APL_PORT_AXES : APL_WORLD_AXES;
    const int i = apl_spec_loop(s, &raw.c);
    if (apl_spec_settle_item(s, item, r->report)) s->loop[i].at = item->at;
  }
}

static void write(text_out* o, const apl_spec* s) {
  if (s->nloop > 0) apl_out_add(o, "loops:\n");
  for (int i = 0; i < s->nloop; ++i) {
    const apl_closure* c = &s->loop[i].c;
    const block_loop row = {*c, axes_words[c->axes == APL_PORT_AXES ? 0 : 1]};
    const char* comma = "";
    apl_out_add(o, "  - {");
    apl_fields_write(o, fields, &row, APL_ALL_FIELDS, &comma);
    apl_out_add(o, "}\n");
  }
}

const grammar_block apl_block_loops = {
    .word = "loops",
    .form = BLOCK_LIST,
    .field = fields,
    .title = "a loop closure: a joint between two ports",
    .declares = PLACES("*.name"),
    .refers = PLACES("*.from", "*.to"),
    .read = read,
    .write = write,
};
