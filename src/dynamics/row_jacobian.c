/* SPDX-License-Identifier: Apache-2.0 */
/* row_jacobian.c: Jacobian rows over the velocities, J v = velocity of the row. Implicit steps
   treat stiffness along a few rows separately from the factors (system/implicit_rows.c). */
#include "dynamics/row_numbers.h"
#include "dynamics/rows.h"
#include "dynamics/spans.h"
#include "dynamics/world.h"

/* row += generalized force of wrench W, in the axes of frame f at its origin, on all velocities */
static void add_wrench(const apl_model* m, const state* s, int f, wrench W, real* row) {
  if (f == 0) return;
  const pose X = root_pose(s, &m->node[m->frame[f].node], f);
  walk(m, s, m->frame_column[f], wrench_from(X, W), row, 1);
}

static apl_status ways_jacobian(const apl_model* m, apl_state* head, const apl_way* way,
                                const double* numbers, int n, double* out) {
  state* s = hot(head);
  real* J = (real*)(void*)out;

  positions(m, s);
  world_columns(m, s);
  zero(J, n * m->nv);
  for (int i = 0; i < n; ++i, J += m->nv) {
    const real* number = (const real*)(const void*)numbers + ROW_NUMBERS * i;

    for (int e = 0; e < 2; ++e) {
      add_wrench(m, s, way[i].frame[e], row_wrench(number, e), J);
      if (way[i].velocity[e] >= 0) J[way[i].velocity[e]] += number[ROW_EFFORT + e];
    }
  }
  return APL_OK;
}

/* Rate of a straight span's length: e . (P_1' - P_0'), with e in world axes */
static void add_straight(const apl_model* m, const state* s, const apl_span* g, real* row) {
  const real* e = s->slope + g->slope;

  for (int end = 0; end < 2; ++end) {
    const int f = g->frame[end];
    const vec3 pull = mul_t(s->X[f].R, (vec3){e[0], e[1], e[2]});
    const vec3 force = scale(real_of(end == 0 ? -1.0 : 1.0), pull);
    add_wrench(m, s, f, (wrench){cross(span_point(s, g, end), force), force}, row);
  }
}

/* J[ntendon * nv]: l' = J v */
static apl_status tendon_jacobian(const apl_model* m, apl_state* head, double* out) {
  state* s = hot(head);
  real* J = (real*)(void*)out;

  positions(m, s);
  velocities(m, s);
  world_columns(m, s);
  zero(J, m->ntendon * m->nv);
  for (int i = 0; i < m->ntendon; ++i, J += m->nv) {
    const apl_tendon* t = &m->tendon[i];
    for (int k = 0; k < t->nspan; ++k) {
      const apl_span* g = &m->span[t->span0 + k];
      (void)span_of(m, s, g);
      if (g->kind == SPAN_STRAIGHT) add_straight(m, s, g, J);
      if (g->kind != SPAN_ALONG && g->kind != SPAN_CHORDS) continue;
      const apl_node* n = &m->node[g->node];
      for (int x = 0; x < n->nx; ++x)
        J[n->xv0 + x] += s->slope[g->slope + x];
    }
  }
  return finite_status((const real*)(const void*)out, m->ntendon * m->nv);
}
