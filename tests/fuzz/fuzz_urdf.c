/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_urdf.c: a URDF, with both kinds of base. */
#include "fuzz.h"

#include <appell/appell.h>

static void parse(const uint8_t* data, size_t size, apl_base base) {
  apl_load_options options = apl_load_options_default();
  apl_file* file = NULL;
  apl_model* model = NULL;

  options.base = base;
  if (apl_file_parse((const char*)data, size, &options, &file, NULL) == APL_OK)
    (void)apl_file_model(file, &model, NULL);
  apl_model_free(model);
  apl_file_free(file);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  parse(data, size, APL_BASE_FIXED);
  parse(data, size, APL_BASE_FLOATING);
  return 0;
}
