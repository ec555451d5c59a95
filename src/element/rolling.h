/* SPDX-License-Identifier: Apache-2.0 */
/* rolling.h: shared by the rolling disc and the rolling sphere: fields and constants. */
#pragma once

#include "element/axis.h"
#include "element/require.h"

typedef struct rolling_par {
  real radius;
  real friction; /* of the ground */
} rolling_par;

#ifndef APL_HOT

typedef struct rolling_param {
  double normal[3];
  double radius;
  double ground_friction;
} rolling_param;

static const apl_field rolling_fields[] = {
    APL_FIELD_GROUND_NORMAL(rolling_param),
    APL_FIELD_POSITIVE(rolling_param, radius, "radius", "m", "radius of the disc or sphere"),
    APL_FIELD_GROUND_FRICTION(rolling_param),
    APL_FIELD_END,
};

static apl_status rolling_compile(const void* param, void* constants, double* inertia, mat3* turn,
                                  apl_error* err) {
  const rolling_param* p = param;
  rolling_par* par = constants;

  (void)inertia;
  par->radius = p->radius;
  par->friction = p->ground_friction;
  return turn_to_axis(p->normal, "normal", turn, err);
}

#endif
