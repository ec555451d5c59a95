/* SPDX-License-Identifier: Apache-2.0 */
/* grammar.h: the blocks of a model file. A block is a part of the file with its own keys: `links`,
   `joint`, `tendons`. Each block has one file, block_NAME.c, with its field table, its reader and
   its writer, and a grammar_block at the end that collects them. grammar.c has the list of blocks.
   The JSON schema (schema.c) and the manual (manual.c) are made from the same tables. */
#pragma once

#include "base/field.h"
#include "spec/form.h"
#include "text/node.h"
#include "text/out.h"

#include <stdbool.h>

/* What the value of a block looks like. */
typedef enum block_form {
  BLOCK_MAP,     /* a map with the keys of the table                                            */
  BLOCK_LIST,    /* a list of such maps                                                         */
  BLOCK_NAMED,   /* a map from names to such maps                                               */
  BLOCK_NUMBERS, /* one number, or one for each freedom of a joint                              */
  BLOCK_NAMES,   /* a name, or a list of names                                                  */
  BLOCK_SIGNAL,  /* a function of time                                                          */
  BLOCK_SIGNALS, /* a map from names to functions of time                                       */
  BLOCK_ANY,     /* a map from names to values                                                  */
} block_form;

/* A second way to write a block, which the schema must allow as well. */
typedef enum block_short {
  SHORT_NONE,
  SHORT_TYPE,   /* the word of a type instead of the map: `joint: revolute`                     */
  SHORT_ITEM,   /* a single item instead of a list of one item                                  */
  SHORT_SIGNAL, /* a function of time instead of the map of a named item                        */
} block_short;

/* One of the types of a block, such as the type `box` of a shape, with the keys of this type. */
typedef struct block_type {
  const char* word;
  const char* title;
  const apl_field* field;
} block_type;

typedef struct grammar_block {
  const char* word; /* the key at the top level, or words[0] of the rows that contain the block */
  block_form form;
  const apl_field* field; /* NULL: it has no table                                              */
  const char* title;      /* for the manual                                                     */
  block_short brief;

  /* Type number i, from 0; false beyond the last one. NULL: the block has no types. */
  bool (*type)(int i, block_type* out);

  /* Places of names in the block, for files that are included under a prefix: names that the block
     introduces, and names that it uses. The parts of a place are separated by dots. `*` stands for
     every item of a list or map, and KEY for the keys of a map. The lists end with NULL. A block
     without names (both NULL) is not taken over from an included file. */
  const char* const* declares;
  const char* const* refers;

  /* For blocks at the top level. The reader puts the block into the spec, after all links. */
  void (*read)(apl_spec* spec, const text_node* node, form_reader* r);
  void (*write)(text_out* o, const apl_spec* spec);
} grammar_block;

/* All blocks, in the order in which the manual describes them. X(NAME) stands for apl_block_NAME,
   the last lines of the file that describes the block. */
/* clang-format off */
#define GRAMMAR_BLOCKS(X)                                                                          \
  X(include) X(set) X(floor)                                                                       \
  X(links) X(joint) X(body) X(ports) X(rotors) X(limits) X(servo) X(shapes)                        \
  X(tendons) X(path) X(loops) X(couplings) X(inputs)                                               \
  X(grounds) X(normal_law) X(friction_law) X(contacts) X(obstacles) X(collide)                     \
  X(rotation) X(run) X(record) X(names) X(freedoms) X(start)                                       \
  X(motion) X(gaits) X(wave) X(signals) X(signal)
/* clang-format on */
#define X(name) extern const grammar_block apl_block_##name;
GRAMMAR_BLOCKS(X)
#undef X

extern const grammar_block* const apl_grammar_blocks[]; /* ends with NULL */

/* The block with this word of n letters, or NULL. */
const grammar_block* apl_block_find(const char* word, size_t n);

/* grammar.c: the keys at the top level of a model file. */
extern const apl_field apl_model_fields[];

/* Tables that other files need as well. */
extern const apl_field apl_limits_fields[];  /* block_limits.c, of spec_limits                    */
extern const apl_field apl_shape_fields[];   /* block_shapes.c, of spec_shape: keys of all shapes */
extern const block_type apl_shape_kinds[];   /* block_shapes.c, ends with word NULL               */
extern const char* const apl_use_words[];    /* block_shapes.c: both, picture, contact            */
extern const apl_field apl_pose_fields[];    /* block_pose.c                                      */
extern const apl_field apl_inertia_fields[]; /* block_pose.c                                      */
extern const apl_field apl_run_fields[];     /* block_run.c, of apl_run_block                     */
extern const char apl_collide_name[];        /* block_collide.c: the name of an entry without one */

/* block_shapes.c: one shape, of a link or of the world. The writer begins behind "{". */
bool apl_shape_read(form_reader* r, const text_node* item, spec_shape* out);
void apl_shape_write(text_out* o, const spec_shape* shape);

/* block_laws.c: contact law and friction law of a ground or of an entry of `collide`. `friction`
   may be NULL. Sentences begin with `where`. The writer ends the map that it stands in. */
bool apl_laws_read(form_reader* r, const char* where, const text_node* law,
                   const text_node* friction, apl_surface* out);
void apl_laws_write(text_out* o, const apl_surface* surface, const char* comma);

/* block_names.c: a name or a list of names, into the pool. */
bool apl_names_read(form_reader* r, const char* key, const text_node* node, spec_word** out,
                    int* n);
void apl_names_write(text_out* o, const char* key, const spec_word* word, int n,
                     const char** comma);
