/* drive.h: signals of a spec become signals of a system, shared by the files that drive one. */
#pragma once

#include "appell/run.h"

#include "spec/file_impl.h"

typedef struct drive_reader {
  form_reader form;
  const apl_spec* spec;
  const char* unit; /* of the values                                                              */
  int depth;        /* of signals that name others                                                */
} drive_reader;

/* A signal of the file in the present unit; NULL after a sentence. */
apl_signal* apl_drive_signal(drive_reader* r, const spec_signal* from);

/* A library sentence at a place of the file. Always NULL. */
apl_signal* apl_drive_refuse(drive_reader* r, apl_mark at, const apl_error* err);

/* The same about a CSV file, with the place in it. */
apl_signal* apl_drive_refuse_table(drive_reader* r, apl_mark at, const char* file,
                                   const apl_error* err);

/* gait.c: the gaits of the spec. */
void apl_drive_gaits(const apl_file* file, apl_system* system, drive_reader* r);

/* drive.c: `inputs`, `motion` and `gaits` become the drives of a system; sentences in the
   report. A path puts the base where it begins, so this comes after the start values. */
apl_status apl_file_drive(const apl_file* file, apl_system* system, apl_report* report);

/* start.c: a velocity by its name in a file, with .rate behind where a coordinate has the
   same; -1 when there is none. */
int apl_file_velocity(const apl_model* model, const char* name);

/* start.c: apl_file_start() for those who look for a start of their own: it may be as deep in
   the ground as it likes. */
apl_status apl_file_guess(const apl_file* file, const apl_model* model, double* q, double* v,
                          apl_report* report);

/* loops.c: close the loops of a system that is started and driven, at time t: coordinates and
   velocities that `start` names stay, the later ones giving way first. */
apl_status apl_file_assemble(const apl_file* file, apl_system* system, double t,
                             apl_report* report);
