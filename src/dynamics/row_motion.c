/* SPDX-License-Identifier: Apache-2.0 */
/* row_motion.c: velocities and accelerations of rows, and the conversion of rows on ports to rows
   on frames. */
#include "dynamics/outward.h"
#include "dynamics/row_numbers.h"
#include "dynamics/rows.h"
#include "dynamics/world.h"

static apl_status frames_move(const apl_model* m, apl_state* head, bool accelerations) {
  state* s = hot(head);

  positions(m, s);
  velocities(m, s);
  if (accelerations) {
    set_world(s);
    outward(m, s, s->a);
  }
  return finite_status((const real*)(const void*)s->V, 6 * m->nframe);
}

static apl_status frames_speed(const apl_model* m, apl_state* head) {
  state* s = hot(head);

  velocities(m, s);
  return finite_status((const real*)(const void*)s->V, 6 * m->nframe);
}

/* A frame's true acceleration: s->A is minus gravity, so gravity is added back. */
HOT_INLINE accel true_acceleration(const state* s, int f) {
  const accel A = s->A[f];
  return (accel){A.dw, add(A.a, mul_t(s->X[f].R, par_gravity(s)))};
}

static void frame_motion(apl_state* head, int f, double* X, double* V, double* A) {
  const state* s = hot(head);
  const accel a = true_acceleration(s, f);

  if (X != NULL) memcpy(X, &s->X[f], sizeof s->X[f]);
  if (V != NULL) memcpy(V, &s->V[f], sizeof s->V[f]);
  if (A != NULL) memcpy(A, &a, sizeof a);
}

/* W . V' with V' the rates of the components: (w'; a - w x v) */
HOT_INLINE real row_rate(wrench W, twist V, accel A) {
  return dot(W.n, A.dw) + dot(W.f, sub(A.a, cross(V.w, V.v)));
}

static apl_status ways_motion(const apl_model* m, apl_state* head, const apl_way* way,
                              const double* numbers, int n, double* velocity,
                              double* acceleration) {
  const state* s = hot(head);
  (void)m;

  for (int i = 0; i < n; ++i) {
    const real* number = (const real*)(const void*)numbers + ROW_NUMBERS * i;
    real v = real_of(0.0), a = real_of(0.0);

    for (int e = 0; e < 2; ++e) {
      const int f = way[i].frame[e];
      if (f == 0) continue;
      v += power(s->V[f], row_wrench(number, e));
      a += row_rate(row_wrench(number, e), s->V[f], true_acceleration(s, f));
    }
    for (int e = 0; e < 2; ++e) {
      const int k = way[i].velocity[e];
      const real effort = number[ROW_EFFORT + e];
      if (k >= 0) v += effort * s->v[k], a += effort * s->a[k];
    }
    if (velocity != NULL) ((real*)(void*)velocity)[i] = v;
    if (acceleration != NULL) ((real*)(void*)acceleration)[i] = a;
  }
  return APL_OK;
}

/* -------------------------------------------------------------------------- rows of ports ---- */

/* The row's wrench on port e, in the axes of the port. */
static wrench port_wrench(const apl_model* m, const state* s, const apl_row* row, int e) {
  const double* x = row->wrench[e];
  const apl_port* port = &m->port[row->port[e]];
  const wrench W = {{real_of(x[0]), real_of(x[1]), real_of(x[2])},
                    {real_of(x[3]), real_of(x[4]), real_of(x[5])}};
  mat3 R = par_pose(s, port->pose).R;

  if (row->axes == APL_PORT_AXES) return W;
  for (int f = port->frame; f > 0;) {
    /* rotate up to the world with the relative poses X_up, which the factors use too */
    const apl_node* n = &m->node[m->frame[f].node];
    R = mat3_mul(s->X_up[f].R, R);
    f = f == n->frame ? n->up : n->frame;
  }
  return (wrench){mul_t(R, W.n), mul_t(R, W.f)};
}

static void row_of_ports(const apl_model* m, apl_state* head, const apl_row* row, apl_way* way,
                         double* numbers) {
  const state* s = hot(head);
  real* number = (real*)(void*)numbers;

  *way = (apl_way){{0, 0}, {row->velocity, -1}};
  zero(number, ROW_NUMBERS);
  for (int e = 0; e < 2; ++e) {
    if (row->port[e] < 0) continue;
    const wrench W =
        wrench_from(par_pose(s, m->port[row->port[e]].pose), port_wrench(m, s, row, e));
    way->frame[e] = m->port[row->port[e]].frame;
    memcpy(number + ROW_WRENCH * e, &W, sizeof W);
  }
  number[ROW_EFFORT] = real_of(row->effort);
}

/* After frames_move(). A wrench given in world axes is constant while the port turns, so its row's
   acceleration is W . (w'; a). */
static void port_row_motion(const apl_model* m, apl_state* head, const apl_row* row,
                            double* velocity, double* acceleration) {
  const state* s = hot(head);
  real v = real_of(0.0), a = real_of(0.0);

  for (int e = 0; e < 2; ++e) {
    if (row->port[e] < 0) continue;
    const apl_port* port = &m->port[row->port[e]];
    const pose X = par_pose(s, port->pose);
    const wrench W = port_wrench(m, s, row, e);
    const twist V = twist_to(X, s->V[port->frame]);
    const accel A = port_accel(s, port->frame, X, mat3_mul(s->X[port->frame].R, X.R));

    v += power(V, W);
    if (row->axes == APL_PORT_AXES) {
      a += row_rate(W, V, A);
    } else {
      a += dot(W.n, A.dw) + dot(W.f, A.a);
    }
  }
  if (row->velocity >= 0) {
    v += row->effort * s->v[row->velocity];
    a += row->effort * s->a[row->velocity];
  }
  if (velocity != NULL) memcpy(velocity, &v, sizeof v);
  if (acceleration != NULL) memcpy(acceleration, &a, sizeof a);
}
