/* SPDX-License-Identifier: Apache-2.0 */
/* points.h: an independent route to the dynamics of slender robots. A robot is a row of steps that
   move a frame and leave mass points behind; all else follows from where those points are:

     M_ij = sum m  dp/dq_i . dp/dq_j        tau_i = sum m  dp/dq_i . (p'' - g) + elasticity

   Sections are laminas of four points, so rotary inertia needs no formula. Derivatives of positions
   come from second-order dual numbers, exponentials from their power series: no trigonometry, no
   Jacobian, no inertia of the library is repeated. 80-bit numbers. */
#pragma once

#include "appell/math.h"

#include <stdbool.h>

enum { POINTS_STEPS = 32, POINTS_NV = 32 };

typedef enum points_evaluation {
  POINTS_SERIES,  /* position by the power series of the exponential                              */
  POINTS_TANGENT, /* by quadrature of the unit tangent, bend-y alone                              */
  POINTS_P5       /* truncated at the fifth power, bend-y alone                                   */
} points_evaluation;

typedef enum points_kind {
  POINTS_PLACE,   /* frame := frame at                                                            */
  POINTS_MOVE,    /* frame := frame exp(sum q_k b_k): joints; a floating one starts at q = 0      */
  POINTS_ELEMENT, /* an arc element, with its mass; then frame := its tip                         */
  POINTS_STATION, /* to `station` of such an element, without its mass                            */
  POINTS_BODY,    /* a rigid body: six points at +-arm of `com`                                   */
  POINTS_FORCE,   /* a force at the origin of the frame, in its own or in world axes              */
  POINTS_SAVE,    /* keep the frame: what follows is a branch ...                                 */
  POINTS_BACK     /* ... until here                                                               */
} points_kind;

typedef struct points_step {
  points_kind kind;
  apl_pose at;

  /* coordinates: addresses and directions (rows of a twist, or an axis of a joint) */
  int n, q0;
  int row[6];
  apl_vec3 axis; /* MOVE with n = 1 and row -1: rotation about this axis                          */

  /* elements */
  double length, station;
  points_evaluation evaluation;
  double mass, jx, jy; /* of the element                                                          */
  double stiffness[6], rest[6], time, drag;

  /* bodies: mass, centre, arms; inertia about com is m/3 (y^2 + z^2, ...) */
  double body;
  apl_vec3 com, arm;

  apl_vec3 force;
  bool world;
} points_step;

typedef struct points {
  int nstep, nv;
  points_step step[POINTS_STEPS];
  double gravity[3];
} points;

typedef struct points_result {
  long double M[POINTS_NV * POINTS_NV];
  long double bias[POINTS_NV]; /* tau for a = 0                                                   */
  long double tau[POINTS_NV];  /* for the given a                                                 */
  long double a[POINTS_NV];    /* for tau = 0                                                     */

  /* for the given a: sum m p'' and its moment about the world's origin, the rate of momentum     */
  long double moment[3], force[3];
  long double energy[2];
} points_result;

points_step* points_add(points* p, points_kind kind);

/* Twist rows of strains. */
enum { BEND_X, BEND_Y, TORSION, SHEAR_X, SHEAR_Y, ELONGATION };

/* An element with the strains row[n], coordinates from the next free one on. */
points_step* points_element(points* p, double length, const int* row, int n);

void points_solve(const points* p, const double* q, const double* v, const double* a,
                  points_result* out);
