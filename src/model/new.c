/* SPDX-License-Identifier: Apache-2.0 */
/* new.c: from a spec, or a loaded file, to a tested model. */
#include "model/info.h"
#include "model/model_impl.h"
#include "spec/spec_impl.h"

apl_status apl_model_new(const apl_spec* spec, apl_model** out, apl_error* err) {
  if (out != NULL) *out = NULL;
  if (spec == NULL || out == NULL) {
    return apl_fail(err, APL_ERR_ARGUMENT,
                    "apl_model_new() needs a spec and a place for the model");
  }
  apl_status st = apl_model_compile(spec, out, err);
  if (st != APL_OK) return st;

  st = apl_model_prove(*out, spec->lenient, err);
  if (st != APL_OK) {
    apl_model_free(*out);
    *out = NULL;
  }
  return st;
}
