/* knife_edge.c: a runner or one wheel that cannot slip sideways: skate, sleigh, unicycle. It moves
   as the differential drive does (x forward, y left, z along the normal of the ground, origin at
   the edge or at the hub of the wheel); its one wheel turns with the speed alone. Theory:
   docs/theory/wheels.md, 5. */
#include "element/axis.h"
#include "element/require.h"

#ifndef APL_HOT

typedef struct knife_edge_param {
  double normal[3];
  double wheel_radius;
  double wheel_inertia;
  double ground_friction;
} knife_edge_param;

static const apl_field knife_edge_fields[] = {
    APL_FIELD_AXIS(knife_edge_param, normal, "normal",
                   "normal of the ground, in the frame of the joint", 0, 0, 1),
    APL_FIELD(knife_edge_param, wheel_radius, "wheel-radius", "m",
              "radius of the wheel; 0: a runner without a wheel", 0),
    APL_FIELD(knife_edge_param, wheel_inertia, "wheel-inertia", "kg m^2",
              "moment of inertia of the wheel about its axle; its mass is part of the body", 0),
    APL_FIELD_GROUND_FRICTION(knife_edge_param),
    APL_FIELD_END,
};

/* par: 1/radius, zero for a runner; friction */
static apl_status knife_edge_compile(const void* param, double* par, double* inertia, mat3* turn,
                                     apl_error* err) {
  const knife_edge_param* p = param;
  const bool runner = p->wheel_radius == 0.0 && p->wheel_inertia == 0.0;
  apl_status st = require_not_negative(p->wheel_inertia, "wheel-inertia", "kg m^2", err);

  if (st == APL_OK && !runner) st = require_positive(p->wheel_radius, "wheel-radius", "m", err);
  if (st == APL_OK) st = require_not_negative(p->ground_friction, "ground-friction", "", err);
  if (st != APL_OK) return st;
  par[1] = p->ground_friction;
  par[0] = runner ? 0.0 : 1.0 / p->wheel_radius;
  inertia[0] = p->wheel_inertia;
  return turn_to_axis(p->normal, "normal", turn, err);
}

static void knife_edge_stands(const double* par, const double* q, apl_footing* out) {
  (void)q;
  if (par[0] > 0.0) {
    out->height = 1.0 / par[0];
    footing_wheel(out, 0, 0.0, 0.0, 0.0, 1.0 / par[0]);
  } else {
    footing_runner(out, 0.0, 0.0);
  }
  out->friction = par[1];
}

static const char* const knife_edge_wheel[] = {"wheel"};

static const apl_joint_kind knife_edge_kind = {
    .word = "knife-edge",
    .title = "a runner (skate) or a single wheel that cannot slip sideways",
    .field = knife_edge_fields,
    .param_size = sizeof(knife_edge_param),
    .nq = 3,
    .nt = 3,
    .nv = 2,
    .nsatellite = 1,
    .npar = 2,
    .nangle = 1,
    .angle = {2},
    .turning = APL_TURNS_ABOUT_Z,
    .q_name = differential_drive_q,
    .v_name = differential_drive_v,
    .q_unit = differential_drive_q_unit,
    .v_unit = differential_drive_v_unit,
    .spin_name = knife_edge_wheel,
    .compile = knife_edge_compile,
    .stands = knife_edge_stands,
};

#else

/* spin = speed / radius */
static void knife_edge_spin(const joint_in* in, real* row, real* rowP, real* bias) {
  (void)rowP;
  row[0] = in->par[0], row[1] = real_of(0.0);
  bias[0] = real_of(0.0);
}

static const joint_ops knife_edge_ops = {
    .motion = differential_drive_motion,
    .spin = knife_edge_spin,
    .rate = differential_drive_rate,
    .tangent_rate = differential_drive_rate,
    .pull = differential_drive_pull,
};

#endif
