/* SPDX-License-Identifier: Apache-2.0 */
/* knife_edge.c: a runner or a single wheel that does not slip sideways: skate, sleigh, unicycle.
   Its motion is that of heading.h, with the origin at the edge or at the wheel's hub; the spin of
   the wheel depends on the speed only. Theory: docs/theory/wheels.md, 5. */
#include "element/heading.h"

typedef struct knife_edge_par {
  real per_radius; /* zero for a runner */
  real friction;   /* of the ground     */
} knife_edge_par;

#ifndef APL_HOT

typedef struct knife_edge_param {
  double normal[3];
  double wheel_radius;
  double wheel_inertia;
  double ground_friction;
} knife_edge_param;

static const apl_field knife_edge_fields[] = {
    APL_FIELD_GROUND_NORMAL(knife_edge_param),
    APL_FIELD(knife_edge_param, wheel_radius, "wheel-radius", "m",
              "radius of the wheel; 0: a runner without a wheel", 0),
    APL_FIELD_NOT_NEGATIVE(
        knife_edge_param, wheel_inertia, "wheel-inertia", "kg m^2",
        "moment of inertia of the wheel about its axle; its mass is part of the body", 0),
    APL_FIELD_GROUND_FRICTION(knife_edge_param),
    APL_FIELD_END,
};

static apl_status knife_edge_compile(const void* param, void* constants, double* inertia,
                                     mat3* turn, apl_error* err) {
  const knife_edge_param* p = param;
  knife_edge_par* par = constants;
  const bool runner = p->wheel_radius == 0.0 && p->wheel_inertia == 0.0;
  const apl_status st =
      runner ? APL_OK : require_positive(p->wheel_radius, "wheel-radius", "m", err);

  if (st != APL_OK) return st;
  par->friction = p->ground_friction;
  par->per_radius = runner ? 0.0 : 1.0 / p->wheel_radius;
  inertia[0] = p->wheel_inertia;
  return turn_to_axis(p->normal, "normal", turn, err);
}

static void knife_edge_stands(const void* constants, const double* q, apl_footing* out) {
  const knife_edge_par* par = constants;

  (void)q;
  if (par->per_radius > 0.0) {
    out->height = 1.0 / par->per_radius;
    footing_wheel(out, 0, 0.0, 0.0, 0.0, 1.0 / par->per_radius);
  } else {
    footing_runner(out, 0.0, 0.0);
  }
  out->friction = par->friction;
}

static const char* const knife_edge_wheel[] = {"wheel"};

static const apl_joint_kind knife_edge_kind = {
    .word = "knife-edge",
    .title = "a runner (skate) or a single wheel that cannot slip sideways",
    .field = knife_edge_fields,
    .param_size = sizeof(knife_edge_param),
    HEADING_KIND,
    .nsatellite = 1,
    .npar = APL_NPAR(knife_edge_par),
    .spin_name = knife_edge_wheel,
    .compile = knife_edge_compile,
    .stands = knife_edge_stands,
};

#else

/* spin = speed / radius */
static void knife_edge_spin(const joint_in* in, real* row, real* rowP, real* bias) {
  const knife_edge_par* par = in->par;
  (void)rowP;
  row[0] = par->per_radius, row[1] = real_of(0.0);
  bias[0] = real_of(0.0);
}

static const joint_ops knife_edge_ops = {HEADING_OPS, .spin = knife_edge_spin};

#endif
