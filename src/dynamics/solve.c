/* SPDX-License-Identifier: Apache-2.0 */
/* solve.c: complete solutions with the factors of factor.c: an inward sweep from the loaded frames
   and velocities, then an outward sweep over all freedoms. The inward formulas are those of
   rows.c. */
#include "dynamics/eliminate.h"
#include "dynamics/half.h"
#include "dynamics/row_numbers.h"
#include "dynamics/rows.h"
#include "dynamics/stiffness.h"

static void push_clear(const apl_model* m, apl_state* head) {
  state* s = hot(head);

  zero(s->give, m->nv);
  for (int f = 0; f < m->nframe; ++f) {
    s->push[f] = wrench_zero();
    s->touched[f] = 0;
  }
}

static void push_add(const apl_model* m, apl_state* head, const apl_way* way, const double* numbers,
                     const double* force, int n) {
  state* s = hot(head);
  const real* p = (const real*)(const void*)force;

  for (int i = 0; i < n; ++i) {
    const real* number = (const real*)(const void*)numbers + ROW_NUMBERS * i;

    for (int k = 0; k < 2; ++k) {
      const int f = way[i].frame[k];
      const wrench W = wrench_scale(p[i], row_wrench(number, k));
      s->push[f] = wrench_sub(s->push[f], W);
      s->touched[f] = 1;
    }
    for (int k = 0; k < 2; ++k) {
      const int v = way[i].velocity[k];
      if (v < 0) continue;
      s->give[v] += p[i] * number[ROW_EFFORT + k];
      s->touched[velocity_frame(m, v)] = 1;
    }
  }
}

/* -------------------------------------------------------------------------------- inwards ---- */

/* Eliminate the deformations of a body, with the bias wrenches of its ports. */
static void push_body(state* s, const apl_node* n, const real* a, real* z) {
  wrench y = s->push[n->frame];
  real r[APL_MAX_NX];

  memcpy(r, s->give + n->xv0, sizeof *r * (size_t)n->nx);
  for (int p = 0; p < n->nport; ++p) {
    const int f = n->port0 + p;
    take_wrench(s->work + work_port(n, p), n->nx, s->push[f], r);
    y = wrench_add(y, wrench_from(s->X_up[f], s->push[f]));
  }
  y = half_body(s, n, r, y, z);
  if (n->body_prescribed) {
    const twist Ua = columns_mul(s->work + work_xU(n), a + n->xv0, n->nx);
    y = wrench_add(y, (wrench){Ua.w, Ua.v});
  }
  s->push[n->frame] = y;
}

/* Bias of a prescribed acceleration a for the frame above: I S a, and J spin' of the wheels. */
static wrench given_bias(const apl_model* m, const state* s, const apl_node* n, const real* a) {
  const twist Sa = columns_mul(s->work + work_S(n), a + n->v0, n->nv);
  const wrench y = inertia6_mul(s->I[n->frame], (accel){Sa.w, Sa.v});
  satellites sat;

  if (!n->slaved) return wrench_from(s->X_up[n->frame], y);
  ask_diagonal(m, s, n, &sat);
  for (int i = 0; i < sat.n; ++i) {
    sat.bias[i] = real_of(0.0);
    for (int k = 0; k < n->nv; ++k)
      sat.bias[i] += sat.row[i * n->nv + k] * a[n->v0 + k];
  }
  return lift_bias(s, n, &sat, y);
}

static void push_joint(const apl_model* m, state* s, const apl_node* n, const real* a, real* z) {
  wrench y = s->push[n->frame];
  real r[APL_MAX_NV];

  memcpy(r, s->give + n->v0, sizeof *r * (size_t)n->nv);
  y = half_joint(s, n, r, y, z);
  if (n->joint_prescribed) y = wrench_add(y, given_bias(m, s, n, a));
  s->push[n->up] = wrench_add(s->push[n->up], y);
}

/* Innovations of all applied wrenches and efforts. Nodes through which none of them pass are
   skipped. */
static void push_inwards(const apl_model* m, state* s, const real* a, real* z) {
  zero(z, m->nv);
  for (int i = m->nnode - 1; i >= 0; --i) {
    const apl_node* n = &m->node[i];
    const int f = n->frame;

    for (int p = 0; p < n->nport; ++p) {
      if (!s->touched[n->port0 + p]) continue;
      push_body(s, n, a, z);
      s->touched[f] = 1;
      break;
    }
    if (!has_joint(n) || !s->touched[f]) continue;
    s->touched[n->up] = 1;
    if (n->path == PATH_GENERAL) {
      push_joint(m, s, n, a, z);
    } else {
      const wrench y = half_axis(s, n, i, s->give[n->v0], s->push[f], z);
      s->push[n->up] = wrench_add(s->push[n->up], y);
    }
  }
}

/* ------------------------------------------------------------------------------- outwards ---- */

/* Effort of a prescribed joint: S^T I A + J row^T (row a + rowP A_up) - applied effort. */
static void bear_joint(const apl_model* m, const state* s, const apl_node* n, const real* z,
                       const real* a, real* effort) {
  satellites sat;

  ask_diagonal(m, s, n, &sat);
  zero(sat.bias, sat.n);
  given_joint(s, n, &sat, inertia6_mul(s->I[n->frame], s->gain[n->frame]), a + n->v0,
              s->gain[n->up], effort + n->v0);
  for (int k = 0; k < n->nv; ++k)
    effort[n->v0 + k] -= z[n->z0 + k];
}

static void spread_joint(const apl_model* m, state* s, const apl_node* n, const real* z, real* a,
                         real* effort) {
  const pose X = s->X_up[n->frame];
  const accel A_up = s->gain[n->up];

  if (n->nv > 0 && !n->joint_prescribed) {
    const accel A = n->slaved ? A_up : accel_to(X.R, X.p, A_up);
    eliminated(s->work + work_U(n), s->work + work_D(n), z + n->z0, n->nv, A, a + n->v0);
  }
  s->gain[n->frame] = joint_moved(s, n, A_up, a + n->v0);
  if (n->joint_prescribed && effort != NULL) bear_joint(m, s, n, z, a, effort);
}

static void spread_body(state* s, const apl_node* n, const real* z, real* a, real* effort) {
  const accel A = s->gain[n->frame];
  real* xdd = a + n->xv0;

  if (!n->body_prescribed) {
    eliminated(s->work + work_xU(n), s->work + work_xD(n), z + n->xz0, n->nx, A, xdd);
  } else if (effort != NULL) {
    for (int k = 0; k < n->nx; ++k)
      effort[n->xv0 + k] = given_deformation(s, n, k, -z[n->xz0 + k], A, xdd);
  }
  for (int p = 0; p < n->nport; ++p)
    s->gain[n->port0 + p] = port_moved(s, n, p, A, xdd);
}

/* Accelerations from innovations. Prescribed freedoms keep the given a. */
static void spread_outwards(const apl_model* m, state* s, const real* z, real* a, real* effort) {
  s->gain[0] = (accel){vec3_zero(), vec3_zero()};
  if (effort != NULL) zero(effort, m->nv);
  for (int i = 0; i < m->nnode; ++i) {
    const apl_node* n = &m->node[i];
    const int f = n->frame;

    if (n->path != PATH_GENERAL) {
      accel A = accel_to(s->X_up[f].R, s->X_up[f].p, s->gain[n->up]);
      a[n->v0] = axis_motion(n, axis_pivot(s, i), z[n->z0], &A);
      s->gain[f] = A;
      continue;
    }
    if (has_joint(n)) spread_joint(m, s, n, z, a, effort);
    if (n->nx > 0) spread_body(s, n, z, a, effort);
  }
}

static apl_status push_solve(const apl_model* m, apl_state* head, const double* tau, double* a_out,
                             double* effort) {
  state* s = hot(head);
  real* a = (real*)(void*)a_out;

  if (tau != NULL) add_numbers((const real*)(const void*)tau, m->nv, s->give);
  for (int f = 0; (tau != NULL || m->nprescribed > 0) && f < m->nframe; ++f)
    s->touched[f] = 1;
  push_inwards(m, s, a, s->z);
  spread_outwards(m, s, s->z, a, (real*)(void*)effort);
  return finite_status(a, m->nv);
}

static const double* innovations(apl_state* head) {
  return (const double*)(const void*)hot(head)->z;
}

static apl_status spread(const apl_model* m, apl_state* head, const double* z, double* a_out,
                         double* effort) {
  state* s = hot(head);
  real* a = (real*)(void*)a_out;

  zero(a, m->nv);
  spread_outwards(m, s, (const real*)(const void*)z, a, (real*)(void*)effort);
  return finite_status(a, m->nv);
}
