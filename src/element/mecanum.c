/* mecanum.c: a base on four wheels with rollers at 45 deg, which moves in any direction. Three
   coordinates (x, y, heading), three quasi-velocities in body axes (forward, left, turn). Frame in
   the middle of the wheels: x forward, y left, z along the normal of the ground. The rollers' own
   spin is not modelled. Theory: docs/theory/wheels.md, 7. */
#include "element/axis.h"
#include "element/require.h"

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
    APL_FIELD_AXIS(mecanum_param, normal, "normal",
                   "normal of the ground, in the frame of the joint", 0, 0, 1),
    APL_FIELD_REQUIRED(mecanum_param, wheel_radius, "wheel-radius", "m", "radius of the wheels"),
    APL_FIELD_REQUIRED(mecanum_param, half_length, "half-length", "m",
                       "half the wheelbase: distance of each axle from the middle"),
    APL_FIELD_REQUIRED(mecanum_param, half_track, "half-track", "m",
                       "half the track: distance of each wheel from the middle of its axle"),
    APL_FIELD(mecanum_param, wheel_inertia, "wheel-inertia", "kg m^2",
              "moment of inertia of one wheel about its axle; its mass is part of the body", 0),
    APL_FIELD_GROUND_FRICTION(mecanum_param),
    APL_FIELD_END,
};

/* par: 1/radius, (half length + half track) / radius, half length, half track, friction */
static apl_status mecanum_compile(const void* param, double* par, double* inertia, mat3* turn,
                                  apl_error* err) {
  const mecanum_param* p = param;
  apl_status st = require_positive(p->wheel_radius, "wheel-radius", "m", err);

  if (st == APL_OK) st = require_positive(p->half_length, "half-length", "m", err);
  if (st == APL_OK) st = require_positive(p->half_track, "half-track", "m", err);
  if (st == APL_OK) st = require_not_negative(p->wheel_inertia, "wheel-inertia", "kg m^2", err);
  if (st == APL_OK) st = require_not_negative(p->ground_friction, "ground-friction", "", err);
  if (st != APL_OK) return st;
  par[2] = p->half_length;
  par[3] = p->half_track;
  par[4] = p->ground_friction;
  par[0] = 1.0 / p->wheel_radius;
  par[1] = (p->half_length + p->half_track) / p->wheel_radius;
  for (int k = 0; k < 4; ++k)
    inertia[k] = p->wheel_inertia;
  return turn_to_axis(p->normal, "normal", turn, err);
}

/* The ground pushes along the axis of the roller that touches it, at 45 deg. */
static void mecanum_stands(const double* par, const double* q, apl_footing* out) {
  static const double slant[4] = {-1, 1, 1, -1}, ahead[4] = {1, 1, -1, -1},
                      left[4] = {1, -1, 1, -1};
  (void)q;

  out->height = 1.0 / par[0];
  out->friction = par[4];
  for (int k = 0; k < 4; ++k) {
    apl_foothold* c = footing_wheel(out, k, ahead[k] * par[2], left[k] * par[3], 0.0, 1.0 / par[0]);
    footing_roller(c, 1.0, slant[k]);
  }
}

static const char* const gliding_q[] = {"x", "y", "heading"};
static const char* const gliding_v[] = {"forward", "left", "turn"};
static const char* const gliding_q_unit[] = {"m", "m", "rad"};
static const char* const gliding_v_unit[] = {"m/s", "m/s", "rad/s"};
static const char* const mecanum_wheel[] = {"front-left", "front-right", "rear-left", "rear-right"};

static const apl_joint_kind mecanum_kind = {
    .word = "mecanum",
    .title = "four mecanum wheels (slanted rollers); the base can move in any direction on a plane",
    .field = mecanum_fields,
    .param_size = sizeof(mecanum_param),
    .nq = 3,
    .nt = 3,
    .nv = 3,
    .nsatellite = 4,
    .npar = 5,
    .nangle = 1,
    .angle = {2},
    .turning = APL_TURNS_ABOUT_Z,
    .q_name = gliding_q,
    .v_name = gliding_v,
    .q_unit = gliding_q_unit,
    .v_unit = gliding_v_unit,
    .spin_name = mecanum_wheel,
    .compile = mecanum_compile,
    .stands = mecanum_stands,
};

#else

/* Shared by all bases that move in any direction of the plane: S is constant in body axes. */
static void gliding_motion(const joint_in* in, joint_out* out) {
  const real o = real_of(0.0), i = real_of(1.0);

  out->X = (pose){mat3_turn_z(mat3_identity(), in->sc[0], in->sc[1]), {in->q[0], in->q[1], o}};
  set_column(out->S, 0, (twist){{o, o, o}, {i, o, o}});
  set_column(out->S, 1, (twist){{o, o, o}, {o, i, o}});
  set_column(out->S, 2, (twist){{o, o, i}, {o, o, o}});
  out->c = twist_zero();
}

/* (x', y') = Rz(heading) (forward, left), heading' = turn */
static void gliding_rate(const joint_in* in, real* qdot) {
  qdot[0] = in->sc[1] * in->v[0] - in->sc[0] * in->v[1];
  qdot[1] = in->sc[0] * in->v[0] + in->sc[1] * in->v[1];
  qdot[2] = in->v[2];
}

static void gliding_pull(const joint_in* in, const real* delta, const real* f, real* Q, real* QP) {
  (void)delta, (void)QP;
  Q[0] = in->sc[1] * f[0] + in->sc[0] * f[1];
  Q[1] = in->sc[1] * f[1] - in->sc[0] * f[0];
  Q[2] = f[2];
}

/* spin = (forward +- left +- (half length + half track) turn) / radius: the rollers' axes point at
   45 deg, to the left of forward on front right and rear left, and the turn drives the right side
   forward */
static void mecanum_spin(const joint_in* in, real* row, real* rowP, real* bias) {
  static const double slant[4] = {-1, 1, 1, -1}, side[4] = {-1, 1, -1, 1};
  (void)rowP;

  for (int k = 0; k < 4; ++k) {
    row[3 * k] = in->par[0];
    row[3 * k + 1] = slant[k] * in->par[0];
    row[3 * k + 2] = side[k] * in->par[1];
    bias[k] = real_of(0.0);
  }
}

static const joint_ops mecanum_ops = {
    .motion = gliding_motion,
    .spin = mecanum_spin,
    .rate = gliding_rate,
    .tangent_rate = gliding_rate,
    .pull = gliding_pull,
};

#endif
