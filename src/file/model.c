/* SPDX-License-Identifier: Apache-2.0 */
/* model.c: from a loaded file to its model; the doubts of the model become warnings of the report.
 */
#include "appell/file.h"

#include "base/report.h"
#include "model/info.h"
#include "spec/parts.h"

apl_status apl_file_model(const apl_file* file, apl_model** out, apl_report* report) {
  if (out != NULL) *out = NULL;
  if (file == NULL || out == NULL) {
    return apl_report_add(report, APL_ERR_ARGUMENT, (apl_mark){0, 0},
                          "apl_file_model() needs a file and a place for the model");
  }
  apl_error err = {0};
  const apl_status st = apl_model_new(apl_file_spec(file), out, &err);

  if (st != APL_OK) return apl_report_error(report, &err, (apl_mark){0, 0});
  for (int i = 0; i < apl_model_ndoubt(*out); ++i) {
    const apl_error* doubt = apl_model_doubt(*out, i);
    apl_report_warn(report, (apl_mark){doubt->line, doubt->column}, "%s", doubt->text);
  }
  return st;
}
