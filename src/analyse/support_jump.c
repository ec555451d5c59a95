/* SPDX-License-Identifier: Apache-2.0 */
/* support_jump.c: new supports take over. The shape and its rates are continuous; the base's
   velocity jumps from the one that the old pair allows to that of the new pair, without impulse
   along the ground:

     M dv = sum J^T (up Pi_c)     base rows give Pi and the jump along the ground, others
     impulses */
#include "analyse/support_impl.h"

#include <math.h>
#include <string.h>

/* Velocity of the base on a pair whose first support does not slide: along, up, rotation. */
static apl_status base_velocity(apl_support* s, double t, support_pair p, double way, double* out) {
  const apl_status st = apl_support_place(s, t, p, way, 0.0, 0.0);
  const double* v = apl_v(s->s) + s->v0;

  out[0] = v[0] * s->frame[0][0] + v[1] * s->frame[1][0];
  out[1] = v[0] * s->frame[0][1] + v[1] * s->frame[1][1];
  out[2] = v[2];
  return st;
}

/* r = M dv for a jump of the base. */
static void momenta(const apl_support* s, const double* jump, double* r) {
  const int v0 = s->v0;
  double dv[3];

  for (int j = 0; j < 2; ++j)
    dv[j] = jump[0] * s->frame[j][0] + jump[1] * s->frame[j][1];
  dv[2] = jump[2];
  for (int v = 0; v < s->nv; ++v) {
    r[v] = 0.0;
    for (int k = 0; k < 3; ++k)
      r[v] += s->M[v * s->nv + v0 + k] * dv[k];
  }
}

static double component(const apl_support* s, const double* r, int which) {
  return r[s->v0] * s->frame[0][which] + r[s->v0 + 1] * s->frame[1][which];
}

apl_status apl_support_jump(apl_support* s, double t, support_pair old, support_pair now,
                            double* way, double* slip, apl_support_switch* out, double* impulse) {
  double before[3], after[3], jump[3];
  apl_status st = base_velocity(s, t, old, *way, before);
  if (st != APL_OK) return st;

  /* the new pair is where the motion on the old pair has brought it */
  *way = apl_support_motion_of(s, apl_support_part(s, now, now.a)).at.x;
  st = base_velocity(s, t, now, *way, after);
  if (st == APL_OK) st = apl_mass_matrix(s->m, s->s, s->M);
  if (st != APL_OK) return st;
  *out = (apl_support_switch){.t = t,
                              .arc = now.arc,
                              .before = {old.a + 1, old.b + 1},
                              .after = {now.a + 1, now.b + 1},
                              .center = apl_support_center(s).x};

  /* no impulse along the ground: that row of M dv is zero */
  jump[0] = 0.0, jump[1] = after[1] - before[1], jump[2] = after[2] - before[2];
  momenta(s, jump, s->column);
  jump[0] = -component(s, s->column, 0) / s->mass;
  momenta(s, jump, s->column);
  out->turn = jump[2];
  out->lift = component(s, s->column, 1) / s->mass;
  *slip += before[0] + jump[0] - after[0];
  return apl_support_strike(s, now, s->column, out->impulse, impulse);
}
