/* SPDX-License-Identifier: Apache-2.0 */
/* systems.c: see systems.h. */
#include "systems.h"

#include "near.h"
#include "text.h"

apl_model* systems_model(apl_spec* spec) {
  apl_model* model;
  apl_error err;

  if (apl_model_new(spec, &model, &err) != APL_OK) fail_msg("%s", err.text);
  apl_spec_free(spec);
  return model;
}

apl_system* systems_new(const apl_model* model) {
  apl_system* system;
  apl_error err;

  if (apl_system_new(model, &system, &err) != APL_OK) fail_msg("%s", err.text);
  return system;
}

static void start(rig* r, unsigned how) {
  apl_report report = {0};
  CHECK_OK(apl_file_system(r->file, r->model, how, &r->system, &report));
}

rig rig_text(const char* text, unsigned how) {
  rig r = {0};

  text_load(text, &r.file, &r.model);
  start(&r, how);
  return r;
}

rig rig_load(const char* path, unsigned how) {
  apl_report report = {0};
  rig r = {0};

  CHECK_OK(apl_file_load(path, NULL, &r.file, &report));
  CHECK_OK(apl_file_model(r.file, &r.model, &report));
  start(&r, how);
  return r;
}

void rig_close(rig* r) {
  apl_system_free(r->system);
  apl_model_free(r->model);
  apl_file_free(r->file);
}
