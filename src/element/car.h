/* SPDX-License-Identifier: Apache-2.0 */
/* car.h: a car or bicycle. Four coordinates (x, y, heading, steering), two quasi-velocities (speed,
   steering rate). Frame at the middle of the rear axle: x forward, y left, z along the ground's
   normal; the steering axis is at (wheelbase, 0). With a half-track > 0 there are four wheels with
   Ackermann steering; `rear` and `front` are then the massless shafts of differentials. The two
   kinds differ in the point whose speed is the quasi-velocity (car_front.c, car_rear.c); `ratios`
   give all motions per unit of that speed. Theory: docs/theory/wheels.md, 6. */
#pragma once

#include "element/axis.h"
#include "element/require.h"

/* Quantities proportional to the speed: forward velocity and yaw rate of the chassis, then the
   wheel spins in the order of their names. */
enum {
  CAR_AHEAD,
  CAR_TURN,
  CAR_REAR,
  CAR_FRONT,
  CAR_REAR_RIGHT,
  CAR_REAR_LEFT,
  CAR_FRONT_RIGHT,
  CAR_FRONT_LEFT,
  CAR_RATIOS
};
enum { CAR_WHEELS = CAR_RATIOS - CAR_REAR, CAR_STEERING = CAR_WHEELS, CAR_SATELLITES };

typedef struct car_par {
  real per_base;            /* 1 / wheelbase; must be first, because file/road.c reads it */
  real per_rear, per_front; /* 1 / radius */
  real slant;               /* half track / wheelbase */
  real friction;            /* of the ground */
} car_par;

#ifndef APL_HOT

typedef struct car_param {
  double normal[3];
  double wheelbase;
  double rear_radius;
  double front_radius;
  double half_track;
  double rear_inertia;
  double front_inertia;
  double steering_inertia;
  double ground_friction;
} car_param;

static const apl_field car_fields[] = {
    APL_FIELD_GROUND_NORMAL(car_param),
    APL_FIELD_POSITIVE(car_param, wheelbase, "wheelbase", "m",
                       "distance from the rear axle to the front axle"),
    APL_FIELD_POSITIVE(car_param, rear_radius, "rear-radius", "m", "radius of the rear wheels"),
    APL_FIELD_POSITIVE(car_param, front_radius, "front-radius", "m", "radius of the front wheels"),
    APL_FIELD_NOT_NEGATIVE(
        car_param, half_track, "half-track", "m",
        "half the track: distance of each wheel from the middle of its axle; 0: one wheel "
        "per axle (a bicycle)",
        0),
    APL_FIELD_NOT_NEGATIVE(
        car_param, rear_inertia, "rear-inertia", "kg m^2",
        "moment of inertia of one rear wheel about its axle; its mass is part of the body", 0),
    APL_FIELD_NOT_NEGATIVE(
        car_param, front_inertia, "front-inertia", "kg m^2",
        "moment of inertia of one front wheel about its axle; its mass is part of the body", 0),
    {.name = "steering-inertia",
     .offset = offsetof(car_param, steering_inertia),
     .count = 1,
     .unit = "kg m^2",
     .sentence = "moment of inertia of all steered parts about the steering axis; do not include "
                 "it in the body",
     .sign = APL_NOT_NEGATIVE},
    APL_FIELD_GROUND_FRICTION(car_param),
    APL_FIELD_END,
};

static apl_status car_compile(const void* param, void* constants, double* inertia, mat3* turn,
                              apl_error* err) {
  const car_param* p = param;
  car_par* par = constants;
  const bool pairs = p->half_track > 0.0;

  par->per_base = 1.0 / p->wheelbase;
  par->per_rear = 1.0 / p->rear_radius;
  par->per_front = 1.0 / p->front_radius;
  par->slant = p->half_track / p->wheelbase;
  par->friction = p->ground_friction;

  inertia[CAR_REAR - CAR_REAR] = pairs ? 0.0 : p->rear_inertia;
  inertia[CAR_FRONT - CAR_REAR] = pairs ? 0.0 : p->front_inertia;
  inertia[CAR_REAR_RIGHT - CAR_REAR] = inertia[CAR_REAR_LEFT - CAR_REAR] =
      pairs ? p->rear_inertia : 0.0;
  inertia[CAR_FRONT_RIGHT - CAR_REAR] = inertia[CAR_FRONT_LEFT - CAR_REAR] =
      pairs ? p->front_inertia : 0.0;
  inertia[CAR_STEERING] = p->steering_inertia;
  return turn_to_axis(p->normal, "normal", turn, err);
}

/* A front wheel at `slant` = +-half track / wheelbase (right: +). It heads along
     (c + slant s, s)     and turns at steering' / |(c + slant s, s)|^2 */
static void car_front_stands(const car_par* par, double steering, double slant, int wheel,
                             apl_footing* out) {
  const double base = 1.0 / par->per_base, s = sin(steering), c = cos(steering) + slant * s;
  apl_foothold* k =
      footing_wheel(out, wheel, base, -slant * base, atan2(s, c), 1.0 / par->per_front);

  k->steer = 1.0 / (s * s + c * c);
}

/* The frame is on the rear axle; all wheels touch one plane. */
static void car_stands(const void* constants, const double* q, apl_footing* out) {
  const car_par* par = constants;
  const double h = par->slant, half_track = h / par->per_base;
  const double radius = 1.0 / par->per_rear;

  out->height = radius;
  out->fork = CAR_STEERING;
  out->friction = par->friction;
  if (h == 0.0) {
    footing_wheel(out, CAR_REAR - CAR_REAR, 0.0, 0.0, 0.0, radius);
    car_front_stands(par, q[3], 0.0, CAR_FRONT - CAR_REAR, out);
    return;
  }
  footing_wheel(out, CAR_REAR_RIGHT - CAR_REAR, 0.0, -half_track, 0.0, radius);
  footing_wheel(out, CAR_REAR_LEFT - CAR_REAR, 0.0, half_track, 0.0, radius);
  car_front_stands(par, q[3], h, CAR_FRONT_RIGHT - CAR_REAR, out);
  car_front_stands(par, q[3], -h, CAR_FRONT_LEFT - CAR_REAR, out);

  /* a differential gives each wheel half of the torque of its shaft */
  for (int k = 0; k < 4; ++k)
    out->contact[k].shaft = k < 2 ? CAR_REAR - CAR_REAR : CAR_FRONT - CAR_REAR;
}

static const char* const car_q[] = {"x", "y", "heading", "steering"};
static const char* const car_v[] = {"speed", "steering"};
static const char* const car_q_unit[] = {"m", "m", "rad", "rad"};
static const char* const car_v_unit[] = {"m/s", "rad/s"};
static const char* const car_wheel[] = {"rear",        "front",      "rear-right", "rear-left",
                                        "front-right", "front-left", "steering"};

/* What both kinds have in common. */
#define CAR_KIND                                                                                   \
  .field = car_fields, .param_size = sizeof(car_param), .nq = 4, .nt = 4, .nv = 2,                 \
  .nsatellite = CAR_SATELLITES, .npar = APL_NPAR(car_par), .nangle = 2, .angle = {2, 3},           \
  .turning = APL_TURNS_ABOUT_Z, .q_name = car_q, .v_name = car_v, .q_unit = car_q_unit,            \
  .v_unit = car_v_unit, .spin_name = car_wheel, .compile = car_compile, .stands = car_stands

#else

/* A function of the steering angle and its derivative. */
typedef struct steered {
  real f, df;
} steered;

/* sqrt((c + h s)^2 + s^2): speed of the front wheel at h wheelbases to the right, per speed of the
   middle one */
static steered car_front_wheel(real s, real c, real h) {
  const real x = c + h * s;
  const real f = real_sqrt(x * x + s * s);

  return (steered){f, (x * (h * c - s) + s * c) / f};
}

static steered steered_scale(real k, steered a) {
  return (steered){k * a.f, k * a.df};
}

/* Motions per unit speed of the front wheel; s, c of the steering angle. */
static void car_front_ratios(const joint_in* in, steered r[CAR_RATIOS]) {
  const car_par* par = in->par;
  const real s = in->sc[2], c = in->sc[3], h = par->slant;
  const real rear = par->per_rear, front = par->per_front;

  /* v_x = c, w_z = s / wheelbase */
  r[CAR_AHEAD] = (steered){c, -s};
  r[CAR_TURN] = steered_scale(par->per_base, (steered){s, c});

  /* rear wheels: v_x +- half track w_z, over the radius */
  r[CAR_REAR] = steered_scale(rear, (steered){c, -s});
  r[CAR_REAR_RIGHT] = steered_scale(rear, (steered){c + h * s, h * c - s});
  r[CAR_REAR_LEFT] = steered_scale(rear, (steered){c - h * s, -h * c - s});

  /* front wheels: along their own heading */
  r[CAR_FRONT] = (steered){front, real_of(0.0)};
  r[CAR_FRONT_RIGHT] = steered_scale(front, car_front_wheel(s, c, h));
  r[CAR_FRONT_LEFT] = steered_scale(front, car_front_wheel(s, c, -h));
}

/* Only the speed moves the body: S = (turn z; ahead x), 0; c = steering' speed dS/dsteering */
static void car_motion(const joint_in* in, joint_out* out, const steered* r) {
  const real o = real_of(0.0), vd = in->v[0] * in->v[1];

  out->X = (pose){mat3_turn_z(mat3_identity(), in->sc[0], in->sc[1]), {in->q[0], in->q[1], o}};
  set_column(out->S, 0, (twist){{o, o, r[CAR_TURN].f}, {r[CAR_AHEAD].f, o, o}});
  set_column(out->S, 1, twist_zero());
  out->c = (twist){{o, o, vd * r[CAR_TURN].df}, {vd * r[CAR_AHEAD].df, o, o}};
}

/* wheels: spin = ratio * speed; the steered fork turns at w_z + steering' */
static void car_spin(const joint_in* in, real* row, real* bias, const steered* r) {
  const real vd = in->v[0] * in->v[1];

  for (int k = 0; k < CAR_WHEELS; ++k) {
    row[2 * k] = r[CAR_REAR + k].f, row[2 * k + 1] = real_of(0.0);
    bias[k] = vd * r[CAR_REAR + k].df;
  }
  row[2 * CAR_STEERING] = r[CAR_TURN].f, row[2 * CAR_STEERING + 1] = real_of(1.0);
  bias[CAR_STEERING] = vd * r[CAR_TURN].df;
}

/* x' = v_x cos, y' = v_x sin, heading' = w_z, steering' */
static void car_rate(const joint_in* in, real* qdot, const steered* r) {
  const real ahead = r[CAR_AHEAD].f * in->v[0];

  qdot[0] = ahead * in->sc[1];
  qdot[1] = ahead * in->sc[0];
  qdot[2] = r[CAR_TURN].f * in->v[0];
  qdot[3] = in->v[1];
}

static void car_pull(const joint_in* in, const real* f, real* Q, const steered* r) {
  Q[0] = r[CAR_AHEAD].f * (in->sc[1] * f[0] + in->sc[0] * f[1]) + r[CAR_TURN].f * f[2];
  Q[1] = f[3];
}

/* The functions and the table of a kind, from `name`_ratios(). */
#define CAR_OPS(name)                                                                              \
  static void name##_motion(const joint_in* in, joint_out* out) {                                  \
    steered r[CAR_RATIOS];                                                                         \
    name##_ratios(in, r);                                                                          \
    car_motion(in, out, r);                                                                        \
  }                                                                                                \
  static void name##_spin(const joint_in* in, real* row, real* rowP, real* bias) {                 \
    steered r[CAR_RATIOS];                                                                         \
    (void)rowP;                                                                                    \
    name##_ratios(in, r);                                                                          \
    car_spin(in, row, bias, r);                                                                    \
  }                                                                                                \
  static void name##_rate(const joint_in* in, real* qdot) {                                        \
    steered r[CAR_RATIOS];                                                                         \
    name##_ratios(in, r);                                                                          \
    car_rate(in, qdot, r);                                                                         \
  }                                                                                                \
  static void name##_pull(const joint_in* in, const real* delta, const real* f, real* Q,           \
                          real* QP) {                                                              \
    steered r[CAR_RATIOS];                                                                         \
    (void)delta, (void)QP;                                                                         \
    name##_ratios(in, r);                                                                          \
    car_pull(in, f, Q, r);                                                                         \
  }                                                                                                \
  static const joint_ops name##_ops = {                                                            \
      .motion = name##_motion,                                                                     \
      .spin = name##_spin,                                                                         \
      .rate = name##_rate,                                                                         \
      .tangent_rate = name##_rate,                                                                 \
      .pull = name##_pull,                                                                         \
  };

#endif
