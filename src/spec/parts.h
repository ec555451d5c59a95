/* SPDX-License-Identifier: Apache-2.0 */
/* parts.h: contents of a loaded file other than the robot, and texts that are made from a spec. */
#pragma once

#include "appell/file.h"
#include "spec/build.h"

/* Path of the mesh of a shape, relative names resolved from the folder of the file. "" for other
   shapes, for a mesh that the file may not read, and for a path of more than `size` bytes. Missing
   meshes are warnings of the load. */
const char* apl_file_mesh_path(const apl_file* file, int shape, char* path, size_t size);

/* May the image or material at this path be read, which a mesh of the file names? */
apl_status apl_file_allows(const apl_file* file, const char* path, apl_error* err);

/* How results and pages call the file at `path`: from the folder of the model file on, and by its
   last part if that would be a path from the root of the file system. Part of `path`. */
const char* apl_file_told(const apl_file* file, const char* path);

/* Owned by the file. */
const apl_spec* apl_file_spec(const apl_file* file);
const char* apl_file_description(const apl_file* file); /* "" when it has none          */

/* The setting that gives the ground `floor` of a URDF a law: LAW, LAW,FRICTION, or an entry of
   grounds in braces. */
void apl_floor_setting(const char* law, char* out, size_t size);

/* The `run` block, defaults filled in. */
typedef struct apl_run_block {
  double to;              /* [s]                                                                */
  const char* integrator; /* auto, dop853, stiff, ...: apl_method_word()                        */
  double tolerance;
  double step;         /* [s], 0: the method chooses */
  double output_every; /* [s]                                                                   */
  const char* loops;   /* multipliers, reduced, springs; the next four: apl_loop_options        */
  double loop_stabilisation, loop_frequency, loop_ratio;
  bool loop_slow;
  double spectral_radius;
  double memory_limit; /* [GB]                                                                  */
} apl_run_block;
const apl_run_block* apl_file_run(const apl_file* file);

/* Notes about how each element of an imported URDF was treated, in the order of the file. */
int apl_file_nnote(const apl_file* file); /* 0 for model files                          */
const apl_note* apl_file_note(const apl_file* file, int i);
const char* apl_verdict_word(apl_verdict verdict);

/* A number with a unit, as in model files ("5 mm", "1 min", "30 deg"), converted to the SI
   unit `unit`; a number without a unit is in `unit`. */
apl_status apl_quantity(const char* text, const char* unit, double* out, apl_error* err);

/* Texts made by the library; free them with apl_text_free(). NULL if out of memory. */
char* apl_spec_write(const apl_spec* spec); /* a model file that reads back to the spec  */
char* apl_file_schema(void);                /* JSON Schema of model files, for editors   */
char* apl_file_manual(void);                /* the format in Markdown                    */
void apl_text_free(char* text);             /* accepts NULL                              */

/* Is a link without shapes drawn from its dimensions? It is not if its file says `shapes: []`,
   nor in a URDF that has shapes of other links. */
bool apl_file_draws(const apl_file* file, int link);

/* Make the names of meshes relative to the folder of `path`, for a model file that is written
   there by apl_spec_write(). Names of meshes that are not found do not change. Afterwards the
   file itself does not find its meshes any more. */
apl_status apl_file_seen_from(apl_file* file, const char* path);
