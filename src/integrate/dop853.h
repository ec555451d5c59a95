/* dop853.h: what the method of Dormand and Prince keeps, shared by its steps (dop853.c) and by the
   look inside them (dop853_dense.c). */
#pragma once

#include "integrate/stepper.h"

#include <stdbool.h>

/* Rates at the stages of a step, then at its end, then those that only its dense output needs. */
enum { STAGES = 12, EXTRA = 3, DOP_RATES = STAGES + 1 + EXTRA };

/* One number of the tableau: the rate it multiplies, counted from zero; END behind the last. */
typedef struct term {
  int k;
  double a;
} term;
enum { END = -1 };

typedef struct dop_data {
  double* k;         /* [DOP_RATES][n], k[0] at the start of the last step                        */
  double *x, *s, *e; /* [n] a stage, the sum of the solution, an error                            */
  double* late;      /* [n] the place of the last stage                                           */
  double* dense;     /* [4][n] the polynomial beyond the cubic ...                                */
  bool known;        /* ... is that of the last step                                              */
  double h;          /* the step to try next, 0 when none is known                                */
  bool fresh;        /* k[STAGES] is the rate at (t, y)                                           */
  double from;       /* where the last step began                                                 */
} dop_data;

/* out = sum of terms, of the first `count` numbers */
void apl_dop853_sum(const apl_stepper* s, const term* list, int count, double* out);

/* d->x = y0 + h times a sum, of what rates ask for */
void apl_dop853_stage(const apl_stepper* s, const term* list, double h);

/* Cubic between the ends; and of order 7, which takes EXTRA evaluations a step. */
apl_status apl_dop853_inside(apl_stepper* s, double t, double* y);
apl_status apl_dop853_read(apl_stepper* s, double t, double* y);
