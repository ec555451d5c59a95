/* SPDX-License-Identifier: Apache-2.0 */
/* tree_factor.c: see tree_factor.h. Elimination from the tips inwards changes only freedoms between
   a freedom and the world, so the zeros between branches remain. */
#include "dynamics/tree_factor.h"

#include <stdbool.h>

/* A pivot is lost if it is below this fraction of the diagonal entry before elimination: then it is
   round-off. */
static const double least_pivot = 1e-14;

#define INLINE static inline __attribute__((always_inline))

typedef double quad __attribute__((vector_size(32), aligned(8), may_alias));

/* Four rows of one run are eliminated together, so that the rows above are read once. */
enum { ROWS = 4 };

/* to_j -= sum_r l_r M_rj, the rows M_r being n apart */
INLINE void take_run(double* to, const double* l, const double* M, int n, int rows, int first,
                     int last) {
  int j = first;

  for (; j + 3 <= last; j += 4) {
    quad x = *(const quad*)(const void*)(to + j);
    for (int r = rows - 1; r >= 0; --r)
      x -= l[r] * *(const quad*)(const void*)(M + (long)r * n + j);
    *(quad*)(void*)(to + j) = x;
  }
  for (; j <= last; ++j) {
    for (int r = rows - 1; r >= 0; --r)
      to[j] -= l[r] * M[(long)r * n + j];
  }
}

/* Subtract rows first to first + rows - 1 from row i; they keep l_ri = M_ri / D_r. */
INLINE void take_rows(const tree_factor* f, int i, int first, int rows) {
  const int n = f->n;
  double* M = f->L + (long)first * n;
  double l[ROWS];

  for (int r = 0; r < rows; ++r)
    l[r] = M[(long)r * n + i] / M[(long)r * n + first + r];
  for (int end = i; end >= 0; end = f->up[f->run[end]])
    take_run(f->L + (long)i * n, l, M, n, rows, f->run[end], end);
  for (int r = 0; r < rows; ++r)
    M[(long)r * n + i] = l[r];
}

/* Copy the nonzero entries of M in the order of elimination. */
static void copy_rows(const tree_factor* f, const double* M, const int* given) {
  const int n = f->n;

  for (int i = 0; i < n; ++i) {
    double* row = f->L + (long)i * n;
    const double* from = M + (long)f->velocity[i] * n;
    for (int j = f->up[i]; j >= 0; j = f->up[j])
      row[j] = given[f->velocity[i]] || given[f->velocity[j]] ? 0.0 : from[f->velocity[j]];
    row[i] = given[f->velocity[i]] ? 1.0 : from[f->velocity[i]];
  }
}

/* M_ij -= M_ki M_kj / D_k for all i and j between k and the world, from the tips inwards */
INLINE void eliminate(const tree_factor* f) {
  for (int k = f->n - 1; k >= 0;) {
    const int rows = k - f->run[k] + 1 >= ROWS ? ROWS : 1;
    const int first = k - rows + 1;
    for (int r = k; r > first; --r) {
      for (int i = r - 1; i >= first; --i)
        take_rows(f, i, r, 1);
    }
    for (int i = f->up[first]; i >= 0; i = f->up[i]) {
      if (rows == ROWS) {
        take_rows(f, i, first, ROWS);
      } else {
        take_rows(f, i, first, 1);
      }
    }
    k = first - 1;
  }
}

/* A strip is eight columns of one row; four rows of strips stay in registers, so eight sums
   overlap. */
typedef struct strip {
  quad a, b;
} strip;

INLINE strip load(const double* B, long at) {
  return *(const strip*)(const void*)(B + at);
}

INLINE void store(double* B, long at, strip x) {
  *(strip*)(void*)(B + at) = x;
}

/* x - l y */
INLINE strip less(strip x, double l, strip y) {
  const quad all = {l, l, l, l};
  return (strip){x.a - all * y.a, x.b - all * y.b};
}

INLINE strip scaled(strip x, double d) {
  return (strip){x.a * d, x.b * d};
}

/* Solve L^T y = b for freedoms i - rows + 1 to i, which belong to one run */
INLINE void solve_up(const tree_factor* f, double* B, long ld, int i, int rows) {
  const int first = i - rows + 1;
  const double* L = f->L + (long)first * f->n;
  strip x[ROWS];

  for (int r = rows - 1; r >= 0; --r) {
    x[r] = load(B, (first + r) * ld);
    for (int k = rows - 1; k > r; --k)
      x[r] = less(x[r], L[k * f->n + first + r], x[k]);
    store(B, (first + r) * ld, x[r]);
  }
  for (int end = f->up[first]; end >= 0; end = f->up[f->run[end]]) {
    for (int j = f->run[end]; j <= end; ++j) {
      strip y = load(B, j * ld);
      for (int r = rows - 1; r >= 0; --r)
        y = less(y, L[r * f->n + j], x[r]);
      store(B, j * ld, y);
    }
  }
}

/* Solve L x = D^-1 y for freedoms first to first + rows - 1, which belong to one run */
INLINE void solve_down(const tree_factor* f, double* B, long ld, int first, int rows) {
  const double* L = f->L + (long)first * f->n;
  strip x[ROWS];

  for (int r = 0; r < rows; ++r)
    x[r] = scaled(load(B, (first + r) * ld), 1.0 / L[r * f->n + first + r]);
  for (int end = f->up[first]; end >= 0; end = f->up[f->run[end]]) {
    for (int j = f->run[end]; j <= end; ++j) {
      const strip y = load(B, j * ld);
      for (int r = 0; r < rows; ++r)
        x[r] = less(x[r], L[r * f->n + j], y);
    }
  }
  for (int r = 0; r < rows; ++r) {
    for (int k = 0; k < r; ++k)
      x[r] = less(x[r], L[r * f->n + first + k], x[k]);
    store(B, (first + r) * ld, x[r]);
  }
}

/* Last nonzero row of B. Zero rows below it stay zero under L^T; right-hand sides that are unit
   vectors have many of them. */
static int last_row(const tree_factor* f, const double* B, int ld) {
  int i = f->n - 1;

  for (; i > 0; --i) {
    for (int k = 0; k < TREE_STRIP; ++k) {
      if (B[(long)i * ld + k] != 0.0) return i;
    }
  }
  return i;
}

INLINE void solve_strip(const tree_factor* f, double* B, int ld) {
  for (int i = last_row(f, B, ld); i >= 0;) {
    const int rows = i - f->run[i] + 1 >= ROWS ? ROWS : 1;
    if (rows == ROWS) {
      solve_up(f, B, ld, i, ROWS);
    } else {
      solve_up(f, B, ld, i, 1);
    }
    i -= rows;
  }
  for (int i = 0; i < f->n;) {
    const int rows = i + ROWS <= f->n && f->run[i + ROWS - 1] <= i ? ROWS : 1;
    if (rows == ROWS) {
      solve_down(f, B, ld, i, ROWS);
    } else {
      solve_down(f, B, ld, i, 1);
    }
    i += rows;
  }
}

static void solve_plain(const tree_factor* f, double* B, int ld) {
  for (int at = 0; at < ld; at += TREE_STRIP)
    solve_strip(f, B + at, ld);
}

static void eliminate_plain(const tree_factor* f) {
  eliminate(f);
}

#ifdef APL_HAVE_AVX2
/* the same products and sums, four at once, with the same bits as a result */
__attribute__((target("avx2"))) static void solve_avx2(const tree_factor* f, double* B, int ld) {
  for (int at = 0; at < ld; at += TREE_STRIP)
    solve_strip(f, B + at, ld);
}

__attribute__((target("avx2"))) static void eliminate_avx2(const tree_factor* f) {
  eliminate(f);
}

static bool wide_registers(void) {
  return __builtin_cpu_supports("avx2");
}
#else
#define solve_avx2 solve_plain
#define eliminate_avx2 eliminate_plain

static bool wide_registers(void) {
  return false;
}
#endif

/* A velocity whose pivot is lost, or -1. */
static int lost(const tree_factor* f, const double* M, const int* given) {
  const int n = f->n;

  for (int k = 0; k < n; ++k) {
    const int v = f->velocity[k];
    if (!given[v] && !(f->L[(long)k * n + k] > least_pivot * M[(long)v * n + v])) return v;
  }
  return -1;
}

int apl_tree_factor(tree_factor* f, const double* M, const int* given) {
  copy_rows(f, M, given);
  if (wide_registers()) {
    eliminate_avx2(f);
  } else {
    eliminate_plain(f);
  }
  return lost(f, M, given);
}

void apl_tree_solve(const tree_factor* f, double* B, int ld) {
  if (wide_registers()) {
    solve_avx2(f, B, ld);
  } else {
    solve_plain(f, B, ld);
  }
}
