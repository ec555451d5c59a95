/* SPDX-License-Identifier: Apache-2.0 */
/* scale.c: the size of a robot as an order of magnitude. Contact events need tolerances for lengths
   and speeds that are round-off. A robot of a millimetre and one of a kilometre have different
   ones, in proportion to their size L and to a speed sqrt(a L). */
#include "system/system_impl.h"

#include <math.h>

static double norm(const double* x) {
  return sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
}

/* The position in the numbers of a pose (R[9], p[3]). */
static const double* place(const double* numbers) {
  return numbers + 9;
}

/* Sum of the distances between successive joints, from the first link of the tree to a frame. Where
   that link stands in the world does not count: it says nothing about the size of the robot. */
static double reach_of(const apl_model* m, int frame) {
  double sum = 0.0;

  while (m->frame[frame].node >= 0) {
    const apl_node* n = &m->node[m->frame[frame].node];
    if (m->frame[n->up].node < 0 || n->up >= frame) break;
    sum += norm(place(m->par + n->par + PAR_TREE));
    frame = n->up;
  }
  return sum;
}

/* The largest distance, along the links, of a port or a solid from the first link. */
static double largest_reach(const apl_model* m) {
  double most = 0.0;

  for (int i = 0; i < m->nport; ++i) {
    const apl_port* p = &m->port[i];
    if (m->frame[p->frame].node < 0) continue;
    most = fmax(most, reach_of(m, p->frame) + norm(place(m->par + p->pose)));
  }
  for (int i = 0; i < m->npair; ++i)
    most = fmax(most, m->par[m->pair[i].par + PAIR_RADIUS]);
  for (int i = 0; i < m->nsolid; ++i) {
    const apl_solid* b = &m->solid[i];
    if (m->frame[b->frame].node < 0) continue;
    most = fmax(most, reach_of(m, b->frame) + norm(place(b->at)) +
                          fmax(b->size[0], fmax(b->size[1], b->size[2])));
  }
  return most;
}

/* The poses of a body that deforms do not contain its length: the size of such a robot is not known
   here. */
static bool deforms(const apl_model* m) {
  for (int i = 0; i < m->nnode; ++i) {
    if (m->node[i].nx > 0) return true;
  }
  return false;
}

void apl_system_measure(apl_system* s) {
  const double reach = deforms(s->model) ? 0.0 : largest_reach(s->model);

  /* A tolerance needs no digits. A power of ten is rarely changed by a small change of the model.
   */
  s->scale.length = reach > 0.0 && isfinite(reach) ? pow(10.0, round(log10(reach))) : 1.0;
  s->scale.time = sqrt(s->scale.length);
  s->scale.speed = sqrt(s->scale.length);
}
