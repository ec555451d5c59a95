/* require.h: sentences about numbers that must have a sign. */
#pragma once

#include "element/element.h"

#ifndef APL_HOT

/* Both are written so that NaN fails too. `word` names the field. */
static inline apl_status require_positive(double x, const char* word, const char* unit,
                                          apl_error* err) {
  if (x > 0.0) return APL_OK;
  return apl_fail(err, APL_ERR_MODEL, "%s must be positive, got %g %s", word, x, unit);
}

static inline apl_status require_not_negative(double x, const char* word, const char* unit,
                                              apl_error* err) {
  if (x >= 0.0) return APL_OK;
  return apl_fail(err, APL_ERR_MODEL, "%s must not be negative, got %g %s", word, x, unit);
}

#endif
