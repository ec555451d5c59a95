/* SPDX-License-Identifier: Apache-2.0 */
/* mecanum.c: a base on four wheels with rollers at 45 deg, which moves in any direction. Three
   coordinates (x, y, heading), three quasi-velocities in body axes (forward, left, turn). Frame in
   the middle of the wheels: x forward, y left, z along the normal of the ground. The rollers' own
   spin is not modelled. Theory: docs/theory/wheels.md, 7. */
#include "element/gliding.h"

typedef struct mecanum_par {
  real per_radius;
  real turn; /* (half length + half track) / radius */
  real half_length, half_track;
  real friction; /* of the ground */
} mecanum_par;

#ifndef APL_HOT

typedef struct mecanum_param {
  double normal[3];
  double wheel_radius;
  double half_length;
  double half_track;
  double wheel_inertia;
  double ground_friction;
} mecanum_param;

static const apl_field mecanum_fields[] = {
    APL_FIELD_GROUND_NORMAL(mecanum_param),
    APL_FIELD_POSITIVE(mecanum_param, wheel_radius, "wheel-radius", "m", "radius of the wheels"),
    APL_FIELD_POSITIVE(mecanum_param, half_length, "half-length", "m",
                       "half the wheelbase: distance of each axle from the middle"),
    APL_FIELD_POSITIVE(mecanum_param, half_track, "half-track", "m",
                       "half the track: distance of each wheel from the middle of its axle"),
    APL_FIELD_NOT_NEGATIVE(
        mecanum_param, wheel_inertia, "wheel-inertia", "kg m^2",
        "moment of inertia of one wheel about its axle; its mass is part of the body", 0),
    APL_FIELD_GROUND_FRICTION(mecanum_param),
    APL_FIELD_END,
};

static apl_status mecanum_compile(const void* param, void* constants, double* inertia, mat3* turn,
                                  apl_error* err) {
  const mecanum_param* p = param;
  mecanum_par* par = constants;

  par->per_radius = 1.0 / p->wheel_radius;
  par->turn = (p->half_length + p->half_track) / p->wheel_radius;
  par->half_length = p->half_length;
  par->half_track = p->half_track;
  par->friction = p->ground_friction;
  for (int k = 0; k < 4; ++k)
    inertia[k] = p->wheel_inertia;
  return turn_to_axis(p->normal, "normal", turn, err);
}

/* The force of the ground is along the axis of the touching roller, at 45 deg. */
static void mecanum_stands(const void* constants, const double* q, apl_footing* out) {
  static const double slant[4] = {-1, 1, 1, -1}, ahead[4] = {1, 1, -1, -1},
                      left[4] = {1, -1, 1, -1};
  const mecanum_par* par = constants;
  (void)q;

  out->height = 1.0 / par->per_radius;
  out->friction = par->friction;
  for (int k = 0; k < 4; ++k) {
    apl_foothold* c = footing_wheel(out, k, ahead[k] * par->half_length, left[k] * par->half_track,
                                    0.0, 1.0 / par->per_radius);
    footing_roller(c, 1.0, slant[k]);
  }
}

static const char* const mecanum_wheel[] = {"front-left", "front-right", "rear-left", "rear-right"};

static const apl_joint_kind mecanum_kind = {
    .word = "mecanum",
    .title = "four mecanum wheels (slanted rollers); the base can move in any direction on a plane",
    .field = mecanum_fields,
    .param_size = sizeof(mecanum_param),
    GLIDING_KIND,
    .nsatellite = 4,
    .npar = APL_NPAR(mecanum_par),
    .spin_name = mecanum_wheel,
    .compile = mecanum_compile,
    .stands = mecanum_stands,
};

#else

/* spin = (forward +- left +- (half length + half track) turn) / radius. The rollers' axes are at 45
   deg: to the left of forward at front right and rear left. A positive turn moves the right side
   forward. */
static void mecanum_spin(const joint_in* in, real* row, real* rowP, real* bias) {
  static const double slant[4] = {-1, 1, 1, -1}, side[4] = {-1, 1, -1, 1};
  const mecanum_par* par = in->par;
  (void)rowP;

  for (int k = 0; k < 4; ++k) {
    row[3 * k] = par->per_radius;
    row[3 * k + 1] = slant[k] * par->per_radius;
    row[3 * k + 2] = side[k] * par->turn;
    bias[k] = real_of(0.0);
  }
}

static const joint_ops mecanum_ops = {GLIDING_OPS, .spin = mecanum_spin};

#endif
