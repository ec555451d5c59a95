/* SPDX-License-Identifier: Apache-2.0 */
/* satellites.h: satellites are wheels and rotors: inertias that spin with a joint.

     spin = row v + rowP V_up        spin' = row a + rowP A_up + bias

   rowP is zero unless the joint is slaved. A_up is the acceleration as passes carry it (motion.h);
   the terms of gravity and velocity products that it lacks are in bias. */
#pragma once

#include "dynamics/motion.h"

/* Stiffness and damping of a joint enter a factorisation as additional satellites (stiffness.c). */
enum { SATELLITES_MOST = APL_MAX_SATELLITES + 2 * APL_MAX_NV };

typedef struct satellites {
  int n;
  real row[SATELLITES_MOST * APL_MAX_NV];
  real rowP[SATELLITES_MOST * 6]; /* on the frame above                                           */
  real bias[SATELLITES_MOST];
  real J[SATELLITES_MOST];
} satellites;

/* Satellites of a node: those of the joint kind first, then rotors. A slaved joint needs X and
   V. */
static void ask_satellites(const apl_model* m, const state* s, const apl_node* n, satellites* sat) {
  const pose tree = par_pose(s, n->par + PAR_TREE);
  const twist V = s->V[n->up];
  joint_in in = joint_input(s, n);

  sat->n = n->nsat;
  if (n->slaved) in.VP = twist_to(tree, V);
  zero(sat->row, n->nsat * n->nv);
  zero(sat->rowP, n->nsat * 6);
  zero(sat->bias, n->nsat);
  if (n->nspin > 0) joint_ops_of(n->joint)->spin(&in, sat->row, sat->rowP, sat->bias);
  for (int k = 0; k < n->nsat; ++k) {
    const apl_satellite* one = &m->satellite[n->sat0 + k];
    sat->J[k] = s->par[one->par];
    if (k >= n->nspin) sat->row[k * n->nv + one->rotor_velocity] = s->par[one->par + 1];
    if (!n->slaved) continue;

    const vec3 fix = sub(mul_t(s->X[n->up].R, par_gravity(s)), cross(V.w, V.v));
    const twist r = column(sat->rowP, k);
    const wrench r_up = wrench_from(tree, (wrench){r.w, r.v});
    set_column(sat->rowP, k, (twist){r_up.n, r_up.f});
    sat->bias[k] += dot(r_up.f, fix);
  }
}

/* row x + rowP Y of satellite k: its spin for x = v, Y = V_up; its spin rate without bias for x =
   a, Y = A_up */
static inline real satellite_sum(const satellites* sat, const apl_node* n, int k, const real* x,
                                 vec3 angular, vec3 linear) {
  real sum = real_of(0.0);

  if (n->slaved) {
    const twist p = column(sat->rowP, k);
    sum = dot(p.w, angular) + dot(p.v, linear);
  }
  for (int j = 0; j < n->nv; ++j)
    sum += sat->row[k * n->nv + j] * x[j];
  return sum;
}

/* Spins of a node's satellites. */
static void spins(const apl_model* m, state* s, const apl_node* n) {
  const twist V_up = s->V[n->up];
  satellites sat;

  /* a joint with rotors only: spin = ratio v */
  if (n->nspin == 0 && !n->slaved) {
    for (int k = n->sat0; k < n->sat0 + n->nsat; ++k) {
      const apl_satellite* one = &m->satellite[k];
      s->spin[k] = s->par[one->par + 1] * s->v[n->v0 + one->rotor_velocity];
    }
    return;
  }
  ask_satellites(m, s, n, &sat);
  for (int k = 0; k < n->nsat; ++k) {
    s->spin[n->sat0 + k] = satellite_sum(&sat, n, k, s->v + n->v0, V_up.w, V_up.v);
  }
}
