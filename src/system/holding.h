/* holding.h: what it takes to hold velocities, normals and directions of contacts at once, as
   forces or as impulses: a small problem in G = J M^-1 J^T with cones. It knows nothing of robots.
 */
#pragma once

#include "appell/run.h"

/* One thing that is held: velocity k, or direction k (0: normal) of a contact. */
typedef struct row {
  int contact; /* -1: a velocity                                                                */
  int k;
} row;

typedef struct rows {
  row row[APL_MOST_HELD];
  int n;
} rows;

/* G p = b: what holds all rows. Contacts that stick hold with what it takes, T, but not with more
   than |A^-1 T| = ms N, A = diag(1, ratio). Where that is not enough a contact gives way:

     H p = b,   H = G + D + L,   L = l A^-2,   l > 0 only where |A^-1 T| = ms N, else 0

   so that the slip that is left lies against the force. D = share G_ii makes contacts that could
   each carry a load share it. For given N this is the least of a strictly convex function in cones:
   there is one answer, a continuous function of the state, as forces must be. */
typedef struct holding {
  const rows* r;
  double G[APL_MOST_HELD][APL_MOST_HELD], b[APL_MOST_HELD], p[APL_MOST_HELD];
  double shift[APL_MOST_HELD]; /* D times the p of the round before                             */
  bool gone[APL_MOST_HELD]; /* rows of rigid contacts that do not press                         */
  int n, first[APL_MOST_HELD]; /* contacts that stick: their first row, the second follows */
  double ms[APL_MOST_HELD], ratio[APL_MOST_HELD]; /* of each of those                             */
  double N[APL_MOST_HELD]; /* ... compliant: the normal force, rigid: -1                       */
  double most[APL_MOST_HELD], l[APL_MOST_HELD]; /* ... ms N and l */
} holding;

/* The contact whose first direction is row i is held by |A^-1 T| <= m N; N < 0: that of the row
   before. */
void apl_hold_cone(holding* h, int i, double m, double N, double ratio);

/* p of G, b, rows and cones; G and b lose directions in which nothing moves. pull[contact]: what it
   would take to hold a rigid contact that rises. */
void apl_hold(holding* h, double* pull);
