/* SPDX-License-Identifier: Apache-2.0 */
/* rod.h: one slender body for both sides of a comparison: a link of a plan, and steps of a cloud of
   points (points.h). */
#pragma once

#include "plan.h"
#include "points.h"

typedef struct rod {
  double length;
  int elements;
  const char* strains; /* words of the library                                                   */
  const char* evaluation;
  double mass, jx, jy; /* per length                                                             */
  double stiffness[6]; /* EIx, EIy, GJ, GA, GA, EA                                               */
  double curvature[3]; /* at rest, about x, y, z                                                 */
  double time, drag;
} rod;

/* Rows of the strains, in the order of coordinates; returns how many. */
int rod_rows(const rod* r, int row[6]);

/* The link with the fields of the rod. */
plan_link* rod_link(plan* p, const rod* r, const char* name, const char* on, const char* joint);

/* Its elements from the present frame on; the planar ones by the tangent when `tangent`. */
void rod_steps(points* p, const rod* r, bool tangent);
