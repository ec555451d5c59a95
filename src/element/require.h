/* SPDX-License-Identifier: Apache-2.0 */
/* require.h: numbers that must have a sign, and the check of a kind's parameters. */
#pragma once

#include "element/element.h"

#include <string.h>

#ifndef APL_HOT

/* NaN is refused too. `name` is the word of the field in model files. */
static inline apl_status require_positive(double x, const char* name, const char* unit,
                                          apl_error* err) {
  if (x > 0.0) return APL_OK;
  return apl_fail(err, APL_ERR_MODEL, "%s must be positive, got %g %s", name, x, unit);
}

static inline apl_status require_not_negative(double x, const char* name, const char* unit,
                                              apl_error* err) {
  if (x >= 0.0) return APL_OK;
  return apl_fail(err, APL_ERR_MODEL, "%s must not be negative, got %g %s", name, x, unit);
}

/* All numbers of a table whose rows ask for a sign; the first that has not got it is refused. */
static inline apl_status require_signs(const apl_field* field, const void* param, apl_error* err) {
  apl_status st = APL_OK;

  for (; field->name != NULL && st == APL_OK; ++field) {
    const char* unit = field->unit[0] == '1' && field->unit[1] == '\0' ? "" : field->unit;
    for (int k = 0; k < field->count && field->sign != APL_ANY_SIGN && st == APL_OK; ++k) {
      double x;
      memcpy(&x, (const char*)param + field->offset + sizeof x * (size_t)k, sizeof x);
      st = field->sign == APL_POSITIVE ? require_positive(x, field->name, unit, err)
                                       : require_not_negative(x, field->name, unit, err);
    }
  }
  return st;
}

/* Check the parameters of a joint or body and write its constants: signs first, which the tables
   say, then what the kind itself asks for. */
static inline apl_status joint_compile(const apl_joint_kind* kind, const void* param,
                                       void* constants, double* inertia, mat3* turn,
                                       apl_error* err) {
  const apl_status st = require_signs(kind->field, param, err);
  return st == APL_OK ? kind->compile(param, constants, inertia, turn, err) : st;
}

static inline apl_status body_compile(const apl_body_kind* kind, const void* param, void* constants,
                                      double* mass, apl_error* err) {
  const apl_status st = require_signs(kind->field, param, err);
  return st == APL_OK ? kind->compile(param, constants, mass, err) : st;
}

#endif
