/* SPDX-License-Identifier: Apache-2.0 */
/* support.h: a body of prescribed shape on the ground: the points that carry it, their forces, and
   the efforts of its joints. For snakes and worms that crawl in a vertical plane.

   The shape is a given function of time, so two supports leave one freedom, the motion along the
   ground. Supports are found, changed with their impulses, and the efforts of the joints follow
   from inverse dynamics. Theory: docs/theory/support.md. */
#pragma once

#include "appell/run.h"

enum { APL_SUPPORT_MOST = 8 }; /* supports at once */

/* Which accelerations and forces are included. */
typedef enum apl_support_variant {
  APL_SUPPORT_EXACT,     /* all of them                                                           */
  APL_SUPPORT_SIMPLIFIED /* as in the paper: the centre of mass keeps its height, the remainder
                            turns the body */
} apl_support_variant;

/* The friction model. */
typedef enum apl_support_friction {
  APL_SUPPORT_STICKS,   /* supports do not slide; friction is shared like the normal force */
  APL_SUPPORT_SLIDES,   /* the law of Coulomb at the velocity of each support                     */
  APL_SUPPORT_PUSHES,   /* bounds: full friction forwards on both supports, ...                   */
  APL_SUPPORT_DRAGS,    /* ... backwards on both, ...                                             */
  APL_SUPPORT_SPREADS,  /* ... backwards on the first, forwards on the second, ...                */
  APL_SUPPORT_SQUEEZES, /* ... the other way round                                                */
} apl_support_friction;

typedef struct apl_support_options {
  double from, to; /* [s]                                                                         */
  double every;    /* [s] between rows, and between searches for supports */
  const double* time; /* [ntime] rows at these times instead, increasing; NULL: every             */
  int ntime;
  double waves; /* number of waves on the body; 0: unknown. Fewer than two are refused. If the
                   number of links is a multiple of it, supports are one wave apart */
  apl_support_variant variant;
  apl_support_friction friction;
  bool stiff;           /* all touching points carry, shared as by stiff joints; else two */
  double coefficient;   /* of friction; < 0: that of the ground                                   */
  double slope;         /* gravity is tilted backwards from the ground's normal by this angle [rad];
                           NaN: as in the model */
  double sliding_speed; /* SLIDES: speed that smooths the law at zero [m/s] */
} apl_support_options;

/* Defaults: 0 to 1 s every 10 ms, exact, sticking, two supports, friction of the ground. */
apl_support_options apl_support_options_default(void);

typedef struct apl_support_row {
  double t;
  bool arc;     /* it stands on round parts, not on points */
  int nsupport; /* that carry                                                       */
  int support[APL_SUPPORT_MOST]; /* from 1: number of the point or round part along the body      */
  double normal[APL_SUPPORT_MOST], friction[APL_SUPPORT_MOST]; /* on the robot [N]                */
  double angle[3];          /* of the base: value, rate, second rate                            */
  double center[2];         /* of mass: along the ground and above it [m]                       */
  double speed[2], rate[2]; /* its velocity and acceleration                                    */
  double moment_point;      /* position along the ground at which the ground's force has no moment
                               [m] */
  double slip;              /* velocity of the first support along the ground [m/s]             */
  double use;               /* required friction divided by the available friction */
  double loss;              /* power dissipated by friction at all supports [W] */
  double apart;             /* largest velocity of a support that should stick [m/s] */
} apl_support_row;

/* A change of supports. */
typedef struct apl_support_switch {
  double t;
  bool arc;
  int before[2], after[2]; /* supports, from 1                                                  */
  double center;           /* of mass, along the ground [m]                                       */
  double lift, turn;       /* jumps of the centre's velocity upwards and of the base's angle    */
  double impulse[2];       /* of the ground on the new supports [N s]                           */
} apl_support_switch;

typedef struct apl_support apl_support;

/* All joints of the system except the base must be driven. Its state is used and left at some time.
   Its base is a planar joint on the world; the points and balls of `contacts` are ordered along the
   body. */
apl_status apl_support_new(apl_system* system, const apl_support_options* options,
                           apl_support** out, apl_error* err);
void apl_support_free(apl_support* support); /* accepts NULL */

int apl_support_nrow(const apl_support* support);
const apl_support_row* apl_support_row_at(const apl_support* support, int i);
int apl_support_nswitch(const apl_support* support);
const apl_support_switch* apl_support_switch_at(const apl_support* support, int i);

/* Efforts [nv] of row i, and impulses of effort [nv] of switch i; those of the base are zero. */
const double* apl_support_effort(const apl_support* support, int i);
const double* apl_support_impulse(const apl_support* support, int i);

/* Velocities [nv] at row i. */
const double* apl_support_rates(const apl_support* support, int i);

/* Summary of a gait. Means are over time, by the trapezoidal rule through the rows. */
typedef struct apl_support_summary {
  double time, distance, speed; /* of the centre of mass along the ground: s, m, m/s              */
  double cycle, step;  /* time and distance between two equal switches; NaN if there are none */
  double work;         /* positive work of all joints [J]                                         */
  double cost;         /* of transport: work / (weight x distance)                                */
  double loss;         /* energy that friction takes [J]                                          */
  double slid;         /* distance that the first support slides [m] */
  double use;          /* largest ratio of required to available friction */
  double apart;        /* distance that supports which should stick move apart [m] */
  double least_normal; /* smallest force of a support that carries [N], ...                       */
  double least_time;   /* ... and when [s]; below zero a support would have to pull               */
  double impulse;      /* largest impulse of effort at a switch, ...                              */
  int impulse_velocity; /* ... and where; -1 without one                                          */
} apl_support_summary;
apl_support_summary apl_support_summarise(const apl_support* support);

/* The effort on velocity v over the rows: mean |effort|, root mean square, largest, smallest.
   Impulses at switches are not included; nothing is filtered. */
typedef struct apl_support_joint {
  double mean, rms, most, least;
} apl_support_joint;
apl_support_joint apl_support_joint_at(const apl_support* support, int v);
