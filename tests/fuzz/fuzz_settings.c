/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_settings.c: --set PATH=VALUE, one setting per line, on a small robot. */
#include "fuzz.h"

#include <appell/appell.h>

#include <stdlib.h>
#include <string.h>

static const char robot[] = "appell: 1\n"
                            "name: arm\n"
                            "links:\n"
                            "  - name: arm\n"
                            "    joint: {type: revolute, axis: y, damping: 0.1}\n"
                            "    body: {mass: 1 kg, com: [0, 0, -0.5]}\n"
                            "    ports: {tip: {at: [0, 0, -1]}}\n"
                            "inputs: {motor: {on: arm.joint.angle, value: 1}}\n"
                            "start: {arm.joint.angle: 1}\n"
                            "run: {to: 1, tolerance: 1e-8}\n";

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  enum { MOST = 16 };
  const char* set[MOST];
  apl_load_options options = apl_load_options_default();
  apl_file* file = NULL;
  char* text = malloc(size + 1);

  if (text == NULL) return 0;
  memcpy(text, data, size);
  text[size] = '\0';
  for (char* line = strtok(text, "\n"); line != NULL && options.nset < MOST;
       line = strtok(NULL, "\n"))
    set[options.nset++] = line;
  options.set = set;
  if (apl_file_parse(robot, sizeof robot - 1, &options, &file, NULL) == APL_OK) {
    apl_model* model = NULL;
    (void)apl_file_model(file, &model, NULL);
    apl_model_free(model);
  }
  apl_file_free(file);
  free(text);
  return 0;
}
