/* SPDX-License-Identifier: Apache-2.0 */
/* omni.c: a base on three or four omnidirectional wheels, equally spaced on a circle, each driving
   along the circle and rolling freely across it. Coordinates, velocities and motion are those of
   gliding.h. Wheel k stands at angle + k 360/n deg from x (forward) towards y (left). Theory:
   docs/theory/wheels.md, 7. */
#include "element/gliding.h"

/* Of one wheel: spin = forward v_x + left v_y + turn w. */
typedef struct omni_wheel {
  real forward, left, turn;
} omni_wheel;

typedef struct omni3_par {
  omni_wheel wheel[3];
  real friction; /* of the ground */
} omni3_par;

typedef struct omni4_par {
  omni_wheel wheel[4];
  real friction;
} omni4_par;

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
    APL_FIELD_GROUND_NORMAL(omni_param),
    APL_FIELD_POSITIVE(omni_param, wheel_radius, "wheel-radius", "m", "radius of the wheels"),
    APL_FIELD_POSITIVE(omni_param, distance, "distance", "m",
                       "distance of each wheel from the centre"),
    APL_FIELD(
        omni_param, angle, "angle", "rad",
        "angular position of the first wheel, from x towards y; the others are spaced equally", 0),
    APL_FIELD_NOT_NEGATIVE(
        omni_param, wheel_inertia, "wheel-inertia", "kg m^2",
        "moment of inertia of one wheel about its axle; its mass is part of the body", 0),
    APL_FIELD_GROUND_FRICTION(omni_param),
    APL_FIELD_END,
};

/* spin = (-sin v_x + cos v_y + distance turn) / radius */
static apl_status omni_compile(const omni_param* p, int n, omni_wheel* wheel, double* inertia,
                               mat3* turn, apl_error* err) {
  for (int k = 0; k < n; ++k) {
    const double a = p->angle + 6.283185307179586476925286766559 * k / n;
    wheel[k] = (omni_wheel){-sin(a) / p->wheel_radius, cos(a) / p->wheel_radius,
                            p->distance / p->wheel_radius};
    inertia[k] = p->wheel_inertia;
  }
  return turn_to_axis(p->normal, "normal", turn, err);
}

static apl_status omni3_compile(const void* param, void* constants, double* inertia, mat3* turn,
                                apl_error* err) {
  const omni_param* p = param;
  omni3_par* par = constants;

  par->friction = p->ground_friction;
  return omni_compile(p, 3, par->wheel, inertia, turn, err);
}

static apl_status omni4_compile(const void* param, void* constants, double* inertia, mat3* turn,
                                apl_error* err) {
  const omni_param* p = param;
  omni4_par* par = constants;

  par->friction = p->ground_friction;
  return omni_compile(p, 4, par->wheel, inertia, turn, err);
}

/* The force of the ground is tangential to the circle: the rollers are free in the radial
   direction. */
static void omni_stands(const omni_wheel* wheel, int n, double friction, apl_footing* out) {
  out->height = 1.0 / hypot(wheel->forward, wheel->left);
  out->friction = friction;
  for (int k = 0; k < n; ++k) {
    const omni_wheel* w = &wheel[k];
    const double radius = 1.0 / hypot(w->forward, w->left), distance = w->turn * radius;
    apl_foothold* c =
        footing_wheel(out, k, distance * radius * w->left, -distance * radius * w->forward,
                      atan2(w->left, w->forward), radius);
    footing_roller(c, w->forward, w->left);
  }
}

static void omni3_stands(const void* constants, const double* q, apl_footing* out) {
  const omni3_par* par = constants;
  (void)q;
  omni_stands(par->wheel, 3, par->friction, out);
}

static void omni4_stands(const void* constants, const double* q, apl_footing* out) {
  const omni4_par* par = constants;
  (void)q;
  omni_stands(par->wheel, 4, par->friction, out);
}

static const char* const omni_wheel_name[] = {"wheel0", "wheel1", "wheel2", "wheel3"};

#define OMNI_KIND(name, n)                                                                         \
  .word = #name, .field = omni_fields, .param_size = sizeof(omni_param), GLIDING_KIND,             \
  .nsatellite = n, .npar = APL_NPAR(name##_par), .spin_name = omni_wheel_name,                     \
  .compile = name##_compile, .stands = name##_stands

static const apl_joint_kind omni3_kind = {
    OMNI_KIND(omni3, 3),
    .title = "three omnidirectional wheels on a circle",
};
static const apl_joint_kind omni4_kind = {
    OMNI_KIND(omni4, 4),
    .title = "four omnidirectional wheels on a circle",
};

#undef OMNI_KIND

#else

HOT_INLINE void omni_spin(const omni_wheel* wheel, int n, real* row, real* bias) {
  for (int k = 0; k < n; ++k) {
    row[3 * k] = wheel[k].forward;
    row[3 * k + 1] = wheel[k].left;
    row[3 * k + 2] = wheel[k].turn;
    bias[k] = real_of(0.0);
  }
}

static void omni3_spin(const joint_in* in, real* row, real* rowP, real* bias) {
  const omni3_par* par = in->par;
  (void)rowP;
  omni_spin(par->wheel, 3, row, bias);
}

static void omni4_spin(const joint_in* in, real* row, real* rowP, real* bias) {
  const omni4_par* par = in->par;
  (void)rowP;
  omni_spin(par->wheel, 4, row, bias);
}

static const joint_ops omni3_ops = {GLIDING_OPS, .spin = omni3_spin};
static const joint_ops omni4_ops = {GLIDING_OPS, .spin = omni4_spin};

#endif
