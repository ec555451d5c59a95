/* SPDX-License-Identifier: Apache-2.0 */
/* wheel_pair.h: two wheels on one axle, right and left of the frame (differential-drive, trailer).
 */
#pragma once

#include "element/require.h"

/* spin of right, left = (speed +- half track turn) / radius */
typedef struct wheel_pair {
  real speed; /* 1 / radius          */
  real turn;  /* half track / radius */
} wheel_pair;

#ifndef APL_HOT

static const char* const wheel_pair_name[] = {"right", "left"};

static inline apl_status wheel_pair_compile(double radius, double half_track, double wheel_inertia,
                                            wheel_pair* par, double* inertia, apl_error* err) {
  apl_status st = require_positive(radius, "wheel-radius", "m", err);

  if (st == APL_OK) st = require_positive(half_track, "half-track", "m", err);
  if (st == APL_OK) st = require_not_negative(wheel_inertia, "wheel-inertia", "kg m^2", err);
  if (st != APL_OK) return st;
  par->speed = 1.0 / radius;
  par->turn = half_track / radius;
  inertia[0] = inertia[1] = wheel_inertia;
  return APL_OK;
}

/* The frame is the radius of the wheels above the ground. */
static inline void wheel_pair_stands(const wheel_pair* par, apl_footing* out) {
  const double radius = 1.0 / par->speed, half_track = par->turn / par->speed;

  out->height = radius;
  footing_wheel(out, 0, 0.0, -half_track, 0.0, radius);
  footing_wheel(out, 1, 0.0, half_track, 0.0, radius);
}

#endif
