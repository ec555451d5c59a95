/* file_impl.h: a loaded file: the tree as it was written and the spec that was made of it. The tree
   ends here: layers above look at the spec only (tools/check_layers.py). */
#pragma once

#include "appell/file.h"

#include "spec/form.h"
#include "spec/grammar.h"
#include "text/yaml.h"

struct apl_file {
  const char* text; /* as it was read, settings behind it as comments */
  text_node* root;  /* NULL for URDF                                                       */
  bool included;    /* it includes others                                                       */
  text_reach reach; /* which files it may name                                             */
  apl_spec* spec;
  apl_note* note;
  int nnote;
  apl_pool pool; /* owns tree and notes                                                         */
};

/* Tree -> file->spec. */
void apl_file_read(apl_file* file, apl_report* report);

/* settings.c: put PATH=VALUE into the tree: those about `include`, or all others. Sentences about
   the k-th (from 1) have line -k. */
void apl_settings_apply(text_node* root, const char* const* set, int n, bool include,
                        const yaml_limits* limits, apl_pool* pool, apl_report* report);

/* Files that include each other, the innermost first. */
typedef struct include_chain {
  const char* path;
  const struct include_chain* up;
  int depth;
  size_t* room; /* bytes that may still be read; shared by all files of a load                    */
} include_chain;
enum { APL_DEEPEST_INCLUDE = 16 };

/* include.c: put the files of `include` into the tree; false when it has none. */
bool apl_include_expand(apl_file* file, text_node* root, const apl_load_options* options,
                        const include_chain* chain, apl_report* report);

/* file.c: load a file that others include; *out has a tree even when it is a URDF, NULL with
   sentences in the report. */
void apl_file_open(const char* path, const apl_load_options* options, const include_chain* chain,
                   apl_file** out, apl_report* report);

/* meshes.c: warnings for meshes that cannot be opened, one for each reason, at the line of the
   first mesh. */
void apl_meshes_look(const apl_file* file, apl_report* report);

/* URDF text -> file->spec and notes. */
void apl_urdf_read(apl_file* file, const char* text, size_t size, const apl_load_options* options,
                   apl_report* report);

/* read_link.c: one item of `links`. */
void apl_link_read(apl_spec* spec, const text_node* node, const text_reach* reach,
                   apl_report* report);

/* read_tendon.c: the block `tendons`, after the links. */
void apl_tendons_read(apl_spec* spec, const text_node* map, apl_report* report);

/* read_shape.c: one shape; the blocks `obstacles` and `collide`, after the links. */
bool apl_shape_read(form_reader* r, const text_node* item, spec_shape* out);
void apl_obstacles_read(apl_spec* spec, const text_node* map, apl_report* report);
void apl_collide_read(apl_spec* spec, const text_node* list, apl_report* report);

/* read_loop.c: the blocks `loops` and `couplings`, after the links. */
void apl_loops_read(apl_spec* spec, const text_node* list, apl_report* report);
void apl_couplings_read(apl_spec* spec, const text_node* map, apl_report* report);

/* read_drive.c, read_gait.c: the blocks `signals`, `inputs`, `motion` and `gaits`, after the
   links. */
void apl_signals_read(apl_spec* spec, const text_node* map, apl_report* report);
void apl_inputs_read(apl_spec* spec, const text_node* map, apl_report* report);
void apl_motion_read(apl_spec* spec, const text_node* map, apl_report* report);
void apl_gaits_read(apl_spec* spec, const text_node* list, apl_report* report);

/* read_start.c: the blocks `start`, `run` and `record`. */
void apl_start_read(apl_spec* spec, const text_node* map, apl_report* report);
void apl_run_read(apl_spec* spec, const text_node* map, apl_report* report);
void apl_record_read(apl_spec* spec, const text_node* map, apl_report* report);

/* If the builder refused something: move its sentence to the report and go on. False if it did. */
bool apl_spec_settle(apl_spec* spec, apl_mark at, apl_report* report);

/* Let the kinds look at the parameters of a link; sentences go to the report. */
void apl_link_try(apl_spec* spec, const spec_link* link, apl_report* report);
