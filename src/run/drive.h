/* drive.h: reading signals of a model file, shared by the files that drive a system. */
#pragma once

#include "appell/run.h"

#include "spec/file_impl.h"

typedef struct drive_reader {
  form_reader form;
  const text_node* signals; /* the block, or NULL                                                 */
  const char* unit;         /* of the values                                                      */
  int depth;
} drive_reader;

/* A signal of the file in the present unit; NULL after a sentence. */
apl_signal* apl_drive_signal(drive_reader* r, const text_node* node);

/* A library sentence at a place of the file. Always NULL. */
apl_signal* apl_drive_refuse(drive_reader* r, const text_node* node, const apl_error* err);

/* file_gait.c: the block `gaits`. */
void apl_drive_gaits(const apl_file* file, apl_system* system, drive_reader* r);
