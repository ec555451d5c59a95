/* SPDX-License-Identifier: Apache-2.0 */
/* rows.c: right-hand sides for the factors of factor.c. The inward sweep turns efforts and wrenches
   into innovations z, one per freedom; with N the linear map that does so,

     A^-1 = N^T D^-1 N          A = M + g C + g^2 K

   So J_i A^-1 J_j^T is a weighted dot product of z_i and z_j: a row needs the inward sweep only,
   and one outward sweep gives the motion. z is in the order of elimination. A prescribed freedom
   has 1/D = 0; its z is the effort that reaches it. Theory: docs/theory/passes.md, 8. */
#include "dynamics/eliminate.h"
#include "dynamics/half.h"
#include "dynamics/row_numbers.h"
#include "dynamics/rows.h"

/* ------------------------------------------------------------------------- inwards, a node ---- */

/* ----------------------------------------------------------------------------- half of a row ----
 */

/* Up to this many rows are swept together: their sums are independent, so the processor can overlap
   them. */
enum { ABREAST = 12 };

/* Sweep through a node on the general path, starting at its frame f. */
static wrench half_general(const state* s, const apl_node* n, int f, wrench y, real* z) {
  real r[APL_MAX_NX];

  if (f != n->frame) {
    zero(r, n->nx);
    take_wrench(s->work + work_port(n, f - n->port0), n->nx, y, r);
    y = half_body(s, n, r, wrench_from(s->X_up[f], y), z);
  }
  if (has_joint(n)) {
    zero(r, n->nv);
    y = half_joint(s, n, r, y, z);
  }
  return y;
}

/* Sweep from frame f to the frame above its node. y[count] are minus the wrenches on f, z[count]
   the innovations of each row. */
HOT_INLINE int half_node(const apl_model* m, const state* s, int f, wrench* y, int count,
                         real* const* z) {
  const int i = m->frame[f].node;
  const apl_node* n = &m->node[i];

  if (n->path != PATH_GENERAL) {
    for (int b = 0; b < count; ++b)
      y[b] = half_axis(s, n, i, real_of(0.0), y[b], z[b]);
  } else {
    for (int b = 0; b < count; ++b)
      y[b] = half_general(s, n, f, y[b], z[b]);
  }
  return n->up;
}

/* Sweep from frame f to the world. */
static void half_way(const apl_model* m, const state* s, int f, wrench* y, real* z) {
  while (f > 0)
    f = half_node(m, s, f, y, 1, &z);
}

/* Sweep an effort on velocity k to the world. */
static void half_velocity(const apl_model* m, const state* s, int k, real effort, real* z) {
  const int i = m->velocity_node[k];
  const apl_node* n = &m->node[i];
  wrench y = wrench_zero();
  real r[APL_MAX_NX];

  if (n->path != PATH_GENERAL) {
    y = half_axis(s, n, i, effort, y, z);
    half_way(m, s, n->up, &y, z);
  } else if (k >= n->v0 && k < n->v0 + n->nv) {
    zero(r, n->nv);
    r[k - n->v0] = effort;
    y = half_joint(s, n, r, y, z);
    half_way(m, s, n->up, &y, z);
  } else {
    zero(r, n->nx);
    r[k - n->xv0] = effort;
    y = half_body(s, n, r, y, z);
    half_way(m, s, n->frame, &y, z);
  }
}

HOT_INLINE bool same_way(const apl_way* a, const apl_way* b) {
  return a->frame[0] == b->frame[0] && a->frame[1] == b->frame[1] &&
         a->velocity[0] == b->velocity[0] && a->velocity[1] == b->velocity[1];
}

/* True if the row acts on one frame only. Then its nonzero z end with the run of that frame. */
HOT_INLINE bool one_way(const apl_way* way) {
  return way->frame[1] == 0 && way->velocity[0] < 0 && way->velocity[1] < 0;
}

HOT_INLINE wrench minus_wrench(const real* number, int k) {
  const wrench W = row_wrench(number, k);
  return (wrench){neg(W.n), neg(W.f)};
}

/* Sweep the last of n rows that act on one frame. Earlier rows whose frame lies on its path to the
   world join the sweep there, as rows along a chain do. Returns the number of rows done. */
static int half_joining(const apl_model* m, const state* s, const apl_way* way, const real* number,
                        int n, real* z) {
  wrench y[ABREAST];
  real* own[ABREAST];
  int count = 0;

  for (int f = way[n - 1].frame[0]; f > 0;) {
    for (int i = n - 1 - count; i >= 0 && count < ABREAST; --i, ++count) {
      if (!one_way(&way[i]) || way[i].frame[0] != f) break;
      y[count] = minus_wrench(number + i * ROW_NUMBERS, 0);
      own[count] = z + i * m->nv;
    }
    f = half_node(m, s, f, y, count, own);
  }
  return count > 0 ? count : 1; /* a row on the world's frame has no path */
}

/* How many of n rows, from the last backwards, act on the same frames and velocities. */
static int bundle(const apl_way* way, int n) {
  int count = 1;

  while (count < n && count < ABREAST && same_way(&way[n - 1], &way[n - 1 - count]))
    ++count;
  return count;
}

/* Rows that act on several frames or velocities: sweep each path in turn. */
static void half_several(const apl_model* m, const state* s, const apl_way* way, const real* number,
                         int count, real* z) {
  for (int k = 0; k < 2; ++k) {
    wrench y[ABREAST];
    real* own[ABREAST];
    for (int b = 0; b < count; ++b) {
      y[b] = minus_wrench(number + b * ROW_NUMBERS, k);
      own[b] = z + b * m->nv;
    }
    for (int f = way->frame[k]; f > 0;)
      f = half_node(m, s, f, y, count, own);
    for (int b = 0; way->velocity[k] >= 0 && b < count; ++b) {
      half_velocity(m, s, way->velocity[k], number[b * ROW_NUMBERS + ROW_EFFORT + k], own[b]);
    }
  }
}

static apl_status ways_halve(const apl_model* m, apl_state* head, const apl_way* way,
                             const double* numbers, int n, double* out) {
  const real* number = (const real*)(const void*)numbers;
  const state* s = hot(head);
  real* z = (real*)(void*)out;

  zero(z, n * m->nv);
  while (n > 0) {
    if (one_way(&way[n - 1])) {
      n -= half_joining(m, s, way, number, n, z);
    } else {
      const int count = bundle(way, n);
      n -= count;
      half_several(m, s, way + n, number + n * ROW_NUMBERS, count, z + n * m->nv);
    }
  }
  return APL_OK;
}

/* --------------------------------------------------------------------------- rows together ---- */

/* The runs (intervals) of freedoms with nonzero z of a row, from the last to the first. A row has
   up to four paths to the world; runs that overlap begin at the same freedom (apl_frame). */
enum { WAYS = 4 };

typedef struct runs {
  int at[WAYS]; /* frames */
  int begin, end;
} runs;

/* Go to the next run; an empty run ends the list. */
HOT_INLINE void next_run(const apl_model* m, runs* r) {
  r->begin = r->end = 0;
  for (int k = 0; k < WAYS; ++k) {
    const apl_frame* f = &m->frame[r->at[k]];
    if (f->end <= f->begin || f->begin < r->begin) continue;
    if (f->begin > r->begin || f->end > r->end) r->begin = f->begin, r->end = f->end;
  }
  for (int k = 0; k < WAYS; ++k) {
    const apl_frame* f = &m->frame[r->at[k]];
    if (f->begin == r->begin) r->at[k] = f->next;
  }
}

HOT_INLINE runs first_run(const apl_model* m, const apl_way* way) {
  runs r = {{way->frame[0], way->frame[1], 0, 0}, 0, 0};

  for (int k = 0; k < 2; ++k) {
    if (way->velocity[k] >= 0) r.at[2 + k] = velocity_frame(m, way->velocity[k]);
  }
  next_run(m, &r);
  return r;
}

/* True if the paths of two rows differ at most in their outer end, as along a chain. */
HOT_INLINE bool same_runs(const apl_model* m, const apl_way* a, const apl_way* b) {
  const apl_frame *fa = &m->frame[a->frame[0]], *fb = &m->frame[b->frame[0]];

  if (!one_way(a) || !one_way(b)) return same_way(a, b);
  return fa->begin == fb->begin && fa->next == fb->next;
}

/* Neighbouring rows of a list with the same runs. */
typedef struct bunch {
  const apl_way* way;
  const real* z;
  int n;
  runs first; /* of the row with the longest path */
} bunch;

static bunch bunch_of(const apl_model* m, const apl_ways* list, int i) {
  bunch b = {list->way + i, (const real*)(const void*)list->z + i * m->nv, 1,
             first_run(m, list->way + i)};

  for (; i + b.n < list->n && same_runs(m, b.way, b.way + b.n); ++b.n) {
    const apl_frame* f = &m->frame[b.way[b.n].frame[0]];
    if (one_way(b.way) && f->end > b.first.end) b.first.end = f->end;
  }
  return b;
}

/* Rows are combined in blocks of three: a contact has three rows. */
enum { FEW = 3 };

/* The last freedom with nonzero z of n rows, in a run that ends at `end`. */
HOT_INLINE int few_end(const apl_model* m, const apl_way* way, int n, int end) {
  int most = 0;

  for (int i = 0; i < n; ++i) {
    const int own = one_way(&way[i]) ? m->frame[way[i].frame[0]].end : end;
    if (own > most) most = own;
  }
  return most < end ? most : end;
}

/* G += z_a d z_b of na x nb rows over the freedoms begin .. end - 1. The sums are independent of
   each other. */
HOT_INLINE void pair_few(const real* d, const real* a, const real* b, int nv, int begin, int end,
                         int na, int nb, real* G, int ld) {
  real sum[FEW * FEW];

  for (int i = 0; i < na; ++i) {
    for (int j = 0; j < nb; ++j)
      sum[i * nb + j] = G[i * ld + j];
  }
  for (int k = begin; k < end; ++k) {
    for (int i = 0; i < na; ++i) {
      const real da = d[k] * a[i * nv + k];
      for (int j = 0; j < nb; ++j)
        sum[i * nb + j] += da * b[j * nv + k];
    }
  }
  for (int i = 0; i < na; ++i) {
    for (int j = 0; j < nb; ++j)
      G[i * ld + j] = sum[i * nb + j];
  }
}

HOT_INLINE int fewer(int n) {
  return n < FEW ? n : FEW;
}

/* The same for two bunches over a run up to `end`. For a bunch with itself only the blocks on and
   below the diagonal. */
static void pair_run(const apl_model* m, const state* s, const bunch* a, const bunch* b, int begin,
                     int end, real* G, int ld) {
  const int nv = m->nv;

  for (int i = 0; i < a->n; i += FEW) {
    const int na = fewer(a->n - i), a_end = few_end(m, a->way + i, na, end);

    for (int j = 0; j < (a->z == b->z ? i + 1 : b->n); j += FEW) {
      const int nb = fewer(b->n - j), to = few_end(m, b->way + j, nb, a_end);
      const real *za = a->z + i * nv, *zb = b->z + j * nv;

      if (na == FEW && nb == FEW) {
        pair_few(s->d, za, zb, nv, begin, to, FEW, FEW, G + i * ld + j, ld);
      } else {
        pair_few(s->d, za, zb, nv, begin, to, na, nb, G + i * ld + j, ld);
      }
    }
  }
}

/* The same over all runs that both bunches share. */
static void pair_bunches(const apl_model* m, const state* s, const bunch* a, const bunch* b,
                         real* G, int ld) {
  runs x = a->first, y = b->first;

  for (int i = 0; i < a->n; ++i)
    zero(G + i * ld, b->n);
  while (x.end > x.begin && y.end > y.begin) {
    const int first = x.begin;

    if (first == y.begin) pair_run(m, s, a, b, first, x.end < y.end ? x.end : y.end, G, ld);
    if (x.begin >= y.begin) next_run(m, &x);
    if (y.begin >= first) next_run(m, &y);
  }
}

static apl_status ways_inertia(const apl_model* m, apl_state* head, const apl_ways* a,
                               const apl_ways* b, double* out, int ld) {
  const bool self = b == NULL;
  const state* s = hot(head);
  real* G = (real*)(void*)out;
  bunch x, y;

  if (self) b = a;
  for (int i = 0; i < a->n; i += x.n) {
    x = bunch_of(m, a, i);
    for (int j = 0; j < (self ? i + 1 : b->n); j += y.n) {
      y = self && i == j ? x : bunch_of(m, b, j);
      pair_bunches(m, s, &x, &y, G + i * ld + j, ld);
    }
  }
  for (int i = 0; self && i < a->n; ++i) {
    for (int j = 0; j < i; ++j)
      G[j * ld + i] = G[i * ld + j];
  }
  return APL_OK;
}

static apl_status ways_combine(const apl_model* m, apl_state* head, const apl_ways* a,
                               const double* force, double* out) {
  const real* z = (const real*)(const void*)a->z;
  const real* p = (const real*)(const void*)force;
  real* sum = (real*)(void*)out;
  (void)head;

  zero(sum, m->nv);
  for (int i = 0; i < a->n; ++i) {
    for (runs r = first_run(m, &a->way[i]); r.end > r.begin; next_run(m, &r)) {
      for (int k = r.begin; k < r.end; ++k)
        sum[k] += z[i * m->nv + k] * p[i];
    }
  }
  return APL_OK;
}

/* out[i] = z_i d z with z of the last push_solve(), summed over the runs of row i. */
static apl_status ways_meet(const apl_model* m, apl_state* head, const apl_ways* a, double* out) {
  const state* s = hot(head);
  const real* z = (const real*)(const void*)a->z;
  real* sum = (real*)(void*)out;

  for (int i = 0; i < a->n; ++i, z += m->nv) {
    sum[i] = real_of(0.0);
    for (runs r = first_run(m, &a->way[i]); r.end > r.begin; next_run(m, &r)) {
      for (int k = r.begin; k < r.end; ++k)
        sum[i] += z[k] * s->d[k] * s->z[k];
    }
  }
  return APL_OK;
}
