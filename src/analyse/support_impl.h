/* SPDX-License-Identifier: Apache-2.0 */
/* support_impl.h: the rigid support analysis, shared by its files.

     support_find.c    the plane, the base and the parts that may touch
     support_place.c   the body on a pair of supports: kinematics and inverse dynamics
     support_choose.c  which pair carries the body
     support_share.c   the forces of each support
     support_jump.c    impulses when supports change
     support.c         the analysis over time */
#pragma once

#include "analyse/support.h"
#include "base/error.h"
#include "system/system_impl.h"

/* Components along the ground and normal to it. */
typedef struct planar {
  double x, z;
} planar;

/* A point of the body, or the centre of a round part, in the axes of a port. */
typedef struct support_part {
  int port;
  double offset[3];
  double radius; /* 0: a point */
  double half;   /* a round part touches while its lean is below this angle */
} support_part;

typedef struct support_parts {
  int n;
  support_part* part; /* in order along the body */
} support_parts;

/* Two supports of one kind, a before b. */
typedef struct support_pair {
  bool arc;
  int a, b;
} support_pair;

/* Motion of a part. Angles are measured from the ground to its normal. */
typedef struct support_motion {
  planar at, speed, rate;
  double turn, turn_rate;
} support_motion;

struct apl_support {
  apl_support_options o;
  apl_system* system;
  const apl_model* m;
  apl_state* s;
  int nv, nrow, nswitch, row_room, switch_room;

  int base, q0, v0; /* the planar joint                                             */
  double along[3], up[3], axis[3]; /* of the ground, and of all turns */
  double level;            /* height of the ground above the world's origin                */
  double frame[2][2];      /* directions of the base's velocities, in the plane            */
  double mass, gravity[2]; /* kg, along and up; ...                           */
  double stated[2];        /* ... and gravity of the model */
  double coefficient;
  support_parts point, arc;
  int period; /* supports are so many parts apart; 0: found on the hull */

  /* the present moment */
  apl_status looked; /* status of the first failed evaluation of a part; placing and sharing return
                        it */
  planar origin;  /* of the base                                                                 */
  planar need;    /* force that the ground must exert, ... */
  double moment;  /* ... and its moment about the base's origin                                  */
  double pull[2]; /* friction of both supports divided by mu N, if they slide */

  double *M, *J, *column; /* [max(nv, APL_SUPPORT_MOST) * nv], [6 * nv], [nv] */
  double* poses; /* [12 * nport]                                                          */
  apl_support_row* row;
  double *effort, *rates; /* [nrow * nv] */
  apl_support_switch* change;
  double* impulse; /* [nswitch * nv] */
};

/* support_find.c */
apl_status apl_support_find(apl_support* s, apl_error* err);

/* support_place.c */
const support_part* apl_support_part(const apl_support* s, support_pair p, int i);
void apl_support_shape(apl_support* s, double t); /* joints at t, base at rest in its origin */
support_motion apl_support_motion_of(apl_support* s, const support_part* part); /* or `looked` */

/* Position of a part and its lean against the ground, after apl_support_look(). */
apl_status apl_support_look(apl_support* s);
planar apl_support_at(const apl_support* s, const support_part* part);
double apl_support_lean(const apl_support* s, const support_part* part);

/* Place the body on the pair: the first support at `way` along the ground, sliding with `slip`,
   whose rate is `slip_rate`; round parts also roll. Afterwards compute the required ground force by
   inverse dynamics. */
apl_status apl_support_place(apl_support* s, double t, support_pair p, double way, double slip,
                             double slip_rate);
apl_status apl_support_needs(apl_support* s);

/* Inverse dynamics of the present state under the chosen gravity. */
apl_status apl_support_inverse(apl_support* s);
double apl_support_moment_point(const apl_support* s);
planar apl_support_center(apl_support* s); /* or `looked` */

/* support_choose.c: the pair that carries the body at t. */
apl_status apl_support_choose(apl_support* s, double t, support_pair* out, apl_error* err);

/* support_share.c: forces of all supports and efforts of the joints, after apl_support_place(). If
   supports slide, pull[] gives their friction. */
apl_status apl_support_share(apl_support* s, support_pair p, apl_support_row* row, double* effort,
                             apl_error* err);

/* Parts that may carry besides the pair: all one period apart. Returns their number; the first
   APL_SUPPORT_MOST are in the list. */
int apl_support_list(const apl_support* s, support_pair p, int* list);

/* Additional acceleration of the body along the ground if the friction of both supports is pull[]
   times mu N. */
double apl_support_pull(apl_support* s, support_pair p, const double* pull);

/* For the momenta M dv of a jump: impulses of the supports and of the joints. */
apl_status apl_support_strike(apl_support* s, support_pair p, const double* momenta, double* struck,
                              double* impulse);

/* support_jump.c: change from one pair to another at t. `way` and `slip` belong to the first
   support of the old pair, afterwards to that of the new one. */
apl_status apl_support_jump(apl_support* s, double t, support_pair old, support_pair now,
                            double* way, double* slip, apl_support_switch* out, double* impulse);
