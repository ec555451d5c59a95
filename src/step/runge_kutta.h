/* SPDX-License-Identifier: Apache-2.0 */
/* runge_kutta.h: explicit Runge-Kutta pairs: the coefficients of a pair (dop853.c, fehlberg.c), and
   the data shared by its steps (runge_kutta.c) and its dense output (runge_kutta_dense.c). Theory:
   docs/theory/integrators.md. */
#pragma once

#include "appell/base.h"

#include "step/stepper.h"
#include "step/steppers.h"

#include <stdbool.h>

/* Largest numbers of stages, of extra stages for dense output, and of its powers beyond the
   cubic. */
enum { RK_STAGES = 13, RK_EXTRA = 3, RK_BEYOND = 4 };

/* One coefficient of a tableau: the index k of a rate, from zero, and its factor; RK_END ends a
   list. */
typedef struct rk_term {
  int k;
  double a;
} rk_term;
enum { RK_END = -1 };

/* Sums are computed for blocks of this many components, which stay in registers. y has padding for
   the last block (stepper.c). */
enum { RK_BLOCK = APL_STEPPER_ROOM };

/* A stage: its position in the step, from 0 to 1, and its coefficients. */
typedef struct rk_stage {
  double at;
  rk_term sum[RK_STAGES];
} rk_stage;

/* h sum(fine) is an error of the solution. If there is a formula of lower order, `coarse` has its
   negative weights: h (sum(solution) + sum(coarse)) is also an error, and
     h |fine|^2 / sqrt(|fine|^2 + 0.01 |coarse|^2)
   decreases with the step like an error of higher order. */
typedef struct rk_estimate {
  const rk_term *fine, *coarse; /* coarse may be NULL                                             */
} rk_estimate;

/* Numbering of rates: those of the stages, the first at the start of the step; then the one at its
   end; then those of the dense output. */
typedef struct rk_pair {
  int stages;
  const rk_stage* stage;   /* [stages]                                                            */
  const rk_term* solution; /* y1 = y0 + h sum                                                     */
  int estimates;           /* number of error estimates; the largest counts */
  const rk_estimate* estimate; /* [estimates]                                                     */
  double order;                /* the step length is scaled by error^(-1/order) */
  double stable;         /* stability limit of h |lambda|; the last stage must be at the end of the
                            step. 0: the pair has no estimate of its stability */
  int extra;             /* dense output: more stages ...                                       */
  const rk_stage* inner; /* [extra] ...                                                         */
  int beyond;            /* ... and powers beyond the cubic; 0: no dense output */
  const rk_term (*power)[RK_STAGES]; /* [beyond]                                                  */
} rk_pair;

extern const rk_pair apl_rk_dop853, apl_rk_fehlberg45, apl_rk_fehlberg78;

typedef struct rk_data {
  const rk_pair* pair;
  bool counts[RK_STAGES]; /* the stage has weight in the solution                                 */
  int n;                  /* padded size of y, a multiple of RK_BLOCK */
  double* k;              /* [stages + 1 + extra][n], k[0] at the start of the last step          */
  double* end;            /* [n] of them: at its end                                              */
  double *x, *s, *e, *w;  /* [n] stage, sum of the solution, its error, inverse tolerances */
  double* late;           /* [n] y of the last stage */
  double* dense;          /* [beyond][n] the polynomial beyond the cubic ...                      */
  bool known;             /* ... is that of the last step                                         */
  double h;               /* next step length, 0: unknown ... */
  bool guessed;           /* ... and not yet tested by a step */
  bool fresh;             /* `end` is the rate at (t, y)                                          */
  double from;            /* where the last step began                                            */
} rk_data;

/* out = sum of terms, for the first `count` components and the padding of their last block */
void apl_rk_sum(const apl_stepper* s, const rk_term* list, int count, double* out);

/* d->x = y0 + h times a sum, for the components on which rates depend */
void apl_rk_stage(const apl_stepper* s, const rk_term* list, double h);

/* Inside the last step: by the cubic through its ends; or with the accuracy of the pair, which
   costs evaluations once per step. */
apl_status apl_rk_inside(apl_stepper* s, double t, double* y);
apl_status apl_rk_read(apl_stepper* s, double t, double* y);
