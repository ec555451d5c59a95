/* omni.c: a base on three or four omnidirectional wheels, equally spaced on a circle, each driving
   along the circle and rolling freely across it. Coordinates, velocities and motion are those of
   mecanum.c. Wheel k stands at angle + k 360/n deg from x (forward) towards y (left). Theory:
   docs/theory/wheels.md, 7. */
#include "element/axis.h"
#include "element/require.h"

#ifndef APL_HOT

typedef struct omni_param {
  double normal[3];
  double wheel_radius;
  double distance;
  double angle;
  double wheel_inertia;
  double ground_friction;
} omni_param;

static const apl_field omni_fields[] = {
    APL_FIELD_AXIS(omni_param, normal, "normal", "normal of the ground, in the frame of the joint",
                   0, 0, 1),
    APL_FIELD_REQUIRED(omni_param, wheel_radius, "wheel-radius", "m", "radius of the wheels"),
    APL_FIELD_REQUIRED(omni_param, distance, "distance", "m",
                       "distance of each wheel from the centre"),
    APL_FIELD(
        omni_param, angle, "angle", "rad",
        "angular position of the first wheel, from x towards y; the others are spaced equally", 0),
    APL_FIELD(omni_param, wheel_inertia, "wheel-inertia", "kg m^2",
              "moment of inertia of one wheel about its axle; its mass is part of the body", 0),
    APL_FIELD_GROUND_FRICTION(omni_param),
    APL_FIELD_END,
};

/* par: row of each wheel, spin = (-sin v_x + cos v_y + distance turn) / radius; then friction */
static apl_status omni_compile(const omni_param* p, int n, double* par, double* inertia, mat3* turn,
                               apl_error* err) {
  apl_status st = require_positive(p->wheel_radius, "wheel-radius", "m", err);

  if (st == APL_OK) st = require_positive(p->distance, "distance", "m", err);
  if (st == APL_OK) st = require_not_negative(p->wheel_inertia, "wheel-inertia", "kg m^2", err);
  if (st == APL_OK) st = require_not_negative(p->ground_friction, "ground-friction", "", err);
  if (st != APL_OK) return st;
  par[3 * n] = p->ground_friction;
  for (int k = 0; k < n; ++k) {
    const double a = p->angle + 6.283185307179586476925286766559 * k / n;
    par[3 * k] = -sin(a) / p->wheel_radius;
    par[3 * k + 1] = cos(a) / p->wheel_radius;
    par[3 * k + 2] = p->distance / p->wheel_radius;
    inertia[k] = p->wheel_inertia;
  }
  return turn_to_axis(p->normal, "normal", turn, err);
}

static apl_status omni3_compile(const void* param, double* par, double* inertia, mat3* turn,
                                apl_error* err) {
  return omni_compile(param, 3, par, inertia, turn, err);
}

static apl_status omni4_compile(const void* param, double* par, double* inertia, mat3* turn,
                                apl_error* err) {
  return omni_compile(param, 4, par, inertia, turn, err);
}

/* The ground pushes along the circle: the rollers run across it. */
static void omni_stands(const double* par, int n, apl_footing* out) {
  out->height = 1.0 / hypot(par[0], par[1]);
  out->friction = par[3 * n];
  for (int k = 0; k < n; ++k) {
    const double* row = par + 3 * k;
    const double radius = 1.0 / hypot(row[0], row[1]), distance = row[2] * radius;
    apl_foothold* c = footing_wheel(out, k, distance * radius * row[1], -distance * radius * row[0],
                                    atan2(row[1], row[0]), radius);
    footing_roller(c, row[0], row[1]);
  }
}

static void omni3_stands(const double* par, const double* q, apl_footing* out) {
  (void)q;
  omni_stands(par, 3, out);
}

static void omni4_stands(const double* par, const double* q, apl_footing* out) {
  (void)q;
  omni_stands(par, 4, out);
}

static const char* const omni_wheel[] = {"wheel0", "wheel1", "wheel2", "wheel3"};

#define OMNI_KIND(word_, title_, wheels, compile_, stands_)                                        \
  {                                                                                                \
    .word = word_, .title = title_, .field = omni_fields, .param_size = sizeof(omni_param),        \
    .nq = 3, .nt = 3, .nv = 3, .nsatellite = wheels, .npar = 3 * (wheels) + 1, .nangle = 1,        \
    .angle = {2}, .turning = APL_TURNS_ABOUT_Z, .q_name = gliding_q, .v_name = gliding_v,          \
    .q_unit = gliding_q_unit, .v_unit = gliding_v_unit, .spin_name = omni_wheel,                   \
    .compile = compile_, .stands = stands_                                                         \
  }

static const apl_joint_kind omni3_kind =
    OMNI_KIND("omni3", "three omnidirectional wheels on a circle", 3, omni3_compile, omni3_stands);
static const apl_joint_kind omni4_kind =
    OMNI_KIND("omni4", "four omnidirectional wheels on a circle", 4, omni4_compile, omni4_stands);

#undef OMNI_KIND

#else

static void omni_spin(const joint_in* in, real* row, real* bias, int n) {
  for (int k = 0; k < 3 * n; ++k)
    row[k] = in->par[k];
  for (int k = 0; k < n; ++k)
    bias[k] = real_of(0.0);
}

static void omni3_spin(const joint_in* in, real* row, real* rowP, real* bias) {
  (void)rowP;
  omni_spin(in, row, bias, 3);
}

static void omni4_spin(const joint_in* in, real* row, real* rowP, real* bias) {
  (void)rowP;
  omni_spin(in, row, bias, 4);
}

static const joint_ops omni3_ops = {
    .motion = gliding_motion,
    .spin = omni3_spin,
    .rate = gliding_rate,
    .tangent_rate = gliding_rate,
    .pull = gliding_pull,
};
static const joint_ops omni4_ops = {
    .motion = gliding_motion,
    .spin = omni4_spin,
    .rate = gliding_rate,
    .tangent_rate = gliding_rate,
    .pull = gliding_pull,
};

#endif
