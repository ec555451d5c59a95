/* SPDX-License-Identifier: Apache-2.0 */
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

/* A model file or a URDF that has been read. */
typedef struct apl_file apl_file;

/* How the root link of a URDF is attached to the world. */
typedef enum apl_base { APL_BASE_FIXED, APL_BASE_FLOATING } apl_base;

/* Motors for the joints of a URDF that have an effort limit; the limit bounds the motor. */
typedef enum apl_actuators {
  APL_ACTUATORS_NONE,
  APL_ACTUATORS_EFFORT,   /* an input with the name of the joint                                  */
  APL_ACTUATORS_POSITION, /* a servo that holds the start pose, and an input that is its aim      */
  APL_ACTUATORS_VELOCITY, /* a servo without stiffness, and an input that is the rate it aims at  */
  APL_ACTUATORS_FILE      /* as <ros2_control> or <transmission> specify for each joint           */
} apl_actuators;

/* The limits of the joint of a link from the file; infinite if there is none. All are infinite for
   joints that do not have exactly one freedom. */
typedef struct apl_joint_limits {
  double lower, upper; /* stops [rad or m]                                                        */
  double velocity;     /* [rad/s or m/s]                                                          */
  double effort;       /* [N m or N]                                                              */
} apl_joint_limits;
APL_API apl_joint_limits apl_file_limits(const apl_file* file, int link);

/* Shapes of links, then obstacles, whose link is -1. The type is NULL for an index beyond the
   last. */
APL_API int apl_file_nshape(const apl_file* file);
APL_API apl_shape apl_file_shape(const apl_file* file, int i);

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

/* How files are read; begin with apl_load_options_default(). */
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
APL_API const char* apl_file_name(const apl_file* file); /* "" when it has none         */
APL_API const char* apl_file_text(const apl_file* file); /* the file, then its settings */

/* Check and compile the robot; errors have their position in the file. */
APL_API apl_status apl_file_model(const apl_file* file, apl_model** out, apl_report* report);

/* The `start` block as arrays q[nq] and v[nv]; values that it does not name are at rest, or those
   of the last row of the result that `from` names, relative to the folder of the file (of the
   process for apl_file_parse()). */
APL_API apl_status apl_file_start(const apl_file* file, const apl_model* model, double* q,
                                  double* v, apl_report* report);

#ifdef __cplusplus
}
#endif
