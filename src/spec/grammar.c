/* SPDX-License-Identifier: Apache-2.0 */
/* grammar.c: the top level of a model file and the list of its blocks. Each block is described,
   read and written by a file of its own, block_NAME.c. */
#include "spec/grammar.h"
#include "spec/file_impl.h"
#include "spec/rows.h"

#include <string.h>

#define X(name) &apl_block_##name,
const grammar_block* const apl_grammar_blocks[] = {GRAMMAR_BLOCKS(X) NULL};
#undef X

/* Blocks of the top level in the order in which they are read and written. Links come first, since
   the others refer to them, and `record` after `run`, since its `every` replaces `output-every`. */
static const grammar_block* const top_level[] = {
    &apl_block_links,   &apl_block_tendons,  &apl_block_loops,     &apl_block_couplings,
    &apl_block_grounds, &apl_block_contacts, &apl_block_obstacles, &apl_block_collide,
    &apl_block_inputs,  &apl_block_motion,   &apl_block_gaits,     &apl_block_signals,
    &apl_block_start,   &apl_block_run,      &apl_block_record,
};

const grammar_block* apl_block_find(const char* word, size_t n) {
  for (const grammar_block* const* b = apl_grammar_blocks; *b != NULL; ++b) {
    if (strlen((*b)->word) == n && strncmp((*b)->word, word, n) == 0) return *b;
  }
  return NULL;
}

/* ---------------------------------------------------------------------------- the top level ----
 */

typedef struct top_fields {
  int appell;
  const char* name;
  const char* description;
  double gravity[3];
  const char* doubts;
  const text_node* block; /* not used: the blocks are found in the tree by their words */
} top_fields;

static const char* const doubt_words[] = {"refuse", "keep", NULL};

/* The key of a block. It has the name of the block. */
#define TOP(word, fallback_, sentence_) BLOCK(top_fields, block, word, word, fallback_, sentence_)

const apl_field apl_model_fields[] = {
    ROW(top_fields, appell, "appell", APL_FORM_WHOLE, NULL, "version of the file format: 1"),
    ROW(top_fields, name, "name", APL_FORM_TEXT, TEXT(""),
        "name of the robot, shown in summaries and on pages"),
    ROW(top_fields, description, "description", APL_FORM_TEXT, TEXT(""),
        "free text about the robot"),
    APL_FIELD(top_fields, gravity, "gravity", "m/s^2", "gravitational acceleration, in world axes",
              0, 0, -9.81),
    CHOICE(top_fields, doubts, "doubts", doubt_words, doubt_words,
           "what to do with inertias that no real body can have and with joints that move no mass: "
           "`refuse` them, or `keep` them with a warning (needed for some imported robots)"),
    TOP("include", NOTHING,
        "other model files or URDFs whose links, inputs and so on become part of this robot"),
    TOP("links", NULL, "the links; each one is a joint and the body that it moves"),
    TOP("tendons", NOTHING,
        "tendons, by name; results have the channels NAME.length and NAME.tension"),
    TOP("loops", NOTHING,
        "loop closures: joints between two ports that are not in the tree, as in parallel robots"),
    TOP("couplings", NOTHING,
        "linear relations between two coordinates, by name: gears and mimic joints"),
    TOP("inputs", NOTHING, "motors, tendon drives and external loads, by name"),
    TOP("grounds", NOTHING, "planes that contacts can touch, by name"),
    TOP("contacts", NOTHING, "points, balls and arcs on ports that can touch a ground"),
    TOP("obstacles", NOTHING,
        "shapes that are fixed in the world, by name: pegs, steps, walls, pipes"),
    TOP("collide", NOTHING,
        "which shapes of links and obstacles can touch each other, and with which contact and "
        "friction law"),
    TOP("motion", NOTHING,
        "motion of prescribed joints and aim of servos, as signals, by coordinate or velocity"),
    TOP("gaits", NOTHING, "motions of many joints at once, for snakes and worms"),
    TOP("signals", NOTHING,
        "functions of time, by name; inputs, motions and gaits can refer to them"),
    TOP("start", NOTHING,
        "initial state: coordinates by name, velocities by name with `.rate`; or from an earlier "
        "result, or at static equilibrium"),
    TOP("run", NOTHING, "settings of a simulation: end time, integrator, tolerance"),
    TOP("record", NOTHING, "what to record in addition to the channels that every run records"),
    APL_FIELD_END,
};

void apl_file_read(apl_file* file, apl_report* report) {
  apl_spec* s = file->spec;
  const form_reader fresh = {.report = report, .pool = &s->pool, .reach = &file->reach};
  form_reader r = fresh;
  top_fields top = {0};

  apl_fields_default(apl_model_fields, &top);
  apl_fields_read(&r, file->root, &(field_set){.field = apl_model_fields, .out = &top}, 1);
  const text_node* version = apl_node_get(file->root, "appell");
  if (version != NULL && top.appell != 1) {
    apl_form_refuse(&r, version->at, "appell", "this program reads version 1 of the format, got %d",
                    top.appell);
  }
  apl_spec_lenient(s, top.doubts == doubt_words[1]);
  s->name = top.name;
  s->description = top.description;
  apl_spec_gravity(s, (apl_vec3){top.gravity[0], top.gravity[1], top.gravity[2]});

  for (size_t i = 0; i < sizeof top_level / sizeof *top_level; ++i) {
    const text_node* node = apl_node_get(file->root, top_level[i]->word);
    r = fresh;
    if (node != NULL) top_level[i]->read(s, node, &r);
  }
}

static void write_text(text_out* o, const char* key, const char* text) {
  if (text[0] == '\0') return;
  apl_out_add(o, "%s: ", key);
  apl_out_scalar(o, text);
  apl_out_add(o, "\n");
}

char* apl_spec_write(const apl_spec* s) {
  text_out o = {0};
  const double gravity[] = {s->gravity.x, s->gravity.y, s->gravity.z};

  apl_out_add(&o, "appell: 1\n");
  write_text(&o, "name", s->name);
  write_text(&o, "description", s->description);
  apl_out_add(&o, "gravity: ");
  apl_out_numbers(&o, gravity, 3);
  apl_out_add(&o, s->lenient ? "\ndoubts: keep\n" : "\n");
  for (size_t i = 0; i < sizeof top_level / sizeof *top_level; ++i)
    top_level[i]->write(&o, s);
  return apl_out_take(&o);
}
