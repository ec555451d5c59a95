/* new.c: from a spec, or a loaded file, to a model that was tried. */
#include "appell/file.h"

#include "base/report.h"
#include "model/info.h"
#include "model/model_impl.h"
#include "spec/spec_impl.h"

apl_status apl_model_new(const apl_spec* spec, apl_model** out, apl_error* err) {
  apl_status st = apl_model_compile(spec, out, err);
  if (st != APL_OK) return st;

  st = apl_model_prove(*out, spec->lenient, err);
  if (st != APL_OK) {
    apl_model_free(*out);
    *out = NULL;
  }
  return st;
}

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
