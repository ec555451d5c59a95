/* SPDX-License-Identifier: Apache-2.0 */
/* trajectory.h: motions given by tables: for inverse dynamics, and as paths of bases on wheels. */
#pragma once

#include "appell/run.h"
#include "record/record.h"
#include "text/table.h"

/* Drive a base that rolls, with a prescribed joint, along a path: a table with the columns time, x
   and y, and perhaps heading, in SI or in the units of the table. Splines through the points give
   the velocities; the state is put where the path is at time 0. Without headings a base that cannot
   move sideways points along the path, any other keeps the heading of the state. A path that would
   need sideways slip is refused. */
apl_status apl_system_path(apl_system* system, int link, const apl_table* table, apl_error* err);

/* A motion given by a table, for inverse dynamics:

     for (int i = 0; i < apl_trajectory_rows(t); ++i)
       if (apl_trajectory_set(t, i, &err) == APL_OK && apl_inverse(model, state) == APL_OK) ...

   Columns by name: `time`, coordinates (arm.joint.angle), velocities (arm.joint.angle.rate), their
   rates (arm.joint.angle.rate.rate) and inputs, in SI or in the units of the table. Missing rates
   of coordinates come from a cubic spline (not-a-knot). A table with a single row or without the
   column `time` (then time is 0) gives poses at rest: missing rates are zero. Joints whose
   velocities are not the rates of their coordinates (bases on wheels, discs, floating and spherical
   joints, spheres) take coordinates alone (headings and steering angles of bases may be missing),
   or both. Columns roll, pitch and yaw (plate.joint.roll; R = Rz(yaw) Ry(pitch) Rx(roll)) may stand
   for the four numbers of a quaternion. The end of a name (`heading`) is enough where one
   coordinate ends so. Coordinates without a column keep the value in the state of the system and
   must not move, or follow the signals of the system. Columns ledger.*, *.effort and ground forces
   are ignored. System and table must outlive the trajectory. */
typedef struct apl_trajectory apl_trajectory;
apl_status apl_trajectory_new(apl_system* system, const apl_table* table, apl_trajectory** out,
                              apl_report* report);
void apl_trajectory_free(apl_trajectory* trajectory); /* accepts NULL */
int apl_trajectory_rows(const apl_trajectory* trajectory);
double apl_trajectory_time(const apl_trajectory* trajectory, int row); /* [s] */

/* Set q, v, a and u of a row in the state of the system. */
apl_status apl_trajectory_set(apl_trajectory* trajectory, int row, apl_error* err);

/* Ground forces of rolling joints and their wheels (torques, tractions, loads, friction needed):
   the channels of runs, and their values for the row that is set. None if the robot has no wheels.
 */
int apl_trajectory_nground(const apl_trajectory* trajectory);
const apl_channel* apl_trajectory_ground(const apl_trajectory* trajectory, int i);
apl_status apl_trajectory_ground_row(apl_trajectory* trajectory, double* row);
