/* SPDX-License-Identifier: Apache-2.0 */
/* route.h: lengths of tendons as the tests see them: distances between marks, which are ports, from
   apl_poses() alone. The library's tendons are compared with these. */
#pragma once

#include "near.h"

enum { ROUTE_PARTS = 8, ROUTE_MARKS = 65 };

/* Ports "m0" .. "m64" on a link that deforms, at offset (x, y) and equal distances from station
   `from` to station `to`: what a tendon along the link passes. */
void route_mark(apl_spec* spec, int link, double x, double y, double from, double to);

/* A path: from mark to mark. A part along a link has all of its marks; of these a curve uses all
   and extrapolates to infinitely many, and a polygon uses those at its corners. */
typedef struct route_part {
  char name[32]; /* a port, or a link with marks                                                */
  int corners;   /* 0: a port; -1: a curve; n: a polygon with n equal sides                     */
} route_part;

typedef struct route {
  int n;
  route_part part[ROUTE_PARTS];
} route;

double route_length(const apl_model* model, apl_state* state, const route* r);

/* dl/dv: how the length changes with each velocity, by differences of fourth order on the tangent
   of the present q; the joints' rates of coordinates must be their velocities. */
void route_slope(const apl_model* model, apl_state* state, const route* r, double* slope);
