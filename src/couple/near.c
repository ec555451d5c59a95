/* SPDX-License-Identifier: Apache-2.0 */
/* near.c: see near.h. */
#include "couple/near.h"

#include "base/assert.h"
#include "base/arena.h"
#include "dynamics/rows.h"
#include "math/solid.h"

#include <math.h>
#include <stdlib.h>

static void layout(const apl_model* m, apl_near* near, apl_arena* a) {
  const size_t n = (size_t)m->nsolid;

#define TAKE(p, count) ((p) = apl_arena_take(a, sizeof *(p) * (count)))
  TAKE(near->order, n);
  TAKE(near->low, 3 * n);
  TAKE(near->high, 3 * n);
  TAKE(near->pose, 12 * n);
  TAKE(near->margin, n);
  TAKE(near->list, (size_t)near->most);
#undef TAKE
}

apl_status apl_near_new(const apl_model* m, apl_near* out) {
  apl_arena arena = {0};

  /* room for more points than slots, because a search may find more, which is then reported */
  *out = (apl_near){.most = 2 * m->nslot + TOUCH_MOST};
  layout(m, out, &arena);
  out->memory = apl_arena_open(&arena);
  if (out->memory == NULL) return APL_ERR_MEMORY;
  layout(m, out, &arena);
  for (int i = 0; i < m->nsolid; ++i)
    out->order[i] = i;
  return APL_OK;
}

void apl_near_free(apl_near* near) {
  free(near->memory);
  near->memory = NULL;
}

static solid solid_of(const apl_solid* s) {
  return (solid){(solid_kind)s->kind, {s->size[0], s->size[1], s->size[2]}};
}

/* Poses, and bounding boxes enlarged by the distance each solid may move in the time T:
     2 (|v| + |w| reach) T + 20 m/s^2 T^2 + reach/50,  twice its path at the present speed */
static void place_solids(apl_near* near, const apl_model* m, apl_state* s, double horizon) {
  for (int i = 0; i < m->nsolid; ++i) {
    const solid a = solid_of(&m->solid[i]);
    const double reach = apl_solid_reach(&a);
    pose X;
    vec3 low, high;
    double speed = 0.0;

    memcpy(&X, m->solid[i].at, sizeof X);
    if (m->solid[i].frame != 0) {
      double V[6];
      pose F;
      apl_frame_motion(m, s, m->solid[i].frame, (double*)(void*)&F, V, NULL);
      const vec3 w = {V[0], V[1], V[2]}, v = add((vec3){V[3], V[4], V[5]}, cross(w, X.p));
      speed = sqrt(dot(v, v)) + reach * sqrt(dot(w, w));
      X = pose_mul(F, X);
    }
    const double wide = m->solid[i].frame == 0
                            ? 0.0
                            : 2.0 * speed * horizon + 20.0 * horizon * horizon + 0.02 * reach;
    apl_solid_bound(&a, &X, &low, &high);
    memcpy(near->pose + 12 * i, &X, sizeof X);
    near->margin[i] = wide;
    memcpy(near->low + 3 * i, (double[3]){low.x - wide, low.y - wide, low.z - wide},
           3 * sizeof *near->low);
    memcpy(near->high + 3 * i, (double[3]){high.x + wide, high.y + wide, high.z + wide},
           3 * sizeof *near->high);
  }
}

/* The axis along which the centres have the largest spread. */
static int widest_axis(const apl_near* near, int n) {
  double best = -1.0;
  int axis = 0;

  for (int k = 0; k < 3; ++k) {
    double sum = 0.0, square = 0.0;
    for (int i = 0; i < n; ++i) {
      const double x = near->pose[12 * i + 9 + k];
      sum += x;
      square += x * x;
    }
    const double spread = square - sum * sum / n;
    if (spread > best * (1.0 + 1e-9)) best = spread, axis = k;
  }
  return axis;
}

/* Insertion sort: the order of the last search is nearly right. Solids at equal coordinates are
   kept in the order of the model, so the result does not depend on the history. */
static void sort(apl_near* near, int n, int axis) {
  for (int i = 1; i < n; ++i) {
    const int a = near->order[i];
    const double x = near->low[3 * a + axis];
    int k = i;
    for (; k > 0; --k) {
      const int b = near->order[k - 1];
      const double y = near->low[3 * b + axis];
      if (y < x || (y == x && b < a)) break;
      near->order[k] = b;
    }
    near->order[k] = a;
  }
}

static bool overlap(const apl_near* near, int a, int b) {
  for (int k = 0; k < 3; ++k) {
    if (near->low[3 * a + k] > near->high[3 * b + k] ||
        near->low[3 * b + k] > near->high[3 * a + k])
      return false;
  }
  return true;
}

/* Contact points of a pair that are closer than its margins; false if there is no room. */
static bool measure(apl_near* near, const apl_model* m, int i, int j) {
  /* the moving solid first, then in the order of the model */
  const bool swap = m->solid[i].frame == 0 || (m->solid[j].frame != 0 && j < i);
  const int a = swap ? j : i, b = swap ? i : j;
  const double far = near->margin[a] + near->margin[b];
  apl_touch_place at[TOUCH_MOST];
  const int n = m->measure(&m->solid[a], near->pose + 12 * a, &m->solid[b], near->pose + 12 * b,
                           (double*)(void*)at);

  near->measured += 1;
  for (int k = 0; k < n; ++k) {
    if (at[k].depth < -far) continue;
    if (near->n == near->most) return false;
    APL_ASSERT(m->touches[a * m->nsolid + b] >= 0); /* only pairs that may touch are measured */
    near->list[near->n++] = (near_place){{a, b}, k, m->touches[a * m->nsolid + b], at[k].depth};
  }
  return true;
}

int apl_near_find(apl_near* near, const apl_model* m, apl_state* s, double horizon) {
  const int n = m->nsolid;

  near->n = 0;
  near->compared = near->measured = 0;
  if (apl_frames_move(m, s, false) != APL_OK) return -1; /* the next pass reports the error */
  place_solids(near, m, s, horizon);
  const int axis = widest_axis(near, n);
  sort(near, n, axis);
  for (int i = 0; i < n; ++i) {
    const int a = near->order[i];
    for (int k = i + 1; k < n; ++k) {
      const int b = near->order[k], group = m->touches[a * n + b];
      if (near->low[3 * b + axis] > near->high[3 * a + axis]) break;
      near->compared += 1;
      if (group < 0 || !overlap(near, a, b)) continue;
      if (!measure(near, m, a, b)) return group;
    }
  }
  return -1;
}

bool apl_near_overlap(apl_near* near, const apl_model* m, apl_state* s, near_place* out) {
  bool any = false;

  if (m->nslot == 0 || apl_frames_move(m, s, false) != APL_OK) return false;
  place_solids(near, m, s, 0.0);
  for (int i = 0; i < m->nsolid; ++i) {
    for (int j = i + 1; j < m->nsolid; ++j) {
      const int group = m->touches[i * m->nsolid + j];
      if (group < 0 || !overlap(near, i, j)) continue;
      near->n = 0;
      measure(near, m, i, j);
      for (int k = 0; k < near->n; ++k) {
        const double most = m->par[m->pair[m->group[group].slot0].par + PAIR_DEPTH];
        const double depth = near->list[k].depth;
        if (!(depth > most) || (any && depth <= out->depth)) continue;
        *out = near->list[k];
        any = true;
      }
    }
  }
  return any;
}
