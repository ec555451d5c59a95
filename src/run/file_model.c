/* file_model.c: from a loaded file to a model that was tried. */
#include "appell/file.h"

#include "base/report.h"

apl_status apl_file_model(const apl_file* file, apl_model** out, apl_report* report) {
  apl_error err = {0};
  const apl_status st = apl_model_new(apl_file_spec(file), out, &err);

  if (st != APL_OK) return apl_report_error(report, &err, (apl_mark){0, 0});
  for (int i = 0; i < apl_model_ndoubt(*out); ++i) {
    const apl_error* doubt = apl_model_doubt(*out, i);
    apl_report_warn(report, (apl_mark){doubt->line, doubt->column}, "%s", doubt->text);
  }
  return st;
}
