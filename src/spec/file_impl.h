/* SPDX-License-Identifier: Apache-2.0 */
/* file_impl.h: a loaded file: its tree and the spec that was made of it. Layers above use the spec
   only, not the tree (tools/check_layers.py checks this). */
#pragma once

#include "appell/file.h"

#include "spec/form.h"
#include "spec/grammar.h"
#include "text/yaml.h"

struct apl_file {
  const char* text; /* as it was read, followed by the settings as comments */
  text_node* root;  /* NULL for URDF                                                       */
  bool included;    /* it includes other files */
  bool urdf;        /* it was a URDF */
  text_reach reach; /* files that it may read */
  apl_spec* spec;
  apl_note* note;
  int nnote;
  apl_pool pool; /* owns tree and notes                                                         */
};

/* grammar.c: the tree of a model file -> file->spec. */
void apl_file_read(apl_file* file, apl_report* report);

/* settings.c: settings PATH=VALUE are applied to the tree in three phases, in this order: those of
   `repeat` before copies are made, those of `include` before files are included, then the others.
 */
typedef enum settings_phase { SETTINGS_REPEAT, SETTINGS_INCLUDE, SETTINGS_OTHERS } settings_phase;
settings_phase apl_settings_phase(const char* text);

/* Mistakes of setting k, counted from 1, are reported with the line -k. */
void apl_settings_apply(text_node* root, const char* const* set, int n, settings_phase phase,
                        const yaml_limits* limits, apl_pool* pool, apl_report* report);

/* Files that include each other, the innermost first. */
typedef struct include_chain {
  const char* path;
  const struct include_chain* up;
  int depth;
  size_t* room; /* bytes that may still be read; shared by all files of a load                    */
} include_chain;
enum { APL_DEEPEST_INCLUDE = 16 };

/* block_include.c: put the files of `include` into the tree; false when it has none. */
bool apl_include_expand(apl_file* file, text_node* root, const apl_load_options* options,
                        const include_chain* chain, apl_report* report);

/* file.c: load a file that others include; *out has a tree even when it is a URDF, NULL with
   sentences in the report. */
void apl_file_open(const char* path, const apl_load_options* options, const include_chain* chain,
                   apl_file** out, apl_report* report);

/* meshes.c: warnings for meshes that cannot be opened, one for each reason, at the line of the
   first mesh. */
void apl_meshes_look(const apl_file* file, apl_report* report);

/* floor.c: the name of the ground that is made for a URDF. */
extern const char apl_floor_name[];

/* URDF text -> file->spec and notes. */
void apl_urdf_read(apl_file* file, const char* text, size_t size, const apl_load_options* options,
                   apl_report* report);

/* block_links.c: let the kinds of joint and body check the parameters of a link, and report their
   complaints. */
void apl_link_try(apl_spec* spec, const spec_link* link, apl_report* report);
