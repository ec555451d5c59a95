/* differential_drive.c: a base on two driven wheels of one axle. Three coordinates (x, y, heading),
   two quasi-velocities (speed forward, rate of turn): the wheels cannot slip sideways, so q' = N v
   is not integrable and no multiplier is needed. Frame at the middle of the axle: x forward, y
   left, z along the normal of the ground. Theory: docs/theory/wheels.md. */
#include "element/axis.h"
#include "element/require.h"

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
    APL_FIELD_AXIS(differential_drive_param, normal, "normal",
                   "normal of the ground, in the frame of the joint", 0, 0, 1),
    APL_FIELD_REQUIRED(differential_drive_param, wheel_radius, "wheel-radius", "m",
                       "radius of the driven wheels"),
    APL_FIELD_REQUIRED(differential_drive_param, half_track, "half-track", "m",
                       "half the track: distance of each wheel from the middle of the axle"),
    APL_FIELD(differential_drive_param, wheel_inertia, "wheel-inertia", "kg m^2",
              "moment of inertia of one wheel about its axle; its mass is part of the body", 0),
    APL_FIELD(differential_drive_param, castor_ahead, "castor-ahead", "m",
              "distance of a castor in front of the axle; 0: no castor there. Castors share the "
              "load, they have no mass",
              0),
    APL_FIELD(differential_drive_param, castor_behind, "castor-behind", "m",
              "distance of a castor behind the axle; 0: no castor there", 0),
    APL_FIELD_GROUND_FRICTION(differential_drive_param),
    APL_FIELD_END,
};

/* Shared by all joints with a pair of wheels: par = 1/radius, half track / radius. */
static apl_status wheel_pair_compile(double radius, double half_track, double wheel_inertia,
                                     double* par, double* inertia, apl_error* err) {
  apl_status st = require_positive(radius, "wheel-radius", "m", err);

  if (st == APL_OK) st = require_positive(half_track, "half-track", "m", err);
  if (st == APL_OK) st = require_not_negative(wheel_inertia, "wheel-inertia", "kg m^2", err);
  if (st != APL_OK) return st;
  par[0] = 1.0 / radius;
  par[1] = half_track / radius;
  inertia[0] = inertia[1] = wheel_inertia;
  return APL_OK;
}

/* par: ..., castors, friction */
static apl_status differential_drive_compile(const void* param, double* par, double* inertia,
                                             mat3* turn, apl_error* err) {
  const differential_drive_param* p = param;
  apl_status st =
      wheel_pair_compile(p->wheel_radius, p->half_track, p->wheel_inertia, par, inertia, err);

  if (st == APL_OK) st = require_not_negative(p->castor_ahead, "castor-ahead", "m", err);
  if (st == APL_OK) st = require_not_negative(p->castor_behind, "castor-behind", "m", err);
  if (st == APL_OK) st = require_not_negative(p->ground_friction, "ground-friction", "", err);
  par[2] = p->castor_ahead;
  par[3] = p->castor_behind;
  par[4] = p->ground_friction;
  return st == APL_OK ? turn_to_axis(p->normal, "normal", turn, err) : st;
}

/* Wheels right and left of the frame, which is their radius above the ground. */
static void wheel_pair_stands(const double* par, apl_footing* out) {
  const double radius = 1.0 / par[0], half_track = par[1] / par[0];

  out->height = radius;
  footing_wheel(out, 0, 0.0, -half_track, 0.0, radius);
  footing_wheel(out, 1, 0.0, half_track, 0.0, radius);
}

static void differential_drive_stands(const double* par, const double* q, apl_footing* out) {
  (void)q;
  wheel_pair_stands(par, out);
  if (par[2] > 0.0) footing_castor(out, par[2], 0.0);
  if (par[3] > 0.0) footing_castor(out, -par[3], 0.0);
  out->friction = par[4];
}

static const char* const differential_drive_q[] = {"x", "y", "heading"};
static const char* const differential_drive_v[] = {"speed", "turn"};
static const char* const wheel_pair_name[] = {"right", "left"};
static const char* const differential_drive_q_unit[] = {"m", "m", "rad"};
static const char* const differential_drive_v_unit[] = {"m/s", "rad/s"};

static const apl_joint_kind differential_drive_kind = {
    .word = "differential-drive",
    .title = "two driven wheels on one axle that roll on a plane without slip",
    .field = differential_drive_fields,
    .param_size = sizeof(differential_drive_param),
    .nq = 3,
    .nt = 3,
    .nv = 2,
    .nsatellite = 2,
    .npar = 5,
    .nangle = 1,
    .angle = {2},
    .turning = APL_TURNS_ABOUT_Z,
    .q_name = differential_drive_q,
    .v_name = differential_drive_v,
    .q_unit = differential_drive_q_unit,
    .v_unit = differential_drive_v_unit,
    .spin_name = wheel_pair_name,
    .compile = differential_drive_compile,
    .stands = differential_drive_stands,
};

#else

/* S is constant in the body's own frame: w_z = turn, v_x = speed */
static void differential_drive_motion(const joint_in* in, joint_out* out) {
  const real o = real_of(0.0), i = real_of(1.0);

  out->X = (pose){mat3_turn_z(mat3_identity(), in->sc[0], in->sc[1]), {in->q[0], in->q[1], o}};
  set_column(out->S, 0, (twist){{o, o, o}, {i, o, o}});
  set_column(out->S, 1, (twist){{o, o, i}, {o, o, o}});
  out->c = twist_zero();
}

/* spin of right, left = (speed +- half track turn) / radius */
static void differential_drive_spin(const joint_in* in, real* row, real* rowP, real* bias) {
  (void)rowP;
  row[0] = in->par[0], row[1] = in->par[1];
  row[2] = in->par[0], row[3] = -in->par[1];
  bias[0] = bias[1] = real_of(0.0);
}

/* x' = speed cos, y' = speed sin, heading' = turn */
static void differential_drive_rate(const joint_in* in, real* qdot) {
  qdot[0] = in->v[0] * in->sc[1];
  qdot[1] = in->v[0] * in->sc[0];
  qdot[2] = in->v[1];
}

static void differential_drive_pull(const joint_in* in, const real* delta, const real* f, real* Q,
                                    real* QP) {
  (void)delta, (void)QP;
  Q[0] = in->sc[1] * f[0] + in->sc[0] * f[1];
  Q[1] = f[2];
}

static const joint_ops differential_drive_ops = {
    .motion = differential_drive_motion,
    .spin = differential_drive_spin,
    .rate = differential_drive_rate,
    .tangent_rate = differential_drive_rate,
    .pull = differential_drive_pull,
};

#endif
