/* SPDX-License-Identifier: Apache-2.0 */
/* The smallest user of the installed core: a model of one link, then the version of the library. */
#include <appell/run.h>

#include <stdio.h>

int main(void) {
  apl_spec* spec;
  apl_model* model;

  if (apl_spec_new(&spec) != APL_OK) return 1;
  const int link = apl_spec_link(spec, "arm", "world", "revolute", "rigid");
  apl_spec_number(spec, link, "body.mass", 1);
  apl_spec_vec3(spec, link, "body.com", 1, 0, 0);
  if (apl_model_new(spec, &model, NULL) != APL_OK || apl_model_nv(model) != 1) return 2;
  apl_model_free(model);
  apl_spec_free(spec);
  return puts(apl_version()) < 0;
}
