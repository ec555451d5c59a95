/* SPDX-License-Identifier: Apache-2.0 */
/* cone_impl.h: shared by the files of the cone solver. */
#pragma once

#include "couple/solve/cone.h"

/* A block without its idle rows. */
typedef enum cone_kind {
  PART_LINE,  /* 1 row in [lo, hi]                              */
  PART_WEDGE, /* 2 rows n, t: a cone in a plane, r_T/r_N in [lo, hi] */
  PART_CONE,  /* 3 rows                                         */
  PART_DISC   /* 2 rows                                         */
} cone_kind;

struct apl_cone_part {
  cone_kind kind;
  int row, rows;
  int block; /* of the problem */
  double lo, hi, load;
  bool circle; /* section: the same coefficient `hi` everywhere */
  apl_section section;
  double inverse[9]; /* of the block's own W, for sweeps */
};

/* Dependence of the projection p = P(z), z = r - u, on z. */
typedef enum cone_mode {
  POINT_FIXED, /* constant: an open contact, an interval at its end */
  POINT_HELD,  /* p = z: the row is an equality                       */
  POINT_EDGE   /* sliding friction */
} cone_mode;

/* On the edge of the cone, with normal n of the edge and t = (-n2, n1) along it:
     dp_N = dz_N     dp_T = shrink t (t . dz_T) + (gn n + gt t) dz_N
   A wedge has no t, and n = 1. */
struct apl_cone_point {
  cone_mode mode;
  int column;        /* of its first unknown in a Newton step */
  double p[3], F[3]; /* F = r - p */
  double n[2], shrink, gn, gt;
};

/* First tangential row of a part on its edge. */
static inline int cone_tangential(const apl_cone_part* part) {
  return part->kind != PART_DISC;
}

/* cone_set.c: the scaled problem, and its natural map. */
void apl_cone_gather(apl_cone* c, const apl_cone_problem* problem);
void apl_cone_project(const apl_cone_part* part, const double* z, apl_cone_point* out);
double apl_cone_evaluate(apl_cone* c, const double* r, const double* u);
void apl_cone_velocity(apl_cone* c); /* u = W r + q */

/* cone_sweep.c: returns the residual after the given number of sweeps. */
double apl_cone_sweep(apl_cone* c, int sweeps, apl_cone_result* result);

/* cone_step.c: the Newton step. */
#define CONE_WEIGHT 1e-7
void apl_cone_factor(apl_cone* c, double weight);
bool apl_cone_factored(const apl_cone* c); /* no point has changed its mode since the
                                              factorisation */
void apl_cone_direction(apl_cone* c);      /* dr */
bool apl_cone_unique(apl_cone* c);

/* cone_newton.c: returns the residual; `steps` is incremented. */
double apl_cone_newton(apl_cone* c, double e, double goal, int most, apl_cone_result* result);
double apl_cone_descend(apl_cone* c, double e, double least, apl_cone_result* result);

/* cone_prox.c: the same, by at most `most` proximal steps. */
double apl_cone_proximal(apl_cone* c, double e, double goal, int most, apl_cone_result* result);
