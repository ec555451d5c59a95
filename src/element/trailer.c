/* SPDX-License-Identifier: Apache-2.0 */
/* trailer.c: a body on one axle, drawn by a hitch. It has one coordinate (its angle against the
   towing body) but no quasi-velocity: its motion follows from the hitch's (a slaved joint). The
   frame it is mounted on is the hitch, x forward, z along the ground's normal; its body frame is at
   the middle of its axle, `length` behind the hitch and `hitch-height` below it. Two wheels and the
   hitch carry the trailer. Theory: docs/theory/wheels.md. */
#include "element/wheel_pair.h"

typedef struct trailer_par {
  wheel_pair pair; /* zeros if no wheels are given */
  real length, per_length;
  real friction; /* of the ground */
  real hitch_height;
} trailer_par;

#ifndef APL_HOT

typedef struct trailer_param {
  double length;
  double hitch_height;
  double wheel_radius;
  double half_track;
  double wheel_inertia;
  double ground_friction;
} trailer_param;

static const apl_field trailer_fields[] = {
    APL_FIELD_POSITIVE(trailer_param, length, "length", "m", "distance from the hitch to the axle"),
    APL_FIELD(trailer_param, hitch_height, "hitch-height", "m",
              "height of the hitch above the axle, along the normal of the ground", 0),
    APL_FIELD(trailer_param, wheel_radius, "wheel-radius", "m",
              "radius of the wheels; needed if `wheel-inertia` is given", 0),
    APL_FIELD(trailer_param, half_track, "half-track", "m",
              "half the track: distance of each wheel from the middle of the axle; needed if "
              "`wheel-inertia` is given",
              0),
    APL_FIELD(trailer_param, wheel_inertia, "wheel-inertia", "kg m^2",
              "moment of inertia of one wheel about its axle; its mass is part of the body", 0),
    APL_FIELD_GROUND_FRICTION(trailer_param),
    APL_FIELD_END,
};

static apl_status trailer_compile(const void* param, void* constants, double* inertia, mat3* turn,
                                  apl_error* err) {
  const trailer_param* p = param;
  trailer_par* par = constants;
  (void)turn;

  par->length = p->length;
  par->per_length = 1.0 / p->length;
  par->friction = p->ground_friction;
  par->hitch_height = p->hitch_height;
  if (p->wheel_inertia == 0.0 && p->wheel_radius == 0.0) return APL_OK; /* no wheels are given */
  return wheel_pair_compile(p->wheel_radius, p->half_track, p->wheel_inertia, &par->pair, inertia,
                            err);
}

static void trailer_stands(const void* constants, const double* q, apl_footing* out) {
  const trailer_par* par = constants;

  (void)q;
  if (par->pair.speed > 0.0) {
    wheel_pair_stands(&par->pair, out);
  } else {
    footing_runner(out, 0.0, 0.0);
  }
  out->friction = par->friction;
  out->hitched = true;
  out->ahead = par->length;
}

static const char* const trailer_q[] = {"angle"};
static const char* const trailer_q_unit[] = {"rad"};

static const apl_joint_kind trailer_kind = {
    .word = "trailer",
    .title = "a trailer with one axle, drawn by a hitch; its angle follows from the motion of the "
             "towing vehicle",
    .field = trailer_fields,
    .param_size = sizeof(trailer_param),
    .nq = 1,
    .nt = 1,
    .nv = 0,
    .nsatellite = 2,
    .npar = APL_NPAR(trailer_par),
    .nangle = 1,
    .angle = {0},
    .slaved = true,
    .turning = APL_TURNS_ABOUT_Z,
    .q_name = trailer_q,
    .q_unit = trailer_q_unit,
    .spin_name = wheel_pair_name,
    .compile = trailer_compile,
    .stands = trailer_stands,
};

#else

/* With (vx, vy) the velocity of the hitch in the axes of the towing body and angle b:
     w = (cos b vy - sin b vx) / length      v = cos b vx + sin b vy */
static void trailer_motion(const joint_in* in, joint_out* out) {
  const trailer_par* par = in->par;
  const real o = real_of(0.0), s = in->sc[0], c = in->sc[1], k = par->per_length;
  const real vx = in->VP.v.x, vy = in->VP.v.y;
  const real w = k * (c * vy - s * vx), v = c * vx + s * vy;
  const real rate = w - in->VP.w.z; /* b' */

  out->X = (pose){mat3_turn_z(mat3_identity(), s, c),
                  {-par->length * c, -par->length * s, -par->hitch_height}};

  for (int i = 0; i < 36; ++i)
    out->Phi[i] = o;
  out->Phi[6 * 2 + 3] = -k * s, out->Phi[6 * 2 + 4] = k * c;
  out->Phi[6 * 3 + 3] = c, out->Phi[6 * 3 + 4] = s;

  /* (dPhi/dt) V_P: dw = -b' v / length, dv = b' length w */
  out->c = (twist){{o, o, -k * rate * v}, {rate * par->length * w, o, o}};
}

/* spin of right, left = (v +- half track w) / radius, through the hitch's velocity */
static void trailer_spin(const joint_in* in, real* row, real* rowP, real* bias) {
  const trailer_par* par = in->par;
  const real s = in->sc[0], c = in->sc[1], k = par->per_length;
  const real vx = in->VP.v.x, vy = in->VP.v.y;
  const real w = k * (c * vy - s * vx), v = c * vx + s * vy;
  const real rate = w - in->VP.w.z;
  (void)row;

  for (int side = 0; side < 2; ++side) {
    const real a = par->pair.speed, b = side == 0 ? par->pair.turn : -par->pair.turn;
    for (int i = 0; i < 6; ++i)
      rowP[6 * side + i] = real_of(0.0);
    rowP[6 * side + 3] = a * c - b * k * s;
    rowP[6 * side + 4] = a * s + b * k * c;
    bias[side] = a * rate * par->length * w - b * k * rate * v;
  }
}

/* b' = w - w_P */
static void trailer_rate(const joint_in* in, real* qdot) {
  const trailer_par* par = in->par;
  const real s = in->sc[0], c = in->sc[1];
  qdot[0] = par->per_length * (c * in->VP.v.y - s * in->VP.v.x) - in->VP.w.z;
}

static void trailer_pull(const joint_in* in, const real* delta, const real* f, real* Q, real* QP) {
  const trailer_par* par = in->par;
  const real o = real_of(0.0), s = in->sc[0], c = in->sc[1], k = par->per_length;
  (void)delta, (void)Q;
  QP[0] = QP[1] = QP[5] = o;
  QP[2] = -f[0];
  QP[3] = -k * s * f[0];
  QP[4] = k * c * f[0];
}

static const joint_ops trailer_ops = {
    .motion = trailer_motion,
    .spin = trailer_spin,
    .rate = trailer_rate,
    .tangent_rate = trailer_rate,
    .pull = trailer_pull,
};

#endif
