/* SPDX-License-Identifier: Apache-2.0 */
/* systems.h: models and systems that a test cannot do without: it fails with the sentence. */
#pragma once

#include <appell/appell.h>

/* Frees the spec. */
apl_model* systems_model(apl_spec* spec);
apl_system* systems_new(const apl_model* model);

/* A file with its model and its system, which is made as apl_file_system() is told to. */
typedef struct rig {
  apl_file* file;
  apl_model* model;
  apl_system* system;
} rig;

rig rig_text(const char* text, unsigned how);
rig rig_load(const char* path, unsigned how);
void rig_close(rig* r);
