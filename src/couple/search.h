/* SPDX-License-Identifier: Apache-2.0 */
/* search.h: closing loops from one start after another. q moves along the directions that `given`
   leaves free, until the gaps c of all rows vanish:

     W = J J^T + mu,     step = -J^T W^+ c                                                     (1)

   with mu = 0 (Gauss-Newton, the smallest step) while that reduces the gaps, and mu > 0
   (Levenberg-Marquardt) otherwise. Theory: docs/theory/loops.md, 5. */
#pragma once

#include "couple/closing.h"
#include "couple/given.h"

/* Gaps up to APL_CLOSED [m or rad] count as closed; an iteration continues to APL_SETTLED while it
   helps. */
#define APL_CLOSED 1e-12
#define APL_SETTLED 1e-14

typedef struct apl_search {
  apl_closing* w;
  apl_state *s, *z; /* scalar, complex                                                            */
  apl_given given;
  int n, nt, nq;
  double length; /* of the robot [m]                                                              */
  double *J, *W; /* [n * max(nt, nv)], [n * n]                                                    */
  double *c, *p; /* [n]                                                                           */
  double* step;  /* [max(nt, nv)] along the free directions */
  double *delta, *q, *zt; /* [nt], [nq], complex [2 nt + 2 nq]                                */
  double *home, *best;    /* [nq] the guess; the point with the smallest gaps */
  double *found, *from; /* [nq] of starts.c                                                       */
  double* moves;        /* [nt] influence of each direction on the rows */
  double* rates;        /* [nv] ... */
  bool* fixed;          /* [nv] ... used by assemble.c */
  double best_size;
  int row;    /* row with the largest gap ... */
  double gap; /* ... and its size */
  int iterations, starts;
  void* memory;
} apl_search;

apl_status apl_search_open(apl_search* a, apl_closing* w, apl_state* s);
void apl_search_close(apl_search* a);

/* Gaps at the present q: c, gap, row; returns their Euclidean norm in *size. */
apl_status apl_search_measure(apl_search* a, double* size);

/* J[n * ndirection] for the directions that are free at q, by the complex step. */
apl_status apl_search_differentiate(apl_search* a);

/* step[wide] = -J^T (J J^T + mu)^+ c. */
void apl_search_step(apl_search* a, int wide, double mu);

/* Close the gaps from the present q with the coordinates that `given` holds; a->gap is the
   remaining gap. */
apl_status apl_search_close_from_here(apl_search* a, int most_steps);

static inline bool apl_search_closed(const apl_search* a) {
  return a->gap <= APL_CLOSED;
}

/* starts.c: the same from other starts, in a fixed order, if the first one failed: by continuation
   from an assembly without the given values, then from a sequence of points around `home`. Ends at
   an assembly near `home`, or at the smallest gap found. */
apl_status apl_search_elsewhere(apl_search* a, const int* keep, int level);
