/* parts.h: what a loaded file contains beside its robot, and texts that are made from descriptions.
 */
#pragma once

#include "appell/file.h"
#include "spec/build.h"

/* Path of the mesh of a shape, relative names resolved from the folder of the file. "" for other
   shapes, for a mesh that the file may not read, and for a path of more than `size` bytes. Missing
   meshes are warnings of the load. */
const char* apl_file_mesh_path(const apl_file* file, int shape, char* path, size_t size);

/* Owned by the file. */
const apl_spec* apl_file_spec(const apl_file* file);
const char* apl_file_description(const apl_file* file); /* "" when it has none          */

/* The `run` block, defaults filled in. */
typedef struct apl_run_block {
  double to;              /* [s]                                                                */
  const char* integrator; /* auto, dop853, stiff, ...: apl_method_word()                        */
  double tolerance;
  double step;         /* [s], 0 leaves it to the method                                        */
  double output_every; /* [s]                                                                   */
  const char* loops;   /* multipliers, reduced, springs; the next four: apl_loop_options        */
  double loop_stabilisation, loop_frequency, loop_ratio;
  bool loop_slow;
  double spectral_radius;
} apl_run_block;
const apl_run_block* apl_file_run(const apl_file* file);

/* How each element of an imported file was treated, in the order of reading. */
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

/* Is a link without shapes drawn from its numbers? Not where its file says `shapes: []`, and not in
   a URDF that has pictures of other links. */
bool apl_file_draws(const apl_file* file, int link);

/* From now on meshes have names that are seen from the folder of `path`, as a model file that is
   written there needs them (apl_spec_write()); those that are not found keep their names. The file
   itself no longer finds them. */
apl_status apl_file_seen_from(apl_file* file, const char* path);
