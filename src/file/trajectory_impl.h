/* SPDX-License-Identifier: Apache-2.0 */
/* trajectory_impl.h: the members of a trajectory: trajectory_columns.c finds out what the columns
   mean, trajectory_rates.c prepares the rates that the table leaves out, trajectory.c sets rows. */
#pragma once

#include "base/pool.h"
#include "base/report.h"
#include "channel/channels.h"
#include "file/roll.h"
#include "file/trajectory.h"

#include <stdbool.h>

struct apl_trajectory {
  apl_system* system;
  const apl_model* model;
  const apl_table* table;
  int nq, nv, nu;
  bool rest;          /* one row, or no times: poses at rest                                     */
  int time;           /* columns; -1 where there is none                                        */
  int *q, *v, *a, *u; /* [nq], [nv], [nv], [nu]                                                 */
  int* angle;         /* [nq] columns roll, pitch, yaw of the quaternion that begins there      */
  double** turned;    /* [nq] [nrow] numbers of a quaternion from these columns, or NULL        */
  double* scale;      /* [ncolumn] from the unit of the column to SI                            */
  bool* follows;      /* [nq] a signal of the system moves it                                   */
  apl_signal** through; /* [nv] spline that gives what is missing, or NULL                        */
  bool* by_velocity;    /* [nv] ... through the velocities, not the coordinates                   */
  bool* still;          /* [nv] velocity and acceleration are zero unless the table has them      */
  roll** roll;          /* [nlink] joints whose velocities come from their coordinates, or NULL   */
  double* y;            /* as long as the system's                                                */
  double* qdot;         /* [nq]                                                                   */
  int *keep, *keep_v;   /* [nq], [nv] robots with loops: given by columns or signals              */
  channel_list* known;  /* all channels that a run can record                                     */
  int* ground;          /* [nground] indices of the channels of ground forces                     */
  int nground;
  double* number; /* [known->n] */
  apl_pool pool;
};

/* A number of the table, in SI units. */
static inline double apl_trajectory_value(const apl_trajectory* t, int row, int column) {
  const size_t k = (size_t)row * (size_t)t->table->ncolumn + (size_t)column;
  return t->table->value[k] * t->scale[column];
}

/* Does the table give coordinate i? */
static inline bool apl_trajectory_has(const apl_trajectory* t, int i) {
  return t->q[i] >= 0 || t->turned[i] != NULL;
}

/* Its value in a row. */
static inline double apl_trajectory_coordinate(const apl_trajectory* t, int row, int i) {
  return t->turned[i] != NULL ? t->turned[i][row] : apl_trajectory_value(t, row, t->q[i]);
}

/* trajectory_columns.c: assign the columns by name and check the times. Mistakes are reported. */
void apl_trajectory_columns(apl_trajectory* t, apl_report* report);

/* trajectory_rates.c: splines and rolling for rates that have no column. Mistakes are reported. */
void apl_trajectory_rates(apl_trajectory* t, apl_report* report);
