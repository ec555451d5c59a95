/* SPDX-License-Identifier: Apache-2.0 */
/* drive.h: what the files share that turn signals of a spec into signals of a system. */
#pragma once

#include "appell/run.h"

#include "spec/file_impl.h"

typedef struct drive_reader {
  form_reader form;
  const apl_spec* spec;
  const char* unit; /* of the values                                                              */
  int depth;        /* of signals that refer to signals */
} drive_reader;

/* Make a signal with values in the present unit; NULL if a mistake was reported. */
apl_signal* apl_drive_signal(drive_reader* r, const spec_signal* from);

/* Report an error of the library at a place of the file. Always NULL. */
apl_signal* apl_drive_refuse(drive_reader* r, apl_mark at, const apl_error* err);

/* The same for an error in a CSV file, with the place in that file. */
apl_signal* apl_drive_refuse_table(drive_reader* r, apl_mark at, const char* file,
                                   const apl_error* err);

/* gait.c: the gaits of the spec. */
void apl_drive_gaits(const apl_file* file, apl_system* system, drive_reader* r);

/* drive.c: apply `inputs`, `motion` and `gaits` to a system; mistakes are reported. A path sets
   the initial place of its base, so this must follow the initial values. */
apl_status apl_file_drive(const apl_file* file, apl_system* system, apl_report* report);

/* start.c: index of a velocity by its name in a file, which may end with .rate; -1 if there is
   none. */
int apl_file_velocity(const apl_model* model, const char* name);

/* start.c: like apl_file_start(), but contacts may be at any depth in the ground. For callers
   that change the initial state afterwards. */
apl_status apl_file_guess(const apl_file* file, const apl_model* model, double* q, double* v,
                          apl_report* report);

/* loops.c: close the loops of a system at time t, after initial values and drives are set.
   Coordinates and velocities that `start` names do not change; if this is impossible, the last
   ones named may change first. */
apl_status apl_file_assemble(const apl_file* file, apl_system* system, double t,
                             apl_report* report);
