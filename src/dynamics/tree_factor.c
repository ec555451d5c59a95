/* tree_factor.c: see tree_factor.h. Elimination from the tips inwards touches only freedoms on the
   way to the world, so that the zeros between branches stay zeros. */
#include "dynamics/tree_factor.h"

/* A pivot is lost where what is left of it is round-off of what was there. */
static const double least_pivot = 1e-14;

static void take_run(double* to, double l, const double* row, int first, int last) {
  for (int j = first; j <= last; ++j)
    to[j] -= l * row[j];
}

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
      /* M_ij -= M_ki M_kj / D_k, along the way in runs without a branch */
      const double l = row[i] / d;
      for (int j = i; j >= 0; j = f->up[f->run[j]])
        take_run(f->L + (long)i * n, l, row, f->run[j], j);
      row[i] = l;
    }
  }
  return bad;
}

/* A strip of columns stays in registers while a freedom looks along its way. */
typedef double quad __attribute__((vector_size(32), aligned(8), may_alias));
typedef struct strip {
  quad a, b;
} strip;

static inline __attribute__((always_inline)) void solve_strip(const tree_factor* f, double* B,
                                                              int ld) {
  const int n = f->n;
  const int *up = f->up, *run = f->run;

  /* L^T y = b */
  for (int i = n - 1; i >= 0; --i) {
    const strip x = *(const strip*)(const void*)(B + (long)i * ld);
    const double* row = f->L + (long)i * n;
    for (int end = up[i]; end >= 0; end = up[run[end]]) {
      for (int j = run[end]; j <= end; ++j) {
        strip* y = (strip*)(void*)(B + (long)j * ld);
        const quad l = {row[j], row[j], row[j], row[j]};
        y->a -= l * x.a;
        y->b -= l * x.b;
      }
    }
  }
  /* L x = D^-1 y */
  for (int i = 0; i < n; ++i) {
    strip* x = (strip*)(void*)(B + (long)i * ld);
    const double* row = f->L + (long)i * n;
    const double d = 1.0 / row[i];
    quad a = x->a * d, b = x->b * d;
    for (int end = up[i]; end >= 0; end = up[run[end]]) {
      for (int j = run[end]; j <= end; ++j) {
        const strip* y = (const strip*)(const void*)(B + (long)j * ld);
        const quad l = {row[j], row[j], row[j], row[j]};
        a -= l * y->a;
        b -= l * y->b;
      }
    }
    x->a = a;
    x->b = b;
  }
}

static void solve_plain(const tree_factor* f, double* B, int ld) {
  for (int at = 0; at < ld; at += TREE_STRIP)
    solve_strip(f, B + at, ld);
}

#ifdef APL_HAVE_AVX2
/* the same products and sums, four at once: the same bytes */
__attribute__((target("avx2"))) static void solve_avx2(const tree_factor* f, double* B, int ld) {
  for (int at = 0; at < ld; at += TREE_STRIP)
    solve_strip(f, B + at, ld);
}
#endif

void apl_tree_solve(const tree_factor* f, double* B, int ld) {
#ifdef APL_HAVE_AVX2
  if (__builtin_cpu_supports("avx2")) {
    solve_avx2(f, B, ld);
    return;
  }
#endif
  solve_plain(f, B, ld);
}
