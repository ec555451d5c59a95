/* SPDX-License-Identifier: Apache-2.0 */
/* footing.h: ground forces of rolling joints. The dynamics assume rolling without slip; these are
   the forces that this needs. Theory: docs/theory/wheels.md, 11. */
#pragma once

#include "appell/state.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Most points in which one joint touches the ground. */
enum { APL_MAX_FOOTHOLDS = 4 };

/* One wheel, castor, runner or rim. */
typedef struct apl_foothold_force {
  int satellite;   /* the wheel, -1 for castors, runners and rims                                 */
  double x, y;     /* position from the body frame along the ground: forward, left [m]            */
  double normal;   /* share of the normal force [N]                                               */
  double traction; /* along the heading of the wheel; of rollers along their axis [N]             */
  double lateral;  /* normal to it, to the left [N] */
  double torque; /* torque that drives the wheel: inputs, and its share of the efforts on the joint
                    [N m] */
} apl_foothold_force;

/* A joint that rolls. Forces are those of the ground on the robot. */
typedef struct apl_footing_forces {
  double normal;      /* along the ground's normal [N]; negative: the ground would have to pull */
  double forward;     /* along the heading of the body [N]                                       */
  double lateral;     /* to its left [N]                                                         */
  double pressure[2]; /* centre of pressure from the body frame: forward, left [m]               */
  double margin;      /* distance to the edge of the support polygon; negative: tips over [m]    */
  double friction;    /* largest ratio of tangential to normal force of a loaded contact */
  double limit;       /* ground-friction of the joint, 0 if not given                            */
  bool hitched;       /* a trailer: the towing body carries a part of it                         */
  double hitch[3];    /* ... force of the towing body on it: forward, left, along the normal [N] */
  int ncontact;       /* with one contact there is no polygon, and the margin is 0                */
  apl_foothold_force contact[APL_MAX_FOOTHOLDS];
} apl_footing_forces;

/* Ground forces out[apl_model_count(model, APL_FOOTINGS)] for the present q, v, a, u and loads.
   After apl_forward() they belong to the robot's motion. If the normal force is not positive,
   centre of pressure and margin are 0. Scalar states only. */
APL_API apl_status apl_footing_reactions(const apl_model* model, apl_state* state,
                                         apl_footing_forces* out);

#ifdef __cplusplus
}
#endif
