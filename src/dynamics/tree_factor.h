/* SPDX-License-Identifier: Apache-2.0 */
/* tree_factor.h: M = L^T D L of a mass matrix, without fill-in: an entry is zero unless one of its
   two freedoms is between the other and the world (Featherstone). All columns of the right-hand
   sides are solved together. */
#pragma once

typedef struct tree_factor {
  int n;
  int* velocity; /* [n] velocity of each freedom, numbered from the world outwards, ... */
  int* up;       /* [n] ... and the next freedom towards the world, -1: none */
  int* run;      /* [n] first freedom of its run: up[k] = k - 1 within a run */
  double* L;     /* [n*n] in that order, below the diagonal; D on it                              */
} tree_factor;

/* Factor M[n*n], given in the order of velocities. Freedoms with given[velocity] != 0 are
   prescribed: their rows and columns become those of the identity. Returns a velocity without
   inertia, or -1. */
int apl_tree_factor(tree_factor* f, const double* M, const int* given);

/* Right-hand sides are solved in strips of this many columns. */
enum { TREE_STRIP = 8 };
static inline int tree_padded(int columns) {
  return (columns + TREE_STRIP - 1) / TREE_STRIP * TREE_STRIP;
}

/* B = M^-1 B with B[n*ld]; row i belongs to velocity[i], and ld is a multiple of TREE_STRIP. */
void apl_tree_solve(const tree_factor* f, double* B, int ld);
