/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_model.c: model text -> tree, spec, model, started and driven system, shapes that touch,
   accelerations; and the writer, whose text must be read again. */
#include "spec/parts.h"

#include "fuzz.h"

#include <appell/appell.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the writer writes is a model file. */
static void write_again(const apl_file* file) {
  apl_file* again = NULL;
  apl_report report = {0};
  char* text = apl_spec_write(apl_file_spec(file));

  if (text != NULL && apl_file_parse(text, strlen(text), NULL, &again, &report) != APL_OK) {
    fprintf(stderr, "the writer's text is refused: %d:%d: %s\n%s\n", report.item[0].line,
            report.item[0].column, report.item[0].text, text);
    abort();
  }
  apl_file_free(again);
  apl_text_free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  apl_report report = {0};
  apl_file* file = NULL;
  apl_model* model = NULL;
  apl_system* system = NULL;
  uint8_t* exact = malloc(size > 0 ? size : 1); /* a byte behind the text is found out */

  if (exact == NULL) return 0;
  memcpy(exact, data, size);
  if (apl_file_parse((const char*)exact, size, NULL, &file, &report) == APL_OK &&
      apl_file_model(file, &model, &report) == APL_OK) {
    write_again(file);
    if (apl_file_system(file, model, 0, &system, &report) == APL_OK) {
      (void)apl_touch_shapes(model, apl_system_state(system));
      (void)apl_forward(model, apl_system_state(system));
    }
  }
  apl_system_free(system);
  apl_model_free(model);
  apl_file_free(file);
  free(exact);
  return 0;
}
