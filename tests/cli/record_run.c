/* SPDX-License-Identifier: Apache-2.0 */
/* record_run.c: record_run MODEL RESULT.h5 RESULT.csv: a C program that records a run as the
   command does, in a few calls. */
#include <appell/appell.h>

#include <stdio.h>

static int fail(const char* text) {
  fprintf(stderr, "record_run: %s\n", text);
  return 1;
}

int main(int argc, char** argv) {
  apl_file* file = NULL;
  apl_model* model = NULL;
  apl_system* system = NULL;
  apl_recorder* recorder = NULL;
  apl_report report = {0};
  apl_error err = {0};
  if (argc != 4) return fail("usage: record_run MODEL RESULT.h5 RESULT.csv");

  if (apl_file_load(argv[1], NULL, &file, &report) != APL_OK ||
      apl_file_model(file, &model, &report) != APL_OK ||
      apl_file_system(file, model, APL_READY, &system, &report) != APL_OK)
    return fail(report.item[0].text);
  const apl_run_options run = apl_file_options(file);
  apl_recorder_options o = apl_recorder_options_default();
  o.result = argv[2];
  o.csv = argv[3];
  if (apl_recorder_new(file, system, &run, &o, &recorder, &err) != APL_OK ||
      apl_recorder_run(recorder, NULL, &err) != APL_OK)
    return fail(err.text);
  apl_recorder_free(recorder);
  apl_system_free(system);
  apl_model_free(model);
  apl_file_free(file);
  return 0;
}
