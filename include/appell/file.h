/* file.h: robots in files: YAML model files (docs/formats/model.md) and URDF.

     apl_file* file;
     apl_model* model;
     apl_report report = {0};
     if (apl_file_load("arm.yaml", NULL, &file, &report) == APL_OK)
       apl_file_model(file, &model, &report);
     for (int i = 0; i < report.count && i < APL_REPORT_MAX; ++i)
       printf("%d:%d: %s\n", report.item[i].line, report.item[i].column, report.item[i].text); */
#pragma once

#include "appell/model.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct apl_file apl_file;

/* How the root link of a URDF is attached to the world. */
typedef enum apl_base { APL_BASE_FIXED, APL_BASE_FLOATING } apl_base;

/* Motors for the joints of a URDF that have an effort limit, which bounds them. */
typedef enum apl_actuators {
  APL_ACTUATORS_NONE,
  APL_ACTUATORS_EFFORT,   /* an input with the name of the joint                                  */
  APL_ACTUATORS_POSITION, /* a servo that holds the start pose until its aim moves                */
  APL_ACTUATORS_VELOCITY, /* a servo without stiffness                                            */
  APL_ACTUATORS_FILE      /* as <ros2_control> or <transmission> say of each joint                */
} apl_actuators;

/* Shapes of links, then obstacles, whose link is -1; type NULL beyond the last. */
APL_API int apl_file_nshape(const apl_file* file);
APL_API apl_shape apl_file_shape(const apl_file* file, int i);

/* Is a link without shapes drawn from its numbers? Not where its file says `shapes: []`, and not in
   a URDF that has meshes of other links. */
APL_API bool apl_file_draws(const apl_file* file, int link);

/* The limits of the joint of a link, as the file gives them; infinite where there is none, and all
   of them for joints that have not exactly one freedom. */
typedef struct apl_joint_limits {
  double lower, upper; /* stops [rad or m]                                                        */
  double velocity;     /* [rad/s or m/s]                                                          */
  double effort;       /* [N m or N]                                                              */
} apl_joint_limits;
APL_API apl_joint_limits apl_file_limits(const apl_file* file, int link);

/* Path of the mesh of a shape, relative names resolved from the folder of the file. "" for other
   shapes, for a mesh that the file may not read, and for a path of more than `size` bytes. Missing
   meshes are warnings of the load. */
APL_API const char* apl_file_mesh_path(const apl_file* file, int shape, char* path, size_t size);

/* From now on meshes have names that are seen from the folder of `path`, as a model file that is
   written there needs them (apl_spec_write()); those that are not found keep their names. The file
   itself no longer finds them. */
APL_API apl_status apl_file_seen_from(apl_file* file, const char* path);

/* How each element of an imported file was treated. */
typedef enum apl_verdict {
  APL_KEPT,
  APL_TRANSLATED,
  APL_IGNORED,
  APL_DOUBTED, /* doubtful but accepted; the sentence is also a warning                          */
  APL_REFUSED
} apl_verdict;
typedef struct apl_note {
  apl_verdict verdict;
  int line;
  const char* text;
} apl_note;

typedef struct apl_load_options {
  size_t max_bytes; /* larger files are refused                                                 */
  int max_depth;    /* deeper nesting is refused; at most 256                                   */
  apl_base base;    /* URDF only                                                                */
  apl_actuators actuators; /* URDF only                                                          */
  bool floor;              /* URDF only: a ground `floor` at z = 0 that collision shapes touch   */
  bool strict; /* URDF only: refuse doubtful values instead of warning                      */
  const char* package_path; /* folders separated by colons, in which package://NAME/.. of a
                               URDF is searched; NULL: only in the folders above the file        */

  /* "PATH=VALUE" (arm.body.mass=2 kg, gravity=[0, 0, 0]): put into a model file, in this order,
     before it is read; docs/formats/model.md has the paths. Must outlive the load. */
  const char* const* set;
  int nset;

  /* Folders separated by ':', as in PATH: a model file may read files below them too, in addition
     to its own folder and the one that contains its package.xml. NULL: none. */
  const char* allow;

  /* Called for each note when it is made, so that notes are available even if loading fails; may be
     NULL. */
  void (*note)(void* user, const apl_note* note);
  void* user;
} apl_load_options;

/* 1 MiB (16 MiB for URDF), 64 levels, fixed base. */
APL_API apl_load_options apl_load_options_default(void);

/* Read a file and describe the robot in it; options may be NULL. A file whose name ends in .urdf,
   or that begins with '<', is read as URDF. On failure *out is NULL and the report has all
   errors that could be found. */
APL_API apl_status apl_file_load(const char* path, const apl_load_options* options, apl_file** out,
                                 apl_report* report);

/* The same from memory. */
APL_API apl_status apl_file_parse(const char* text, size_t size, const apl_load_options* options,
                                  apl_file** out, apl_report* report);
APL_API void apl_file_free(apl_file* file); /* accepts NULL */

/* Owned by the file. */
APL_API const apl_spec* apl_file_spec(const apl_file* file);
APL_API const char* apl_file_name(const apl_file* file);        /* "" when it has none          */
APL_API const char* apl_file_text(const apl_file* file);        /* the file, then its settings  */
APL_API const char* apl_file_description(const apl_file* file); /* "" when it has none          */

/* Check and compile the robot; errors have their position in the file. */
APL_API apl_status apl_file_model(const apl_file* file, apl_model** out, apl_report* report);

/* The `start` block as arrays q[nq] and v[nv]; values that it does not name are at rest, or those
   of the last row of the result that `from` names, relative to the folder of the file (of the
   process for apl_file_parse()). */
APL_API apl_status apl_file_start(const apl_file* file, const apl_model* model, double* q,
                                  double* v, apl_report* report);

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
APL_API const apl_run_block* apl_file_run(const apl_file* file);

/* How each element of an imported file was treated, in the order of reading. */
APL_API int apl_file_nnote(const apl_file* file); /* 0 for model files                          */
APL_API const apl_note* apl_file_note(const apl_file* file, int i);
APL_API const char* apl_verdict_word(apl_verdict verdict);

/* A number with a unit, as in model files ("5 mm", "1 min", "30 deg"), converted to the SI
   unit `unit`; a number without a unit is in `unit`. */
APL_API apl_status apl_quantity(const char* text, const char* unit, double* out, apl_error* err);

/* Texts made by the library; free them with apl_text_free(). NULL if out of memory. */
APL_API char* apl_spec_write(const apl_spec* spec); /* a model file that reads back to the spec  */
APL_API char* apl_file_schema(void);                /* JSON Schema of model files, for editors   */
APL_API char* apl_file_manual(void);                /* the format in Markdown                    */
APL_API void apl_text_free(char* text);             /* accepts NULL                              */

#ifdef __cplusplus
}
#endif
