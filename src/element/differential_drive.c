/* SPDX-License-Identifier: Apache-2.0 */
/* differential_drive.c: a base on two driven wheels of one axle, with up to two castors. Its motion
   is that of heading.h; frame at the middle of the axle. Theory: docs/theory/wheels.md. */
#include "element/heading.h"
#include "element/wheel_pair.h"

typedef struct differential_drive_par {
  wheel_pair pair;
  real castor_ahead, castor_behind;
  real friction; /* of the ground */
} differential_drive_par;

#ifndef APL_HOT

typedef struct differential_drive_param {
  double normal[3];
  double wheel_radius;
  double half_track;
  double wheel_inertia;
  double castor_ahead, castor_behind;
  double ground_friction;
} differential_drive_param;

static const apl_field differential_drive_fields[] = {
    APL_FIELD_GROUND_NORMAL(differential_drive_param),
    APL_FIELD_REQUIRED(differential_drive_param, wheel_radius, "wheel-radius", "m",
                       "radius of the driven wheels"),
    APL_FIELD_REQUIRED(differential_drive_param, half_track, "half-track", "m",
                       "half the track: distance of each wheel from the middle of the axle"),
    APL_FIELD(differential_drive_param, wheel_inertia, "wheel-inertia", "kg m^2",
              "moment of inertia of one wheel about its axle; its mass is part of the body", 0),
    APL_FIELD_NOT_NEGATIVE(
        differential_drive_param, castor_ahead, "castor-ahead", "m",
        "distance of a castor in front of the axle; 0: no castor there. Castors share the "
        "load, they have no mass",
        0),
    APL_FIELD_NOT_NEGATIVE(differential_drive_param, castor_behind, "castor-behind", "m",
                           "distance of a castor behind the axle; 0: no castor there", 0),
    APL_FIELD_GROUND_FRICTION(differential_drive_param),
    APL_FIELD_END,
};

static apl_status differential_drive_compile(const void* param, void* constants, double* inertia,
                                             mat3* turn, apl_error* err) {
  const differential_drive_param* p = param;
  differential_drive_par* par = constants;
  apl_status st = wheel_pair_compile(p->wheel_radius, p->half_track, p->wheel_inertia, &par->pair,
                                     inertia, err);

  par->castor_ahead = p->castor_ahead;
  par->castor_behind = p->castor_behind;
  par->friction = p->ground_friction;
  return st == APL_OK ? turn_to_axis(p->normal, "normal", turn, err) : st;
}

static void differential_drive_stands(const void* constants, const double* q, apl_footing* out) {
  const differential_drive_par* par = constants;

  (void)q;
  wheel_pair_stands(&par->pair, out);
  if (par->castor_ahead > 0.0) footing_castor(out, par->castor_ahead, 0.0);
  if (par->castor_behind > 0.0) footing_castor(out, -par->castor_behind, 0.0);
  out->friction = par->friction;
}

static const apl_joint_kind differential_drive_kind = {
    .word = "differential-drive",
    .title = "two driven wheels on one axle that roll on a plane without slip",
    .field = differential_drive_fields,
    .param_size = sizeof(differential_drive_param),
    HEADING_KIND,
    .nsatellite = 2,
    .npar = APL_NPAR(differential_drive_par),
    .spin_name = wheel_pair_name,
    .compile = differential_drive_compile,
    .stands = differential_drive_stands,
};

#else

static void differential_drive_spin(const joint_in* in, real* row, real* rowP, real* bias) {
  const differential_drive_par* par = in->par;
  (void)rowP;
  row[0] = par->pair.speed, row[1] = par->pair.turn;
  row[2] = par->pair.speed, row[3] = -par->pair.turn;
  bias[0] = bias[1] = real_of(0.0);
}

static const joint_ops differential_drive_ops = {HEADING_OPS, .spin = differential_drive_spin};

#endif
