/* SPDX-License-Identifier: Apache-2.0 */
/* plane_tally.c: the tally of energy.c for flat robots of rigid bodies, in their plane: places and
   velocities of all frames in the axes of the plane, then sums over the frames. Out of the plane
   nothing moves; its height over the world's origin counts in weight and angular momentum. */
#include "dynamics/energy.h"
#include "dynamics/plane.h"
#include "dynamics/plane_motion.h"
#include "dynamics/solver.h"
#include "dynamics/world.h"

/* Velocity of a joint's frame against the frame above, in the axes above: after
   plane_move_joint(). */
HOT_INLINE vec2 plane_slip(const state* s, const apl_node* n) {
  const real* S = s->work + work_S(n);
  vec2 v = {real_of(0.0), real_of(0.0)};

  if (n->path == PATH_REVOLUTE) return v;
  if (n->path == PATH_PRISMATIC) return scale2(s->v[n->v0], par_plane_node(s, n)->slide);
  for (int k = 0; k < n->nv; ++k)
    v = add2(v, scale2(s->v[n->v0 + k], (vec2){S[3 * k + 1], S[3 * k + 2]}));
  return v;
}

HOT_INLINE void plane_place(const state* s, const apl_node* n, plane_frame* P) {
  plane_frame* F = &P[n->frame];
  const plane_frame* up = &P[n->up];
  const vec2 p = rotate2(up->C, up->S, F->p);

  F->C = up->C * F->c - up->S * F->s;
  F->S = up->S * F->c + up->C * F->s;
  F->x = add2(up->x, p);
  F->v = add2(add2(up->v, turn2(up->w, p)), rotate2(up->C, up->S, plane_slip(s, n)));
}

typedef struct plane_sums {
  real kinetic, mass;
  vec2 moment;   /* sum of m x + h, which gravity pulls at                                        */
  plane_three P; /* momentum about the world's origin                                             */
} plane_sums;

/* p = m v + w n x h, L = J w + h x v about the origin of the frame, T = (p . v + L w) / 2 */
HOT_INLINE void plane_count(const apl_model* m, const state* s, int f, plane_sums* t) {
  const plane_frame* F = &s->plane[f];
  const plane_frame_par* par = par_plane_frame(m, s, f);
  const vec2 h = rotate2(F->C, F->S, par->h);
  const vec2 p = add2(scale2(par->m, F->v), turn2(F->w, h));
  const real L = par->J * F->w + cross2(h, F->v);

  t->kinetic += 0.5 * (dot2(p, F->v) + L * F->w);
  t->mass += par->m;
  t->moment = add2(t->moment, add2(scale2(par->m, F->x), h));
  t->P = add3(t->P, (plane_three){L + cross2(F->x, p), p});
}

/* As reach_of(). */
static real plane_reach(const apl_model* m, const state* s, real height) {
  real most = real_of(0.0);

  for (int i = 0; i < m->nport; ++i) {
    const int f = m->port[i].frame;
    const plane_frame* F = &s->plane[f];
    const real* at = s->par + m->port[i].pose + 9; /* behind its rotation */
    const vec3 a = {at[0], at[1], at[2]};
    const vec2 x = add2(F->x, rotate2(F->C, F->S, in_plane(s, f, a)));
    const real z = dot(plane_axis(s, f, 2), a) + (f > 0 ? height : real_of(0.0));
    most = real_max(most, dot2(x, x) + z * z);
  }
  return real_sqrt(most);
}

/* moved: plane_move_joint() has been at all joints of the same state. */
HOT_INLINE apl_status plane_count_all(const apl_model* m, state* s, bool moved, real* out) {
  const real o = real_of(0.0), height = par_plane_frame(m, s, 0)->height;
  const real* fixed = s->par + m->frame[0].inertia; /* m, h, ... of what does not move */
  const vec3 g = par_gravity(s), normal = plane_axis(s, 0, 2);
  plane_frame* P = s->plane;
  plane_sums t = {o, o, {o, o}, {o, {o, o}}};

  if (!moved) sincos_sweep(s->q, m->angle, m->nangle, s->sc);
  P[0].C = real_of(1.0), P[0].S = P[0].w = o;
  P[0].x = P[0].v = (vec2){o, o};
  out[TALLY_POTENTIAL] = o;
  for (int i = 0; i < m->nnode; ++i) {
    const apl_node* n = &m->node[i];

    if (has_joint(n)) {
      if (!moved) plane_move_joint(s, n, P);
      plane_place(s, n, P);
      plane_count(m, s, n->frame, &t);
    }
    if (n->spring + n->stop != 0) out[TALLY_POTENTIAL] += spring_energy(s, n);
    if (n->nsat > 0) t.kinetic += spin_energy(m, s, n);
  }
  out[TALLY_KINETIC] = t.kinetic;
  out[TALLY_POTENTIAL] -= dot2(in_plane(s, 0, g), t.moment) + dot(normal, g) * t.mass * height +
                          dot(g, (vec3){fixed[1], fixed[2], fixed[3]});
  const vec3 p = add(scale(t.P.f.x, plane_axis(s, 0, 0)), scale(t.P.f.y, plane_axis(s, 0, 1)));
  const vec3 L = add(scale(t.P.n, normal), cross(scale(height, normal), p));
  put_wrench(out + TALLY_MOMENTUM, (wrench){L, p});
  out[TALLY_REACH] = plane_reach(m, s, height);
  return finite_status(out, TALLY_NUMBERS);
}

static apl_status plane_tally(const apl_model* m, state* s, real* out) {
  return plane_count_all(m, s, false, out);
}

static apl_status plane_tally_last(const apl_model* m, state* s, real* out) {
  return plane_count_all(m, s, true, out);
}
