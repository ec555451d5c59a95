/* SPDX-License-Identifier: Apache-2.0 */
/* section.h: the section of a friction cone, a set C of tangential forces per unit of normal force.
   It has its own coefficient on each of four half-axes; in each quadrant it is the ellipse with
   those two semi-axes. C is convex and smooth, and contains 0. A coefficient may be zero.
   Theory: docs/theory/rows.md, "The solver". */
#pragma once

#include <stdbool.h>

typedef struct apl_section {
  double plus[2];  /* coefficients of forces along +t1, +t2 */
  double minus[2]; /* along -t1, -t2                        */
} apl_section;

/* Position of a point relative to the set load C. */
typedef enum apl_section_place {
  APL_SECTION_INSIDE, /* it is its own projection       */
  APL_SECTION_EDGE    /* its projection is on the edge  */
} apl_section_place;

/* The projection and its derivatives on the edge: along the edge t = (-n2, n1) the projection moves
   by the fraction `shrink`, normal to it not at all,
     dp = shrink t (t . dz) + g dload.
   At kinks the derivatives are one-sided. */
typedef struct apl_section_point {
  apl_section_place place;
  double p[2]; /* nearest point of load C */
  double n[2]; /* unit normal of the edge */
  double shrink;
  double g[2];
} apl_section_point;

/* The same coefficient on all half-axes. */
apl_section apl_section_circle(double mu);
bool apl_section_is_circle(const apl_section* c);

/* z in load C, load >= 0. */
bool apl_section_holds(const apl_section* c, double load, const double z[2]);

/* Nearest point to z in load C, load > 0. */
void apl_section_project(const apl_section* c, double load, const double z[2],
                         apl_section_point* out);

/* Support function, max of d.x over d in C: the largest power that friction with unit normal force
   removes at slip -x. */
double apl_section_support(const apl_section* c, const double x[2]);
