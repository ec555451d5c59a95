/* systems.c: see systems.h. */
#include "systems.h"

#include "near.h"

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
