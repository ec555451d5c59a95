/* runge_kutta.h: explicit Runge-Kutta pairs: what a pair is made of (dop853.c, fehlberg.c), and
   what its driver keeps, shared by its steps (runge_kutta.c) and by the look inside them
   (runge_kutta_dense.c). Theory: docs/theory/integrators.md. */
#pragma once

#include "appell/base.h"

#include "step/stepper.h"
#include "step/steppers.h"

#include <stdbool.h>

/* Room for the largest pair: stages, rates that only the dense output asks for, and powers of it
   beyond the cubic. */
enum { RK_STAGES = 13, RK_EXTRA = 3, RK_BEYOND = 4 };

/* One number of a tableau: the rate it multiplies, counted from zero; RK_END behind the last. */
typedef struct rk_term {
  int k;
  double a;
} rk_term;
enum { RK_END = -1 };

/* Sums are made of so many numbers at a time, which stay in registers: vectors are shorter than
   loops are dear. Behind the last number of y there is room for that (stepper.c). */
enum { RK_BLOCK = APL_STEPPER_ROOM };

/* A stage: where it stands in the step, from 0 to 1, and what it is made of. */
typedef struct rk_stage {
  double at;
  rk_term sum[RK_STAGES];
} rk_stage;

/* h sum(fine) is an error of the solution. Where there is a formula of still lower order, `coarse`
   has its weights with a minus: h (sum(solution) + sum(coarse)) is an error too, and
     h |fine|^2 / sqrt(|fine|^2 + 0.01 |coarse|^2)
   falls with the step like errors of higher order do. */
typedef struct rk_estimate {
  const rk_term *fine, *coarse; /* coarse may be NULL                                             */
} rk_estimate;

/* Rates are counted through: those of the stages, the first of which is that at the start of the
   step; then that at its end; then those of the dense output. */
typedef struct rk_pair {
  int stages;
  const rk_stage* stage;   /* [stages]                                                            */
  const rk_term* solution; /* y1 = y0 + h sum                                                     */
  int estimates;           /* of its error, the largest of which counts                           */
  const rk_estimate* estimate; /* [estimates]                                                     */
  double order;          /* the step goes with error^(-1/order)                                 */
  double stable;         /* the last stage stands at the end; and h |lambda| may be so much; 0:
                            the pair does not tell how near it is to being unstable             */
  int extra;             /* dense output: more stages ...                                       */
  const rk_stage* inner; /* [extra] ...                                                         */
  int beyond;            /* ... and powers beyond the cubic; 0: it cannot be read               */
  const rk_term (*power)[RK_STAGES]; /* [beyond]                                                  */
} rk_pair;

extern const rk_pair apl_rk_dop853, apl_rk_fehlberg45, apl_rk_fehlberg78;

typedef struct rk_data {
  const rk_pair* pair;
  bool counts[RK_STAGES]; /* the stage has weight in the solution                                 */
  int n;                  /* room for the numbers of y: a multiple of RK_BLOCK                    */
  double* k;              /* [stages + 1 + extra][n], k[0] at the start of the last step          */
  double* end;            /* [n] of them: at its end                                              */
  double *x, *s, *e, *w;  /* [n] a stage, the sum of the solution, its error, weights of that     */
  double* late;           /* [n] the place of the last stage                                      */
  double* dense;          /* [beyond][n] the polynomial beyond the cubic ...                      */
  bool known;             /* ... is that of the last step                                         */
  double h;               /* the step to try next, 0 when none is known ...                       */
  bool guessed;           /* ... which no step has put to the test                                */
  bool fresh;             /* `end` is the rate at (t, y)                                          */
  double from;            /* where the last step began                                            */
} rk_data;

/* out = sum of terms, of the first `count` numbers and what is in their last block */
void apl_rk_sum(const apl_stepper* s, const rk_term* list, int count, double* out);

/* d->x = y0 + h times a sum, of what rates ask for */
void apl_rk_stage(const apl_stepper* s, const rk_term* list, double h);

/* Cubic between the ends; and as exactly as the pair steps, which takes evaluations once a step. */
apl_status apl_rk_inside(apl_stepper* s, double t, double* y);
apl_status apl_rk_read(apl_stepper* s, double t, double* y);
