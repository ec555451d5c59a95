/* SPDX-License-Identifier: Apache-2.0 */
/* stiffness.c: derivatives of the efforts of springs, dampers, stops, dry friction and
   deformations: K with respect to coordinates, C with respect to velocities. A factorisation adds
   them to the mass matrix as M + g C + g^2 K; their product with a velocity gives the right-hand
   side of an implicit step. Theory: docs/theory/passes.md, 8.

   A spring on the tangent of q enters like a satellite of inertia k, because its rate is linear in
   the same velocities: rate = row v + rowP V_up. The change of row with q is neglected; that term
   is zero where the spring force is zero, and it may be negative. */
#include "dynamics/passive.h"
#include "dynamics/satellites.h"
#include "dynamics/stiffness.h"
#include "dynamics/world.h"

/* Derivatives of the force of a stop, stop_force(): those of k p (1 + c p') while it pushes. */
static inline void stop_slopes(real p, real rate, real k, real c, real* by_p, real* by_rate) {
  const real o = real_of(0.0), stiff = k * (1.0 + c * rate);
  const mask in = real_less(o, p);

  *by_p += real_select(in, real_max(stiff, o), o);
  *by_rate += real_select(in, real_select(real_less(o, stiff), k * c * p, o), o);
}

/* kp and kd of a servo while its effort is within its limits, else 0. */
static void servo_slopes(const state* s, const apl_node* n, real k, real c, real* velocity) {
  const real *kp = s->par + n->servo, *kd = kp + n->nv;

  for (int i = 0; i < n->nv; ++i) {
    real low, high;
    const real want = servo_want(s, n, i, &low, &high);
    const mask cut = mask_or(real_less(want, low), real_less(high, want));
    velocity[i] += real_select(cut, real_of(0.0), k * kp[i] + c * kd[i]);
  }
}

/* Derivatives of the passive forces of a joint: on the tangent by displacement (weight k) and by
   rate (weight c), and on the quasi-velocities. */
static void passive_slopes(const state* s, const apl_node* n, const joint_in* in, real k, real c,
                           real* tangent, real* velocity) {
  const real* v = s->v + n->v0;
  real rate[APL_MAX_NV];

  zero(tangent, n->nt);
  zero(velocity, n->nv);
  if (n->spring != 0) {
    for (int i = 0; i < n->nt; ++i)
      tangent[i] += k * s->par[n->spring + i];
  }
  if (n->stop != 0 && !stop_is_apart(s, n)) {
    const real *lower = s->par + n->stop, *upper = lower + n->nt;

    joint_rate(n, in, rate);
    for (int i = 0; i < n->nt; ++i) {
      const real q = s->q[n->q0 + i];
      real by_p = real_of(0.0), by_rate = real_of(0.0);
      stop_slopes(q - upper[i], rate[i], upper[n->nt], upper[n->nt + 1], &by_p, &by_rate);
      stop_slopes(lower[i] - q, -rate[i], upper[n->nt], upper[n->nt + 1], &by_p, &by_rate);
      tangent[i] += k * by_p + c * by_rate;
    }
  }
  for (int i = 0; n->damper != 0 && i < (n->slaved ? n->nt : n->nv); ++i) {
    real* slope = n->slaved ? tangent : velocity;
    slope[i] += c * s->par[n->damper + i];
  }
  if (n->servo != 0) servo_slopes(s, n, k, c, velocity);

  /* d/dv of F v / sqrt(v^2 + v_s^2) = F v_s^2 / (v^2 + v_s^2)^(3/2) */
  for (int i = 0; n->friction != 0 && i < n->nv; ++i) {
    const real speed = s->par[n->friction + n->nv], ss = speed * speed;
    const real square = v[i] * v[i] + ss;
    velocity[i] += c * s->par[n->friction + i] * ss / (square * real_sqrt(square));
  }
}

/* k K + c C of a joint along an axis. There q' = v, so each row is 1. */
static real axis_stiffness(const state* s, const apl_node* n, real k, real c) {
  const joint_in in = joint_input(s, n);
  real tangent[1], velocity[1];

  passive_slopes(s, n, &in, k, c, tangent, velocity);
  return tangent[0] + velocity[0];
}

/* Row of tangent coordinate t: the generalized force of a unit force on it. */
static void tangent_row(const state* s, const apl_node* n, const joint_in* in, const real* delta,
                        int t, real* row, real* rowP) {
  const joint_ops* ops = joint_ops_of(n->joint);
  real unit[APL_MAX_NV], QP[6];

  zero(unit, n->nt);
  unit[t] = real_of(1.0);
  zero(QP, 6);
  if (ops->pull != NULL) {
    ops->pull(in, delta, unit, row, QP);
  } else {
    memcpy(row, unit, sizeof *row * (size_t)n->nv);
  }
  zero(rowP, 6);
  if (n->slaved) {
    const wrench W = {{QP[0], QP[1], QP[2]}, {QP[3], QP[4], QP[5]}};
    const wrench up = wrench_from(par_pose(s, n->par + PAR_TREE), W);
    set_column(rowP, 0, (twist){up.n, up.f});
  }
}

/* Append k K + c C of a joint to its satellites. A slaved joint with stops needs true twists V. */
static void add_stiffness(const state* s, const apl_node* n, real k, real c, satellites* sat) {
  const bool on_tangent = n->spring + n->stop > 0 || (n->slaved && n->damper > 0);
  const bool on_velocity = n->friction + n->servo > 0 || (!n->slaved && n->damper > 0);
  real tangent[APL_MAX_NV], velocity[APL_MAX_NV], delta[APL_MAX_NV];
  joint_in in = joint_input(s, n);

  if (!has_passive(n)) return;
  in.VP = hitch_twist(s, n);
  passive_slopes(s, n, &in, k, c, tangent, velocity);
  if (on_tangent) displacement(s, n, delta);
  for (int t = 0; on_tangent && t < n->nt; ++t) {
    const int at = sat->n++;
    tangent_row(s, n, &in, delta, t, sat->row + at * n->nv, sat->rowP + 6 * at);
    sat->J[at] = tangent[t];
    sat->bias[at] = real_of(0.0);
  }
  for (int i = 0; on_velocity && i < n->nv; ++i) {
    const int at = sat->n++;
    zero(sat->row + at * n->nv, n->nv);
    zero(sat->rowP + 6 * at, 6);
    sat->row[at * n->nv + i] = real_of(1.0);
    sat->J[at] = velocity[i];
    sat->bias[at] = real_of(0.0);
  }
}

/* ---------------------------------------------------------------------------- products ---- */

/* out += row^T J (row . x), row over n velocities */
static inline void row_product(const real* row, real J, int n, const real* x, real* out) {
  real rate = real_of(0.0);

  for (int k = 0; k < n; ++k)
    rate += row[k] * x[k];
  for (int k = 0; k < n; ++k)
    out[k] += row[k] * J * rate;
}

/* Rows of a joint act on its own velocities. Those of a slaved joint also act on all velocities
   that move the frame above. */
static void joint_product(const apl_model* m, state* s, const apl_node* n, const satellites* sat,
                          const real* x, real* out) {
  real* whole = s->column;

  for (int i = 0; i < sat->n; ++i) {
    const real* row = sat->row + i * n->nv;

    if (!n->slaved) {
      row_product(row, sat->J[i], n->nv, x + n->v0, out + n->v0);
      continue;
    }
    const twist p = column(sat->rowP, i);
    const wrench P = wrench_from(root_pose(s, n, n->up), (wrench){p.w, p.v});
    zero(whole, m->nv);
    walk(m, s, m->frame_column[n->up], P, whole, 1);
    for (int k = 0; k < n->nv; ++k)
      whole[n->v0 + k] += row[k];
    row_product(whole, sat->J[i], m->nv, x, out);
  }
}

static void body_product(const state* s, const apl_node* n, real k, real c, const real* x,
                         real* out) {
  const body_in in = body_input(s, n);
  real block[APL_MAX_NX * APL_MAX_NX];

  zero(block, n->nx * n->nx);
  body_ops_of(n->body)->stiffness(&in, k, c, block);
  for (int i = 0; i < n->nx; ++i) {
    for (int j = 0; j < n->nx; ++j)
      out[n->xv0 + i] += block[i * n->nx + j] * x[n->xv0 + j];
  }
}

/* out = (k K + c C) x */
static apl_status stiff_product(const apl_model* m, state* s, real k, real c, const real* x,
                                real* out) {
  zero(out, m->nv);
  for (int i = 0; i < m->npassive; ++i) {
    const apl_node* n = &m->node[m->passive[i]];
    satellites rows;

    if (n->path != PATH_GENERAL) {
      out[n->v0] += axis_stiffness(s, n, k, c) * x[n->v0];
      continue;
    }
    rows.n = 0;
    add_stiffness(s, n, k, c, &rows);
    joint_product(m, s, n, &rows, x, out);
  }
  for (int i = 0; i < m->nnode; ++i) {
    if (m->node[i].nx > 0) body_product(s, &m->node[i], k, c, x, out);
  }
  return finite_status(out, m->nv);
}

static apl_status stiffness(const apl_model* m, apl_state* head, const double* x, double* Kx,
                            double* Cx) {
  state* s = hot(head);
  const real o = real_of(0.0), i = real_of(1.0);
  const real* v = (const real*)(const void*)x;

  if (m->nslaved > 0) {
    positions(m, s);
    velocities(m, s);
    world_columns(m, s);
  } else {
    sincos_sweep(s->q, m->angle, m->nangle, s->sc);
  }
  apl_status st = APL_OK;
  if (Kx != NULL) st = stiff_product(m, s, i, o, v, (real*)(void*)Kx);
  if (Cx != NULL && st == APL_OK) st = stiff_product(m, s, o, i, v, (real*)(void*)Cx);
  return st;
}
