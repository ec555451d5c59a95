/* SPDX-License-Identifier: Apache-2.0 */
/* rig.h: a shipped model with some changed parameters, ready to run repeatedly. */
#pragma once

#include "appell/run.h"

#include "base/error.h"

typedef struct rig {
  apl_file* file;
  apl_model* model;
  apl_system* system;
  int tip; /* port that is watched: rod.tip, if there is one                                    */
} rig;

/* models/NAME.yaml, as compiled in, with settings "PATH=VALUE; PATH=VALUE" (as --set has them). */
apl_status apl_rig_open(rig* r, apl_error* err, const char* name, const char* format, ...)
    APL_PRINTF(4, 5);
void apl_rig_close(rig* r);

/* A new system at the start of the file, and the options of its run. */
apl_status apl_rig_start(rig* r, apl_run_options* o, apl_error* err);

/* A run as its file specifies, sampled at the outputs. */
typedef struct rig_path {
  int n, nq, nv;
  double *t, *x, *y, *z; /* [n] time, tip in the world                                           */
  double *q, *v;         /* [n * nq], [n * nv]                                                   */
  double kinetic; /* largest kinetic energy [J]                                               */
  double drift;   /* largest departure of kinetic plus potential energy from its start [J]    */
} rig_path;

/* From the start that the file describes. The path is freed by apl_rig_path_free(). */
apl_status apl_rig_run(rig* r, rig_path* out, apl_error* err);
void apl_rig_path_free(rig_path* path);

/* Largest distance of the tips of two paths with the same outputs [m]. */
double apl_rig_distance(const rig_path* a, const rig_path* b);

/* Wall time of the run without outputs [s]: the shortest of several. `steps` may be NULL. */
apl_status apl_rig_time(rig* r, double* wall, long* steps, apl_error* err);

/* The first time at which a coordinate falls through zero; an error if it does not. */
apl_status apl_rig_crossing(rig* r, int coordinate, double* t, apl_error* err);

/* Models compiled in: written by cmake/embed.cmake (cmake/papers.cmake says which); ends with
   NULL. */
typedef struct rig_text {
  const char* name;
  const unsigned char* text;
  size_t size;
} rig_text;
extern const rig_text apl_rig_models[];
