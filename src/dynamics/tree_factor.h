/* tree_factor.h: M = L^T D L of a mass matrix, without fill-in: an entry is zero unless one of its
   two freedoms stands on the way from the other to the world (Featherstone). Dense rows of
   right-hand sides go through it together. */
#pragma once

typedef struct tree_factor {
  int n;
  int* velocity; /* [n] freedoms from the world outwards: which velocity, ...                     */
  int* up;       /* [n] ... and the next one on the way to the world, -1                          */
  int* run;      /* [n] first freedom of its run: up[k] = k - 1 from there to here                */
  double* L;     /* [n*n] in that order, below the diagonal; D on it                              */
} tree_factor;

/* Factor M[n*n], in the order of velocities. Freedoms with given[velocity] != 0 do not move: their
   row and column become those of 1. Returns a velocity without inertia, or -1. */
int apl_tree_factor(tree_factor* f, const double* M, const int* given);

/* Right-hand sides go through in strips of so many columns. */
enum { TREE_STRIP = 8 };
static inline int tree_padded(int columns) {
  return (columns + TREE_STRIP - 1) / TREE_STRIP * TREE_STRIP;
}

/* B = M^-1 B, B[n*ld], row i being that of velocity[i], ld a multiple of a strip. */
void apl_tree_solve(const tree_factor* f, double* B, int ld);
