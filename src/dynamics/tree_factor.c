/* tree_factor.c: see tree_factor.h. Elimination from the tips inwards touches only freedoms on the
   way to the world, so that the zeros between branches stay zeros. */
#include "dynamics/tree_factor.h"

/* A pivot is lost where what is left of it is round-off of what was there. */
static const double least_pivot = 1e-14;

int apl_tree_factor(tree_factor* f, const double* M, const int* given) {
  const int n = f->n;
  int bad = -1;

  for (int i = 0; i < n; ++i) {
    double* row = f->L + i * n;
    const double* from = M + f->velocity[i] * n;
    for (int j = f->up[i]; j >= 0; j = f->up[j])
      row[j] = given[f->velocity[i]] || given[f->velocity[j]] ? 0.0 : from[f->velocity[j]];
    row[i] = given[f->velocity[i]] ? 1.0 : from[f->velocity[i]];
  }
  for (int k = n - 1; k >= 0; --k) {
    double* row = f->L + k * n;
    const int v = f->velocity[k];
    const double d = row[k];

    if (!given[v] && !(d > least_pivot * M[v * n + v])) bad = v;
    for (int i = f->up[k]; i >= 0; i = f->up[i]) {
      /* M_ij -= M_ki M_kj / D_k */
      const double l = row[i] / d;
      for (int j = i; j >= 0; j = f->up[j])
        f->L[i * n + j] -= l * row[j];
      row[i] = l;
    }
  }
  return bad;
}

static void add_row(double* y, double l, const double* x, int n) {
  for (int k = 0; k < n; ++k)
    y[k] -= l * x[k];
}

void apl_tree_solve(const tree_factor* f, double* B, int columns, int ld) {
  const int n = f->n;

  /* L^T y = b */
  for (int i = n - 1; i >= 0; --i) {
    for (int j = f->up[i]; j >= 0; j = f->up[j])
      add_row(B + j * ld, f->L[i * n + j], B + i * ld, columns);
  }
  /* L x = D^-1 y */
  for (int i = 0; i < n; ++i) {
    double* x = B + i * ld;
    const double d = 1.0 / f->L[i * n + i];
    for (int k = 0; k < columns; ++k)
      x[k] *= d;
    for (int j = f->up[i]; j >= 0; j = f->up[j])
      add_row(x, f->L[i * n + j], B + j * ld, columns);
  }
}
