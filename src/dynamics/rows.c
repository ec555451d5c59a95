/* rows.c: right-hand sides for the factors of factor.c. The sweep inwards turns efforts and
   wrenches into innovations z, one per freedom; with N the linear map that does so,

     A^-1 = N^T D^-1 N          A = M + g C + g^2 K

   so a row needs the sweep inwards only: rows meet in dot products of their z, and the sweep
   outwards is wanted once, for the motion. z stands in the order of elimination. A prescribed
   freedom has 1/D = 0, and its z is what reaches it, for the effort it must bear. Theory:
   docs/theory/passes.md, 8. */
#include "dynamics/eliminate.h"
#include "dynamics/rows.h"

/* ------------------------------------------------------------------------- inwards, a node ---- */

HOT_INLINE void add_numbers(const real* x, int n, real* to) {
  for (int k = 0; k < n; ++k)
    to[k] += x[k];
}

/* Efforts r on the deformations of a body, y the bias at its frame: what comes out below them. */
HOT_INLINE wrench half_body(const state* s, const apl_node* n, real* r, wrench y, real* z) {
  if (!n->body_prescribed) {
    eliminate_bias(&y, s->work + work_xU(n), s->work + work_xD(n), r, n->nx);
  }
  add_numbers(r, n->nx, z + n->xz0);
  return y;
}

/* The same for a joint; the result is in the frame above. */
HOT_INLINE wrench half_joint(const state* s, const apl_node* n, real* r, wrench y, real* z) {
  take_wrench(s->work + work_S(n), n->nv, y, r);
  if (n->slaved) y = rows_mul_t(s->work + work_Phi(n), y);
  if (!n->joint_prescribed) {
    eliminate_bias(&y, s->work + work_U(n), s->work + work_D(n), r, n->nv);
  }
  add_numbers(r, n->nv, z + n->z0);
  return n->slaved ? y : wrench_from(s->X_up[n->frame], y);
}

HOT_INLINE wrench half_axis(const state* s, const apl_node* n, int i, real tau, wrench y, real* z) {
  const real r = axis_effort(n, tau, y);

  z[n->z0] += r;
  return wrench_from(s->X_up[n->frame], axis_bias(axis_pivot(s, i), r, y));
}

/* ----------------------------------------------------------------------------- half of a row ----
 */

/* From frame f to the world, y being minus the wrench on it. */
static void half_way(const apl_model* m, const state* s, int f, wrench y, real* z) {
  real r[APL_MAX_NX];

  while (f > 0) {
    const int i = m->frame[f].node;
    const apl_node* n = &m->node[i];

    if (n->path != PATH_GENERAL) {
      y = half_axis(s, n, i, real_of(0.0), y, z);
      f = n->up;
      continue;
    }
    if (f != n->frame) {
      zero(r, n->nx);
      take_wrench(s->work + work_port(n, f - n->port0), n->nx, y, r);
      y = half_body(s, n, r, wrench_from(s->X_up[f], y), z);
    }
    if (has_joint(n)) {
      zero(r, n->nv);
      y = half_joint(s, n, r, y, z);
    }
    f = n->up;
  }
}

/* An effort on velocity k. */
static void half_velocity(const apl_model* m, const state* s, int k, real effort, real* z) {
  const int i = m->velocity_node[k];
  const apl_node* n = &m->node[i];
  wrench y = wrench_zero();
  real r[APL_MAX_NX];

  if (n->path != PATH_GENERAL) {
    half_way(m, s, n->up, half_axis(s, n, i, effort, y, z), z);
  } else if (k >= n->v0 && k < n->v0 + n->nv) {
    zero(r, n->nv);
    r[k - n->v0] = effort;
    half_way(m, s, n->up, half_joint(s, n, r, y, z), z);
  } else {
    zero(r, n->nx);
    r[k - n->xv0] = effort;
    half_way(m, s, n->frame, half_body(s, n, r, y, z), z);
  }
}

HOT_INLINE wrench row_wrench(const real* number, int k) {
  wrench W;
  memcpy(&W, number + ROW_WRENCH * k, sizeof W);
  return W;
}

static apl_status ways_halve(const apl_model* m, apl_state* head, const apl_way* way,
                             const double* numbers, int n, double* out) {
  const state* s = hot(head);
  real* z = (real*)(void*)out;

  zero(z, n * m->nv);
  for (int i = 0; i < n; ++i, z += m->nv) {
    const real* number = (const real*)(const void*)numbers + ROW_NUMBERS * i;

    for (int k = 0; k < 2; ++k) {
      const wrench W = row_wrench(number, k);
      half_way(m, s, way[i].frame[k], (wrench){neg(W.n), neg(W.f)}, z);
    }
    if (way[i].velocity >= 0) half_velocity(m, s, way[i].velocity, number[ROW_EFFORT], z);
  }
  return APL_OK;
}

/* --------------------------------------------------------------------------- rows together ---- */

/* The runs of freedoms on the way of a row, from the last to the first. It may have three ways:
   runs that overlap begin at the same freedom (apl_frame). */
typedef struct runs {
  int at[3]; /* frames */
  int begin, end;
} runs;

/* Go to the next run; an empty one is the end. */
HOT_INLINE void next_run(const apl_model* m, runs* r) {
  r->begin = r->end = 0;
  for (int k = 0; k < 3; ++k) {
    const apl_frame* f = &m->frame[r->at[k]];
    if (f->end <= f->begin || f->begin < r->begin) continue;
    if (f->begin > r->begin || f->end > r->end) r->begin = f->begin, r->end = f->end;
  }
  for (int k = 0; k < 3; ++k) {
    const apl_frame* f = &m->frame[r->at[k]];
    if (f->begin == r->begin) r->at[k] = f->next;
  }
}

/* A deformation stands on the way of every port of its body. */
HOT_INLINE int velocity_frame(const apl_model* m, int k) {
  const apl_node* n = &m->node[m->velocity_node[k]];
  return k >= n->v0 && k < n->v0 + n->nv ? n->frame : n->port0;
}

HOT_INLINE runs first_run(const apl_model* m, const apl_way* way) {
  runs r = {{way->frame[0], way->frame[1], 0}, 0, 0};

  if (way->velocity >= 0) r.at[2] = velocity_frame(m, way->velocity);
  next_run(m, &r);
  return r;
}

HOT_INLINE bool same_way(const apl_way* a, const apl_way* b) {
  return a->frame[0] == b->frame[0] && a->frame[1] == b->frame[1] && a->velocity == b->velocity;
}

/* How many rows from i on share their way. */
static int bundle(const apl_ways* a, int i) {
  int n = 1;

  while (i + n < a->n && same_way(&a->way[i], &a->way[i + n]))
    ++n;
  return n;
}

/* Rows of two bundles. G gets rows na x nb, of a bundle against itself its lower half. */
typedef struct pairing {
  const real *a, *b; /* z of their first rows */
  int na, nb;
  bool self;
  real* G;
  int ld;
} pairing;

/* G += z_a d z_b over the freedoms of one run */
HOT_INLINE void pair_run(const state* s, int nv, const pairing* p, int begin, int end) {
  real* dz = s->column;

  for (int i = 0; i < p->na; ++i) {
    const real* a = p->a + i * nv;
    for (int k = begin; k < end; ++k)
      dz[k] = s->d[k] * a[k];
    for (int j = 0; j < (p->self ? i + 1 : p->nb); ++j) {
      const real* b = p->b + j * nv;
      real sum = p->G[i * p->ld + j];
      for (int k = begin; k < end; ++k)
        sum += dz[k] * b[k];
      p->G[i * p->ld + j] = sum;
    }
  }
}

/* ... over all that their ways have in common */
static void pair_bundles(const apl_model* m, const state* s, runs a, runs b, const pairing* p) {
  for (int i = 0; i < p->na; ++i)
    zero(p->G + i * p->ld, p->nb);
  while (a.end > a.begin && b.end > b.begin) {
    const int begin = a.begin;

    if (a.begin == b.begin) {
      pair_run(s, m->nv, p, begin, a.end < b.end ? a.end : b.end);
      next_run(m, &b);
      next_run(m, &a);
    } else if (a.begin < b.begin) {
      next_run(m, &b);
    } else {
      next_run(m, &a);
    }
  }
}

static apl_status ways_inertia(const apl_model* m, apl_state* head, const apl_ways* a,
                               const apl_ways* b, double* out, int ld) {
  const bool self = b == NULL;
  const state* s = hot(head);
  const real* za = (const real*)(const void*)a->z;
  const real* zb = self ? za : (const real*)(const void*)b->z;
  real* G = (real*)(void*)out;
  int na, nb;

  if (self) b = a;
  for (int i = 0; i < a->n; i += na) {
    const runs way = first_run(m, &a->way[i]);

    na = bundle(a, i);
    for (int j = 0; j < (self ? i + 1 : b->n); j += nb) {
      nb = bundle(b, j);
      const pairing p = {za + i * m->nv, zb + j * m->nv, na, nb,
                         self && i == j, G + i * ld + j, ld};
      pair_bundles(m, s, way, first_run(m, &b->way[j]), &p);
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
