/* cone_impl.h: what the files of the cone solver share. */
#pragma once

#include "couple/cone.h"

/* What is left of a block without its idle rows. */
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

/* How p = P(r - u) depends on its argument. */
typedef enum cone_mode {
  POINT_FIXED, /* not at all: an open contact, an interval at its end */
  POINT_HELD,  /* p = r - u: the row is an equality                   */
  POINT_EDGE   /* by D: friction that slides                          */
} cone_mode;

struct apl_cone_point {
  cone_mode mode;
  double p[3], F[3]; /* F = r - p */
  double D[9];       /* dp/d(r - u), rows by rows; EDGE only */
};

/* cone_set.c: the scaled problem, and its natural map. */
void cone_gather(apl_cone* c, const apl_cone_problem* problem);
void cone_project(const apl_cone_part* part, const double* z, apl_cone_point* out);
double cone_evaluate(apl_cone* c, const double* r, const double* u);
void cone_velocity(apl_cone* c); /* u = W r + q */

/* cone_sweep.c */
void cone_sweep_begin(apl_cone* c);
void cone_sweep(apl_cone* c);

/* cone_newton.c: returns the residual; `steps` counts on. */
double cone_newton(apl_cone* c, double e, double goal, int most, apl_cone_result* result);
double cone_descend(apl_cone* c, double e, double least, apl_cone_result* result);
bool cone_unique(apl_cone* c);
