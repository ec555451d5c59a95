/* SPDX-License-Identifier: Apache-2.0 */
/* build.h: functions of the builder that only the readers of files and tests use; those for all
   are in appell/spec.h. */
#pragma once

#include "appell/loop.h"
#include "appell/spec.h"

/* Couple one coordinate to another: q_of = ratio q_to + offset. Both must be coordinates whose
   rates are velocities of the robot: of joints such as revolute and prismatic, deformations, or the
   steering of a car and the lean and roll of a disc. */
int apl_spec_coupling(apl_spec* spec, const char* name, const char* of, const char* to,
                      double ratio, double offset);

/* The rest length [m] of a tendon with a spring. Without this call it is the length of the
   tendon with all joints at `rest`. */
void apl_spec_tendon_rest(apl_spec* spec, int tendon, double length);

/* The input acts on a port, its target ("rod.tip"): u times this wrench, with the moment about the
   port's origin, in the port's own axes (it turns with them) or in world axes (a dead load). */
void apl_spec_push(apl_spec* spec, const char* input, apl_wrench wrench, apl_axes axes);

/* A circular arc instead of a ball: radius about the port, in its x-z plane, from -half_angle to
   half_angle about -z: the curved underside of a link. */
void apl_spec_round(apl_spec* spec, const char* port, const char* ground, double radius,
                    double half_angle);

/* A contact that always touches its ground with a given normal force `load` [N] and only causes
   friction. The origin of this force (weight on a table, a magnet) is not in the model. */
void apl_spec_press(apl_spec* spec, const char* port, const char* ground, double radius,
                    double load);
