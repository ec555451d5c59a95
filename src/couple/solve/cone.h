/* SPDX-License-Identifier: Apache-2.0 */
/* cone.h: forces of constraint rows whose sets are lines, intervals and friction cones; exact
   Coulomb friction.

     u = W r + q,     each block of rows:  r in its set,  u obeys the law of the set

   W is dense, J M^-1 J^T plus compliance, of any rank; the solver is independent of robots. Sign: a
   force r > 0 along a row increases its velocity u. u and r may also be accelerations and forces,
   or positions and impulses.

   All in double precision; apl_cone_place() reserves all memory; the same input gives the same
   bits. Theory and method: docs/theory/rows.md, "The solver". */
#pragma once

#include "couple/solve/equal.h"
#include "couple/solve/section.h"

/* The set of admissible forces of a block, and its complementarity law. */
typedef enum apl_set {
  APL_SET_FREE,      /* 1 row   any force                u = 0                                   */
  APL_SET_HALF_LINE, /* 1 row   r >= 0                   u >= 0, r u = 0                         */
  APL_SET_INTERVAL,  /* 1 row   lo <= r <= hi            u >= 0 at lo, u <= 0 at hi, 0 between   */
  APL_SET_CONE,      /* 3 rows  n, t1, t2: r_T in r_N C  u_N >= 0, r_N u_N = 0, most dissipation */
  APL_SET_WEDGE,     /* 2 rows  n, t1: a cone in a plane, with the section's coefficients on t1  */
  APL_SET_DISC       /* 2 rows  t1, t2: r_T in load C    most dissipation                        */
} apl_set;

static inline int apl_set_rows(apl_set set) {
  static const int rows[] = {[APL_SET_FREE] = 1, [APL_SET_HALF_LINE] = 1, [APL_SET_INTERVAL] = 1,
                             [APL_SET_CONE] = 3, [APL_SET_WEDGE] = 2,     [APL_SET_DISC] = 2};
  return rows[set];
}

/* Maximum dissipation: r_T has the largest -r_T.u_T of all forces that the section allows. */
typedef struct apl_cone_block {
  apl_set set;
  int row;             /* first of its rows                             */
  double lo, hi;       /* INTERVAL                                      */
  double load;         /* DISC: the normal force                        */
  apl_section section; /* CONE, WEDGE, DISC: C, coefficients >= 0       */
} apl_cone_block;

typedef struct apl_cone_problem {
  int n, nblock;       /* every row belongs to one block           */
  bool symmetric;      /* W is symmetric and semidefinite          */
  const double *W, *q; /* [n*n] row-major, [n]                 */
  const apl_cone_block* block;
} apl_cone_problem;

typedef struct apl_cone_options {
  double tolerance; /* of the residual                                      */
  double rough;     /* residuals up to this are accepted with status ROUGH */
  int most_steps;   /* of Newton's method                                   */
  int most_prox;    /* most proximal steps, if Newton's method fails */
  bool warm;        /* r holds forces of a similar problem                  */
  bool unique;      /* also compute result.unique, at the cost of up to one factorisation */
} apl_cone_options;

apl_cone_options apl_cone_defaults(void);

typedef enum apl_cone_status {
  APL_CONE_SOLVED,
  APL_CONE_ROUGH, /* residual between tolerance and rough              */
  APL_CONE_FAILED /* above rough; or numbers that are not finite       */
} apl_cone_status;

typedef struct apl_cone_result {
  apl_cone_status status;
  double residual; /* natural map of the scaled rows, relative to |q| */
  int sweeps;      /* Gauss-Seidel                                      */
  int steps;       /* Newton                                            */
  int worst;       /* if not solved: the block with the largest residual; or -1 */
  bool unique;     /* no other forces nearby obey the laws, see rows.md; true if not asked for */
} apl_cone_result;

typedef struct apl_cone_part apl_cone_part;
typedef struct apl_cone_point apl_cone_point;

/* Scratch memory. The letters are those of the scaled problem without idle rows. */
typedef struct apl_cone {
  apl_equal equal;
  apl_lu lu; /* of the last Jacobian */

  bool symmetric;
  int m, ld, nparts; /* active rows, padded; their blocks */
  apl_cone_part* part;
  apl_cone_point* point; /* the natural map at r, u */
  int* from;             /* [m] row of the problem */
  int unknowns;          /* of the Newton step */
  bool plain;            /* the unknowns are all rows in their order */
  char* factored;        /* [nparts] modes of the points when `lu` was factored */
  int factored_size;     /* number of these; 0 before the first factorisation */
  double size;           /* |q|, by which residuals are divided */

  double *W, *q, *d;       /* d: scale of each row of the problem, 0 where idle */
  double* soft;            /* [n] artificial compliance of idle rows that slide */
  double *r, *u;           /* present point */
  double *r_next, *u_next; /* trial point */
  double *r_best, *r_prox;
  double *diagonal, *q_plain; /* of the problem, during proximal steps */
  double *dr, *du, *b, *x;
} apl_cone;

/* Memory for problems of up to `most` rows in `blocks` blocks. Only measures if a->base is NULL. */
void apl_cone_place(apl_cone* c, int most, int blocks, apl_arena* a);

/* r[n]: in, forces to start from when options->warm; out, forces. u[n]: velocities, or NULL. */
apl_cone_result apl_cone_solve(apl_cone* c, const apl_cone_problem* problem,
                               const apl_cone_options* options, double* r, double* u);
