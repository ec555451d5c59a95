/* support.h: a body of prescribed shape on the ground: which points carry it, what they give and
   what its joints must give. For snakes and worms that crawl in a vertical plane.

   The shape is a given function of time, so two supports leave one freedom, the way along the
   ground. Supports are found, exchanged with the impulses that go with it, and the efforts of the
   joints follow from inverse dynamics. Theory: docs/theory/support.md. */
#pragma once

#include "appell/run.h"

enum { APL_SUPPORT_MOST = 8 }; /* supports at once */

/* Which accelerations and forces count. */
typedef enum apl_support_variant {
  APL_SUPPORT_EXACT,     /* all of them                                                           */
  APL_SUPPORT_SIMPLIFIED /* of the paper: the centre of mass keeps its height, what is left over
                            turns the body                                                        */
} apl_support_variant;

/* What friction does. */
typedef enum apl_support_friction {
  APL_SUPPORT_STICKS,   /* supports stay where they are; their share of the force is that of the
                           normal force                                                           */
  APL_SUPPORT_SLIDES,   /* the law of Coulomb at the velocity of each support                     */
  APL_SUPPORT_PUSHES,   /* bounds: full friction forwards on both supports, ...                   */
  APL_SUPPORT_DRAGS,    /* ... backwards on both, ...                                             */
  APL_SUPPORT_SPREADS,  /* ... backwards on the first, forwards on the second, ...                */
  APL_SUPPORT_SQUEEZES, /* ... the other way round                                                */
} apl_support_friction;

typedef struct apl_support_options {
  double from, to; /* [s]                                                                         */
  double every;    /* [s] between rows; supports are looked for as often                          */
  const double* time; /* [ntime] rows at these times instead, increasing; NULL: every             */
  int ntime;
  double waves; /* on the body; 0: not known. Less than two are refused, and where the number of
                   links is a multiple of them, supports stand a wave apart                    */
  apl_support_variant variant;
  apl_support_friction friction;
  bool stiff;           /* all points that touch carry, as stiff joints would share it; else two  */
  double coefficient;   /* of friction; < 0: that of the ground                                   */
  double slope;         /* gravity leans so far backwards from the ground's normal [rad]; NaN: as in
                           the model                                                              */
  double sliding_speed; /* SLIDES: speed that rounds the corner of the law [m/s]                  */
} apl_support_options;

/* 0 to 1 s every 10 ms, exact, sticking, two supports, friction of the ground. */
apl_support_options apl_support_options_default(void);

typedef struct apl_support_row {
  double t;
  bool arc;     /* it stands on round parts, not on points                          */
  int nsupport; /* that carry                                                       */
  int support[APL_SUPPORT_MOST]; /* from 1: number of the point or round part along the body      */
  double normal[APL_SUPPORT_MOST], friction[APL_SUPPORT_MOST]; /* on the robot [N]                */
  double angle[3];          /* of the base: value, rate, second rate                            */
  double center[2];         /* of mass: along the ground and above it [m]                       */
  double speed[2], rate[2]; /* its velocity and acceleration                                    */
  double moment_point;      /* along the ground, where the ground's force has no moment [m]     */
  double slip;              /* velocity of the first support along the ground [m/s]             */
  double use;               /* friction that is needed over the friction there is               */
  double loss;              /* power that friction takes at all supports [W]                    */
  double apart;             /* fastest that a support moves which should stick [m/s]            */
} apl_support_row;

/* Other supports take over. */
typedef struct apl_support_switch {
  double t;
  bool arc;
  int before[2], after[2]; /* supports, from 1                                                  */
  double center;           /* of mass, along the ground [m]                                       */
  double lift, turn;       /* jumps of the centre's velocity upwards and of the base's angle    */
  double impulse[2];       /* of the ground on the new supports [N s]                           */
} apl_support_switch;

typedef struct apl_support apl_support;

/* The system is driven: all joints but the base's have a motion. Its state is used and left
   somewhere. Its base is a planar joint on the
   world; the points and balls of `contacts` stand in order along the body. */
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

/* What one asks of a gait. Means are over time, by the trapezoidal rule through the rows. */
typedef struct apl_support_summary {
  double time, distance, speed; /* of the centre of mass along the ground: s, m, m/s              */
  double cycle, step;  /* time and way between two switches that are alike; NaN without one       */
  double work;         /* positive work of all joints [J]                                         */
  double cost;         /* of transport: work / (weight x distance)                                */
  double loss;         /* energy that friction takes [J]                                          */
  double slid;         /* way that the first support slides [m]                                   */
  double use;          /* largest share of the friction there is                                  */
  double apart;        /* way that supports which should stick move away from each other [m]      */
  double least_normal; /* smallest force of a support that carries [N], ...                       */
  double least_time;   /* ... and when [s]; below zero a support would have to pull               */
  double impulse;      /* largest impulse of effort at a switch, ...                              */
  int impulse_velocity; /* ... and where; -1 without one                                          */
} apl_support_summary;
apl_support_summary apl_support_summarise(const apl_support* support);

/* The effort on velocity v over the rows: mean |effort|, root mean square, greatest, least.
   Impulses at switches are not in it; nothing is filtered. */
typedef struct apl_support_joint {
  double mean, rms, most, least;
} apl_support_joint;
apl_support_joint apl_support_joint_at(const apl_support* support, int v);
