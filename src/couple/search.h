/* search.h: closing loops from one start after another. q of the state moves along the directions
   that `given` leaves; the gaps c of all rows are to vanish.

     W = J J^T + mu,     step = -J^T W^+ c                                                     (1)

   with mu = 0 (Gauss-Newton, the least step) while that makes the gaps smaller, and mu > 0
   (Levenberg-Marquardt) where it does not. Theory: docs/theory/loops.md, 5. */
#pragma once

#include "couple/closing.h"
#include "couple/given.h"

/* Gaps up to this [m or rad] are closed; an iteration goes on to `settled` while it helps. */
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
  double* step;  /* [max(nt, nv)] by direction                                                    */
  double *delta, *q, *zt; /* [nt], [nq], complex [2 nt + 2 nq]                                */
  double *home, *best;  /* [nq] the guess; where the gaps were smallest                           */
  double *found, *from; /* [nq] of starts.c                                                       */
  double* moves;        /* [nt] how far each direction moves the rows, of any start        */
  double* rates;        /* [nv] and ..        */
  bool* fixed; /* [nv] .. of assemble.c                                                          */
  double best_size;
  int row;    /* the one with the largest gap ...                                              */
  double gap; /* ... and that                                                                  */
  int iterations, starts;
  void* memory;
} apl_search;

apl_status apl_search_open(apl_search* a, apl_closing* w, apl_state* s);
void apl_search_close(apl_search* a);

/* Gaps of the present q: c, gap, row; their Euclidean size. */
apl_status apl_search_measure(apl_search* a, double* size);

/* J[n * ndirection] for the directions that are free at q, by the complex step. */
apl_status apl_search_differentiate(apl_search* a);

/* step[wide] = -J^T (J J^T + mu)^+ c. */
void apl_search_step(apl_search* a, int wide, double mu);

/* Close the gaps from the present q with what `given` holds; a->gap says how far it came. */
apl_status apl_search_close_from_here(apl_search* a, int most_steps);

static inline bool apl_search_closed(const apl_search* a) {
  return a->gap <= APL_CLOSED;
}

/* starts.c: the same from other starts, in a fixed order, when the first did not do: along the
   given values from an assembly that does not keep them, then from a sequence of points around
   `home`. Ends at an assembly near `home`, or at the smallest gap that was found. */
apl_status apl_search_elsewhere(apl_search* a, const int* keep, int level);
