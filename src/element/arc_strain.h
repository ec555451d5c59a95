/* SPDX-License-Identifier: Apache-2.0 */
/* arc_strain.h: shared by all arcs of several strains (arc_space.c, arc_bend.c): elasticity and
   material damping per strain, and tendon channels. */
#pragma once

#include "element/arc_par.h"

#ifdef APL_HOT

/* Elasticity and material damping of strain k. */
HOT_INLINE real arc_elastic(const body_in* in, int k) {
  const arc_space_par* par = in->par;
  const arc_strain_par* own = &par->strain[k];
  return own->stiffness * (in->x[k] - own->rest) + own->damping * in->xd[k];
}

static real arc_space_potential(const body_in* in) {
  const arc_space_par* par = in->par;
  real sum = real_of(0.0);

  for (int k = 0; k < in->nx; ++k) {
    const real strain = in->x[k] - par->strain[k].rest;
    sum += 0.5 * par->strain[k].stiffness * strain * strain;
  }
  return sum;
}

static void arc_space_stiffness(const body_in* in, real k, real c, real* out) {
  const arc_space_par* par = in->par;

  for (int i = 0; i < in->nx; ++i)
    out[i * in->nx + i] += k * par->strain[i].stiffness + c * par->strain[i].damping;
}

static real arc_space_dissipation(const body_in* in) {
  const arc_space_par* par = in->par;
  real sum = real_of(0.0);

  for (int k = 0; k < in->nx; ++k)
    sum += par->strain[k].damping * in->xd[k] * in->xd[k];
  return sum;
}

/* w = X_v + X_w x d, l = |w|, dl/dX = (d x w/l ; w/l)                           (tendons.md, 2) */
static real arc_space_channel(const body_in* in, vec3 d, real* slope) {
  const arc_space_par* par = in->par;
  const real o = real_of(0.0);
  twist X = {{o, o, o}, {o, o, par->L}};

  for (int k = 0; k < in->nx; ++k)
    X = twist_add(X, twist_scale(in->x[k], column(par->strain[k].B, 0)));

  const vec3 w = add(X.v, cross(X.w, d));
  const real l = real_sqrt(dot(w, w));
  const vec3 e = scale(1.0 / l, w), de = cross(d, e);
  for (int k = 0; k < in->nx; ++k) {
    const twist B = column(par->strain[k].B, 0);
    slope[k] = dot(B.w, de) + dot(B.v, e);
  }
  return l;
}

#endif
