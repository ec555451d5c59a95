/* SPDX-License-Identifier: Apache-2.0 */
/* axis.h: shared by joint kinds with one axis: the field, its check, and the rotation from the z
   axis to the given axis. */
#pragma once

#include "element/element.h"

#ifndef APL_HOT

/* Rotation that takes z to the given axis, by the smallest angle, so that the axis z gives the
   identity. Axes that point down (z < 0) get a half turn about x first, because the formula is
   singular at -z. `word` names the field in the error message. */
static inline apl_status turn_to_axis(const double axis[3], const char* word, mat3* turn,
                                      apl_error* err) {
  const double n = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);

  /* NaN fails this test too */
  if (!(n > 1e-12)) {
    return apl_fail(err, APL_ERR_MODEL, "%s must be a direction, got (%g, %g, %g)", word, axis[0],
                    axis[1], axis[2]);
  }

  /* R = 1 + [k] + [k]^2/(1 + z), k = z_axis x axis = (-y, x, 0) */
  const double down = axis[2] < 0.0 ? -1.0 : 1.0;
  const double x = axis[0] / n, y = down * axis[1] / n, z = down * axis[2] / n;
  const double f = 1.0 / (1.0 + z);
  *turn = (mat3){1 - f * x * x, -f * x * y, x,         -down * f * x * y, down * (1 - f * y * y),
                 down * y,      -down * x,  -down * y, down * z};
  return APL_OK;
}

/* Kinds whose only parameter is the axis. */
typedef struct axis_param {
  double axis[3];
} axis_param;

static const apl_field axis_fields[] = {
    APL_FIELD_AXIS(axis_param, axis, "axis",
                   "direction of the joint axis, in the frame of the joint", 0, 0, 1),
    APL_FIELD_END,
};

static inline apl_status axis_compile(const void* param, void* constants, double* inertia,
                                      mat3* turn, apl_error* err) {
  const axis_param* p = param;
  (void)constants, (void)inertia;
  return turn_to_axis(p->axis, "axis", turn, err);
}

#endif
